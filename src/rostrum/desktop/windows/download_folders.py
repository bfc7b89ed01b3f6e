"""Folders that downloads never go into, and files that are opened after their download; pure."""

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

__all__ = ["may_be_opened", "start_folders", "why_not_into"]

_TEXTS = {".csv", ".docx", ".md", ".odp", ".ods", ".odt", ".pdf", ".pptx", ".rtf", ".txt", ".xlsx"}
_PICTURES = {".bmp", ".gif", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"}
_DOCUMENTS = _TEXTS | _PICTURES
"""Types of files that are shown and do not run anything; those of documents with macros are not among them."""


def start_folders(variables: Mapping[str, str]) -> tuple[str, ...]:
    """Return the folders of the system whose files are executed when the user signs in."""
    if sys.platform == "win32":
        folders = [f"{variables.get(name, '')}\\Microsoft\\Windows" for name in ("APPDATA", "PROGRAMDATA")]
    elif sys.platform == "darwin":
        folders = [str(Path.home() / "Library"), "/Library"]
    else:
        folders = [variables.get("XDG_CONFIG_HOME", ""), variables.get("XDG_DATA_HOME", ""), "/etc"]
        folders += variables.get("XDG_CONFIG_DIRS", "").split(os.pathsep)
    return tuple(one for one in folders if Path(one).is_absolute())


def why_not_into(folder: Path, kept: Iterable[str], home: Path) -> str | None:
    """Return why downloads may not go into a folder, or None; ``kept`` are folders that only the platform changes.

    Folders whose name begins with a dot contain configuration, such as the programs that start when the user signs in.
    """
    real = folder.resolve()
    around = (real, *real.parents)
    for one in kept:
        if any(_is_same(Path(one), parent) for parent in around):
            return f"{folder} belongs to the platform or to the system"
    for base in (home, home.resolve()):
        if real.is_relative_to(base) and any(part.startswith(".") for part in real.relative_to(base).parts):
            return f"{folder} is in a folder for configuration"
    return None


def may_be_opened(name: str) -> bool:
    """Return whether a downloaded file may be opened without a question: only documents."""
    return Path(name).suffix.lower() in _DOCUMENTS


def _is_same(one: Path, other: Path) -> bool:
    # File systems may ignore the case of letters, so names are not enough.
    try:
        return one.samefile(other)
    except OSError:
        return one.resolve() == other
