"""Installation: the versions in an installation folder, added completely and switched atomically.

<installation folder>/
    bin/rostrum          starts the current version
    launcher.py          chooses it, see launcher.py beside this file
    installation.json    which Python is used, and how long a new version may take to become ready
    current.json         the current version and the previous one
    versions/<version>/  build.json and lib/
    config/              the configuration of the desktop, if it is stored here; updates do not change it
"""

import json
import os
import shlex
import shutil
import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rostrum.installation import launcher
from rostrum.installation.build import (
    BUILD_FILE,
    INSTALLATION_FILE,
    VERSIONS_FOLDER,
    BuildInfo,
    BuildKind,
    InstallationError,
    running_build,
    version_key,
)
from rostrum.installation.bundle import check_target, unpack
from rostrum.installation.launcher import FORMAT, State, locked, read_state, write_state

_STAGING = ".new-"
_COMMAND = """\
#!/bin/sh
# Starts the version of Rostrum that current.json names.
python={python}
[ -x "$python" ] || {{ echo "rostrum: $python is missing. Run the installer again." >&2; exit 1; }}
exec "$python" -I -S {launcher} "$@"
"""


class Installation:
    """One installation folder."""

    def __init__(self, root: Path) -> None:
        """Use the folder; nothing is read yet."""
        self.root = root

    @property
    def versions(self) -> list[str]:
        """List the complete versions, oldest first."""
        folder = self.root / VERSIONS_FOLDER
        names = [one.name for one in folder.iterdir() if not one.name.startswith(".") and (one / BUILD_FILE).is_file()]
        return sorted(names, key=version_key)

    @property
    def can_be_updated(self) -> bool:
        return os.access(self.root, os.W_OK) and os.access(self.root / VERSIONS_FOLDER, os.W_OK)

    @property
    def command(self) -> Path:
        """Return the command that starts the current version."""
        return self.root / "bin" / "rostrum"

    def state(self) -> State:
        """Return which version is current; raise InstallationError if that cannot be read."""
        try:
            return read_state(self.root)
        except (OSError, ValueError) as error:
            raise InstallationError(f"{self.root} is not a usable installation: {error}") from error

    def prepare(self, *, ready_seconds: float | None = None) -> None:
        """Create the folder, or renew the launcher of an existing installation."""
        if sys.platform == "win32":
            raise InstallationError("Installer builds exist for Linux and macOS only. On Windows, install the wheel.")
        if self.root.exists() and any(self.root.iterdir()) and not (self.root / INSTALLATION_FILE).is_file():
            raise InstallationError(f"{self.root} is not empty and not an installation of Rostrum. Use another folder.")
        (self.root / VERSIONS_FOLDER).mkdir(parents=True, exist_ok=True)
        (self.root / "bin").mkdir(exist_ok=True)
        # The base interpreter, not that of a virtual environment, which may be removed later.
        interpreter = str(getattr(sys, "_base_executable", sys.executable))
        about: dict[str, object] = {"format": FORMAT, "python": interpreter}
        if ready_seconds is not None:
            about["readySeconds"] = ready_seconds
        _replace(self.root / "launcher.py", _source_of_launcher())
        _replace(self.root / INSTALLATION_FILE, json.dumps(about, indent=1).encode())
        python, start = shlex.quote(interpreter), shlex.quote(str(self.root / "launcher.py"))
        _replace(self.root / "bin" / "rostrum", _COMMAND.format(python=python, launcher=start).encode(), 0o755)

    def add(self, package: Path, version: str | None = None) -> BuildInfo:
        """Add the version in a bundle, completely or not at all; raise InstallationError if it cannot be used here."""
        with locked(self.root):
            return self._add(package, version)

    def update(self, package: Path, version: str) -> None:
        """Add a version and make it current on trial, unless another desktop of this installation has done so."""
        with locked(self.root):
            if self.state().version != version:
                self._add(package, version)
                self._switch(version, trial=True)

    def _add(self, package: Path, version: str | None) -> BuildInfo:
        self._remove_leftovers()
        staging = Path(tempfile.mkdtemp(dir=self.root / VERSIONS_FOLDER, prefix=_STAGING))
        try:
            # mkdtemp creates folders for the owner only; other users of a shared installation must be able to read.
            staging.chmod(0o755)
            unpacked = staging / "unpacked"
            info = unpack(package, unpacked)
            check_target(info)
            if version is not None and info.version != version:
                raise InstallationError(f"The package contains version {info.version}, not {version}.")
            if info.launcher > FORMAT:
                raise InstallationError(f"Version {info.version} requires its installer to be run.")
            self._put(unpacked, info.version)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
        return info

    def _put(self, unpacked: Path, version: str) -> None:
        target = self.root / VERSIONS_FOLDER / version
        # Leftovers of an earlier attempt are replaced; a running version is complete and stays.
        if target.exists() and not _remove(target):
            return
        # Everything is on the disk before the version gets its name.
        os.sync()
        unpacked.rename(target)

    def switch(self, version: str, *, trial: bool = True) -> None:
        """Make a version current. In a trial, its first start must become ready, or the switch is undone."""
        with locked(self.root):
            self._switch(version, trial=trial)

    def _switch(self, version: str, *, trial: bool) -> None:
        if not (self.root / VERSIONS_FOLDER / version / BUILD_FILE).is_file():
            raise InstallationError(f"Version {version} is not installed in {self.root}.")
        try:
            state = read_state(self.root)
        except FileNotFoundError:
            state = State(version, newest=version)
        # A version that was never ready cannot be the previous version.
        before = state.previous if state.trial or state.version == version else state.version
        previous = before if before != version else None
        failed = {name: reason for name, reason in state.failed.items() if name != version}
        newest = max(state.newest, version, key=version_key) if trial else version
        is_trial = trial and previous is not None
        write_state(self.root, State(version, previous=previous, trial=is_trial, failed=failed, newest=newest))

    def roll_back(self, reason: str) -> str:
        """Return to the previous version, and do not offer the current one again; return the version number."""
        with locked(self.root):
            state = self.state()
            previous = state.previous
            if previous is None or not (self.root / VERSIONS_FOLDER / previous / BUILD_FILE).is_file():
                raise InstallationError(f"There is no version before {state.version} in {self.root}.")
            failed = {**state.failed, state.version: reason}
            write_state(self.root, State(previous, failed=failed, newest=state.newest))
        return previous

    def forget_failure(self, version: str) -> None:
        """Offer a failed version again."""
        with locked(self.root):
            state = self.state()
            if version not in state.failed:
                known = ", ".join(state.failed) or "none"
                raise InstallationError(f"Version {version} is not recorded as failed. Recorded versions: {known}.")
            failed = {name: reason for name, reason in state.failed.items() if name != version}
            write_state(self.root, replace(state, failed=failed))

    def remove_unused(self) -> list[str]:
        """Remove versions that are neither current, previous nor running."""
        with locked(self.root):
            state = self.state()
            self._remove_leftovers()
            unused = [version for version in self.versions if version not in (state.version, state.previous)]
            return [version for version in unused if _remove(self.root / VERSIONS_FOLDER / version)]

    def _remove_leftovers(self) -> None:
        """Remove the folders of interrupted attempts; the lock is held, so no other process uses them."""
        for folder in (self.root / VERSIONS_FOLDER).glob(".*"):
            shutil.rmtree(folder, ignore_errors=True)
        for file in self.root.glob(f".{launcher.STATE_FILE}.*"):
            file.unlink(missing_ok=True)


