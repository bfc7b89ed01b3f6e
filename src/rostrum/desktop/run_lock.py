"""Run control: limits the number of instances with locks that the operating system releases after a crash."""

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

_TIMEOUT = 0.5
"""Seconds to wait for a lock that may be held only briefly."""
_ONLY = "platform"
"""Held by an instance that excludes all others."""
_STARTING = "starting"
"""Held while an instance checks whether it may run, so that two never check at the same time."""
_STARTING_TIMEOUT = 30.0
_log = logging.getLogger(__name__)
_NOTIFY_TIMEOUT = 5.0
_ALERT: tuple[str, dict[str, str]] = ("Rostrum.Alerts.Show", {"text": "The platform runs already."})
_FOCUS: tuple[str, dict[str, str]] = ("Rostrum.Platform.Focus", {})


class RunLock:
    """The right to run, for one environment-region pair, in an installation.

    An instance holds the lock of its pair. With ``allowMultipleInstances: never`` it also holds the lock that excludes
    every other instance, and does not start beside any. The operating system releases the locks when the process ends,
    for whatever reason.
    """

    def __init__(self, folder: Path, pair: str, *, never: bool = False) -> None:
        """Lock in a folder that all instances of this installation share; ``never`` allows no other instance."""
        self._folder = folder
        self._pair = pair
        self._never = never
        self._held: list[FileLock] = []

    def acquire(self, user_data: Path, now: datetime) -> None:
        """Acquire the lock, and record the holder; raise AlreadyRunning with the running instance."""
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
                # For information only; the locks do not need it.
                write_whole(_about(Path(lock.lock_file)), json.dumps(about).encode())

    def release(self) -> None:
        """Release the lock."""
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
        # A check whether the platform is running also holds the lock briefly. Another thread than the one that acquired
        # it releases the lock.
        lock = FileLock(self._folder / f"{name}.lock", timeout=_TIMEOUT, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            raise _already_running(Path(lock.lock_file)) from None
        self._held.append(lock)


def running_instance(folder: Path, pair: str) -> dict[str, Any] | None:
    """Return the record of the running instance of a pair, or of the only one; None if none is running."""
    for name in (_name(pair), _ONLY):
        path = folder / f"{name}.lock"
        if not _is_free(path):
            return _read(_about(path)) or {}
    return None


def wait_until_free(folder: Path, pair: str, timeout: float) -> bool:
    """Wait until no instance of a pair is running; False if one still is after this many seconds."""
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
    """Apply alreadyRunningAction: alert shows a message there, silent does nothing, others bring it to the front.

    If the running platform does not respond, the result of the lock does not change.
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
