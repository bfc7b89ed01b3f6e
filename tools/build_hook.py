"""Completes the wheel and the sdist: refuses to package a missing admin UI and adds the schemas (hook of hatchling)."""

import json
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT_PARTS = {"admin UI": ("src/rostrum/manager/admin_page/build", "make admin-ui")}
"""Folders that other tools build, and the command for each. A browser platform adds its line here.

`artifacts` in pyproject.toml names the same folders, because Git ignores them.
"""


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Checks what is packaged before it is packaged."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Check the built parts, except for an editable installation, which is made before they are built."""
        if version == "editable":
            return
        problems = [text for name in BUILT_PARTS if (text := _problem(Path(self.root), name))]
        if problems:
            raise SystemExit("\n".join(problems))
        if self.target_name == "wheel":
            build_data["force_include"]["schemas"] = "rostrum/schemas"


def _problem(root: Path, name: str) -> str | None:
    """Return what is wrong with one built part. Vite's manifest lists every file that the page loads."""
    folder, command = BUILT_PARTS[name]
    build = root / folder
    if not (build / "index.html").is_file():
        return f"Cannot package: the {name} is not built ({folder}/index.html is missing). Run `{command}` first."
    try:
        chunks = json.loads((build / "manifest.json").read_text(encoding="utf-8")).values()
        files = {file for chunk in chunks for file in (chunk["file"], *chunk.get("css", ()), *chunk.get("assets", ()))}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return f"Cannot package: {folder}/manifest.json of the {name} cannot be read. Run `{command}` again."
    missing = sorted(file for file in files if not (build / file).is_file())
    if missing or not files:
        detail = f"{folder}/{missing[0]} is missing" if missing else f"{folder}/manifest.json lists no files"
        return f"Cannot package: the {name} is incomplete ({detail}). Run `{command}` again."
    return None
