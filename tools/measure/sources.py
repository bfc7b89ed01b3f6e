"""The source files of the repository, and how many lines each package has.

A package is a folder directly in ``src/rostrum``, or one of ``FOLDERS``. Files of a folder in a smaller package do not
count twice. Only files that git tracks count. In an export without ``.git``, all files count that ``.gitignore`` does
not exclude. Generated files (folders with the name ``generated``) do not count.
"""

import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent.parent
PRODUCT = "src/rostrum"
FOLDERS = ("admin-ui/src", "admin-ui", "platform-ui/src", "platform-ui", "tests", "bench", "tools")
"""The other packages; a file belongs to the first one that contains it."""
SUFFIXES = frozenset({".py", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".css", ".html"})


@dataclass(frozen=True, slots=True)
class Size:
    """The source files of a package, and the lines of all of them."""

    files: int
    lines: int


def package_sizes(root: Path = ROOT) -> dict[str, Size]:
    """Count the files and lines of each package."""
    sizes: dict[str, Size] = {}
    for path in source_files(root):
        package = _package_of(path)
        if package is not None:
            lines = (root / path).read_bytes().count(b"\n")
            before = sizes.get(package, Size(0, 0))
            sizes[package] = Size(before.files + 1, before.lines + lines)
    return dict(sorted(sizes.items()))


def source_files(root: Path = ROOT) -> Iterator[str]:
    """Return the path of each source file, relative to the repository."""
    paths = _tracked(root)
    for path in _walk(root) if paths is None else paths:
        pure = PurePosixPath(path)
        if pure.suffix in SUFFIXES and "generated" not in pure.parts and (root / path).is_file():
            yield path


def git(root: Path, *arguments: str, text: str = "") -> str | None:
    """Run git on the repository; return ``None`` if this is not a clone, or git is not installed."""
    if not (root / ".git").exists():
        return None
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=root, input=text, capture_output=True, encoding="utf-8", check=False
        )
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def _package_of(path: str) -> str | None:
    if path.startswith(f"{PRODUCT}/"):
        name, inside, _ = path.removeprefix(f"{PRODUCT}/").partition("/")
        return f"{PRODUCT}/{name}" if inside else PRODUCT
    return next((folder for folder in FOLDERS if path.startswith(f"{folder}/")), None)


def _tracked(root: Path) -> list[str] | None:
    listed = git(root, "ls-files", "-z")
    return None if listed is None else [path for path in listed.split("\0") if path]


def _walk(root: Path) -> Iterator[str]:
    ignored = _ignore_patterns(root)
    for place, folders, files in os.walk(root):
        inside = Path(place).relative_to(root)
        folders[:] = [name for name in folders if not _is_ignored((inside / name).as_posix(), ignored)]
        paths = ((inside / name).as_posix() for name in files)
        yield from (path for path in paths if not _is_ignored(path, ignored))


def _ignore_patterns(root: Path) -> list[str]:
    file = root / ".gitignore"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [line.rstrip("/") for line in lines if line and not line.startswith("#")]


def _is_ignored(path: str, patterns: Sequence[str]) -> bool:
    """A pattern with a slash at its start is a path; other patterns apply to names in every folder."""
    name = path.rpartition("/")[2]
    return any(fnmatchcase(f"/{path}" if pattern.startswith("/") else name, pattern) for pattern in patterns)
