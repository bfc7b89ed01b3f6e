"""Everything that a client leaves stored in the gateway counts for its user, in every domain."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec import Raw

from rostrum.base.ids import new_id
from rostrum.gateway.domains.context.contexts import Context, Contexts, Permissions
from rostrum.gateway.domains.context.delta import as_data
from rostrum.gateway.options import MIB, Limits
from rostrum.gateway.peer import Binding, Peer
from rostrum.gateway.reasons import Refused
from rostrum.gateway.router import MOST_ELEMENTS
from rostrum.gateway.usage import RESERVE, Kept, Stored, Usage
from tests.gateway.core import Client, Core, Frame
from tests.gateway.sockets import running, talking

LIMIT = Limits().stored_bytes


def used(core: Core, user: str = "user1") -> int:
    return core.router.state.usage.of(user)


def register(client: Client, number: int, **definition: Any) -> Frame:
    methods = [{"id": str(number), "name": "m", **definition}]
    return client.ask(domain="agm", type="register", methods=methods)


def publish_stream(client: Client) -> str:
    """Register a stream of another peer of the same user, which never answers."""
    other = client.core.connect("publisher", "user1", "agm")
    register(other, 0, flags={"streaming": True})
    return other.peer_id


def calls(client: Client) -> Iterator[Frame]:
    server = publish_stream(client)
    message = {"domain": "agm", "type": "call", "server_id": server, "method_id": "0"}
    while True:
        [*answers] = client.send(**message, request_id="r" * 256)
        client.core.router.state.peers[server].source.got.clear()  # type: ignore[attr-defined]
        yield answers[0] if answers else {"type": "success"}


def subscriptions(client: Client) -> Iterator[Frame]:
    server = publish_stream(client)
    message = {"domain": "agm", "type": "subscribe", "server_id": server, "method_id": "0"}
    while True:
        answers = client.send(**message, request_id="r" * 256)
        client.core.router.state.peers[server].source.got.clear()  # type: ignore[attr-defined]
        yield answers[0] if answers else {"type": "success"}


def repeated(make: Callable[[Client, int], Frame]) -> Callable[[Client], Iterator[Frame]]:
    def repeat(client: Client) -> Iterator[Frame]:
        number = 0
        while True:
            number += 1
            yield make(client, number)

    return repeat


def ask(domain: str, kind: str, **message: Any) -> Callable[[Client], Iterator[Frame]]:
    """Repeat a message; ``#`` is replaced by its number."""

    def numbered(value: Any, number: int) -> Any:
        if isinstance(value, dict):
            return {name: numbered(each, number) for name, each in value.items()}
        if isinstance(value, list):
            return [numbered(each, number) for each in value]
        return value.replace("#", str(number)) if isinstance(value, str) else value

    return repeated(lambda client, number: client.ask(domain=domain, type=kind, **numbered(message, number)))


def sign_in(client: Client, number: int) -> Frame:
    other = client.core.stranger(f"other {number}")
    secret = {"method": "secret", "login": "user1", "secret": "s"}
    return other.ask(type="hello", identity={"application": "a", "x": "y" * 60_000}, authentication=secret)


def restrict(client: Client, number: int) -> Frame:
    other = client.core.stranger(f"other {number}")
    secret = {"method": "secret", "login": "user1", "secret": "s"}
    welcome = other.ask(type="hello", identity={"application": "a"}, authentication=secret)
    if welcome["type"] != "welcome":
        return welcome
    other.peer_id = welcome["peer_id"]
    return other.ask(type="join", destination="agm", restrictions=" || ".join(["$a?'x{140}'"] * 2))


