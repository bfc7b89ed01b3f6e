"""Hostile answers of a service: compressed bombs, endless and slow bodies, very many objects, broken events."""

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from rostrum.client import bounded_body
from rostrum.client.changes import ManagerChanges
from rostrum.client.errors import Refused, ServiceFailed, Unanswered, Unreachable
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from tests.sources.server import answering, in_turn, running

OK = b"HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
MOST_SENT = 8_000_000
EVENT = b"event: ready\nid: %s\ndata: {}\n\n"


@asynccontextmanager
async def endless(head: bytes, piece: bytes) -> AsyncIterator[tuple[str, list[int]]]:
    """Serve the same bytes again and again, and wait until the client leaves; the list counts the bytes."""
    sent: list[int] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = len(sent)
        sent.append(0)
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(head)
            while piece and sent[number] < MOST_SENT:
                writer.write(piece)
                await writer.drain()
                sent[number] += len(piece)
            await reader.read()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    listener = await asyncio.start_server(handle, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}", sent
    finally:
        listener.close()
        await listener.wait_closed()


async def request(body: bytes, *headers: str) -> object:
    async with running(answering(200, body, *headers)) as server, Service(server.url) as service:
        return (await service.request("GET")).body


async def test_a_compressed_answer_is_read() -> None:
    assert await request(gzip.compress(b'{"a": 1}'), "Content-Encoding: gzip") == {"a": 1}
    assert await request(b'{"a": 1}', "Content-Encoding: identity") == {"a": 1}


@pytest.mark.parametrize("encoding", ["gzip, gzip", "gzip, identity, gzip", "br", "zstd", "deflate", "gzip, br"])
async def test_an_answer_is_packed_once_with_gzip_only(encoding: str) -> None:
    # Packed twice, 5 KB could contain gigabytes.
    body = gzip.compress(gzip.compress(b" " * 1_000_000))
    with pytest.raises(ServiceFailed, match="compressed"):
        await request(body, f"Content-Encoding: {encoding}")


async def test_a_compressed_bomb_is_unpacked_only_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    largest = 0

    class Watched:
        def __init__(self, *, wbits: int) -> None:
            self._real = zlib.decompressobj(wbits=wbits)

        def decompress(self, data: bytes, most: int) -> bytes:
            nonlocal largest
            found = self._real.decompress(data, most)
            largest += len(found)
            return found

        def __getattr__(self, name: str) -> object:
            return getattr(self._real, name)

    monkeypatch.setattr(bounded_body, "decompressobj", Watched)
    body = gzip.compress(b" " * 8_000_000)
    async with running(answering(200, body, "Content-Encoding: gzip")) as server, Service(server.url) as service:
        with pytest.raises(Refused, match="longer than 100,000 bytes"):
            await service.download(limit=100_000)
    assert largest <= 200_000


@pytest.mark.parametrize(
    "body",
    [gzip.compress(b'{"a": 1}' * 50)[:-20], b"no gzip", b"\x1f\x8b\x08\x00"],
    ids=["cut off", "no gzip", "part of the header"],
)
async def test_a_damaged_compressed_answer_is_refused(body: bytes) -> None:
    with pytest.raises(ServiceFailed, match="compressed"):
        await request(body, "Content-Encoding: gzip")


async def test_compressed_bytes_without_content_are_limited_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rostrum.client.service.MAX_BYTES", 100_000)
    # Empty blocks of the format are unpacked to nothing.
    start = gzip.compress(b"")[:10]
    head = b"HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\n\r\n" + start
    async with endless(head, b"\0\0\0\xff\xff" * 1000) as (address, _), Service(address) as service:
        with pytest.raises(Refused, match="longer"):
            await service.request("GET")


async def test_a_small_answer_does_not_become_very_many_objects() -> None:
    body = b"[" + b"{}," * 1_500_000 + b"{}]"
    with pytest.raises(Refused, match="elements"):
        await request(body)
    with pytest.raises(Refused, match="elements"):
        await request(gzip.compress(body, 1), "Content-Encoding: gzip")


@pytest.mark.parametrize(
    "body", [b"NaN", b"[Infinity]", b"1e999", b"[" * 100_000, b'{"a":' * 5000, b"-" + b"9" * 5000, b"\xff\xfe", b"{]"]
)
async def test_values_that_json_cannot_hold_are_refused(body: bytes) -> None:
    with pytest.raises(Refused, match="not JSON"):
        await request(body)


async def test_the_error_of_a_stream_that_never_ends_is_limited_in_time() -> None:
    async with endless(b"HTTP/1.1 400 X\r\n\r\n", b"") as (address, _), Service(address, timeout=0.2) as service:
        with pytest.raises(Unreachable, match=r"0\.2 s"):
            async with service.stream("", {}):
                pass


async def test_an_answer_with_slow_bytes_is_limited_in_time() -> None:
    async with endless(b"HTTP/1.1 200 X\r\n\r\n", b"") as (address, _), Service(address, timeout=0.2) as service:
        with pytest.raises(Unanswered, match=r"0\.2 s"):
            await service.request("GET")


@pytest.mark.parametrize("encoding", [b"identity", b"gzip"])
async def test_an_event_without_end_does_not_fill_the_memory(encoding: bytes) -> None:
    head = b"HTTP/1.1 200 X\r\nContent-Encoding: %s\r\n\r\n" % encoding
    piece = b"x" * 65536
    if encoding == b"gzip":
        packer = zlib.compressobj(wbits=31)
        head += packer.compress(b"") + packer.flush(zlib.Z_SYNC_FLUSH)
        piece = packer.compress(b"x" * 1_000_000) + packer.flush(zlib.Z_FULL_FLUSH)
    async with endless(head, piece) as (address, _), Service(address) as service:
        with pytest.raises(ServiceFailed, match="line"):
            await anext(ManagerClient(service).events())


@pytest.mark.parametrize("event_id", ["é", "\x01", "x" * 5000, "\x7f"])
async def test_an_id_that_cannot_be_sent_back_does_not_end_the_stream_of_changes(event_id: str) -> None:
    again = asyncio.Event()
    seen: list[str] = []

    async def sleep(_: float) -> None:
        if len(seen) >= 2:
            again.set()
            await asyncio.Event().wait()

    first, second = (answering(200, EVENT % one.encode(), "Content-Type: text/event-stream") for one in (event_id, "2"))
    async with running(in_turn(first, second)) as server, Service(server.url) as service:
        changes = ManagerChanges(ManagerClient(service), sleep=sleep)
        changes.back.connect(lambda _: seen.append(""))
        changes.start()
        assert changes._task is not None
        waiting = asyncio.create_task(again.wait())
        await asyncio.wait({waiting, changes._task}, timeout=20, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        assert again.is_set(), changes._task
        await changes.stop()
