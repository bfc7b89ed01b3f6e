"""The two states that are compared, each in its own temporary folder: a commit, and the current working tree."""

import compileall
import os
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.releases import FILE, read_releases, unpack_commit


class UsageError(Exception):
    """Something was requested that does not exist or is not possible."""


@dataclass(frozen=True, slots=True)
class State:
    """A state of Rostrum.

    Attributes:
        title: Its name for people.
        source: The folder with its package.
        scratch: The folder for temporary files of processes that use it.
        root: The repository, whose benchmarks measure it.
    """

    title: str
    source: Path
    scratch: Path
    root: Path

    @property
    def environment(self) -> dict[str, str]:
        """The environment of processes that load this state, and the benchmarks of the working tree."""
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        # The same order of sets in all processes.
        fixed = {"PYTHONHASHSEED": "0"}
        return {**kept, **fixed, "PYTHONPATH": f"{self.source}{os.pathsep}{self.root}", "TMPDIR": str(self.scratch)}


def default_revision(root: Path) -> str:
    """Choose what to compare with: the newest release, otherwise the newest commit whose package differs."""
    releases = read_releases(root / FILE.name)
    if releases:
        return releases[-1].commit
    if _git(root, "status", "--porcelain", "--", "src"):
        return "HEAD"
    changed = _git(root, "log", "-1", "--format=%H", "--", "src")
    return f"{changed}^"


def commit_of(root: Path, revision: str) -> str:
    """Find the commit that a revision names."""
    try:
        return _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except subprocess.CalledProcessError:
        raise UsageError(
            f"The revision {revision!r} does not exist in this clone. If the clone is shallow, fetch the complete "
            "history with `git fetch --unshallow`."
        ) from None


@contextmanager
def prepared_states(root: Path, commit: str) -> Iterator[tuple[State, State]]:
    """Copy both states, the old one first, and delete the copies at the end.

    A copy of the working tree lies beside the other state, so that both are measured under the same conditions, and
    edits during the comparison have no effect.
    """
    with tempfile.TemporaryDirectory(prefix="rostrum-compare-", ignore_cleanup_errors=True) as place:
        folder = Path(place).resolve()
        base = _state(f"base {commit[:10]}", folder / "base", root)
        current = _state("working tree", folder / "current", root)
        if not unpack_commit(commit, folder / "base", root, "src"):
            raise UsageError(f"The commit {commit} has no folder src.")
        shutil.copytree(root / "src", current.source, ignore=shutil.ignore_patterns("__pycache__"))
        for path in built_files(root):
            _replace(root / path, folder / "base" / path)
        for state in (base, current):
            # Otherwise the first process of each state would compile it, and its start would take longer.
            compileall.compile_dir(state.source, quiet=2)
        yield base, current


def _state(title: str, folder: Path, root: Path) -> State:
    (folder / "scratch").mkdir(parents=True)
    return State(title, folder / "src", folder / "scratch", root)


def built_files(root: Path) -> list[str]:
    """Return what is built into the package and not in the history; the old state uses that of the working tree."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    artifacts: list[str] = project["tool"]["hatch"]["build"]["artifacts"]
    return [path.strip("/") for path in artifacts]


def _replace(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    elif source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout.strip()
