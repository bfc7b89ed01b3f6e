"""Streams of a local peer: the subscribers and their arguments, snapshots for one of them, refusals, branches."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from rostrum.gateway import CallFailed, Gateway, LocalPeer
from rostrum.gateway.local.methods import LocalSubscription, Subscriber
from tests.gateway.sockets import PATIENCE, quick, running, talking, until
from tools.node import find_node

NODE = Path(__file__).resolve().parents[1] / "node"


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    async with running(quick()) as gateway:
        yield gateway


@pytest.fixture
async def service(gateway: Gateway) -> LocalPeer:
    return await gateway.local_peer("service", "ada")


@pytest.fixture
async def app(gateway: Gateway) -> LocalPeer:
    return await gateway.local_peer("app", "ada")


async def subscribe(app: LocalPeer, name: str, /, **arguments: Any) -> LocalSubscription:
    await until(lambda: app.methods.find(name) is not None)
    return await app.methods.subscribe(name, arguments)


async def events(subscription: LocalSubscription, count: int) -> list[Any]:
    async with asyncio.timeout(PATIENCE):
        return [await subscription.events.get() for _ in range(count)]


async def test_listeners_see_the_peer_and_the_arguments_of_each_subscription(
    service: LocalPeer, app: LocalPeer
) -> None:
    stream = await service.methods.stream("S")
    seen: list[Subscriber] = []
    gone: list[Subscriber] = []
    stream.subscribed.connect(seen.append)
    stream.unsubscribed.connect(gone.append)

    first = await subscribe(app, "S", windowId="w1", deep={"list": [1, None]})
    await subscribe(app, "S")

    assert [(one.id, one.peer) for one in seen] == [(one, app.id) for one in stream.subscribers]
    assert [one.arguments for one in seen] == [{"windowId": "w1", "deep": {"list": [1, None]}}, {}]
    await first.close()
    await until(lambda: gone == seen[:1])
    await app.close()
    await until(lambda: gone == seen)
    assert stream.subscribers == {}


async def test_an_event_for_one_subscriber_reaches_no_other_subscription(service: LocalPeer, app: LocalPeer) -> None:
    stream = await service.methods.stream("S")
    one, other = await subscribe(app, "S"), await subscribe(app, "S")

    stream.send(stream.subscribers[one.id], "private")
    stream.push("public")

    assert await events(one, 2) == ["private", "public"]
    assert await events(other, 1) == ["public"]


async def test_a_snapshot_sent_while_subscribing_comes_before_everything_pushed_later(
    service: LocalPeer, app: LocalPeer
) -> None:
    stream = await service.methods.stream("S")
    state = {"count": 0}

    def change() -> None:
        state["count"] += 1
        stream.push({"change": state["count"]})

    def send_snapshot(subscriber: Subscriber) -> None:
        stream.send(subscriber, {"snapshot": state["count"]})
        change()

    stream.subscribed.connect(send_snapshot)
    change()

    first = await subscribe(app, "S")
    second = await subscribe(app, "S")
    change()

    assert await events(first, 4) == [{"snapshot": 1}, {"change": 2}, {"change": 3}, {"change": 4}]
    assert await events(second, 3) == [{"snapshot": 2}, {"change": 3}, {"change": 4}]


async def test_a_subscription_can_be_refused_by_its_arguments(
    service: LocalPeer, app: LocalPeer, caplog: pytest.LogCaptureFixture
) -> None:
    def accept(subscriber: Subscriber) -> None:
        if subscriber.arguments.get("windowId") != "mine":
            raise CallFailed("own.uri", "windowId must be one of your windows.")
        if "broken" in subscriber.arguments:
            raise ValueError("boom")

    stream = await service.methods.stream("S", accept)
    seen: list[Subscriber] = []
    stream.subscribed.connect(seen.append)

    with pytest.raises(CallFailed, match="one of your windows") as refused:
        await subscribe(app, "S", windowId="other")
    assert refused.value.uri == "own.uri"
    with pytest.raises(CallFailed, match="boom"):
        await subscribe(app, "S", windowId="mine", broken=True)
    assert "could not decide on a subscription" in caplog.text
    assert (seen, stream.subscribers) == ([], {})
    await subscribe(app, "S", windowId="mine")
    assert [one.arguments for one in seen] == [{"windowId": "mine"}]


async def test_a_listener_that_fails_leaves_the_subscription_as_it_is(service: LocalPeer, app: LocalPeer) -> None:
    stream = await service.methods.stream("S")

    def fail(_: Subscriber) -> None:
        raise CallFailed(None, "too late to refuse")

    stream.subscribed.connect(fail)
    subscription = await subscribe(app, "S")
    stream.push(1)

    assert await events(subscription, 1) == [1]


@pytest.mark.long
async def test_branches_keep_their_subscribers_apart_and_a_push_without_a_branch_reaches_all(
    service: LocalPeer, app: LocalPeer
) -> None:
    stream = await service.methods.stream("S", lambda subscriber: subscriber.arguments.get("app"))
    clock, mail, rest = [await subscribe(app, "S", app=name) for name in ("clock", "mail", None)]
    assert {one.branch for one in stream.subscribers.values()} == {"clock", "mail", ""}

    stream.push("to clock", "clock")
    stream.push("to nobody", "unknown")
    stream.push("to the rest", "")
    stream.push("to all")

    assert await events(clock, 2) == ["to clock", "to all"]
    assert await events(mail, 1) == ["to all"]
    assert await events(rest, 2) == ["to the rest", "to all"]


async def test_a_subscriber_that_has_left_receives_nothing_and_affects_no_other(
    gateway: Gateway, service: LocalPeer, app: LocalPeer
) -> None:
    stream = await service.methods.stream("S")
    stream.subscribed.connect(lambda subscriber: stream.send(subscriber, "snapshot"))
    async with talking(gateway, "ada", "agm") as client:
        method = service.methods.known[0]
        # The subscription and its end arrive together.
        await client.send(domain="agm", type="subscribe", request_id="s", server_id=service.id, method_id=method.id)
    kept = await subscribe(app, "S")
    await until(lambda: [one.peer for one in stream.subscribers.values()] == [app.id])
    stream.send(Subscriber("unknown", app.id), "nobody gets this")
    stream.push("still here")

    assert await events(kept, 2) == ["snapshot", "still here"]


class Client:
    """A process with an unmodified client library that subscribes to a stream."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            found: dict[str, Any] = json.loads(await self._process.stdout.readline())
        return found


