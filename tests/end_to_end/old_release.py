"""The wheel of a release, built from its commit, and copies of the current code with a further migration."""

import ast
import hashlib
import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import rostrum
from rostrum.manager.database.schema import HEAD
from tests.end_to_end.packages import build, without_node
from tests.long_form import LONG
from tools.releases import Release

SOURCE = Path(rostrum.__file__).parent
NEXT = "9001"
"""The number of the further migration."""


def unpacked_wheel(release: Release, folder: Path) -> Path:
    """Build the wheel of a release from its commit, and unpack it; return the folder from which it is imported.

    Its pages are empty unless the long form runs: they take minutes to build, and the tests use the HTTP API.
    """
    tree, target = folder / "tree", folder / "lib"
    release.unpack(tree)
    if LONG:
        subprocess.run(["make", "-s", "-C", tree, "dist"], env=without_make(), check=True, timeout=1800)
        (wheel,) = (tree / "dist").glob("*.whl")
    else:
        _add_empty_pages(tree)
        done = build(tree, folder, "wheel")
        assert done.returncode == 0, done.stderr
        (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as content:
        content.extractall(target)
    return target


def without_make() -> dict[str, str]:
    """Return the environment without the variables of a make that runs these tests."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}


def _add_empty_pages(tree: Path) -> None:
    """Write what the build of the wheel requires: the files that its hook checks."""
    hook = ast.parse((tree / "tools/build_hook.py").read_text(encoding="utf-8"))
    constants: dict[str, Any] = {
        target.id: ast.literal_eval(statement.value)
        for statement in hook.body
        if isinstance(statement, ast.Assign) and not isinstance(statement.value, ast.Call)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    page = b"<!doctype html><title>empty</title>"
    for folder, _command in constants["BUILT_PARTS"].values():
        (tree / folder).mkdir(parents=True)
        (tree / folder / "index.html").write_bytes(page)
        digests = {"files": {"index.html": hashlib.sha256(page).hexdigest()}}
        (tree / folder / "verified.json").write_text(json.dumps(digests), encoding="utf-8")
    for library in constants["LIBRARIES"]:
        (tree / library).parent.mkdir(parents=True, exist_ok=True)
        (tree / library).touch()


def with_migration(folder: Path, *, oldest_reader: str, statements: tuple[str, ...]) -> Path:
    """Copy the current code, and add a migration; return the folder from which it is imported."""
    copy = folder / "rostrum"
    ignored = shutil.ignore_patterns("build", "demo_apps")
    shutil.copytree(SOURCE, copy, ignore=ignored)
    migration = copy / f"manager/database/migrations/versions/v{NEXT}_next.py"
    lines = [f"    op.execute({statement!r})" for statement in statements]
    head = f'revision = "{NEXT}"\ndown_revision = "{HEAD}"\noldest_reader = "{oldest_reader}"\n'
    body = "branch_labels = None\ndepends_on = None\n\n\ndef upgrade() -> None:\n" + "\n".join(lines) + "\n"
    migration.write_text(f'"""Next."""\n\nfrom alembic import op\n\n{head}{body}', encoding="utf-8")
    return folder


def imported_from(folder: Path) -> dict[str, str]:
    """Return the environment in which commands use the code of a folder."""
    return {**without_node(), "PYTHONPATH": str(folder)}