KIND = {"name": "#", "owner_type": {"type": "w"}, "default_context": {"a": "x" * 50_000}}
WAYS: dict[str, Callable[[Client], Iterator[Frame]]] = {
    "flags": repeated(lambda client, number: register(client, number, flags={"a": "x" * 500_000})),
    "description": repeated(lambda client, number: register(client, number, description="x" * 500_000)),
    "names of methods": repeated(lambda client, number: register(client, number, name="x" * 500_000)),
    "restrictions of methods": repeated(
        lambda client, number: register(client, number, restrictions=" || ".join(["$a?'x{140}'"] * 2))
    ),
    "routing keys": ask("bus", "subscribe", topic="t", routing_key="x" * MIB),
    "patterns": ask("bus", "subscribe", topic="*" * 127 + "#"),
    "contexts": ask("global", "create-context", name="#", lifetime="retained", data={"a": "x" * MIB}),
    "types of activities": ask("activity", "add-types", types=[KIND]),
    "factories": ask(
        "activity",
        "add-peer-factories",
        factories=[{"id": "#", "peer_type": "#", "configuration": {"a": "x" * 50_000}}],
    ),
    "watched activities": ask("activity", "subscribe", activity_types=["#" + "x" * MIB]),
    "identities": repeated(sign_in),
    "restrictions of peers": repeated(restrict),
    "pending calls": calls,
    "subscriptions": subscriptions,
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_whatever_a_client_leaves_stored_counts_until_the_limit_and_no_longer_than_it_exists(way: Any) -> None:
    core = Core()
    other = core.connect("O", "user2", "agm", "bus", "activity")
    # Most of the budget is used already, so that small things reach the limit soon.
    rest = 3 * MIB
    core.router.state.usage.add("user1", LIMIT - rest)
    client = core.connect("A", "user1", "agm", "bus", "activity")

    for _, answer in zip(range(40_000), way(client), strict=False):
        if answer["type"] == "error":
            break

    assert answer["reason_uri"].endswith(".errors.limits_exceeded")
    assert LIMIT - rest <= used(core) <= LIMIT + RESERVE
    assert register(other, 0, flags={"a": "x" * (MIB // 2)})["type"] == "success"
    for peer in list(core.router.state.peers.values()):
        if peer.user == "user1" and peer.source is not client:
            core.router.disconnect(peer.source)
    for domain in ("agm", "bus", "activity"):
        client.ask(type="leave", destination=domain)
    for context in list(core.router.state.contexts):
        client.ask(type="destroy-context", context_id=context.id)
    client.close()
    assert used(core) == LIMIT - rest


@pytest.mark.long
async def test_many_large_methods_are_refused_by_a_running_gateway_and_others_still_register() -> None:
    async with running() as gateway, talking(gateway, "user1", "agm") as one, talking(gateway, "user2", "agm") as other:
        answers = []
        for number in range(12):
            method = {"id": str(number), "name": "m", "flags": {"a": "x" * 1_000_000}}
            answers.append(await one.ask(domain="agm", type="register", methods=[method]))

        assert answers[-1]["reason_uri"] == "agm.errors.limits_exceeded"
        method = {"id": "1", "name": "m", "flags": {"a": "x" * 1_000_000}}
        assert (await other.ask(domain="agm", type="register", methods=[method]))["type"] == "success"


def test_a_user_who_has_used_up_everything_can_sign_in_and_remove_something() -> None:
    core = Core()
    core.router.state.usage.add("user1", LIMIT - 2 * MIB)
    client = core.connect("A", "user1")
    made = client.ask(type="create-context", name="big", lifetime="retained", data={"a": "x" * MIB})
    assert made["type"] == "context-created"
    while used(core) <= LIMIT:
        core.stranger("B").hello()

    late = core.connect("C", "user1")

    assert used(core) > LIMIT
    assert late.ask(type="destroy-context", context_id=made["context_id"])["type"] == "success"


def test_replaced_methods_and_types_count_once() -> None:
    core = Core()
    client = core.connect("A", "user1", "agm", "activity")
    for _ in range(2):
        register(client, 1, description="x" * 1000)
        client.ask(domain="activity", type="add-types", types=[KIND])
        again = used(core)
    register(client, 1, description="x" * 1000)
    client.ask(domain="activity", type="add-types", types=[KIND])
    assert used(core) == again


def test_the_places_of_many_pending_calls_are_given_back() -> None:
    core = Core()
    client = core.connect("A", "user1", "agm")
    server_id = publish_stream(client)
    server = core.router.state.peers[server_id].source
    before = used(core)
    for _ in range(1000):
        client.send(domain="agm", type="call", server_id=server_id, method_id="0")
    assert used(core) >= before + 900 * 1024

    for frame in server.take():  # type: ignore[attr-defined]
        if frame["type"] == "invoke":
            server.send(domain="agm", type="yield", invocation_id=frame["invocation_id"])  # type: ignore[attr-defined]
    core.router.expire(1.0)

    assert used(core) == before


LONG = "x" * 257


@pytest.mark.parametrize(
    "message",
    [
        {"domain": "global", "type": "create-token", "request_id": LONG},
        {"domain": "agm", "type": "accepted", "subscription_id": "s", "stream_id": LONG},
        {"domain": "agm", "type": "call", "server_id": "p", "method_id": LONG},
        {"domain": "activity", "type": "create-peer", "peer_type": LONG},
        {"domain": "activity", "type": "join-activity", "target_id": "p", "activity_id": "a", "peer_name": LONG},
    ],
    ids=lambda message: str(message["type"]),
)
def test_ids_that_stay_stored_are_short(message: Frame) -> None:
    client = Core().connect("A", "user1", "agm", "activity")
    [answer] = client.send(**message)
    assert "length <= 256" in answer["reason"]


@pytest.mark.parametrize(
    "message",
    [
        {"domain": "agm", "type": "register", "methods": [0] * (MOST_ELEMENTS + 1)},
        {"domain": "agm", "type": "register", "methods": [{"id": "1", "name": "m", "flags": {"a": [0] * 100_001}}]},
        {"type": "create-context", "name": "c", "lifetime": "retained", "data": {str(n): 0 for n in range(100_001)}},
        {"domain": "activity", "type": "add-types", "types": [0] * (MOST_ELEMENTS + 1)},
    ],
    ids=["methods", "flags", "context", "types"],
)
def test_messages_that_are_parsed_have_a_limited_number_of_elements(message: Frame) -> None:
    client = Core().connect("A", "user1", "agm", "activity")
    assert f"more than {MOST_ELEMENTS} elements" in client.ask(**message)["reason"]


def test_another_sign_in_on_a_connection_is_as_small_as_the_first() -> None:
    client = Core().connect("A", "user1")
    answer = client.ask(type="hello", identity={"x": "y" * 200_000}, authentication={"method": "secret"})
    assert (answer["type"], "A sign-in may have" in answer["reason"]) == ("error", True)


def test_nothing_is_stored_without_being_counted() -> None:
    kept: Kept[str, Stored] = Kept(Usage(100), "agm")
    for change in ("__setitem__", "update", "setdefault", "pop", "clear"):
        with pytest.raises(TypeError):
            getattr(kept, change)("a", Stored("u", 1))


def app_peer(core: Core, application: str) -> Peer:
    peer = core.router.state.peers[core.connect(new_id(), "user1", "agm").peer_id]
    peer.binding = Binding(id=application, user="user1", application=application)
    return peer


def test_an_app_uses_half_of_the_limit_and_each_has_a_small_share_beyond_it() -> None:
    core = Core()
    hostile, second, third = (app_peer(core, name) for name in ("hostile", "second", "third"))
    usage = Usage(1024, has_shares=True)

    def store(peer: Peer, most: int) -> int:
        for number in range(most):
            try:
                usage.check(peer, "user1", 1, "context")
            except Refused:
                return number
            usage.add("user1", 1, peer.share)
        return most

    assert store(hostile, 2000) == 512
    assert store(second, 2000) == 512
    assert store(third, 2000) == 32
    usage.add("user1", -100, hostile.share)
    assert store(hostile, 2000) == 68
    # What many small apps have is limited as well.
    usage.add("user1", 1024)
    assert store(app_peer(core, "fourth"), 2000) == 0


def test_a_context_counts_for_the_apps_that_made_it_large() -> None:
    core = Core()
    usage = Usage(LIMIT, has_shares=True)
    contexts = Contexts(usage)
    creator, writer = app_peer(core, "creator"), app_peer(core, "writer")
    context = Context(
        "c-1", "name", creator, lifetime="retained", data=as_data(Raw(b"{}")), permissions=Permissions(None, None)
    )
    contexts.add(context, creator)
    small = context.data_bytes
    contexts.change(context, writer, context.data, small + 1000)
    assert context.charges == {creator.share: context.own_bytes + small, writer.share: 1000}
    contexts.change(context, creator, context.data, small + 900)
    contexts.change(context, writer, context.data, small)
    assert sum(context.charges.values()) == context.bytes == usage.of("user1")
    contexts.remove(context)
    assert usage.of("user1") == 0
    assert not usage._shares
