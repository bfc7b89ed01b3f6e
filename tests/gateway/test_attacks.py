"""Signed-in clients that try to use up the gateway's memory and time, over real sockets."""

import asyncio
import json
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rostrum.gateway import Gateway
from rostrum.gateway.peer import Source
from rostrum.gateway.server.large_messages import LargeMessage
from rostrum.gateway.server.partial_reads import DiscardedReads, PartialReads
from rostrum.gateway.server.source import SocketSource
from tests.end_to_end.processes import serving
from tests.gateway.sockets import PATIENCE, Talker, quick, running, talking, until
from tests.gateway.test_server import read_frame, text_frame
from tests.gateway.test_sign_in_guard import close_code, frame, header, peak_memory, push, raw

MIB = 1024 * 1024
SIGN_IN = {"type": "hello", "request_id": "h", "authentication": {"method": "secret", "login": "user1", "secret": "s"}}


@dataclass
class Raw:
    """A signed-in client that writes bytes as it likes."""

    peer_id: str
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def tell(self, **message: Any) -> bytes:
        return text_frame({**message, "peer_id": self.peer_id})


@asynccontextmanager
async def signed_in(port: int) -> AsyncIterator[Raw]:
    async with raw(port) as (reader, writer):
        writer.write(text_frame(SIGN_IN))
        yield Raw((await read_frame(reader, "welcome"))["peer_id"], reader, writer)
        writer.transport.abort()


def source_of(gateway: Gateway, peer_id: str) -> SocketSource:
    source = gateway._router.state.peers[peer_id].source
    assert isinstance(source, SocketSource)
    return source


