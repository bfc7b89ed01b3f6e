"""A window process without windows: speaks over the pipe as the real one does, and only records what it is asked.

Its faults are those of a real one: the second argument names one of them.
"""

import argparse
import asyncio
import os
import socket
import sys
from typing import Any

from rostrum.desktop.hosts.link import Link, Reply
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import LoadStarted, Question, Report, Reports, ScreensChanged
from rostrum.desktop.hosts.wire import decode, encode, operations
from rostrum.desktop.windows.geometry import Bounds, Screen

SCREEN = Screen("fake", Bounds(0, 0, 1600, 900), primary=True, name="FAKE-1")


class _Forwarded(Reports):
    """Sends reports and questions to the platform."""

    def __init__(self, link: Link) -> None:
        super().__init__()
        self._link = link

    def report(self, report: Report) -> None:
        self._link.post(type(report).__name__, encode(report))

    async def ask(self, question: Question) -> Any:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def answered(result: bytes | None, error: Exception | None) -> None:
            future.set_exception(error) if error else future.set_result(decode(result or b"null", Any))

        self._link.call(type(question).__name__, encode(question), answered)
        return await future


class _Child:
    def __init__(self, sock: socket.socket, fault: str) -> None:
        self._sock = sock
        self._fault = fault
        self._link = Link(sock.sendall, self._serve)
        self._host = RecordingHost((SCREEN,))
        self._reports = _Forwarded(self._link)
        self._calls: asyncio.Queue[tuple[str, bytes, Reply]] = asyncio.Queue()

    async def run(self) -> None:
        executing = asyncio.create_task(self._execute())
        loop = asyncio.get_running_loop()
        self._sock.setblocking(False)
        while data := await loop.sock_recv(self._sock, 65536):
            self._link.feed(data)
        executing.cancel()

    def _serve(self, op: str, args: bytes, reply: Reply) -> None:
        self._calls.put_nowait((op, args, reply))

    async def _execute(self) -> None:
        while True:
            op, args, reply = await self._calls.get()
            if op == "ping" and self._fault != "silent":
                reply.result()
            elif op == "prepare":
                if self._fault == "garbage":
                    self._sock.sendall(b"\x00\x00\x00\x03{{{")
                await self._host.prepare(operations(WindowHost)[op].decode(args)[0], self._reports)
                self._reports.report(ScreensChanged(screens=self._host.screens()))
                reply.result()
            elif op != "ping":
                await self._call(op, args, reply)

    async def _call(self, op: str, args: bytes, reply: Reply) -> None:
        operation = operations(WindowHost)[op]
        values = operation.decode(args)
        if op == "bring_to_front" and self._fault == "dies":
            os._exit(1)
        if self._fault.startswith("fatal page") and op in ("open_window", "act"):
            # Ends while it opens or loads the window with this name.
            name = values[0].instance if op == "open_window" else values[0]
            is_loading = op == "act" or (values[0].load_page and not values[0].failure)
            if name == self._fault.removeprefix("fatal page ") and is_loading:
                self._reports.report(LoadStarted(instance=name, url=""))
                os._exit(1)
        if op == "send_to_pages":
            # What a person or a page would do, as the test says: a question of the host to the platform.
            from rostrum.desktop.hosts.reports import QUESTIONS

            kind = QUESTIONS[values[0]]
            reply.result(operation.encode_result(None))
            answer = await self._reports.ask(kind(**values[1]))
            await self._host.set_title("answers", f"{answer!r}")
            return
        try:
            reply.result(operation.encode_result(await getattr(self._host, op)(*values)))
        except Exception as error:  # noqa: BLE001 - the platform gets the message
            reply.error(str(error))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("fault")
    parser.add_argument("--link", type=int, required=True)
    arguments = parser.parse_args()
    if arguments.fault == "cannot run":
        sys.stderr.write("there is no display\n")
        sys.exit(78)
    if arguments.fault == "ends":
        sys.exit(3)
    asyncio.run(_Child(socket.socket(fileno=arguments.link), arguments.fault).run())


if __name__ == "__main__":
    main()
