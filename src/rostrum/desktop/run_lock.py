"""Run control: how many instances may run, held by locks that a crash does not leave behind."""

import asyncio
import json
import logging
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from rostrum.base.errors import RostrumError
from rostrum.base.json_file import write_whole
from rostrum.desktop.errors import AlreadyRunning
from rostrum.desktop.key_file import KeyFile
from rostrum.gateway.remote import connected

__all__ = ["RunLock", "notify_running_platform", "running_instance", "wait_until_free"]

_TIMEOUT = 0.5
"""Seconds to wait for a lock that somebody may hold for a moment only."""
_ONLY = "platform"
"""Held by an instance that excludes every other one."""
_STARTING = "starting"
"""Held while an instance finds out whether it may run, so that two never do so at the same time."""
_STARTING_TIMEOUT = 30.0
_log = logging.getLogger(__name__)
_NOTIFY_TIMEOUT = 5.0
_ALERT: tuple[str, dict[str, str]] = ("Rostrum.Alerts.Show", {"text": "The platform runs already."})
_FOCUS: tuple[str, dict[str, str]] = ("Rostrum.Platform.Focus", {})


class RunLock:
    """The right to run, for one environment-region pair, in an installation.

    An instance holds the lock of its pair. With ``allowMultipleInstances: never`` it also holds the lock that excludes
    every other instance, and does not start beside any. The operating system releases the locks when the process
    ends, however it ends.
    """

    def __init__(self, folder: Path, pair: str, *, never: bool = False) -> None:
        """Lock in a folder that all instances of this installation share; ``never`` allows no other instance."""
        self._folder = folder
        self._pair = pair
        self._never = never
        self._held: list[FileLock] = []

    def acquire(self, user_data: Path, now: datetime) -> None:
        """Acquire the right to run, and record who has it; raise AlreadyRunning with the instance that runs."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with FileLock(self._folder / f"{_STARTING}.lock", timeout=_STARTING_TIMEOUT):
                self._acquire()
        except Timeout:
            self.release()
            raise AlreadyRunning("another instance of the platform is starting; try again") from None
        except AlreadyRunning:
            self.release()
            raise
        except OSError as error:
            self.release()
            raise AlreadyRunning(f"cannot check whether the platform already runs: {error}") from error
        about = {
            "pid": os.getpid(),
            "pair": self._pair,
            "since": now.isoformat(timespec="seconds"),
            "userData": str(user_data),
        }
        for lock in self._held:
            with suppress(OSError):
                # Only for people; the locks themselves do not need it.
                write_whole(_about(Path(lock.lock_file)), json.dumps(about).encode())

    def release(self) -> None:
        """Let others run."""
        while self._held:
            self._held.pop().release()

    def _acquire(self) -> None:
        own = _name(self._pair)
        self._hold(_ONLY)
        self._hold(own)
        if not self._never:
            self._held.pop(0).release()
            return
        for path in sorted(self._folder.glob(f"{_ONLY}-*.lock")):
            if path.name != f"{own}.lock" and not _is_free(path, _TIMEOUT):
                raise _already_running(path)

    def _hold(self, name: str) -> None:
        # Somebody who only asks whether the platform runs holds the lock for a moment, too.
        # It is released by another thread than the one that acquires it.
        lock = FileLock(self._folder / f"{name}.lock", timeout=_TIMEOUT, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            raise _already_running(Path(lock.lock_file)) from None
        self._held.append(lock)


def running_instance(folder: Path, pair: str) -> dict[str, Any] | None:
    """Return what the running instance of a pair, or the only one, said of itself; None when none runs."""
    for name in (_name(pair), _ONLY):
        path = folder / f"{name}.lock"
        if not _is_free(path):
            return _read(_about(path)) or {}
    return None


def wait_until_free(folder: Path, pair: str, timeout: float) -> bool:
    """Wait until no instance of a pair runs; False when one still does after this many seconds."""
    return _is_free(folder / f"{_name(pair)}.lock", timeout)


def _name(pair: str) -> str:
    return f"{_ONLY}-{pair or 'default'}"


def _about(lock: Path) -> Path:
    return lock.with_name(f"{lock.name.removesuffix('.lock')}.running.json")


def _is_free(path: Path, timeout: float = 0) -> bool:
    lock = FileLock(path, timeout=timeout)
    try:
        lock.acquire()
    except (Timeout, OSError):
        return False
    lock.release()
    return True


def _already_running(lock: Path) -> AlreadyRunning:
    about = _read(_about(lock)) or {}
    pair = f" for {about['pair']}" if about.get("pair") else ""
    who = f": process {about.get('pid')}{pair}, since {about.get('since')}" if about else ""
    user_data = about.get("userData")
    return AlreadyRunning(f"the platform already runs{who}", Path(user_data) if isinstance(user_data, str) else None)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        about = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return about if isinstance(about, dict) else None


async def notify_running_platform(action: Any, user_data: Path) -> None:
    """Do what alreadyRunningAction says: alert shows a message there, silent nothing, anything else brings it forward.

    It is a courtesy: a platform that does not answer changes nothing about who may run.
    """
    if action == "silent":
        return
    method, arguments = _ALERT if action == "alert" else _FOCUS
    try:
        async with asyncio.timeout(_NOTIFY_TIMEOUT):
            key = await asyncio.to_thread(KeyFile(user_data).read)
            async with connected(key.address, login=key.user, secret=key.secret, application="rostrum desktop") as peer:
                await peer.join("agm")
                await peer.methods.call(method, arguments)
    except (RostrumError, OSError, TimeoutError) as error:
        _log.info("the running platform could not be notified of the second start: %s", error)
