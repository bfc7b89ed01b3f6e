"""Bundles: the file that is both the installer and the update package, unpacked safely.

A bundle is a ZIP archive that Python can run: ``__main__.py`` is the installer, ``build.json`` describes the build and
``lib/`` contains Rostrum and the packages it needs.
"""

import platform
import shutil
import stat
import sys
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from rostrum.installation.build import BUILD_FILE, BuildInfo, InstallationError, this_target

LIBRARY = "lib"
MAX_FILES = 50_000
MAX_BYTES = 2 * 1024**3
"""Larger bundles are refused before anything is written."""

_TOP_LEVEL_FILES = ("__main__.py", BUILD_FILE)
_MAX_BUILD_FILE = 64 * 1024
_ENCRYPTED = 0x1
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def read_info(package: Path) -> BuildInfo:
    """Return the description of the build in a bundle; raise InstallationError if the file is not a bundle."""
    try:
        with zipfile.ZipFile(package) as archive:
            return _info(archive)
    except _DAMAGED as error:
        raise InstallationError(f"{package.name} is not a Rostrum package: {error}") from error


def unpack(package: Path, folder: Path) -> BuildInfo:
    """Unpack a bundle into a new folder, completely or not at all; raise InstallationError if it is invalid."""
    try:
        with zipfile.ZipFile(package) as archive:
            info = _info(archive)
            entries = _checked(archive)
            folder.mkdir(parents=True)
            try:
                for entry, name in entries:
                    _write(archive, entry, folder / name)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
    except _DAMAGED as error:
        raise InstallationError(f"{package.name} is damaged: {error}") from error
    return info


def check_target(info: BuildInfo) -> None:
    """Raise InstallationError if the compiled modules of a build cannot run here."""
    if info.target != this_target():
        raise InstallationError(f"This package is for {info.target}; this machine and Python are {this_target()}.")
    library, version = platform.libc_ver() if sys.platform == "linux" else ("", "")
    if info.glibc and (library != "glibc" or _numbers(version) < _numbers(info.glibc)):
        raise InstallationError(
            f"This package requires glibc {info.glibc} or newer; this machine has {library or 'no glibc'} {version}."
        )


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdigit()]


def _info(archive: zipfile.ZipFile) -> BuildInfo:
    try:
        entry = archive.getinfo(BUILD_FILE)
    except KeyError:
        raise InstallationError(f"The package contains no {BUILD_FILE}.") from None
    if entry.file_size > _MAX_BUILD_FILE:
        raise InstallationError(f"{BUILD_FILE} in the package is too large.")
    return BuildInfo.parse(archive.read(entry))


def _checked(archive: zipfile.ZipFile) -> list[tuple[zipfile.ZipInfo, str]]:
    """Check every entry before the first one is written."""
    entries = archive.infolist()
    if len(entries) > MAX_FILES:
        raise InstallationError(f"The package contains more than {MAX_FILES:,} files.")
    if sum(entry.file_size for entry in entries) > MAX_BYTES:
        raise InstallationError(f"The package contains more than {MAX_BYTES:,} bytes.")
    seen: set[str] = set()
    for entry in entries:
        name = entry.orig_filename
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if not _is_plain(name.removesuffix("/")):
            raise InstallationError(f"The package contains the path {name[:100]!r}, which is not allowed.")
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR) or entry.flag_bits & _ENCRYPTED:
            raise InstallationError(f"The package contains {name[:100]!r}, which is not a regular file.")
        # Some file systems ignore letter case: one entry must not replace another.
        if name.casefold() in seen:
            raise InstallationError(f"The package contains {name[:100]!r} twice.")
        seen.add(name.casefold())
    return [(entry, entry.orig_filename) for entry in entries if not entry.is_dir()]


def _is_plain(name: str) -> bool:
    """Return whether a name is valid for bundles and stays inside the folder on all operating systems."""
    if not name.isprintable() or "\\" in name or ":" in name or PurePosixPath(name).as_posix() != name:
        return False
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return False
    return name in _TOP_LEVEL_FILES or parts[0] == LIBRARY


def _write(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    # ZipFile reads no more than the size that was checked above.
    with archive.open(entry) as source, target.open("xb") as file:
        shutil.copyfileobj(source, file, 1024 * 1024)
    if entry.external_attr >> 16 & stat.S_IXUSR:
        target.chmod(target.stat().st_mode | 0o111)
