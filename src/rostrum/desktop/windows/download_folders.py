"""Folders that downloads never go into, names of files, and files that are opened after their download; pure."""

import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

_TEXTS = {".csv", ".docx", ".md", ".odp", ".ods", ".odt", ".pdf", ".pptx", ".rtf", ".txt", ".xlsx"}
_PICTURES = {".bmp", ".gif", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"}
_DOCUMENTS = _TEXTS | _PICTURES
"""Types of files that are shown and do not run anything; those of documents with macros are not among them."""
_LONGEST_NAME = 150
_NOT_IN_NAMES = re.compile('[\x00-\x1f\x7f<>:"/\\\\|?*]')
"""Includes the colon, after which Windows writes another stream of a file."""
_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\..*)?", re.IGNORECASE)
_OF_FOLDERS = {"desktop.ini", "thumbs.db", "autorun.inf", "folder.htt"}
"""Files that change how a folder is shown, or what runs with it."""
_READ_BY_FOLDERS = {".desktop", ".library-ms", ".lnk", ".scf", ".searchconnector-ms", ".url"}
"""Types of files that systems read when they show a folder: Windows asks the server that they name for a picture."""
_WINDOWS_FOLDERS = ("APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMROOT")


def safe_name(written: str) -> str:
    """Return a file name, for all systems, without a folder and without characters that users could misread."""
    # Characters without a width, and those that turn text round, disguise the type of a file.
    shown = "".join(one for one in written if unicodedata.category(one) not in ("Cf", "Zl", "Zp", "Cs"))
    name = " ".join(_NOT_IN_NAMES.sub("_", shown.replace("\\", "/").rsplit("/", 1)[-1]).split()).strip(" .")
    if _RESERVED.fullmatch(name) or name.lower() in _OF_FOLDERS:
        name = f"_{name}"
    if PurePosixPath(name).suffix.lower() in _READ_BY_FOLDERS:
        name = f"{name}.download"
    stem, dot, ending = name.rpartition(".")
    if dot and len(ending) <= 20:
        return f"{stem[: _LONGEST_NAME - len(ending)]}.{ending}" if stem else f"download.{ending}"
    return name[:_LONGEST_NAME] or "download"


def start_folders(variables: Mapping[str, str], system: str = sys.platform) -> tuple[str, ...]:
    """Return the folders of the system that contain configuration, programs, or files that run at the sign-in."""
    kind: type[PurePath] = PurePosixPath
    if system == "win32":
        kind, folders = PureWindowsPath, [variables.get(name, "") for name in _WINDOWS_FOLDERS]
    elif system == "darwin":
        folders = [str(Path.home() / "Library"), "/Library"]
    else:
        folders = [variables.get("XDG_CONFIG_HOME", ""), variables.get("XDG_DATA_HOME", ""), "/etc"]
        folders += variables.get("XDG_CONFIG_DIRS", "").split(os.pathsep)
    return tuple(one for one in folders if kind(one).is_absolute())


def why_no_folder(folder: PurePath) -> str | None:
    """Return why a path cannot be that of a folder for downloads, or None; Windows has more than one for a folder."""
    if not folder.is_absolute():
        return f"{folder} is not an absolute path"
    if isinstance(folder, PureWindowsPath):
        # Paths of devices are not normalized, so that other checks would not recognize a folder.
        is_device = folder.drive.startswith(("\\\\?", "\\\\."))
        if is_device or any(
            ":" in one or one != one.rstrip(" .") or _RESERVED.fullmatch(one) for one in folder.parts[1:]
        ):
            return f"{folder} is not the usual path of a folder"
    return None


def why_not_into(folder: Path, kept: Iterable[str], home: Path) -> str | None:
    """Return why downloads may not go into a folder, or None; ``kept`` are folders that only the platform changes.

    Folders whose name begins with a dot contain configuration, such as the programs that start when the user signs in.
    """
    real = folder.resolve()
    around = (real, *real.parents)
    for one in kept:
        if any(_is_same(Path(one), parent) for parent in around):
            return f"{folder} belongs to the platform or to the system"
    for parent in around:
        if _is_same(home, parent) and any(part.startswith(".") for part in real.relative_to(parent).parts):
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
