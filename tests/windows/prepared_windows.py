"""Window processes without the time that Python needs to load Qt: forked from one that has loaded it."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from rostrum.desktop.hosts.process import ChildProcess, ProcessHost, start_child
from tests.prepared_processes import CAN_FORK, Forked, start

COMMAND = (sys.executable, "-m", "rostrum.desktop.hosts.qt")


class _ForkedWindows:
    """A forked window process, like those of asyncio."""

    def __init__(self, forked: Forked, stderr: asyncio.StreamReader, errors: asyncio.ReadTransport, pipe: int) -> None:
        self._forked = forked
        self._errors, self._pipe = errors, pipe
        self.pid = forked.pid
        self.stderr = stderr

    @property
    def returncode(self) -> int | None:
        return self._forked.poll()

    async def wait(self) -> int:
        if self.returncode is None:
            ended = asyncio.Event()
            loop, status = asyncio.get_running_loop(), self._forked.status
            loop.add_reader(status, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(status)
        self._close_errors()
        # The task that reads messages receives the last ones now.
        await asyncio.sleep(0)
        return self._forked.wait()

    def _close_errors(self) -> None:
        """Read what is left of the messages; processes of pages may keep the pipe open a little longer."""
        if not self._errors.is_closing():
            with suppress(BlockingIOError):
                while data := os.read(self._pipe, 65536):
                    self.stderr.feed_data(data)
            self._errors.close()

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._forked.send_signal(signal.SIGKILL)


async def _fork(command: Sequence[str], environment: Mapping[str, str], link: socket.socket) -> ChildProcess:
    if tuple(command) != COMMAND or not CAN_FORK:
        return await start_child(command, environment, link)
    read, write = os.pipe()
    null = os.open(os.devnull, os.O_RDWR)
    try:
        # Not in a thread: a test that ends meanwhile would leave the process behind.
        forked = start(["--link"], environment, None, (null, null, write), program="windows", link=link.fileno())
    except BaseException:
        os.close(read)
        raise
    finally:
        os.close(write)
        os.close(null)
    stderr = asyncio.StreamReader()
    errors, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stderr), os.fdopen(read, "rb", 0)
    )
    return _ForkedWindows(forked, stderr, errors, read)


def window_process(environment: Mapping[str, str], command: Sequence[str] = COMMAND) -> ProcessHost:
    """Return the host of a window process; other programs than that of the product are started as usual."""
    return ProcessHost(command, environment, start=_fork)
