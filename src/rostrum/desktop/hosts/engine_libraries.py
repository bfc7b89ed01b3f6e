"""Libraries of the operating system that the browser engine needs: missing ones, and links for two renamed ones.

The engine for old systems (6.8) was built against ``libwebp.so.6`` and ``libtiff.so.5``. Newer distributions have these
libraries with the next number. Links with the old names are created in a folder of the user that only the window
process searches (``LD_LIBRARY_PATH``): neither this process nor the installed packages change.

This module does not load the engine.
"""

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path

from rostrum.desktop.hosts.engines import installed_version

RENAMED = {"libwebp.so.6": "libwebp.so.7", "libtiff.so.5": "libtiff.so.6"}
_NEEDS_LINKS = "6.8."
_EXAMINED = ("lib/libQt6WebEngineCore.so.6", "lib/libQt6XcbQpa.so.6", "libexec/QtWebEngineProcess")
_DEBIAN_PACKAGES = {
    "libtiff.so.5": "libtiff6",
    "libwebp.so.6": "libwebp7",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgobject-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libgio-2.0.so.0": "libglib2.0-0",
    "libnssutil3.so": "libnss3",
    "libsmime3.so": "libnss3",
    "libplc4.so": "libnspr4",
    "libplds4.so": "libnspr4",
    "libsnappy.so.1": "libsnappy1v5",
    "libxslt.so.1": "libxslt1.1",
}
"""Packages whose names do not follow from the library names."""
_LDCONFIG = "/sbin/ldconfig"
_TIMEOUT = 30


class UnsafeFolder(Exception):
    """Other users could place libraries in the folder that the window process searches."""


def links_folder() -> Path:
    """Return the folder for the links, in the user's cache folder."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "rostrum" / "engine-libraries"


def child_environment(environment: Mapping[str, str], folder: Path | None = None) -> dict[str, str]:
    """Return the environment of the window process, with the folder of the links if needed.

    Creates the links. Raises UnsafeFolder if other users can write to the folder.
    """
    place = links_folder() if folder is None else folder
    if not needs_links(installed_version()) or not create_links(place, system_libraries()):
        return dict(environment)
    return with_folder(environment, place)


def needs_links(engine: str | None) -> bool:
    """Return whether this version of the engine was built against the old names."""
    return sys.platform.startswith("linux") and engine is not None and engine.startswith(_NEEDS_LINKS)


def with_folder(environment: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Add a folder in which libraries are searched first."""
    searched = environment.get("LD_LIBRARY_PATH")
    return {**environment, "LD_LIBRARY_PATH": os.pathsep.join((str(folder), *([searched] if searched else ())))}


def system_libraries() -> dict[str, Path]:
    """Return the libraries of the system's loader, by name."""
    program = _LDCONFIG if Path(_LDCONFIG).exists() else shutil.which("ldconfig")
    if program is None:
        return {}
    listed = _output([program, "-p"])
    # The loader uses the first of several entries.
    return {name: Path(path) for name, path in reversed(re.findall(r"^\t(\S+) .*=> (\S+)$", listed, re.MULTILINE))}


def _output(command: list[str], environment: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(  # noqa: S603 - programs of the system
        command, env=environment, capture_output=True, text=True, check=False, timeout=_TIMEOUT
    )
    return done.stdout


def create_links(folder: Path, libraries: Mapping[str, Path]) -> bool:
    """Link each renamed library that exists only under its new name; return whether there are links."""
    wanted = {old: libraries[new] for old, new in RENAMED.items() if old not in libraries and new in libraries}
    if not wanted:
        return False
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _refuse_shared(folder)
    for name, library in wanted.items():
        _link(folder / name, library)
    return True


def _refuse_shared(folder: Path) -> None:
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise UnsafeFolder(
            f"{folder} must be a folder that only its owner can write to, and owned by the current user, because the"
            " window process loads libraries from it. Remove it and start again."
        )


def _link(link: Path, library: Path) -> None:
    if link.is_symlink() and link.readlink() == library:
        return
    # Another desktop of the same user may do this at the same time, so replace atomically.
    temporary = link.with_name(f".{link.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    temporary.symlink_to(library)
    temporary.replace(link)


def missing_libraries(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the libraries that the engine would not find in this environment."""
    found, program = find_spec("PySide6"), shutil.which("ldd")
    if not sys.platform.startswith("linux") or found is None or found.origin is None or program is None:
        return ()
    folder = Path(found.origin).parent / "Qt"
    missing: set[str] = set()
    for name in _EXAMINED:
        listed = _output([program, str(folder / name)], environment)
        missing |= set(re.findall(r"^\t(\S+) => not found$", listed, re.MULTILINE))
    return tuple(sorted(missing))


def debian_packages(libraries: Iterable[str]) -> tuple[str, ...]:
    """Return the Debian and Ubuntu packages that contain libraries."""
    return tuple(sorted({_DEBIAN_PACKAGES.get(name) or _usual_package(name) for name in libraries}))


def _usual_package(library: str) -> str:
    """Return the Debian package name: libfoo.so.1 is in libfoo1, libfoo2.so.1 in libfoo2-1, libfoo3.so in libfoo3."""
    name, _, number = library.lower().replace("_", "-").partition(".so")
    number = number.lstrip(".")
    return f"{name}-{number}" if number and name[-1].isdigit() else f"{name}{number}"


def missing_message(libraries: Iterable[str]) -> str:
    """Describe missing libraries, with the command that installs them."""
    return (
        f"Libraries that the browser engine needs are missing: {', '.join(libraries)}."
        f" On Debian and Ubuntu, install them with: apt-get install {' '.join(debian_packages(libraries))}"
    )
