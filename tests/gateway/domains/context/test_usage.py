"""The bytes of a user's contexts are limited, and contexts end some time after their user has left."""

from typing import Any

import pytest

from rostrum.gateway.options import MIB, Limits
from tests.gateway.core import Client, Core, Frame

LIMIT = Limits().stored_bytes
STAY = Limits().stored_seconds
REFUSED = "global.errors.limits_exceeded"


def create(client: Client, name: str = "ctx", size: int = 0, **more: Any) -> Frame:
    message = {"type": "create-context", "name": name, "data": {"a": "x" * size}, "lifetime": "retained", **more}
    return client.ask(**message)


def update(client: Client, context_id: str, **delta: Any) -> Frame:
    return client.ask(type="update-context", context_id=context_id, delta=delta)


def used(client: Client) -> int:
    return client.core.router.state.usage.of("user1")


@pytest.mark.long
def test_contexts_beyond_the_limit_are_refused_and_nothing_changes() -> None:
    core = Core()
    one, two = core.connect("A"), core.connect("B")
    kinds = [create(core.connect(f"C{number}"), str(number), 8 * MIB)["type"] for number in range(3)]
    before = used(one)

    refused = create(two, "one more", 8 * MIB)

    assert kinds == ["context-created"] * 3
    assert refused["reason_uri"] == REFUSED
    assert str(LIMIT) in refused["reason"]
    assert used(one) == before
    assert create(one, "small")["type"] == "context-created"
    assert create(core.connect("D", "user2"), "8 MiB", 8 * MIB)["type"] == "context-created"


