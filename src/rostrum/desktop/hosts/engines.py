"""Selection of the browser engine for a machine, the installed version, and the age of its security fixes.

This module does not load the engine: the Makefile, `rostrum doctor` and the start without windows use it.
"""

import platform
import re
import sys
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version

from rostrum.base.distribution import this_installation

PACKAGE = "PySide6-Addons"
"""The Python package that contains the engine, QtWebEngine."""
EXTRA = "windows"
"""The extra of this distribution that requires the package."""
NEWEST = "windows.txt"
OLD_GLIBC = "windows-old-glibc.txt"
_LINUX = {
    "x86_64": (((2, 34), NEWEST),),
    "aarch64": (((2, 39), NEWEST), ((2, 31), OLD_GLIBC)),
}
"""For each processor, the oldest GNU C library that a lock file supports, the newest engine first."""
_OLDEST_MACOS = 13
_PROCESSORS = {"amd64": "x86_64", "arm64": "aarch64"}


class NoEngine(Exception):
    """No engine is available for this machine. The message states the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The facts that determine which engine can be used.

    Attributes:
        system: The operating system as ``sys.platform`` names it.
        processor: The processor as ``platform.machine()`` names it.
        libc: The name and the version of the C library; empty outside Linux and on systems with another one.
        release: The version of macOS; empty elsewhere.
    """

    system: str
    processor: str
    libc: tuple[str, str] = ("", "")
    release: str = ""


def this_machine() -> Machine:
    """Return the facts about the machine that this process runs on."""
    is_linux = sys.platform.startswith("linux")
    return Machine(
        system=sys.platform,
        processor=platform.machine(),
        libc=platform.libc_ver() if is_linux else ("", ""),
        release=platform.mac_ver()[0],
    )


def lock_file(machine: Machine) -> str:
    """Return the name of the lock file (in ``requirements``) with a suitable engine; raise NoEngine with the reason."""
    processor = _PROCESSORS.get(machine.processor.lower(), machine.processor.lower())
    if processor not in _LINUX:
        raise NoEngine(f"There is no browser engine for the processor {machine.processor}.")
    if machine.system == "win32":
        return NEWEST
    if machine.system == "darwin":
        if _numbers(machine.release) < (_OLDEST_MACOS,):
            raise NoEngine(f"The browser engine needs macOS {_OLDEST_MACOS} or newer; this is {machine.release}.")
        return NEWEST
    if not machine.system.startswith("linux"):
        raise NoEngine(f"There is no browser engine for the operating system {machine.system}.")
    return _on_linux(processor, machine.libc)


def _on_linux(processor: str, libc: tuple[str, str]) -> str:
    choices = _LINUX[processor]
    needed = ".".join(map(str, choices[-1][0]))
    name, release = libc
    if name != "glibc":
        raise NoEngine(f"The browser engine needs the GNU C library (glibc) {needed} or newer; this system has none.")
    for oldest, file in choices:
        if _numbers(release) >= oldest:
            return file
    raise NoEngine(f"The browser engine needs glibc {needed} or newer on {processor}; this system has {release}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """An engine of a lock file.

    Attributes:
        chromium: The version of Chromium that it is built from.
        fixes: The version of Chromium whose security fixes it contains.
        fixed: When these fixes were published.
    """

    chromium: str
    fixes: str
    fixed: date


ENGINES = {
    "6.8.0.2": Engine(chromium="122.0.6261.171", fixes="129.0.6668.70", fixed=date(2024, 10, 1)),
    "6.11.3": Engine(chromium="140.0.7339.264", fixes="155.0.8059.85", fixed=date(2026, 10, 21)),
}
"""The engines of the lock files, by the version of the package."""


def installed_version() -> str | None:
    """Return the version of the installed engine, or None."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return None


def missing_engine() -> str:
    """Return the error message for a start with windows without an engine."""
    advice = this_installation().with_extra(EXTRA)
    return (
        "Windows need the browser engine, which is not installed. "
        f"To install it, {advice}. To start without windows, use --headless."
    )


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", release))
