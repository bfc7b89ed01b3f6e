"""Run control: how many instances may run, held by a lock that a crash does not leave behind."""

import json
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from rostrum.base.json_file import write_whole
from rostrum.desktop.errors import AlreadyRunning

__all__ = ["RunLock", "lock_name", "running_instance", "wait_until_free"]

_PATIENCE = 0.5
"""Seconds to wait for the lock."""


class RunLock:
    """The right to run: for one environment-region pair, or at all.

    The operating system lets go of the lock when the process ends, however it ends.
    """

    def __init__(self, folder: Path, name: str) -> None:
        """Lock in a folder that all instances of this installation share; ``name`` tells those that exclude another."""
        # Somebody who only asks whether the platform runs holds the lock for a moment, too.
        self._lock = FileLock(folder / f"{name}.lock", timeout=_PATIENCE)
        self._about = folder / f"{name}.running.json"

    def acquire(self, pair: str, now: datetime) -> None:
        """Take the right to run, and say who has it; raise AlreadyRunning with who runs."""
        try:
            self._about.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout:
            raise AlreadyRunning(f"the platform already runs{_who(self._about)}") from None
        except OSError as error:
            raise AlreadyRunning(f"it cannot be told whether the platform already runs: {error}") from error
        with suppress(OSError):
            # Only for people; the lock itself does not need it.
            about = {"pid": os.getpid(), "pair": pair, "since": now.isoformat(timespec="seconds")}
            write_whole(self._about, json.dumps(about).encode())

    def release(self) -> None:
        """Let others run."""
        self._lock.release()


def lock_name(allow_multiple: str, pair: str) -> str:
    """Return what excludes another instance: the pair, or anything."""
    return "platform" if allow_multiple == "never" else f"platform-{pair or 'default'}"


def running_instance(folder: Path, name: str) -> dict[str, Any] | None:
    """Return what a running instance said of itself; None when none runs."""
    lock = FileLock(folder / f"{name}.lock", timeout=0)
    try:
        lock.acquire()
    except (Timeout, OSError):
        return _read(folder / f"{name}.running.json") or {}
    lock.release()
    return None


def wait_until_free(folder: Path, name: str, patience: float) -> bool:
    """Wait until no instance runs; False when one still does after this many seconds."""
    lock = FileLock(folder / f"{name}.lock", timeout=patience)
    try:
        lock.acquire()
    except (Timeout, OSError):
        return False
    lock.release()
    return True


def _who(path: Path) -> str:
    about = _read(path)
    if about is None:
        return ""
    pair = f" for {about['pair']}" if about.get("pair") else ""
    return f": process {about.get('pid')}{pair}, since {about.get('since')}"


def _read(path: Path) -> dict[str, Any] | None:
    try:
        about = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return about if isinstance(about, dict) else None
