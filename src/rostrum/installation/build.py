"""Version, target and kind (installer, archive or package) of the running build."""

import json
import platform
import re
import sys
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import rostrum
from rostrum.base.errors import RostrumError

BUILD_FILE = "build.json"
VERSIONS_FOLDER = "versions"
INSTALLATION_FILE = "installation.json"

_VERSION = re.compile(r"(\d{1,9}(?:\.\d{1,9}){0,5})(?:(a|b|rc)(\d{1,9}))?(?:\.dev(\d{1,9}))?", re.ASCII)
_TARGET = re.compile(r"[a-z0-9_]{1,40}-[a-z0-9_]{1,40}-cp[0-9]{2,4}")
_PHASES = {"a": 1, "b": 2, "rc": 3}
_FINAL = 4


class InstallationError(RostrumError):
    """A package or an installation cannot be used."""


class BuildKind(StrEnum):
    """How a build was installed."""

    INSTALLER = "installer"
    ARCHIVE = "archive"
    PACKAGE = "package"


@dataclass(frozen=True, slots=True)
class BuildInfo:
    """The contents of build.json in an installer or an archive.

    Attributes:
        version: The version of Rostrum.
        target: Operating system, processor and Python that the compiled modules need.
        launcher: The format of the installation that this version requires.
        glibc: The oldest C library that the compiled modules support; empty where that does not apply.

    """

    version: str
    target: str
    launcher: int = 1
    glibc: str = ""

    @classmethod
    def parse(cls, content: bytes) -> "BuildInfo":
        """Read build.json; raise InstallationError if it is invalid."""
        try:
            document: Any = json.loads(content)
        except ValueError:
            document = None
        if not isinstance(document, dict):
            raise InstallationError(f"{BUILD_FILE} is not a JSON object")
        version, target = document.get("version"), document.get("target")
        launcher, glibc = document.get("launcher"), document.get("glibc", "")
        if not isinstance(version, str) or not isinstance(target, str) or not isinstance(glibc, str):
            raise InstallationError(f"{BUILD_FILE} must contain version and target")
        version_key(version)
        if not _TARGET.fullmatch(target):
            raise InstallationError(f"{BUILD_FILE} contains an invalid target")
        if not isinstance(launcher, int) or isinstance(launcher, bool):
            raise InstallationError(f"{BUILD_FILE} must contain the launcher format")
        return cls(version, target, launcher, glibc)

    def dump(self) -> bytes:
        return json.dumps(asdict(self), indent=1).encode()


@dataclass(frozen=True, slots=True)
class RunningBuild:
    """The running build.

    Attributes:
        kind: How it was installed.
        version: Its version.
        folder: The installation folder, or the folder of the unpacked archive; None for packages.
    """

    kind: BuildKind
    version: str
    folder: Path | None = None

    @property
    def no_updates(self) -> str | None:
        """State why this build does not update itself; None for installer builds."""
        if self.kind is BuildKind.INSTALLER:
            return None
        if self.kind is BuildKind.ARCHIVE:
            return (
                "Automatic updates are not available: this build was unpacked from an archive. "
                "Install Rostrum with the installer, or unpack the archive of the new version."
            )
        return (
            "Automatic updates are not available: this build was installed as a Python package. "
            "Install Rostrum with the installer, or upgrade the package."
        )

    def __str__(self) -> str:
        """Return the version, with the kind of build if it does not update itself."""
        if self.kind is BuildKind.PACKAGE:
            return f"rostrum {self.version}"
        note = "" if self.kind is BuildKind.INSTALLER else ", does not update itself"
        return f"rostrum {self.version} ({self.kind} build{note})"


def running_build() -> RunningBuild:
    """Return the running build, identified by its folder: <version folder>/lib/rostrum."""
    home = Path(rostrum.__file__).resolve().parents[2]
    if not (home / BUILD_FILE).is_file():
        return RunningBuild(BuildKind.PACKAGE, rostrum.__version__)
    root = home.parent.parent
    if home.parent.name == VERSIONS_FOLDER and (root / INSTALLATION_FILE).is_file():
        return RunningBuild(BuildKind.INSTALLER, rostrum.__version__, root)
    return RunningBuild(BuildKind.ARCHIVE, rostrum.__version__, home)


def this_target() -> str:
    """Return the target of this machine and Python, such as linux-aarch64-cp311."""
    machine = platform.machine().lower().replace("-", "_")
    return f"{sys.platform}-{machine}-cp{sys.version_info.major}{sys.version_info.minor}"


def version_key(version: str) -> tuple[Any, ...]:
    """Return the sort key of a version: 0.2.0.dev1 < 0.2.0a1 < 0.2.0rc1 < 0.2.0; raise InstallationError."""
    match = _VERSION.fullmatch(version)
    if match is None:
        raise InstallationError(f"{version[:40]!r} is not a version such as 1.2.0")
    numbers, phase, count, dev = match.groups()
    parts = [int(part) for part in numbers.split(".")]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    # A development version precedes its release.
    stage = (0, 0) if dev is not None and phase is None else (_PHASES.get(phase, _FINAL), int(count or 0))
    return (tuple(parts), stage, (0, int(dev)) if dev is not None else (1, 0))
