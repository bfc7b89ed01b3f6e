"""Peers inside the process: the same gateway without a socket."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from rostrum.gateway import CallFailed, Gateway, LocalPeer, NotConnected
from rostrum.gateway.errors import GatewayError
from rostrum.gateway.local import methods
from rostrum.gateway.local.methods import Invocation
from tests.gateway.sockets import PATIENCE, Talker, quick, running, talking, until


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    async with running(quick()) as gateway:
        yield gateway


@pytest.fixture
async def peer(gateway: Gateway) -> LocalPeer:
    return await gateway.local_peer("desktop", "ada", instance="platform")


@pytest.fixture
async def client(gateway: Gateway) -> AsyncIterator[Talker]:
    async with talking(gateway, "ada", "agm", "bus") as talker:
        yield talker


async def call(client: Talker, method: str, **arguments: Any) -> dict[str, Any]:
    added = await client.get_of("methods-added") if not hasattr(client, "added") else client.added
    client.added = added  # type: ignore[attr-defined]
    found = next(each for each in added["methods"] if each["name"] == method)
    message = {"server_id": added["server_id"], "method_id": found["id"], "arguments_kv": arguments}
    return await client.ask(domain="agm", type="call", **message)


async def test_it_is_a_peer_like_any_other(gateway: Gateway, peer: LocalPeer) -> None:
    assert (peer.identity["application"], peer.identity["user"]) == ("desktop", "ada")
    async with talking(gateway, "ada") as client:
        await client.send(type="join", destination="agm")
        added = await client.get_of("peer-added")
    assert (added["new_peer_id"], added["identity"]["instance"]) == (peer.id, "platform")


async def test_clients_call_its_methods(peer: LocalPeer, client: Talker) -> None:
    async def add(invocation: Invocation) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"sum": invocation.arguments["a"] + invocation.arguments["b"], "caller": invocation.caller}

    await peer.methods.register("Demo.Add", add, display_name="Add")

    answer = await call(client, "Demo.Add", a=1, b=2)

    assert answer["result"] == {"sum": 3, "caller": client.peer_id}
    assert client.added["methods"][0]["display_name"] == "Add"  # type: ignore[attr-defined]


async def test_what_a_method_raises_is_the_callers_error(peer: LocalPeer, client: Talker) -> None:
    def fail(invocation: Invocation) -> None:
        if invocation.arguments:
            raise CallFailed("my.uri", "not like this")
        raise ValueError("boom")

    await peer.methods.register("Demo.Fail", fail)

    plain = await call(client, "Demo.Fail")
    chosen = await call(client, "Demo.Fail", x=1)

    assert (plain["reason_uri"], plain["reason"]) == ("agm.errors.client_error", "boom")
    assert (chosen["reason_uri"], chosen["reason"]) == ("my.uri", "not like this")


async def test_it_calls_methods_of_clients(peer: LocalPeer, client: Talker) -> None:
    await client.ask(domain="agm", type="register", methods=[{"id": 7, "name": "Remote"}])
    await until(lambda: peer.methods.find("Remote") is not None)

    calling = asyncio.create_task(peer.methods.call("Remote", {"x": 1}))
    invoked = await client.get_of("invoke")
    assert (invoked["method_id"], invoked["arguments_kv"]) == (7, {"x": 1})
    await client.send(domain="agm", type="yield", invocation_id=invoked["invocation_id"], result="done")

    assert await calling == "done"


async def test_a_failed_call_states_the_reason(peer: LocalPeer, client: Talker) -> None:
    await client.ask(domain="agm", type="register", methods=[{"id": 7, "name": "Remote"}])
    await until(lambda: peer.methods.find("Remote") is not None)

    with pytest.raises(CallFailed, match="No peer offers Nothing"):
        await peer.methods.call("Nothing")
    with pytest.raises(CallFailed, match="did not answer within"):
        await peer.methods.call("Remote", timeout_seconds=0.01)
    calling = asyncio.create_task(peer.methods.call("Remote"))
    await client.get_of("invoke")
    invoked = await client.get_of("invoke")
    error = {"request_id": invoked["invocation_id"], "reason_uri": "u", "reason": "no", "context": {"x": 1}}
    await client.send(domain="agm", type="error", **error)
    with pytest.raises(CallFailed, match="no") as caught:
        await calling
    assert (caught.value.uri, caught.value.context) == ("u", {"x": 1})


async def test_numbers_that_are_out_of_range_still_reach_it(peer: LocalPeer, client: Talker) -> None:
    await peer.methods.register("Echo", lambda invocation: invocation.arguments)
    added = await client.get_of("methods-added")

    await client.socket.send(
        f'{{"domain":"agm","type":"call","request_id":"c","peer_id":"{client.peer_id}",'
        f'"server_id":"{peer.id}","method_id":"{added["methods"][0]["id"]}","arguments_kv":{{"x":1e400,"y":1}}}}'
    )

    assert (await client.get_of("result"))["result"]["y"] == 1


async def test_clients_subscribe_to_its_streams(peer: LocalPeer, client: Talker) -> None:
    stream = await peer.methods.stream("Ticks")
    added = await client.get_of("methods-added")
    assert added["methods"][0]["flags"]["streaming"] is True
    message = {"server_id": peer.id, "method_id": added["methods"][0]["id"]}
    answer = await client.ask(domain="agm", type="subscribe", **message)
    assert answer["type"] == "subscribed"

    stream.push({"tick": 1})

    assert (await client.get_of("event"))["data"] == {"tick": 1}
    assert len(stream.subscribers) == 1
    await client.ask(domain="agm", type="unsubscribe", subscription_id=answer["subscription_id"])
    await until(lambda: not stream.subscribers)


async def test_it_subscribes_to_streams_of_clients_until_they_end(peer: LocalPeer, client: Talker) -> None:
    await client.ask(domain="agm", type="register", methods=[{"id": "s", "name": "S", "flags": {"streaming": True}}])
    await until(lambda: peer.methods.find("S") is not None)
    subscribing = asyncio.create_task(peer.methods.subscribe("S", {"q": 1}))
    interest = await client.get_of("add-interest")
    await client.send(domain="agm", type="accepted", subscription_id=interest["subscription_id"], stream_id="0")
    for number in range(3):
        await client.send(domain="agm", type="publish", stream_id="0", data=number)
    subscription = await subscribing
    await client.send(domain="agm", type="drop-subscription", subscription_id=interest["subscription_id"])

    async with asyncio.timeout(PATIENCE):
        assert [event async for event in subscription] == [0, 1, 2]


async def test_unread_events_end_the_subscription(
    peer: LocalPeer, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(methods, "MOST_UNREAD", 3)
    other = await gateway.local_peer("other", "ada")
    stream = await other.methods.stream("S")
    await until(lambda: peer.methods.find("S") is not None)
    subscription = await peer.methods.subscribe("S")

    for number in range(6):
        stream.push(number)

    async with asyncio.timeout(PATIENCE):
        assert [event async for event in subscription] == [0, 1, 2]


async def test_a_subscription_can_be_ended(peer: LocalPeer, gateway: Gateway) -> None:
    other = await gateway.local_peer("other", "ada")
    stream = await other.methods.stream("S")
    await until(lambda: peer.methods.find("S") is not None)
    subscription = await peer.methods.subscribe("S")

    await subscription.close()

    assert [event async for event in subscription] == []
    await until(lambda: not stream.subscribers)


async def test_only_streams_can_be_subscribed_to(peer: LocalPeer, gateway: Gateway) -> None:
    other = await gateway.local_peer("other", "ada")
    await other.methods.register("M", lambda _: 1)
    await until(lambda: peer.methods.find("M") is not None)

    with pytest.raises(CallFailed, match="not a stream"):
        await peer.methods.subscribe("M")


async def test_methods_can_be_withdrawn(peer: LocalPeer, gateway: Gateway) -> None:
    other = await gateway.local_peer("other", "ada")
    method = await other.methods.register("M", lambda _: 1)
    await until(lambda: peer.methods.find("M") is not None)
    assert "M" in [each.name for each in other.methods.known]

    await other.methods.unregister(method)

    await until(lambda: peer.methods.find("M") is None)


async def test_contexts_are_shared_with_clients(peer: LocalPeer, client: Talker) -> None:
    seen: list[dict[str, Any]] = []
    await peer.contexts.subscribe("Demo", seen.append)
    created = await client.ask(type="create-context", name="Demo", lifetime="retained")
    assert created["data"] == {}

    await peer.contexts.set("Demo", {"a": 1})
    await peer.contexts.update("Demo", {"b.c": 2})
    assert (await client.get_of("context-updated"))["delta"] == {"reset": {"a": 1}}
    delta = {"commands": [{"type": "set", "path": "x", "value": [1]}]}
    await client.ask(type="update-context", context_id=created["context_id"], delta=delta)

    await until(lambda: len(seen) == 2)
    assert seen == [{}, {"a": 1, "b": {"c": 2}, "x": [1]}]
    assert await peer.contexts.get("Demo") == seen[-1]
    assert peer.contexts.names == ["Demo"]
    await peer.contexts.destroy("Demo")
    await until(lambda: peer.contexts.names == [])
    assert await peer.contexts.get("Demo") == {}


async def test_a_context_that_does_not_exist_is_made_by_the_first_change(peer: LocalPeer, gateway: Gateway) -> None:
    other = await gateway.local_peer("other", "ada")

    await peer.contexts.update("New", {"a": 1})

    await until(lambda: "New" in other.contexts.names)
    assert await other.contexts.get("New") == {"a": 1}
    assert await other.contexts.get("Nowhere") == {}


async def test_the_bus_works_both_ways(peer: LocalPeer, client: Talker) -> None:
    heard: list[tuple[Any, Any]] = []
    subscription = await peer.bus.subscribe("news.*", lambda data, who: heard.append((data, who["application"])))
    await client.ask(domain="bus", type="subscribe", topic="news.>")

    await client.send(domain="bus", type="publish", topic="news.a", data=1)
    await until(lambda: heard == [(1, "test")])
    await peer.bus.unsubscribe(subscription)
    peer.bus.publish("news.b", {"n": 2})

    assert (await client.get_of("event"))["data"] == 1
    assert (await client.get_of("event"))["data"] == {"n": 2}
    assert len(heard) == 1


async def test_users_do_not_see_each_other_unless_it_is_a_service(gateway: Gateway, peer: LocalPeer) -> None:
    stranger = await gateway.local_peer("other", "ben")
    service = await gateway.local_peer("platform", "root", is_service=True)
    await peer.methods.register("M", lambda _: "mine")
    await until(lambda: service.methods.find("M") is not None)

    assert stranger.methods.find("M") is None
    assert await service.methods.call("M") == "mine"


async def test_a_closed_peer_is_removed_and_its_calls_fail(gateway: Gateway, peer: LocalPeer, client: Talker) -> None:
    await client.ask(domain="agm", type="register", methods=[{"id": 7, "name": "Remote"}])
    await until(lambda: peer.methods.find("Remote") is not None)
    calling = asyncio.create_task(peer.methods.call("Remote"))
    await client.get_of("invoke")

    await peer.close()

    with pytest.raises(NotConnected):
        await calling
    with pytest.raises(NotConnected):
        await peer.contexts.update("x", {})
    assert (await client.get_of("peer-removed"))["removed_id"] == peer.id
    await peer.close()


async def test_the_same_identity_twice_is_refused(gateway: Gateway, peer: LocalPeer) -> None:
    with pytest.raises(GatewayError):
        await gateway.local_peer("desktop", "ada", instance="platform")


async def test_local_peers_work_without_listening_and_end_with_the_gateway() -> None:
    gateway = Gateway(quick())
    one, other = await gateway.local_peer("a", "u"), await gateway.local_peer("b", "u")
    await one.methods.register("M", lambda _: 1)
    await until(lambda: other.methods.find("M") is not None)
    assert await other.methods.call("M") == 1

    await gateway.stop()

    with pytest.raises(NotConnected):
        await other.methods.call("M")


async def test_a_listener_that_fails_does_not_stop_the_others(
    peer: LocalPeer, client: Talker, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[Any] = []
    await peer.bus.subscribe("t", lambda data, who: 1 / 0)  # type: ignore[arg-type]  # a function that fails returns nothing
    await peer.bus.subscribe("t", lambda data, who: heard.append(data))

    await client.send(domain="bus", type="publish", topic="t", data=1)

    await until(lambda: heard == [1])
    assert "a local peer failed" in caplog.text


@pytest.mark.parametrize("reads_text", [False, True])
async def test_a_large_call_arrives_complete(peer: LocalPeer, client: Talker, reads_text: bool) -> None:
    received: list[Invocation] = []

    def measure(invocation: Invocation) -> int:
        received.append(invocation)
        text = invocation.text
        return len(invocation.arguments["a"]) if text is None else memoryview(text).nbytes - len('{"a": ""}')

    await peer.methods.register("Size", measure, reads_text=reads_text)
    added = await client.get_of("methods-added")
    target = {"server_id": added["server_id"], "method_id": added["methods"][0]["id"]}
    arguments = {"a": "x" * 2_000_000}

    answer = await client.ask(domain="agm", type="call", arguments_kv=arguments, context={"c": [1]}, **target)

    assert answer["result"] == 2_000_000
    assert [(each.caller, each.context) for each in received] == [(client.peer_id, {"c": [1]})]


async def test_a_call_in_the_name_of_a_peer_follows_the_rules_for_this_peer(gateway: Gateway) -> None:
    platform, app, other, stranger = [
        await gateway.local_peer(name, user)
        for name, user in (("platform", "ann"), ("app", "ann"), ("other", "ann"), ("stranger", "bob"))
    ]
    heard: list[Invocation] = []
    await other.methods.register("Show", heard.append)
    await until(lambda: platform.methods.find("Show"))
    (method,) = (one for one in platform.methods.known if one.name == "Show")
    gateway.invoke_as(app.id, method, {"a": 1})
    await until(lambda: heard)
    assert (heard[0].caller, heard[0].arguments) == (app.id, {"a": 1})
    with pytest.raises(CallFailed, match="across different users"):
        gateway.invoke_as(stranger.id, method, {})
    # Nothing is called for a peer that has left.
    gateway.invoke_as("nobody", method, {})
    assert await app.methods.call("Show", {"a": 2}) is None
    assert [one.arguments for one in heard] == [{"a": 1}, {"a": 2}]
