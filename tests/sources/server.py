"""A small HTTP server on loopback that behaves or misbehaves as configured, and records its requests."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

ANSWER = {"system.json": {"contents": {"build": "remote"}}}


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Behaviour = Callable[[Request], Awaitable[bytes]]


@dataclass
class Server:
    behaviour: Behaviour
    port: int = 0
    scheme: str = "http"
    requests: list[Request] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    until: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/systemConfig/get"

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await read_request(reader)
            self.requests.append(request)
            self.asked.set()
            writer.write(await self.behaviour(request))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def read_request(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    method, path, _ = head[0].split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(method, path, headers, body)


def response(status: int, body: bytes = b"", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def answering(status: int, body: bytes = b"", *headers: str) -> Behaviour:
    async def behave(_: Request) -> bytes:
        return response(status, body, *headers)

    return behave


def serving(files: Any) -> Behaviour:
    return answering(200, json.dumps(files).encode(), "Content-Type: application/json")


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """Behave differently at each request; the last one stays."""
    left = list(behaviours)

    async def behave(request: Request) -> bytes:
        return await (left.pop(0) if len(left) > 1 else left[0])(request)

    return behave


@asynccontextmanager
async def running(behaviour: Behaviour, context: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    server = Server(behaviour, scheme="https" if context else "http")
    listener = await asyncio.start_server(server.handle, "127.0.0.1", 0, ssl=context)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        server.until.set()
        listener.close()
        await listener.wait_closed()


@asynccontextmanager
async def slow() -> AsyncIterator[Server]:
    """A server that takes requests and answers none while anybody waits."""
    servers: list[Server] = []

    async def wait(_: Request) -> bytes:
        await servers[0].until.wait()
        return response(200, b"{}")

    async with running(wait) as server:
        servers.append(server)
        yield server


@asynccontextmanager
async def down() -> AsyncIterator[Server]:
    """An address where nobody listens (any more)."""
    async with running(serving({})) as server:
        pass
    yield server


@asynccontextmanager
async def until_asked(server: Server) -> AsyncIterator[None]:
    """A time limit that is over as soon as the next request has arrived, however long that takes."""
    server.asked.clear()

    async def watch(limit: asyncio.Timeout) -> None:
        await server.asked.wait()
        limit.reschedule(asyncio.get_running_loop().time())

    async with asyncio.timeout(60) as limit:
        watching = asyncio.create_task(watch(limit))
        try:
            yield
        finally:
            watching.cancel()


class Slept:
    """A sleep function that only writes down how long."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
