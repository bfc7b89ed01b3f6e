"""Before sign-in: small messages, a few seconds, a bounded number of connections."""

import asyncio
import json
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.gateway.authentication import Account
from rostrum.gateway.server.sign_in_guard import SignInGuard, WaitingRoom
from rostrum.gateway.server.source import SocketSource
from tests.end_to_end.processes import serving
from tests.gateway.sockets import PATIENCE, quick, running, talking, until

MIB = 1024 * 1024
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
HELLO = {"type": "hello", "request_id": "h", "authentication": {"method": "secret", "login": "u", "secret": "s"}}


def header(first: int, size: int) -> bytes:
    """The head of a masked frame whose mask changes nothing."""
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 65_536:
        length = b"\xfe" + size.to_bytes(2)
    else:
        length = b"\xff" + size.to_bytes(8)
    return bytes([first]) + length + b"\0\0\0\0"


def frame(first: int, payload: bytes) -> bytes:
    return header(first, len(payload)) + payload


@asynccontextmanager
async def raw(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(UPGRADE)
    await reader.readuntil(b"\r\n\r\n")
    try:
        yield reader, writer
    finally:
        writer.close()


async def close_code(reader: asyncio.StreamReader) -> int:
    """Read frames until the close frame; give its code."""
    async with asyncio.timeout(PATIENCE):
        while True:
            first, size = await reader.readexactly(2)
            size = int.from_bytes(await reader.readexactly(2)) if size == 126 else size
            payload = await reader.readexactly(size)
            if first == 0x88:
                return int(struct.unpack(">H", payload[:2])[0])


async def push(writer: asyncio.StreamWriter, data: bytes, times: int) -> None:
    """Send as much as the other side takes."""
    with suppress(OSError):
        for _ in range(times):
            writer.write(data)
            await writer.drain()


def peak_memory(pid: int) -> int | None:
    """The peak memory of a process, where the system reports it."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return None
    [line] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


PIECES = {
    "one unfinished frame": [header(0x81, 30 * MIB), *[b"x" * MIB] * 30],
    "large fragments": [header(0x01, MIB) + b"x" * MIB, *[header(0x00, MIB) + b"x" * MIB] * 29],
    "small fragments": [frame(0x01, b"x"), *[frame(0x00, b"x" * 100) * 10_000] * 30],
    "empty fragments": [frame(0x01, b""), *[frame(0x00, b"") * 20_000] * 30],
    "fragments between pings": [frame(0x01, b"x"), *[(frame(0x89, b"p") + frame(0x00, b"x" * 100)) * 9000] * 30],
    "pings": [frame(0x89, b"p" * 125) * 8000] * 30,
    "whole messages": [frame(0x81, b"{}") * 100_000] * 30,
}


@pytest.mark.parametrize("pieces", PIECES.values(), ids=PIECES)
async def test_a_client_that_has_not_signed_in_cannot_send_much_in_any_form(pieces: list[bytes]) -> None:
    async with running(quick(farewell=PATIENCE)) as gateway, raw(gateway.port) as (reader, writer):
        pushing = asyncio.create_task(_all(writer, pieces))

        assert await close_code(reader) == 1009
        writer.transport.abort()
        await pushing


async def _all(writer: asyncio.StreamWriter, pieces: list[bytes]) -> None:
    for piece in pieces:
        await push(writer, piece, 1)


def test_unfinished_messages_before_sign_in_use_no_memory(tmp_path: Path) -> None:
    """12 clients, each with 30 MiB of a message that never ends."""
    environment = {"XDG_RUNTIME_DIR": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}

    async def attack(port: int) -> None:
        async def one() -> None:
            async with raw(port) as (reader, writer):
                writer.write(header(0x81, 31 * MIB))
                pushing = asyncio.create_task(push(writer, b"x" * MIB, 30))
                assert await close_code(reader) == 1009
                writer.transport.abort()
                await pushing

        await asyncio.gather(*(one() for _ in range(12)))

    with serving("gateway", "--port", "0", environment=environment) as gateway:
        port = int(gateway.address.rpartition(":")[2])
        before = peak_memory(gateway.process.pid)
        asyncio.run(attack(port))
        after = peak_memory(gateway.process.pid)
        assert gateway.stop() == 0
    if before is not None and after is not None:
        assert after - before < 32 * MIB


async def test_large_messages_are_accepted_after_a_sign_in() -> None:
    async with running() as gateway, talking(gateway, "user1") as talker:
        data = {"x": "y" * MIB}
        created = await talker.ask(type="create-context", name="c", data=data, lifetime="retained")

        assert created["type"] == "context-created"


async def test_a_large_message_right_behind_the_hello_of_a_good_sign_in_is_refused_not_kept() -> None:
    async with running(quick(farewell=PATIENCE)) as gateway, raw(gateway.port) as (reader, writer):
        pushing = asyncio.create_task(
            _all(writer, [frame(0x81, json.dumps({**HELLO, "x": "y" * 70_000}).encode()), b"x" * MIB])
        )
        assert await close_code(reader) == 1009
        writer.transport.abort()
        await pushing


async def test_idle_connections_without_sign_in_are_closed_after_a_few_seconds() -> None:
    clock = SettableClock()
    async with running(quick(tick=0.01), clock=clock) as gateway, talking(gateway, "user1") as member:
        async with raw(gateway.port) as (reader, _), raw(gateway.port) as (other, writer):
            await until(lambda: len(gateway._server._unsigned) == 2)
            # Half a message, pings and refused messages do not prolong the time.
            writer.write(frame(0x89, b"p") + frame(0x81, b"{}") + frame(0x01, b"{"))

            clock.advance(5.5)

            assert await close_code(reader) == 1008
            assert await close_code(other) == 1008
        assert (await member.ask(type="create-token"))["type"] == "token"


async def test_wrong_credentials_do_not_prolong_the_time_and_checking_them_does_not_shorten_it() -> None:
    clock = SettableClock()
    asked, answer = asyncio.Semaphore(0), asyncio.Semaphore(0)

    class Slow:
        async def check(self, *_: Any) -> Account | None:
            asked.release()
            await answer.acquire()
            return None

    async with running(quick(tick=0.01), clock=clock, secrets=Slow()) as gateway, talking(gateway) as talker:
        server = gateway._server
        await until(lambda: len(server._unsigned) == 1)
        clock.advance(3)
        await until(lambda: server.now == 3)
        first = asyncio.create_task(talker.hello("user1"))
        await asked.acquire()
        clock.advance(40)
        await until(lambda: server.now == 43)
        answer.release()
        assert (await first)["type"] == "error"
        assert len(server._unsigned) == 1

        clock.advance(2.5)

        code, reason = await talker.closed()
        assert (code, reason) == (1008, "no sign-in within 5 seconds")


async def test_connections_without_sign_in_are_limited_and_block_no_other_client(
    caplog: pytest.LogCaptureFixture,
) -> None:
    limits = quick(unsigned_connections=10, unsigned_seconds=PATIENCE * 10, tick=0.01)
    async with running(limits) as gateway, talking(gateway, "user1") as member:
        idle = []
        try:
            for _ in range(50):
                reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
                idle.append((reader, writer))
                writer.write(UPGRADE)
                await reader.readuntil(b"\r\n\r\n")
            await until(lambda: len(gateway._server.sources) == 11)
            assert len(gateway._server._unsigned) == 10
            # The oldest connections are closed, and their clients must reconnect later.
            assert await close_code(idle[0][0]) == 1013

            async with talking(gateway, "user2") as late:
                assert (await late.ask(type="create-token"))["type"] == "token"
            assert (await member.ask(type="create-token"))["type"] == "token"
        finally:
            for _, writer in idle:
                writer.close()
        await until(lambda: "connections without sign-in: more than 10" in caplog.text)


async def test_connections_without_an_upgrade_are_limited_and_block_no_other_client() -> None:
    async with running(quick(unsigned_connections=10)) as gateway, talking(gateway, "user1") as member:
        silent = [await asyncio.open_connection("127.0.0.1", gateway.port) for _ in range(30)]
        try:
            # The oldest are closed at once, long before their time to ask for a WebSocket is over.
            gone = asyncio.gather(*(reader.read() for reader, _ in silent[:20]))
            assert set(await asyncio.wait_for(gone, PATIENCE)) == {b""}
            assert len(gateway._server._arrivals) == 10

            async with talking(gateway, "user2") as late:
                assert (await late.ask(type="create-token"))["type"] == "token"
            assert (await member.ask(type="create-token"))["type"] == "token"
        finally:
            for _, writer in silent:
                writer.close()


async def test_a_client_whose_address_has_few_connections_is_not_the_one_to_leave() -> None:
    async with running() as gateway:
        room: WaitingRoom[SocketSource] = WaitingRoom(3)
        quiet, *crowd = [SocketSource(gateway._server) for _ in range(5)]
        quiet.machine = "192.0.2.1"
        for source in crowd:
            source.machine = "198.51.100.7"

        assert [room.enter(source, 0.0) for source in (quiet, *crowd)] == [None, None, None, crowd[0], crowd[1]]
        assert len(room) == 3


async def test_clients_that_never_ask_for_a_websocket_are_closed_too() -> None:
    async with running() as gateway:
        reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
        writer.write(b"GET / HTTP/1.1\r\nHost:")
        async with asyncio.timeout(PATIENCE):
            assert await reader.read() == b""
        writer.close()


async def test_after_a_sign_in_the_library_reads_directly_from_the_socket() -> None:
    async with running() as gateway, talking(gateway) as talker:
        await until(lambda: len(gateway._server.sources) == 1)
        [source] = gateway._server.sources
        assert source.transport is not None
        socket = source.transport.underlying_transport
        assert isinstance(socket.get_protocol(), SignInGuard)

        await talker.hello("user1")

        assert not isinstance(socket.get_protocol(), SignInGuard)
