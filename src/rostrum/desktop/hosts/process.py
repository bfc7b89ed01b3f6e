"""The window process: a child process that is restarted when it fails."""

import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

import msgspec

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import Reload
from rostrum.desktop.hosts.journal import Journal
from rostrum.desktop.hosts.link import CallFailed, Link, LinkBroken, Reply
from rostrum.desktop.hosts.port import WindowHost, WindowRequest
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import QUESTIONS, REPORTS, HostLost, HostRestored, Question, Reports, WindowClosed
from rostrum.desktop.hosts.suspects import Suspects
from rostrum.desktop.hosts.wire import decode, encode, operations
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.geometry import Bounds, Screen

_log = logging.getLogger(__name__)

CANNOT_RUN = 78
"""The exit code of a child process that cannot run on this system: it is not restarted."""
_DELAYS = (0.5, 1.0, 2.0)
_PERIOD = 60.0
_STOP_TIMEOUT = 3.0
_CALL_TIMEOUT = 60.0
_PING_INTERVAL = 10.0
_PING_TIMEOUT = 45.0
_LOAD_TIMEOUT = 10.0
_FAILURE = "This page is not loaded, because all windows were lost repeatedly while it was loading."
_CHUNK = 256 * 1024
_LARGEST_BACKLOG = 256 * 1024 * 1024
_MOST_QUESTIONS = 1000
_PATIENT = frozenset({"ask", "act", "change_workspaces", "choose_app", "show_splash"})
"""Methods that may wait for a user or a page."""


class HostGone(DesktopError):
    """The window process ended before it responded."""


class ChildProcess(Protocol):
    """What is needed of a child process."""

    @property
    def pid(self) -> int: ...
    @property
    def returncode(self) -> int | None: ...
    @property
    def stderr(self) -> asyncio.StreamReader | None: ...
    async def wait(self) -> int: ...
    def kill(self) -> None: ...


async def start_child(command: Sequence[str], environment: Mapping[str, str], link: socket.socket) -> ChildProcess:
    """Start a program as a child process that gets the socket."""
    windows = sys.platform == "win32"
    link.set_inheritable(True)
    process = await asyncio.create_subprocess_exec(
        *command,
        "--link",
        "shared" if windows else str(link.fileno()),
        env=environment,
        stdin=subprocess.PIPE if windows else subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=not windows,
        pass_fds=() if windows else (link.fileno(),),
    )
    if sys.platform == "win32" and process.stdin is not None:
        # On Windows, the name identifies an inherited socket in the other process.
        process.stdin.write(link.share(process.pid))
        process.stdin.close()
    return process


StartChild = Callable[[Sequence[str], Mapping[str, str], socket.socket], Awaitable[ChildProcess]]
"""Starts the command in an environment, with its end of the link."""


class _Child:
    """One run of the window process, and the connection to it."""

    def __init__(self, process: ChildProcess, writer: asyncio.StreamWriter) -> None:
        self.process = process
        self.writer = writer
        self.errors: deque[str] = deque(maxlen=20)

    def write(self, data: bytes) -> None:
        if self.writer.transport.get_write_buffer_size() > _LARGEST_BACKLOG:
            _log.error("the window process does not read what is sent to it, and is ended")
            self.kill()
            return
        self.writer.write(data)

    def kill(self) -> None:
        """Kill the process and the processes of its pages."""
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)

    async def stop(self) -> None:
        """Close the connection, which ends the process; kill it if it does not end."""
        self.writer.close()
        try:
            async with asyncio.timeout(_STOP_TIMEOUT):
                await self.process.wait()
        except TimeoutError:
            _log.warning("the window process does not end by itself and is killed")
        # Also after it has ended: no process of a page may remain.
        self.kill()
        await self.process.wait()


