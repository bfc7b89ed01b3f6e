"""Processes of the command without the second that Python needs to load it: forked from one that has loaded it.

Except for loading and the cost of password hashes, they are like processes that a person starts: each has its own
number, descriptors, folder, environment, signals and exit status. Tests of the start itself use ``subprocess``; so does
everything on systems that cannot fork.

This file is also the program that is forked: ``python prepared_processes.py <program> <descriptor of its socket>
<address>``. The programs are the command and the window process.
"""

import atexit
import functools
import gc
import io
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol

Program = Literal["command", "windows"]
CAN_FORK = hasattr(os, "fork")
NUMBER = struct.Struct("=i")
LOADED: dict[str, tuple[str, ...]] = {
    "command": (
        "rostrum.cli.main",
        *(f"rostrum.cli.{name}" for name in ("config", "desktop", "doctor", "gateway", "manager", "up")),
        "rostrum.manager.server",
        "rostrum.manager.demo.load",
        "rostrum.desktop.platform",
        "rostrum.gateway.manager_check",
        "rostrum.agents",
        "rostrum.contracts.apps",
        "rostrum.contracts.layouts",
        "alembic.command",
        "asyncpg",
        # The HTTP client loads these for its first request.
        "httpcore",
        "anyio._backends._asyncio",
    ),
    "windows": ("rostrum.desktop.hosts.qt.main", "rostrum.desktop.hosts.qt.run", "rostrum.desktop.hosts.qt.host"),
}
"""What is loaded before the fork, the module with ``main`` first; a process loads the rest itself."""
PROGRAM = """#!{python} -IS
import json, os, signal, socket, struct, sys
request = {{"program": sys.argv[0], "arguments": sys.argv[1:], "environment": dict(os.environ), "cwd": os.getcwd()}}
text = json.dumps(request).encode()
connection = socket.socket(socket.AF_UNIX)
connection.connect({address!r})
status, write = os.pipe()
socket.send_fds(connection, [struct.pack("=i", len(text))], [0, 1, 2, write])
connection.sendall(text)
os.close(write)
read = lambda: struct.unpack("=i", os.read(status, 4))[0]
process = read()
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda sent, _: os.kill(process, sent))
code = read()
if code < 0:
    signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
sys.exit(code)
"""
"""A program for shells: it lets the prepared process fork, passes its signals on, and exits as the forked one does."""
START_CODE = "from rostrum.cli.main import main; main()"


class Process(Protocol):
    """What tests need of a process, in whichever way it was started."""

    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, sig: int) -> None: ...
    def kill(self) -> None: ...