def fill(client: Client, size: int) -> None:
    """Store so many bytes in contexts, each of which may have 16 MiB."""
    for number in range(2):
        assert create(client, f"other {number}", size // 2)["type"] == "context-created"


WAYS = {
    "added": lambda value: {"added": {"grown": value}},
    "updated": lambda value: {"updated": {"nested": {"x": value}}},
    "reset": lambda value: {"reset": {"grown": value}},
    "commands": lambda value: {"commands": [{"type": "set", "path": "p.q", "value": value}]},
    "all": lambda value: {"commands": [{"type": "set", "path": "", "value": {"grown": value}}]},
}


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_no_change_grows_a_context_beyond_the_limit(way: Any) -> None:
    client = Core().connect()
    fill(client, 25 * MIB)
    context_id = create(client, data={"nested": {"x": 1}})["context_id"]
    before = used(client)

    refused = update(client, context_id, **way("x" * 8 * MIB))
    assert refused["reason_uri"] == REFUSED
    assert used(client) == before
    assert client.ask(type="subscribe-context", context_id=context_id)["data"] == {"nested": {"x": 1}}

    assert update(client, context_id, **way("x" * MIB))["type"] == "success"
    assert used(client) - before > 0.9 * MIB


@pytest.mark.long
def test_the_size_counts_not_the_number_of_changes() -> None:
    client = Core().connect()
    context_id = create(client)["context_id"]
    before = used(client)

    for _ in range(5):
        assert update(client, context_id, updated={"a": "x" * 8 * MIB})["type"] == "success"
    assert used(client) > 8 * MIB
    assert update(client, context_id, reset={"a": ""})["type"] == "success"

    assert used(client) == before


def test_everything_is_returned_when_contexts_end() -> None:
    core = Core()
    client = core.connect()
    before = used(client)
    owned = core.connect("B")
    context_id = create(client, size=100)["context_id"]
    create(owned, "owned", 100, lifetime="ownership")
    create(owned, "counted", 100, lifetime="ref-counted")
    update(client, context_id, updated={"b": {"c": "ü"}}, commands=[{"type": "set", "path": "ü.ü.ü", "value": 1}])

    owned.close()
    client.ask(type="destroy-context", context_id=context_id)

    assert used(client) == before


@pytest.mark.long
def test_many_small_members_and_contexts_count_with_the_memory_they_need() -> None:
    client = Core().connect()
    fill(client, 29 * MIB)
    context_id = create(client)["context_id"]
    # As one text they need 250 KiB, parsed twenty times as much.
    update(client, context_id, added={"nested": {str(number): 0 for number in range(25_000)}})
    assert used(client) < 30 * MIB

    refused = update(client, context_id, commands=[{"type": "remove", "path": "nested.1"}])

    assert refused["reason_uri"] == REFUSED
    assert update(client, context_id, removed=["nested"])["type"] == "success"
    before = used(client)
    create(client, "small", data={})
    assert used(client) - before >= 1024


def test_restrictions_count_with_the_states_of_their_patterns() -> None:
    client = Core().connect()
    before = used(client)
    create(client, read_permissions=" || ".join(["$a?'x{140}'"] * 2))
    assert used(client) - before > MIB // 2


def test_a_name_may_have_4096_characters() -> None:
    client = Core().connect()
    assert create(client, "n" * 4096)["type"] == "context-created"
    assert "4096 characters at most" in create(client, "n" * 4097)["reason"]


@pytest.mark.long
def test_full_contexts_can_be_read_reduced_and_destroyed() -> None:
    client = Core().connect()
    size = (LIMIT - used(client)) // 2 - 4096
    context_id = create(client, "big", size)["context_id"]
    create(client, "second", size)
    create(client, "small", 3000)
    assert create(client, "third", 2000)["reason_uri"] == REFUSED

    assert len(client.ask(type="subscribe-context", context_id=context_id)["data"]["a"]) == size
    assert update(client, context_id, removed=["unknown"])["type"] == "success"
    assert update(client, context_id, updated={"a": "short"})["type"] == "success"
    assert client.ask(type="destroy-context", context_id=context_id)["type"] == "success"


def names(client: Client) -> list[str]:
    return [frame["name"] for frame in client.take() if frame["type"] == "context-added"]


def newcomer(core: Core, name: str, user: str = "user1") -> list[str]:
    client = core.stranger(name)
    client.hello(user)
    return names(client)


def test_contexts_end_some_time_after_the_last_peer_of_the_user() -> None:
    core = Core()
    first, second, other = core.connect("A"), core.connect("B"), core.connect("O", "user2")
    create(first, "mine")
    create(other, "others")
    first.close()
    core.router.expire(10 * STAY)
    second.close()
    core.router.expire(20 * STAY)

    core.router.expire(21 * STAY - 1)
    assert len(core.router.state.contexts) == 2
    core.router.expire(21 * STAY)

    assert core.router.state.usage.of("user1") == 0
    assert newcomer(core, "A") == []
    assert newcomer(core, "P", "user2") == ["others"]


def test_a_user_who_returns_in_time_finds_the_contexts() -> None:
    core = Core()
    client = core.connect("A")
    create(client, "mine")
    for _ in range(3):
        client.close()
        core.router.expire(1)
        core.router.expire(STAY)
        client = core.stranger("A")
        client.hello()
        core.router.expire(10 * STAY)
        assert names(client) == ["mine"]


def test_contexts_of_services_stay_while_any_peer_is_connected() -> None:
    core = Core()
    service = core.stranger("S")
    core.connect("U")
    authentication = {"method": "secret", "login": "s", "secret": "service"}
    service.peer_id = service.ask(type="hello", identity={}, authentication=authentication)["peer_id"]
    create(service, "everyone")
    service.close()
    core.router.expire(1)
    core.router.expire(2 * STAY)
    assert newcomer(core, "V", "user2") == ["everyone"]

    for each in list(core.router.state.peers.values()):
        core.router.disconnect(each.source)
    core.router.expire(2 * STAY)
    core.router.expire(3 * STAY)

    assert len(core.router.state.contexts) == 0


def activity_peer(core: Core, name: str) -> Client:
    return core.connect(name, "user1", "activity")


def test_activities_count_and_are_free_again_when_their_peers_leave() -> None:
    core = Core()
    client, other = activity_peer(core, "A"), activity_peer(core, "B")
    peers = used(client)
    kind = {"name": "trade", "owner_type": {"type": "w"}, "default_context": {"a": "x" * MIB}}
    factory = {"id": "f", "peer_type": "w", "configuration": {"a": "x" * MIB}}

    assert client.ask(type="add-types", domain="activity", types=[kind])["type"] == "success"
    kinds = used(client)
    assert client.ask(type="add-types", domain="activity", types=[kind])["type"] == "success"
    assert used(client) == kinds > MIB
    refused = client.ask(type="add-types", domain="activity", types=[{**kind, "name": str(n)} for n in range(3)])
    assert refused["reason_uri"] == "activity.errors.limits_exceeded"
    refused = other.ask(
        type="add-peer-factories",
        domain="activity",
        factories=[{**factory, "id": str(n), "peer_type": str(n)} for n in range(3)],
    )
    assert refused["reason_uri"] == "activity.errors.limits_exceeded"
    assert client.ask(type="remove-types", domain="activity", types=["trade"])["type"] == "success"
    assert used(client) == peers

    small = {**kind, "default_context": {}}
    assert client.ask(type="add-types", domain="activity", types=[small])["type"] == "success"
    assert other.ask(type="add-peer-factories", domain="activity", factories=[factory])["type"] == "success"
    message = {"type": "create", "domain": "activity", "activity_type": "trade", "initial_context": {"a": "x" * MIB}}
    before = used(client)
    assert client.ask(**message)["type"] == "initiated"
    assert used(client) - before > MIB

    other.close()
    client.close()

    assert used(client) == 0