class ProcessHost:
    """Forwards calls of the port to a child process, and its reports to the platform.

    Calls wait until the process is running. If the process fails, it is restarted, and the content of the screen is
    restored. After too many failures the host continues without windows.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        delays: Sequence[float] = _DELAYS,
        ping_interval: float = _PING_INTERVAL,
        ping_timeout: float = _PING_TIMEOUT,
        start: StartChild = start_child,
    ) -> None:
        self._start_child = start
        self._command = tuple(command)
        self._environment = dict(environment)
        self._delays = tuple(delays)
        self._ping = (ping_interval, ping_timeout)
        self._journal = Journal()
        self._operations = operations(WindowHost)
        self._reports = Reports()
        self._engine = Engine()
        self._link: Link | None = None
        self._up = asyncio.Event()
        self._fallback: RecordingHost | None = None
        self._supervising: asyncio.Task[None] | None = None
        self._questions: set[asyncio.Task[None]] = set()
        self._closing = False
        self._process: int | None = None
        self._runs = 0
        self._commands = 0
        self._repeated_until = 0
        self._results: dict[tuple[str, str], Any] = {}
        self._suspects = Suspects()
        self._reported = asyncio.Event()

    @property
    def process(self) -> int | None:
        """Return the id of the child process."""
        return self._process

    async def prepare(self, engine: Engine, reports: Reports) -> None:
        """Start the child process, without waiting until it is running."""
        self._engine = engine
        self._reports = reports
        self._supervising = asyncio.create_task(self._supervise(), name="window process")

    async def ready(self) -> None:
        """Wait until the child process is running or has failed permanently."""
        await self._up.wait()

    def screens(self) -> tuple[Screen, ...]:
        """Return the displays, the primary one first; a default display until the child process is running."""
        return self._journal.screens

    def bounds(self, instance: str) -> Bounds | None:
        """Return the bounds of a window."""
        return self._journal.bounds(instance) if self._fallback is None else self._fallback.bounds(instance)

    async def close(self) -> None:
        """Close every window and end the child process."""
        link = self._link if self._up.is_set() and self._fallback is None else None
        if link is not None:
            with suppress(LinkBroken, CallFailed, TimeoutError):
                async with asyncio.timeout(_STOP_TIMEOUT):
                    await self._call(link, "close", ())
        self._closing = True
        if self._supervising is not None:
            self._supervising.cancel()
            await asyncio.gather(self._supervising, return_exceptions=True)
        if self._fallback is not None:
            await self._fallback.close()
        for task in [*self._questions]:
            task.cancel()
        await asyncio.gather(*self._questions, return_exceptions=True)
        self._up.set()

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        """Return a method that forwards the call."""
        if name.startswith("_") or name not in operations(WindowHost):
            raise AttributeError(name)

        async def call(*args: Any, **more: Any) -> Any:
            return await self._pass_on(name, self._operations[name].values(*args, **more))

        return call

    async def _pass_on(self, op: str, args: tuple[Any, ...]) -> Any:
        if self._closing:
            raise HostGone(f"{op}: the windows are being closed")
        if self._supervising is None:
            raise HostGone(f"{op}: the window host has not been prepared")
        if op == "open_window" and self._journal.has(args[0].instance):
            # Refused here, because a refusal by the child process would remove the open window from the journal.
            raise DesktopError(f"the window {args[0].instance!r} is open already")
        is_repeated = self._journal.command(op, args)
        self._commands += 1
        number = self._commands
        await self._up.wait()
        if is_repeated and number <= self._repeated_until:
            return self._result_of_repeat(op, args)
        if self._fallback is not None:
            return await getattr(self._fallback, op)(*args)
        try:
            result = await self._call(self._running_link(op), op, args)
        except LinkBroken as error:
            if not is_repeated or self._closing:
                raise HostGone(f"{op}: the window process has ended before it answered") from error
            await self._up.wait()
            return self._result_of_repeat(op, args)
        except CallFailed as error:
            self._journal.failed(op, args)
            raise DesktopError(str(error)) from error
        self._journal.done(op, args, result)
        return result

    def _running_link(self, op: str) -> Link:
        if self._link is None:
            raise HostGone(f"{op}: the window process has ended")
        return self._link

    def _result_of_repeat(self, op: str, args: tuple[Any, ...]) -> Any:
        """Return the result of a call that was sent to the restarted process."""
        if self._closing:
            raise HostGone(f"{op}: the windows are being closed")
        if op == "close_window":
            # The process that showed the window has ended, and the new one never opened it.
            self._reports.report(WindowClosed(instance=args[0]))
        result = self._results.get(_result_key(op, args))
        if isinstance(result, Exception):
            raise DesktopError(str(result)) from result
        if op == "open_window" and result is None:
            raise HostGone("open_window: the window was closed before it was open")
        return () if op == "set_hotkeys" and result is None else result

    async def _call(self, link: Link, op: str, args: tuple[Any, ...]) -> Any:
        operation = self._operations[op]
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        def answered(result: bytes | None, error: Exception | None) -> None:
            if future.done():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(result or b"null")

        self._watch_opening(future, op, args)
        link.call(op, operation.encode_values(args), answered)
        try:
            async with asyncio.timeout(None if op in _PATIENT else _CALL_TIMEOUT):
                return operation.decode_result(await future)
        except TimeoutError:
            raise CallFailed(f"{op}: the window process did not answer within {_CALL_TIMEOUT:g} s") from None
        except msgspec.MsgspecError as error:
            raise CallFailed(f"{op}: the answer of the window process cannot be read: {error}") from error

    def _watch_opening(self, future: "asyncio.Future[bytes]", op: str, args: tuple[Any, ...]) -> None:
        """Record that a window is opened and loaded, until the process has answered; not if it ends."""
        if op != "open_window":
            return
        request: WindowRequest = args[0]
        suspects, opener = self._suspects, (request.opener,) if request.opener else ()
        suspects.begin(future, request.instance, *opener)

        def answered(_: object) -> None:
            if future.cancelled() or not isinstance(future.exception(), LinkBroken):
                suspects.end(future)

        future.add_done_callback(answered)
        if request.load_page and not request.failure:
            suspects.loads(request.instance)

    async def _supervise(self) -> None:
        failures: deque[float] = deque()
        loop = asyncio.get_running_loop()
        while True:
            reason, again = await self._run()
            now = loop.time()
            while failures and now - failures[0] > _PERIOD:
                failures.popleft()
            for window in self._suspects.process_ended(now):
                _log.error(
                    "the window process has ended repeatedly while %s was loading; its page is kept closed", window
                )
                # The others may come back.
                failures.clear()
            again = again and len(failures) < len(self._delays)
            _log.error("the window process has ended: %s%s", reason, "" if again else "; continuing without windows")
            if not again:
                await self._give_up()
                self._reports.report(HostLost(reason=reason, restarting=False))
                return
            self._reports.report(HostLost(reason=reason, restarting=True))
            delay = self._delays[len(failures)]
            failures.append(now)
            await asyncio.sleep(delay)

    async def _run(self) -> tuple[str, bool]:
        """Run the child process once; return why it ended, and whether it may be restarted."""
        try:
            child, reader = await self._start()
        except OSError as error:
            return f"{self._command[0]} cannot be started: {error}", False
        self._runs += 1
        link = Link(child.write, self._serve)
        watching = [
            asyncio.create_task(self._read(reader, link), name="reports of the window process"),
            asyncio.create_task(self._log_errors(child), name="errors of the window process"),
            asyncio.create_task(self._begin(link), name="start of the window process"),
        ]
        try:
            reason = await watching[0]
        finally:
            self._up.clear()
            self._process = None
            link.end("the window process has ended")
            await child.stop()
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)
            if self._closing:
                self._link = None
        code = child.process.returncode
        if code == CANNOT_RUN:
            return child.errors[-1] if child.errors else "", False
        return f"{reason} (exit code {code})", True

    async def _start(self) -> tuple[_Child, asyncio.StreamReader]:
        ours, theirs = socket.socketpair()
        try:
            return await self._spawn(ours, theirs)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()

    async def _spawn(self, ours: socket.socket, theirs: socket.socket) -> tuple[_Child, asyncio.StreamReader]:
        process = await self._start_child(self._command, self._environment, theirs)
        ours.setblocking(False)  # noqa: FBT003
        connect = asyncio.open_connection if sys.platform == "win32" else asyncio.open_unix_connection
        reader, writer = await connect(sock=ours, limit=_CHUNK)
        self._process = process.pid
        return _Child(process, writer), reader

    async def _begin(self, link: Link) -> None:
        """Send the initial state to the child process, then the waiting calls."""
        try:
            await self._call(link, "prepare", (self._engine,))
            await self._repeat(lambda op, args: self._call(link, op, args))
        except LinkBroken:
            return
        except CallFailed as error:
            _log.error("the window process cannot be prepared: %s", error)
            self._kill()
            return
        self._link = link
        self._up.set()
        if self._runs > 1:
            self._reports.report(HostRestored())
        await asyncio.gather(self._watch(link), self._load_one_by_one(link))

    async def _load_one_by_one(self, link: Link) -> None:
        """Load the pages of windows of which one may have ended the process."""
        for window in [*self._suspects.one_by_one]:
            if not self._journal.has(window):
                continue
            self._suspects.loads(window)
            try:
                await self._call(link, "act", (window, Reload()))
                async with asyncio.timeout(_LOAD_TIMEOUT):
                    while self._suspects.is_loading(window):
                        self._reported.clear()
                        await self._reported.wait()
            except LinkBroken:
                return
            except (CallFailed, TimeoutError):
                continue
        self._suspects.one_by_one.clear()

    def _repeated(self, op: str, args: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
        """Return a call of the journal; pages that have ended the process, or may have, are not loaded at once."""
        if op == "open_window":
            request: WindowRequest = args[0]
            if request.instance in self._suspects.isolated:
                args = (replace(request, failure=_FAILURE),)
            elif request.instance in self._suspects.one_by_one:
                args = (replace(request, load_page=False),)
        return op, args

    async def _repeat(self, call: Callable[[str, tuple[Any, ...]], Awaitable[Any]]) -> None:
        """Execute all calls of the journal, and return the results to the waiting callers."""
        steps, self._repeated_until = [self._repeated(*one) for one in self._journal.steps()], self._commands
        # Sent together, so that pages load in parallel; the child process executes them in this order.
        results = await asyncio.gather(*(call(op, args) for op, args in steps), return_exceptions=True)
        self._results = {}
        for (op, args), result in zip(steps, results, strict=True):
            if isinstance(result, BaseException) and not isinstance(result, CallFailed):
                raise result
            self._results[_result_key(op, args)] = result
            if isinstance(result, CallFailed):
                _log.error("the window process could not repeat %s: %s", op, result)
                self._journal.failed(op, args)
            else:
                self._journal.done(op, args, result)

    async def _watch(self, link: Link) -> None:
        """Kill a child process that does not respond."""
        interval, patience = self._ping
        while True:
            await asyncio.sleep(interval)
            answered = asyncio.Event()
            link.call("ping", b"[]", lambda _, __, done=answered: done.set())  # type: ignore[misc]
            try:
                async with asyncio.timeout(patience):
                    await answered.wait()
            except TimeoutError:
                _log.error("the window process has not answered for %g s, and is ended", patience)
                link.end("it did not answer")
                self._kill()
                return

    def _kill(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self._process, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)

    async def _read(self, reader: asyncio.StreamReader, link: Link) -> str:
        while True:
            try:
                data = await reader.read(_CHUNK)
            except OSError as error:
                return str(error)
            if not data:
                return "it closed its connection"
            try:
                link.feed(data)
            except LinkBroken as error:
                return str(error)

    async def _log_errors(self, child: _Child) -> None:
        stream = child.process.stderr
        if stream is None:
            return
        while line := await stream.readline():
            text = line.decode(errors="replace").rstrip()
            if text:
                child.errors.append(text)
                _log.debug("window process: %s", text)

    def _serve(self, op: str, args: bytes, reply: Reply) -> None:
        try:
            if op in REPORTS:
                report = decode(args, REPORTS[op])
                self._journal.report(report)
                self._suspects.report(report)
                self._reported.set()
                self._reports.report(report)
                reply.result()
            elif op in QUESTIONS:
                self._ask(decode(args, QUESTIONS[op]), reply)
            else:
                reply.error(f"{op} is not known")
        except msgspec.MsgspecError as error:
            _log.error("a report of the window process cannot be read: %s: %s", op, error)
            reply.error(str(error))

    def _ask(self, question: Question, reply: Reply) -> None:
        if len(self._questions) >= _MOST_QUESTIONS:
            reply.error("too many questions wait for an answer")
            return
        task = asyncio.create_task(self._answer(question, reply))
        self._questions.add(task)
        task.add_done_callback(self._questions.discard)

    async def _answer(self, question: Question, reply: Reply) -> None:
        try:
            reply.result(encode(await self._reports.ask(question)))
        except Exception as error:  # noqa: BLE001 - the page gets the message
            if not isinstance(error, DesktopError):
                _log.exception("a question of the window process failed: %s", type(question).__name__)
            reply.error(str(error) or type(error).__name__)

    async def _give_up(self) -> None:
        """Continue without windows."""
        host = RecordingHost(self._journal.screens)
        await host.prepare(self._engine, Reports())
        await self._repeat(lambda op, args: getattr(host, op)(*args))
        host.reports = self._reports
        self._fallback = host
        self._up.set()


def _result_key(op: str, args: tuple[Any, ...]) -> tuple[str, str]:
    return op, args[0].instance if op == "open_window" else ""
