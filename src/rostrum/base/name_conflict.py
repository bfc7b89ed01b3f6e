"""Explains which other distribution has the name `rostrum`, which files it has replaced, and how to repair them.

Used only if ``name_check`` finds something. Files of this package may have been overwritten, so this module imports
nothing but the standard library and its two neighbours.
"""

import base64
import csv
import hashlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from site import getusersitepackages

from rostrum.base.distribution import DISTRIBUTION, escaped, installed_from, pip, this_installation
from rostrum.base.name_check import NAME, is_incomplete, metadata_paths

_OWN_COMMAND = f"{NAME} = rostrum.cli.main:main"
"""The entry point of this product, which was distributed as `rostrum` at first."""
_OWN_FOLDER = Path(__file__).resolve().parents[2]
_REASON = (
    "Both install the package `rostrum` and the command `rostrum`, so one overwrites, hides or removes files of the "
    "other."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """An installed distribution with the name.

    Attributes:
        label: Its name and version.
        folder: The folder that contains it.
        metadata: Its metadata, a folder or a file.
        is_earlier: Whether it is this product, which had the name at first.

    """

    label: str
    folder: Path
    metadata: Path
    is_earlier: bool

    @property
    def is_in_environment(self) -> bool:
        """Whether pip of this environment can uninstall it."""
        return _is_in_environment(self.folder)

    def __str__(self) -> str:
        """Describe it in a sentence."""
        kind = "an earlier installation of" if self.is_earlier else "another project than"
        return f"The distribution {self.label} in {self.folder} is {kind} {DISTRIBUTION}."


@dataclass(frozen=True, slots=True, kw_only=True)
class NameConflict:
    """The other distributions, and the files of this one that were replaced or removed."""

    others: tuple[Other, ...]
    replaced: tuple[str, ...]

    @property
    def problem(self) -> str:
        """Describe the conflict."""
        damage = f"Files of {DISTRIBUTION} were overwritten or removed: {', '.join(self.replaced)}."
        parts = [damage] if self.replaced else []
        # The other one may have been uninstalled.
        parts += map(str, self.others) if self.others else [f"The distribution {NAME} is another project."]
        return " ".join([*parts, _REASON])

    @property
    def advice(self) -> str:
        """Name the commands that end the conflict."""
        steps = [f"remove {other.folder} from PYTHONPATH" for other in self.others if not other.is_in_environment]
        can_uninstall = any(other.is_in_environment for other in self.others)
        if can_uninstall:
            steps.append(f"run `{pip('uninstall', NAME)}`")
        # A package in another folder has replaced nothing.
        if can_uninstall or self.replaced:
            is_own = _is_in_environment(_OWN_FOLDER)
            again = this_installation().again() if is_own else "install the wheel again into an empty folder"
            steps.append(str(again))
        return ", then ".join(steps)

    def __str__(self) -> str:
        """Return the complete message."""
        return f"{self.problem} To repair the installation, {self.advice}."


def find_conflict() -> NameConflict | None:
    """Find other distributions with the name, and files that were replaced, even if the other one is gone."""
    others = tuple(_others())
    replaced = _replaced(others)
    return NameConflict(others=others, replaced=replaced) if others or replaced else None


def stop_if_replaced() -> None:
    """Print the conflict and end the process if files are missing or belong to the other distribution."""
    conflict = find_conflict()
    if conflict is not None and conflict.replaced:
        _print(f"error: {conflict}")
        raise SystemExit(1)


def warn() -> None:
    """Print the conflict."""
    conflict = find_conflict()
    if conflict is not None:
        _print(f"warning: {conflict}")


def _others() -> Iterator[Other]:
    """Read the metadata of the other distributions; two paths can lead to the same folder."""
    # Unlike Path.resolve, realpath accepts links that form a circle.
    for metadata in dict.fromkeys(Path(os.path.realpath(found)) for found in metadata_paths()):
        fields = _fields(metadata)
        # pip ignores folders without metadata, which failed installations leave.
        if fields is None:
            continue
        is_own = _OWN_COMMAND in _text(metadata / "entry_points.txt")
        if is_own and _is_this_tree(metadata):
            continue
        label = _printable(f"{fields.get('name', NAME)} {fields.get('version', '')}".strip())
        yield Other(label=label, folder=metadata.parent, metadata=metadata, is_earlier=is_own)


def _fields(metadata: Path) -> Mapping[str, str] | None:
    files = (metadata / "METADATA", metadata / "PKG-INFO", metadata)
    text = next((text for file in files if (text := _text(file))), None)
    if text is None:
        # The name is enough if the fields cannot be read.
        return {} if any(map(_is_unreadable, files)) else None
    lines = (line.partition(":") for line in text.partition("\n\n")[0].splitlines())
    return {name.strip().lower(): value.strip() for name, colon, value in lines if colon}


def _is_this_tree(metadata: Path) -> bool:
    """Return whether this is the editable installation of the source tree that runs, which replaces no files."""
    tree = installed_from(_text(metadata / "direct_url.json"))
    return tree is not None and tree.resolve() == this_installation().source_tree


def _replaced(others: tuple[Other, ...]) -> tuple[str, ...]:
    """Compare files with the hashes that pip recorded: those that the others contain too, or all if one is missing."""
    folder = _OWN_FOLDER
    record = next(folder.glob(f"{escaped(DISTRIBUTION)}-*.dist-info/RECORD"), None)
    own = _record(record) if record is not None else {}
    shared = {name for other in others if other.folder == folder for name in _record(other.metadata / "RECORD")}
    compared = own.keys() if is_incomplete() else own.keys() & shared
    changed = [name for name in compared if own[name] and _digest(folder / name) != own[name]]
    if is_incomplete() and not changed:
        changed = [f"{NAME}/__init__.py"]
    # The command lies outside the folder: ../../../bin/rostrum.
    return tuple(sorted(_printable(name.replace("../", "")) for name in changed))


def _record(file: Path) -> dict[str, str]:
    try:
        return {row[0]: row[1] for row in csv.reader(_text(file).splitlines()) if len(row) > 1}
    except csv.Error:
        return {}


def _is_in_environment(folder: Path) -> bool:
    known = (sys.prefix, getusersitepackages(), this_installation().source_tree)
    return any(folder.is_relative_to(os.path.realpath(place)) for place in known if place)


def _is_unreadable(file: Path) -> bool:
    try:
        return file.is_file() and not os.access(file, os.R_OK)
    # A folder that cannot be read, or links that form a circle.
    except OSError:
        return False


def _digest(file: Path) -> str:
    try:
        raw = hashlib.sha256(file.read_bytes()).digest()
    except OSError:
        return ""
    return f"sha256={base64.urlsafe_b64encode(raw).decode().rstrip('=')}"


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _print(message: str) -> None:
    # A full disk must not end a command that would work.
    with suppress(OSError):
        if sys.stderr is not None:
            sys.stderr.write(f"{_printable(message)}\n")
            sys.stderr.flush()