def note_received(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give the senders of all messages, in the order in which the gateway processes them."""
    order: list[str] = []
    receive = gateway._router.receive

    def noted(source: Source, *message: Any) -> Any:
        header = receive(source, *message)
        order.append(str(header.peer_id))
        return header

    monkeypatch.setattr(gateway._router, "receive", noted)
    return order


async def test_pings_of_a_client_that_does_not_read_are_answered_once_and_then_no_longer_read() -> None:
    async with running() as gateway, talking(gateway, "user2") as other, signed_in(gateway.port) as client:
        source = source_of(gateway, client.peer_id)
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]
        flood = frame(0x89, b"p" * 125) * 8000
        for _ in range(40):
            client.writer.write(flood)
            assert (await other.ask(type="create-token"))["type"] == "token"
        assert source.transport is not None
        assert source.transport.underlying_transport.get_write_buffer_size() < MIB
        assert source.unread < MIB


@pytest.mark.long
async def test_reading_stops_while_a_client_does_not_read_and_continues_when_it_does() -> None:
    async with running() as gateway, talking(gateway, "user1", "bus") as publisher, signed_in(gateway.port) as client:
        source = source_of(gateway, client.peer_id)
        client.writer.write(client.tell(type="join", destination="bus", request_id="j"))
        client.writer.write(client.tell(domain="bus", type="subscribe", topic="t", request_id="s"))
        await read_frame(client.reader, "subscribed")
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]
        # More than the sockets of both sides take.
        for _ in range(24):
            await publisher.send(domain="bus", type="publish", topic="t", data="x" * MIB)
        await until(lambda: source.is_paused)
        before = gateway._router.state.peers[client.peer_id].received
        client.writer.write(client.tell(type="create-token", request_id="late"))
        for _ in range(20):
            assert (await publisher.ask(type="create-token"))["type"] == "token"
        assert gateway._router.state.peers[client.peer_id].received == before

        client.writer.transport.resume_reading()  # type: ignore[attr-defined]

        async with asyncio.timeout(PATIENCE):
            while b'"late"' not in await client.reader.read(MIB):
                pass


@pytest.mark.parametrize(
    ("fragment", "between"),
    [
        pytest.param(b"xx", b"", id="two bytes"),
        pytest.param(b"", b"", id="empty", marks=pytest.mark.long),
        pytest.param(b"xx", frame(0x89, b"p"), id="between pings", marks=pytest.mark.long),
    ],
)
async def test_a_message_in_very_many_fragments_is_refused(fragment: bytes, between: bytes) -> None:
    async with running() as gateway, talking(gateway, "user2") as other, signed_in(gateway.port) as client:
        client.writer.write(frame(0x01, b"x") + (frame(0x00, fragment) + between) * 2000)

        async with asyncio.timeout(PATIENCE):
            received = await client.reader.read()
        closing = received.index(b"a message has more than 1024 fragments")
        assert struct.unpack(">H", received[closing - 2 : closing])[0] == 1009
        assert (await other.ask(type="create-token"))["type"] == "token"


async def test_a_thousand_fragments_are_one_message() -> None:
    text = json.dumps({"type": "create-token", "request_id": "x", "note": "y" * 5000}).encode()
    async with running() as gateway, signed_in(gateway.port) as client:
        whole = text.replace(b"{", b'{"peer_id": "' + client.peer_id.encode() + b'", ', 1)
        parts = [whole[at : at + 6] for at in range(0, len(whole), 6)]
        assert 800 < len(parts) < 1024
        middle = b"".join(frame(0x00, part) for part in parts[1:-1])

        client.writer.write(frame(0x01, parts[0]) + middle + frame(0x80, parts[-1]))

        assert (await read_frame(client.reader, "token"))["request_id"] == "x"


async def test_many_messages_of_one_user_do_not_precede_a_message_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running() as gateway, talking(gateway, "user2") as other:
        order = note_received(gateway, monkeypatch)
        async with signed_in(gateway.port) as one, signed_in(gateway.port) as two:
            ping = {"type": "ping", "domain": "global"}
            flood = {each.peer_id: each.tell(**ping) * 2000 for each in (one, two)}
            for each in (one, two):
                each.writer.write(flood[each.peer_id])
            answer = await other.ask(type="create-token")
            await until(lambda: len([each for each in order if each == two.peer_id]) == 2000)
    assert answer["type"] == "token"
    assert other.peer_id is not None
    assert order.index(other.peer_id) < len(order) - 1000
    assert order.count(one.peer_id) == 2000


async def test_the_messages_of_a_client_that_leaves_are_processed_in_order() -> None:
    async with running() as gateway, talking(gateway, "user1", "bus") as listener, signed_in(gateway.port) as client:
        await listener.ask(domain="bus", type="subscribe", topic="t")
        client.writer.write(client.tell(type="join", destination="bus", request_id="j"))
        publish = [client.tell(domain="bus", type="publish", topic="t", data=number) for number in range(500)]
        client.writer.write(b"".join(publish) + frame(0x88, struct.pack(">H", 1000)))

        assert [(await listener.get_of("event"))["data"] for _ in range(500)] == list(range(500))
        assert await close_code(client.reader) == 1000


async def test_messages_for_many_receivers_are_limited_for_each_user() -> None:
    async with (
        running() as gateway,
        talking(gateway, "user1", "bus") as publisher,
        talking(gateway, "user2") as other,
    ):
        for _ in range(200):
            await publisher.send(domain="bus", type="subscribe", topic="t")
        for _ in range(200):
            await publisher.get_of("subscribed")
        costs = gateway.costs_of("user1")
        reading = asyncio.create_task(_read_all(publisher))

        # 200 receivers of a megabyte: more than the budget of a second.
        for _ in range(2):
            await publisher.send(domain="bus", type="publish", topic="t", data="x" * MIB)

        await until(lambda: costs.left < 0)
        assert costs.must_wait
        assert not gateway.costs_of("user2").must_wait
        assert (await other.ask(type="create-token"))["type"] == "token"
        assert gateway.status()["counts"]["frames"] < 2 * 200 + 800
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading


async def _read_all(talker: Talker) -> None:
    async for _ in talker.socket:
        pass


async def test_a_burst_counts_even_before_the_socket_is_full() -> None:
    """60 events of a megabyte in one turn of the event loop, for a client that would read them."""
    async with running() as gateway, signed_in(gateway.port) as client:
        source = source_of(gateway, client.peer_id)
        most = 0
        for _ in range(60):
            source.deliver_large(b"{", b'"x":"' + b"x" * MIB + b'"}')
            most = max(most, source.unread)
        assert source.is_closing
        assert most <= gateway.options.limits.unread + MIB
        async with asyncio.timeout(PATIENCE):
            rest = await client.reader.read()
        assert b"reading too slowly" in rest


@pytest.mark.long
async def test_short_messages_are_not_delayed_by_long_queues_and_arrive_intact() -> None:
    async with running() as gateway, talking(gateway, "user1", "bus") as publisher, AsyncTalkers(gateway, 6) as readers:
        for number in range(5):
            data = str(number) * MIB
            await publisher.send(domain="bus", type="publish", topic="t", data=data)
            await publisher.send(domain="bus", type="publish", topic="t", data=number)
        for reader in readers:
            for number in range(5):
                assert (await reader.get_of("event"))["data"] == str(number) * MIB
                assert (await reader.get_of("event"))["data"] == number


class AsyncTalkers:
    """Subscribers of one user."""

    def __init__(self, gateway: Gateway, count: int, *, own_topics: bool = False) -> None:
        self._makers = [talking(gateway, "user1", "bus") for _ in range(count)]
        self._own_topics = own_topics

    async def __aenter__(self) -> list[Talker]:
        talkers = [await each.__aenter__() for each in self._makers]
        for number, each in enumerate(talkers):
            await each.ask(domain="bus", type="subscribe", topic=f"t{number}" if self._own_topics else "t")
        return talkers

    async def __aexit__(self, *_: object) -> None:
        for each in self._makers:
            await each.__aexit__(None, None, None)


async def test_a_call_with_very_many_elements_is_refused_by_a_local_peer() -> None:
    async with running() as gateway, talking(gateway, "user1") as caller:
        local = await gateway.local_peer("service", "user1")
        await local.methods.register("m", lambda call: {"size": len(call.arguments["a"])})
        await caller.send(type="join", destination="agm", request_id="j")
        method: dict[str, Any] = {}
        while not method:
            found = await caller.get_of("methods-added")
            method = {"server_id": found["server_id"], "method_id": found["methods"][0]["id"]}
        call = {"domain": "agm", "type": "call", **method}
        assert (await caller.ask(**call, arguments_kv={"a": ["x" * 100] * 1000}))["result"] == {"size": 1000}
        assert (await caller.ask(**call, arguments_kv={"a": "x" * MIB}))["result"] == {"size": MIB}

        refused = await caller.ask(**call, arguments_kv={"a": [[]] * 300_000})

        assert (refused["type"], "elements" in refused["reason"]) == ("error", True)


async def test_many_halves_of_characters_are_refused() -> None:
    async with running(quick()) as gateway, talking(gateway, "user1") as talker:
        await talker.socket.send('{"type": "create-token", "note": "' + "\\ud800" * 100_000 + '"}')

        assert "JSON" in (await talker.get_of("error"))["reason"]


PIECES = {
    "pings": frame(0x89, b"p" * 125) * 8000,
    "fragments": frame(0x00, b"xx") * 20_000,
    "empty fragments": frame(0x00, b"") * 20_000,
    "tiny messages": frame(0x81, b"{}") * 10_000,
}


@pytest.mark.long
@pytest.mark.parametrize("kind", PIECES)
def test_floods_of_a_client_that_does_not_read_use_no_memory(kind: str, tmp_path: Path) -> None:
    """400 MiB, as far as the gateway takes it: small frames take turns, and all of them would take minutes."""
    environment = {"XDG_RUNTIME_DIR": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    with serving("gateway", "--port", "0", environment=environment) as gateway:
        address = gateway.address
        port = int(address.rpartition(":")[2])
        before = peak_memory(gateway.process.pid)
        asyncio.run(_flood(address, port, PIECES[kind]))
        after = peak_memory(gateway.process.pid)
        assert gateway.stop() == 0
    if before is not None and after is not None:
        assert after - before < 64 * MIB


async def _flood(address: str, port: int, piece: bytes) -> None:
    async with talking(address, "user2") as other, signed_in(port) as client:
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]
        client.writer.write(frame(0x01, b"x") if piece[0] == 0 else b"")
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                for _ in range(400 * MIB // len(piece)):
                    client.writer.write(piece)
                    assert (await other.ask(type="create-token"))["type"] == "token"
                    async with asyncio.timeout(1):
                        await client.writer.drain()


LARGE = 16 * MIB


@pytest.mark.long
async def test_a_user_sends_one_large_message_at_a_time_and_others_are_not_affected() -> None:
    """Unfinished messages on many connections would add up."""
    beginning = header(0x81, LARGE) + b"x" * (LARGE - MIB)
    async with running() as gateway, talking(gateway, "user2", "bus") as other, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(signed_in(gateway.port)) for _ in range(6)]
        sources = [source_of(gateway, client.peer_id) for client in clients]
        pushing = [asyncio.create_task(push(client.writer, beginning, 1)) for client in clients]
        large = gateway.costs_of("user1").large
        await until(lambda: len(large) == len(clients))
        assert [source.is_reading for source in sources].count(True) == 1

        await other.ask(domain="bus", type="subscribe", topic="t")
        await other.send(domain="bus", type="publish", topic="t", data="x" * 8 * MIB)
        assert len((await other.get_of("event"))["data"]) == 8 * MIB

        for _ in clients:
            first = next(source for source in sources if source is large.holder)
            client = clients[sources.index(first)]
            await pushing[sources.index(first)]
            client.writer.write(b"x" * MIB)
            assert "JSON" in (await read_frame(client.reader, "error"))["reason"]
            await until(lambda: large.holder is not first)  # noqa: B023 - awaited in this iteration
        assert large.holder is None


async def test_fragments_count_as_a_large_message_as_well() -> None:
    async with running() as gateway, signed_in(gateway.port) as one, signed_in(gateway.port) as two:
        part = header(0x00, 8192) + b"x" * 8192
        large = gateway.costs_of("user1").large
        one.writer.write(frame(0x01, b"x") + part * 40)
        await until(lambda: large.holder is source_of(gateway, one.peer_id))
        two.writer.write(frame(0x01, b"x") + part * 40)
        await until(lambda: len(large) == 2)
        one.writer.transport.abort()
        await until(lambda: large.holder is source_of(gateway, two.peer_id))
        assert len(large) == 1


@pytest.mark.long
async def test_connections_that_do_not_read_store_no_more_together_than_one() -> None:
    async with (
        running() as gateway,
        talking(gateway, "user1", "bus") as publisher,
        talking(gateway, "user2") as other,
        AsyncTalkers(gateway, 8, own_topics=True) as readers,
    ):
        costs = gateway.costs_of("user1")
        for reader in readers:
            reader.socket.transport.pause_reading()
        most = 0
        # A single connection would be allowed to store its part of this.
        for number in range(16 * len(readers)):
            await publisher.send(domain="bus", type="publish", topic=f"t{number % len(readers)}", data="x" * MIB)
            assert (await other.ask(type="create-token"))["type"] == "token"
            most = max(most, costs.unread)
        await until(lambda: costs.unread <= gateway.options.limits.unread + MIB)
        assert most <= gateway.options.limits.unread + 2 * MIB


async def test_frames_after_the_end_of_a_connection_are_discarded_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(quick(farewell=PATIENCE)) as gateway, signed_in(gateway.port) as client:
        source = source_of(gateway, client.peer_id)
        ignored: list[None] = []
        monkeypatch.setattr(SocketSource, "ignored", _counted(ignored))
        client.writer.write(frame(0x01, b"x") + frame(0x00, b"xx") * 2000)
        await until(lambda: source.is_closing)
        await push(client.writer, frame(0x00, b"xx") * 20_000, 20)
        # At most one more part of what was sent is split into frames.
        assert len(ignored) < 4096
        client.writer.transport.abort()


def _counted(calls: list[None]) -> Callable[[SocketSource], None]:
    ignored = SocketSource.ignored

    def count(self: SocketSource) -> None:
        calls.append(None)
        ignored(self)

    return count


DENSE = b'{"type": "create-context", "name": "c", "lifetime": "retained", "request_id": "r", "data": [%s]}'


@pytest.mark.parametrize("elements", [b"[]," * (2 * MIB), b" " * (6 * MIB)], ids=["arrays", "spaces"])
async def test_a_large_message_with_very_many_elements_ends_the_connection(elements: bytes) -> None:
    text = DENSE % (elements + b"0")
    async with running() as gateway, talking(gateway, "user2") as other, signed_in(gateway.port) as client:
        client.writer.write(header(0x81, len(text)) + text)

        assert await close_code(client.reader) == 1009
        assert (await other.ask(type="create-token"))["type"] == "token"


async def test_a_large_message_after_the_end_of_a_connection_is_discarded(monkeypatch: pytest.MonkeyPatch) -> None:
    text = DENSE % (b"[]," * (2 * MIB) + b"0")
    reads: list[bool] = []
    get_buffer = PartialReads.get_buffer

    def noted(self: PartialReads, sizehint: int) -> memoryview:
        reads.append(source.is_closing)
        return get_buffer(self, sizehint)

    async with (
        running(quick(farewell=PATIENCE)) as gateway,
        talking(gateway, "user2"),
        signed_in(gateway.port) as client,
    ):
        source = source_of(gateway, client.peer_id)
        monkeypatch.setattr(PartialReads, "get_buffer", noted)
        client.writer.write((header(0x81, len(text)) + text) * 2)
        await until(lambda: source.is_closing)
        assert source.transport is not None
        socket = source.transport.underlying_transport
        await until(lambda: isinstance(socket.get_protocol(), DiscardedReads))

        assert sum(reads) < 200
        client.writer.transport.abort()


async def test_others_are_answered_between_the_steps_of_a_large_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it at once would take as long as several hundred short messages."""
    order: list[str] = []
    step = LargeMessage.step

    def noted(self: LargeMessage) -> None:
        order.append("step")
        step(self)

    monkeypatch.setattr(LargeMessage, "step", noted)
    async with running() as gateway, talking(gateway, "user1", "bus") as sender, talking(gateway, "user2") as other:
        await sender.ask(domain="bus", type="subscribe", topic="t")
        sending = asyncio.create_task(sender.send(domain="bus", type="publish", topic="t", data="x" * 3 * MIB))
        await until(lambda: order)
        while order.count("step") < 8:
            assert (await other.ask(type="create-token"))["type"] == "token"
            order.append("answer")
        await sending
        assert (await sender.get_of("event"))["data"] == "x" * 3 * MIB
    # The first steps follow each other only if nothing else was waiting.
    assert order[: order.index("step") + 20].count("answer") >= 3


async def test_a_flood_of_pings_is_divided_into_short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: dict[int, int] = {}
    async with running() as gateway, talking(gateway, "user2") as other, signed_in(gateway.port) as client:
        server = gateway._server
        pinged = SocketSource.pinged

        def counted(self: SocketSource, payload: bytes) -> None:
            counts[server.turn] = counts.get(server.turn, 0) + 1
            pinged(self, payload)

        monkeypatch.setattr(SocketSource, "pinged", counted)
        await push(client.writer, frame(0x89, b"p") * 8000, 1)
        await until(lambda: sum(counts.values()) == 8000)
        assert (await other.ask(type="create-token"))["type"] == "token"
    # The first turns show that these are very many frames.
    assert max(list(counts.values())[8:]) < 400


@pytest.mark.long
async def test_connections_that_do_not_read_what_a_sign_in_sends_store_together_as_much_as_one() -> None:
    """Each new connection is sent the names of all contexts."""
    async with running() as gateway, talking(gateway, "user1") as writer, talking(gateway, "user2") as other:
        for number in range(3000):
            name = f"{number}".ljust(4000, "n")
            await writer.ask(type="create-context", name=name, lifetime="retained")
        most = 0
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(_silent(gateway.port)) for _ in range(5)]
            sources = [source_of(gateway, client) for client in clients]

            def is_sent() -> bool:
                nonlocal most
                most = max(most, sum(source.unread for source in sources))
                return any(source.is_closing for source in sources)

            await until(is_sent)
            assert (await other.ask(type="create-token"))["type"] == "token"
        assert most <= gateway.options.limits.unread + 8 * MIB