def running_installation() -> Installation | None:
    """Return the installation that the running version belongs to; None for archives and packages."""
    build = running_build()
    return Installation(build.folder) if build.kind is BuildKind.INSTALLER and build.folder is not None else None


def no_updates_reason() -> str | None:
    """Return why the running build cannot update itself; None if it can."""
    build, installation = running_build(), running_installation()
    if installation is not None and not installation.can_be_updated:
        return (
            f"Automatic updates are not available: this user may not write to {installation.root}. "
            "Run the installer of the new version as the owner of the folder."
        )
    return build.no_updates


def _remove(folder: Path) -> bool:
    """Remove a version unless a process runs it; rename it first, so that no incomplete version remains."""
    import fcntl

    with suppress(FileNotFoundError):
        handle = os.open(folder / BUILD_FILE, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        finally:
            os.close(handle)
    gone = folder.with_name(f".removed-{folder.name}")
    shutil.rmtree(gone, ignore_errors=True)
    folder.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)
    return True


def _source_of_launcher() -> bytes:
    # The installer runs from its own ZIP file, where files are read through the loader.
    source = launcher.__spec__.loader.get_source(launcher.__name__)  # type: ignore[union-attr]
    return str(source).encode()


def _replace(file: Path, content: bytes, mode: int = 0o644) -> None:
    beside = file.with_name(f".{file.name}.new")
    beside.write_bytes(content)
    beside.chmod(mode)
    beside.replace(file)
