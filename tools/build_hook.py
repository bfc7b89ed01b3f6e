"""Completes the wheel and the sdist: refuses to package missing pages and adds the schemas (hook of hatchling)."""

import hashlib
import json
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT_PARTS = {
    "admin UI": ("src/rostrum/manager/admin_page/build", "make admin-ui"),
    "browser platform": ("src/rostrum/manager/platform_page/build", "make platform-ui"),
}
"""Folders that other tools build, and the command for each."""
LIBRARIES = (
    "src/rostrum/demo_apps/pages/shared/get-agent.js",
    "src/rostrum/desktop/pages/workspaces-page.css",
    "src/rostrum/desktop/pages/workspaces-page.js",
    "src/rostrum/desktop/services/fdc3_library.js",
)
"""Files that other tools build. Without them, apps of the packages could not use FDC3 or workspaces.

`artifacts` in pyproject.toml names the same folders and files, because Git ignores them.
"""


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Checks what is packaged before it is packaged."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Check the built parts, except for an editable installation, which is made before they are built."""
        if version == "editable":
            return
        root = Path(self.root)
        problems = [text for name in BUILT_PARTS if (text := _problem(root, name))]
        problems += [
            f"Cannot package: {file} is not built. Run `make dist`, which builds it."
            for file in LIBRARIES
            if not (root / file).is_file()
        ]
        if problems:
            raise SystemExit("\n".join(problems))
        if self.target_name == "wheel":
            build_data["force_include"]["schemas"] = "rostrum/schemas"


def _problem(root: Path, name: str) -> str | None:
    """Return what is wrong with one built part. Its build lists the files in ``verified.json`` once all are usable."""
    folder, command = BUILT_PARTS[name]
    build = root / folder
    if not (build / "index.html").is_file():
        return f"Cannot package: the {name} is not built ({folder}/index.html is missing). Run `{command}` first."
    try:
        digests = json.loads((build / "verified.json").read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return f"Cannot package: the build of the {name} did not finish. Run `{command}` again."
    wrong = sorted(file for file, digest in digests.items() if _digest(build / file) != digest)
    if wrong:
        detail = f"{folder}/{wrong[0]} is missing or differs from what was built"
        return f"Cannot package: the {name} is incomplete ({detail}). Run `{command}` again."
    return None


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""
