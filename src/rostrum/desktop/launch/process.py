"""Native processes: started, monitored, and ended together with their child processes."""

import asyncio
import logging
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from rostrum.desktop.errors import LaunchFailed

_log = logging.getLogger(__name__)
_TIMEOUT = 5.0


class RunningProcess:
    """A process in its own group, so that its child processes end with it."""

    def __init__(self, process: asyncio.subprocess.Process, ended: Callable[[int | None], None]) -> None:
        """Monitor a process that was just started."""
        self._process = process
        self._watching = asyncio.create_task(self._watch(ended), name=f"process {process.pid}")

    @property
    def process(self) -> int | None:
        """Return its id."""
        return self._process.pid

    async def stop(self) -> None:
        """Request it to end; after a time limit, kill it."""
        if self._process.returncode is None:
            self._signal(signal.SIGTERM)
            try:
                async with asyncio.timeout(_TIMEOUT):
                    await asyncio.shield(self._watching)
            except TimeoutError:
                _log.warning("process %s does not end by itself and is killed", self._process.pid)
                self._signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        await self._watching

    async def _watch(self, ended: Callable[[int | None], None]) -> None:
        code = await self._process.wait()
        ended(code)

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.terminate()
            else:
                os.killpg(self._process.pid, number)


async def start_process(
    command: Sequence[str],
    *,
    folder: Path | None,
    variables: Mapping[str, str],
    output: Path | None,
    ended: Callable[[int | None], None],
) -> RunningProcess:
    """Start a process; its output is appended to the file ``output``, or discarded if this is None."""
    sink: int | IO[bytes] = subprocess.DEVNULL
    try:
        if output is not None:
            output.parent.mkdir(parents=True, exist_ok=True)
            sink = output.open("ab")
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        raise LaunchFailed(f"{command[0]} cannot be started: {reason}") from error
    finally:
        if not isinstance(sink, int):
            sink.close()
    return RunningProcess(process, ended)


def split_arguments(text: str | None) -> list[str]:
    """Split arguments like a shell of this system, without expansion."""
    if not text:
        return []
    try:
        return shlex.split(text, posix=sys.platform != "win32")
    except ValueError as error:
        raise LaunchFailed(f"the parameters cannot be understood: {error}") from error


def find_program(name: str, folder: Path | None, variables: Mapping[str, str]) -> str:
    """Find a program: by its path, in its folder, or on the PATH."""
    path = Path(name)
    if path.is_absolute() or folder is not None:
        here = path if path.is_absolute() else (folder or Path()) / path
        if here.is_file():
            return str(here)
    found = shutil.which(name, path=variables.get("PATH")) if path.name == name else None
    if found is None:
        where = f" in {folder} or" if folder is not None else ""
        raise LaunchFailed(f"there is no program {name}{where} on the PATH")
    return found