@asynccontextmanager
async def subscribed(gateway: Gateway, library: str, name: str, **arguments: Any) -> AsyncIterator[Client]:
    script = [str(NODE / "subscribe.mjs"), gateway.address, library, name, json.dumps(arguments)]
    process = await asyncio.create_subprocess_exec(
        *find_node().command("node", *script), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield Client(process)
    finally:
        await process.communicate(b"")


@pytest.mark.long
async def test_unmodified_clients_get_their_own_snapshot_before_any_change(gateway: Gateway) -> None:
    service = await gateway.local_peer("service", "ada", is_service=True)

    def accept(subscriber: Subscriber) -> None:
        if "symbol" not in subscriber.arguments:
            raise CallFailed(None, "symbol is required")

    stream = await service.methods.stream("T42.Prices", accept)
    peers: list[str] = []

    def send_snapshot(subscriber: Subscriber) -> None:
        peers.append(subscriber.peer)
        stream.send(subscriber, {"snapshot": subscriber.arguments["symbol"]})
        stream.push({"joined": subscriber.arguments["symbol"]})

    stream.subscribed.connect(send_snapshot)
    async with AsyncExitStack() as stack:
        refused = await stack.enter_async_context(subscribed(gateway, "@interopio/core", "T42.Prices"))
        first = await stack.enter_async_context(subscribed(gateway, "@interopio/core", "T42.Prices", symbol="VOD.L"))
        assert "symbol is required" in (await refused.line())["refused"]
        lines = [await first.line() for _ in range(3)]
        assert {"peer": peers[0]} in lines
        assert [line for line in lines if "data" in line] == [
            {"data": {"snapshot": "VOD.L"}, "private": True},
            {"data": {"joined": "VOD.L"}, "private": False},
        ]
        second = await stack.enter_async_context(subscribed(gateway, "@glue42/core", "T42.Prices", symbol="IBM"))
        assert (await first.line())["data"] == {"joined": "IBM"}
        lines = [await second.line() for _ in range(3)]
        assert {"peer": peers[1]} in lines
        assert [line["data"] for line in lines if "data" in line] == [{"snapshot": "IBM"}, {"joined": "IBM"}]