@asynccontextmanager
async def _silent(port: int) -> AsyncIterator[str]:
    """Sign in and read nothing more; give the peer."""
    async with raw(port) as (reader, writer):
        writer.write(text_frame(SIGN_IN))
        peer_id = (await read_frame(reader, "welcome"))["peer_id"]
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        yield peer_id
        writer.transport.abort()


def _one_frame(payload: bytes, most: int) -> tuple[bytes, bytes]:
    whole = frame(0x81, payload)
    return whole[:most], whole[most:]


def _fragments(payload: bytes, most: int) -> tuple[bytes, bytes]:
    begun = b"".join(frame(0x00 if at else 0x01, payload[at : at + 20 * 1024]) for at in range(0, most, 20 * 1024))
    return begun, frame(0x80, payload[most:])


@pytest.mark.long
@pytest.mark.parametrize("divide", [_one_frame, _fragments])
async def test_unfinished_messages_of_many_connections_have_a_limit(
    divide: Callable[[bytes, int], tuple[bytes, bytes]],
) -> None:
    """Each message is small enough to be received beside others, but there are many."""
    count, most = 150, 100 * 1024
    async with running() as gateway, talking(gateway, "user2") as other, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(signed_in(gateway.port)) for _ in range(count)]
        read = [0]
        for client in clients:
            _count_read(source_of(gateway, client.peer_id), read)
        rests = []
        for client in clients:
            message = {"type": "create-token", "request_id": "half", "peer_id": client.peer_id, "n": "x" * 2 * most}
            begun, rest = divide(json.dumps(message).encode(), most)
            client.writer.write(begun)
            rests.append(rest)
        await until(lambda: read[0] > 4 * MIB)
        for _ in range(100):
            assert (await other.ask(type="create-token"))["type"] == "token"

        assert read[0] <= 8 * MIB + count * 16 * 1024

        for client, rest in zip(clients, rests, strict=True):
            client.writer.write(rest)
        for client in clients:
            assert (await read_frame(client.reader, "token"))["request_id"] == "half"


def _count_read(source: SocketSource, read: list[int]) -> None:
    """Count the bytes that are read from a connection."""
    assert source.transport is not None
    transport = source.transport.underlying_transport
    reads = transport.get_protocol()
    assert isinstance(reads, PartialReads)
    updated = reads.buffer_updated

    def counted(nbytes: int) -> None:
        read[0] += nbytes
        updated(nbytes)

    reads.buffer_updated = counted  # type: ignore[method-assign]
    transport.set_protocol(reads)


async def test_what_is_not_processed_counts_until_it_is() -> None:
    async with running() as gateway, talking(gateway, "user2"), signed_in(gateway.port) as client:
        costs = gateway.costs_of("user1")
        text = json.dumps({"type": "create-token", "request_id": "x", "peer_id": client.peer_id, "n": "x" * 100_000})
        begun, rest = _fragments(text.encode(), 60 * 1024)
        client.writer.write(begun)
        await until(lambda: costs.buffered >= 50_000)
        client.writer.write(rest)
        assert (await read_frame(client.reader, "token"))["request_id"] == "x"
        # The buffer of the connection stays, unless other connections need the memory.
        assert costs.buffered < 100_000
        client.writer.transport.abort()
        await until(lambda: not costs.buffered)