class Forked:
    """A process that the prepared one has forked. Its exit status comes through a pipe, as it is not our child."""

    def __init__(self, arguments: Sequence[str], status: int) -> None:
        self._arguments, self.status = arguments, status
        self._code: int | None = None
        self.pid = NUMBER.unpack(_read(status, NUMBER.size))[0]

    def poll(self) -> int | None:
        """Return the exit status, or None while the process runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; a process that a signal ended has the negative number of the signal as its status."""
        if self._code is None:
            if not select.select([self.status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(list(self._arguments), timeout or 0)
            (self._code,) = NUMBER.unpack(_read(self.status, NUMBER.size))
            os.close(self.status)
        return self._code

    def send_signal(self, sig: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, sig)

    def kill(self) -> None:
        """End the process at once."""
        self.send_signal(signal.SIGKILL)


def start(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    cwd: str | Path | None,
    streams: tuple[int, int, int],
    *,
    program: Program = "command",
    link: int | None = None,
) -> Forked:
    """Start a program in a session of its own; the descriptors are its input, its output and its messages.

    The link is a further descriptor, whose number follows the arguments.
    """
    request = json.dumps(
        {"arguments": list(arguments), "environment": dict(environment), "cwd": str(cwd or Path.cwd())}
    ).encode()
    status_read, status_write = os.pipe()
    # Libraries are searched when a process is started, not later.
    connection = _prepared(program, environment.get("LD_LIBRARY_PATH"))
    try:
        passed = [*streams, status_write, *([link] if link is not None else ())]
        socket.send_fds(connection, [NUMBER.pack(len(request))], passed)
        connection.sendall(request)
    finally:
        os.close(status_write)
    return Forked(arguments, status_read)


def use_cheap_hashes() -> None:
    """Let passwords be hashed at once in this process: real hashes took a twentieth of the time of all tests."""
    from rostrum.base.passwords import Passwords

    Passwords.memory_kib, Passwords.rounds = 8, 1


def program() -> str:
    """Return the text of an executable file that starts the command for a shell."""
    libraries = os.environ.get("LD_LIBRARY_PATH")
    _prepared("command", libraries)
    return PROGRAM.format(python=sys.executable, address=_address("command", libraries))


@functools.cache
def _address(program: Program, libraries: str | None) -> str:
    """Choose where the process that is forked listens; a socket's path must be short."""
    del program, libraries
    folder = tempfile.TemporaryDirectory(prefix="rostrum-")
    atexit.register(folder.cleanup)
    return str(Path(folder.name) / "forks")


@functools.cache
def _prepared(program: Program, libraries: str | None) -> socket.socket:
    """Start the process that is forked, once in each test process."""
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(
        [sys.executable, __file__, program, str(theirs.fileno()), _address(program, libraries)],
        pass_fds=[theirs.fileno()],
        env={**os.environ, **({} if libraries is None else {"LD_LIBRARY_PATH": libraries})},
        start_new_session=True,
    )
    theirs.close()
    # The address must exist before a program connects to it.
    _read(ours.fileno(), 1)

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _read(descriptor: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = os.read(descriptor, size - len(data))
        if not more:
            raise EOFError("the prepared process has ended")
        data += more
    return data


def _fork_on_request(connection: socket.socket, listener: socket.socket) -> dict[str, Any] | None:
    """Fork for each request, and report exits. Returns the request in the forked process, None at the end."""
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: dict[int, int] = {}
    while True:
        sources: list[socket.socket | int] = [connection, listener, wake_read]
        ready, _, _ = select.select(sources, [], [])
        if wake_read in ready:
            os.read(wake_read, 4096)
        _report_exits(running)
        if connection in ready:
            source = connection
        elif listener in ready:
            source, _ = listener.accept()
        else:
            continue
        header, passed, _, _ = socket.recv_fds(source, NUMBER.size, 5)
        if not header and source is connection:
            return None
        request: dict[str, Any] = json.loads(_read(source.fileno(), NUMBER.unpack(header)[0]))
        if source is not connection:
            source.close()
        pid = os.fork()
        if pid == 0:
            _leave([wake_read, wake_write, *running.values(), passed[3], connection.detach(), listener.detach()])
            for number, descriptor in enumerate(passed[:3]):
                os.dup2(descriptor, number)
                os.close(descriptor)
            request["arguments"] += map(str, passed[4:])
            return request
        running[pid] = passed[3]
        os.write(passed[3], NUMBER.pack(pid))
        for descriptor in (*passed[:3], *passed[4:]):
            os.close(descriptor)


def _leave(descriptors: Sequence[int]) -> None:
    """Give up, in the forked process, what belongs to the one that forks."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for descriptor in descriptors:
        os.close(descriptor)


def _report_exits(running: dict[int, int]) -> None:
    """Write the status of each process that has ended to its pipe."""
    for pid in list(running):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            report = running.pop(pid)
            with suppress(BrokenPipeError):
                os.write(report, NUMBER.pack(os.waitstatus_to_exitcode(status)))
            os.close(report)


def _become(request: dict[str, Any]) -> None:
    """Take on what a new process gets from the one that starts it."""
    os.setsid()
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    sys.argv = [request.get("program", "-c"), *request["arguments"]]
    sys.stdin = io.TextIOWrapper(os.fdopen(0, "rb"))
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb"))
    messages = os.fdopen(2, "wb")
    sys.stderr = io.TextIOWrapper(messages, errors="backslashreplace", line_buffering=True)
    # As in a new process; a type checker takes these names for constants.
    vars(sys).update(__stdin__=sys.stdin, __stdout__=sys.stdout, __stderr__=sys.stderr)


def _main() -> None:
    # The folder of this file must not be searched for modules.
    del sys.path[0]
    modules = LOADED[sys.argv[1]]
    connection = socket.socket(fileno=int(sys.argv[2]))
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[3])
    listener.listen()
    connection.send(b"1")
    # Nothing that is loaded here is garbage.
    gc.disable()
    for module in modules:
        import_module(module)
    if sys.argv[1] == "command":
        use_cheap_hashes()
        _build_application()
        _build_models()
    gc.collect()
    gc.freeze()
    gc.enable()
    request = _fork_on_request(connection, listener)
    if request is not None:
        _become(request)
        _run(modules[0])


def _build_application() -> None:
    """Build what all managers of one process share: it takes longer than the rest of their start."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "auth_method": "basic",
            "store": f"sqlite:///{folder}/rostrum.db",
            "token": {"secret": "x" * 32},
            "cors": {"credentials": True, "origin": "http://127.0.0.1"},
        }
        config = import_module("rostrum.manager.config").read_config(settings, {}).config
        import_module("rostrum.manager.app").create_app(config)


def _build_models() -> None:
    """Build the models of settings, apps and layouts, which are otherwise built when they are used first."""
    import_module("rostrum.settings.settings").Settings()
    demo = import_module("rostrum.manager.demo.read").read_demo()
    for app in demo.apps:
        import_module("rostrum.contracts.apps").check_app(app["definition"])
    for layout in demo.layouts:
        import_module("rostrum.contracts.layouts").check_layout(layout["definition"])


def _run(module: str) -> None:
    """Run the program and exit; the modules are not taken apart, which would copy all memory that is still shared."""
    code = 0
    try:
        import_module(module).main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
    except BaseException:  # noqa: BLE001 - as Python itself does
        traceback.print_exc()
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    _main()
