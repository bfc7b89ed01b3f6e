"""Making, following, changing and removing contexts."""

from typing import Any

import pytest

from rostrum.gateway.domains.context import changes, contexts
from tests.gateway.core import Client, Core, Frame


@pytest.fixture
def pair() -> tuple[Client, Client]:
    core = Core()
    return core.connect("A"), core.connect("B")


def create(client: Client, name: str = "ctx", **more: Any) -> Frame:
    message = {"type": "create-context", "name": name, "data": {"a": 1}, "lifetime": "retained", **more}
    return client.ask(**message)


def update(client: Client, context_id: str, **delta: Any) -> Frame:
    return client.ask(type="update-context", context_id=context_id, delta=delta)


def snapshot(client: Client, context_id: str) -> Any:
    return client.ask(type="subscribe-context", context_id=context_id)["data"]


def test_the_creator_gets_the_context_before_the_notification_of_its_creation(pair: tuple[Client, Client]) -> None:
    maker, other = pair

    added, created = maker.send(request_id="c", type="create-context", name="ctx", lifetime="retained")

    assert (added["type"], added["creator_id"], added["name"]) == ("context-added", maker.peer_id, "ctx")
    assert (created["type"], created["request_id"]) == ("context-created", "c")
    assert created["context_id"] == added["context_id"]
    [told] = other.take()
    assert (told["domain"], told["context_id"]) == ("global", added["context_id"])


def test_a_name_that_is_taken_gives_the_data_there_is(pair: tuple[Client, Client]) -> None:
    maker, other = pair
    context_id = create(maker)["context_id"]
    other.take()

    answer = create(other, data={"z": 1}, lifetime="whatever")

    assert (answer["type"], answer["context_id"], answer["data"]) == ("subscribed-context", context_id, {"a": 1})
    update(maker, context_id, added={"b": 1})
    assert [frame["type"] for frame in other.take()] == ["context-updated"]


def test_a_newcomer_is_notified_of_the_contexts_there_are_right_after_its_welcome(pair: tuple[Client, Client]) -> None:
    maker, _ = pair
    kept = create(maker, "kept")["context_id"]
    owned = create(maker, "owned", lifetime="ownership")["context_id"]
    create(maker, "secret", read_permissions="$application == 'nobody'")
    newcomer = maker.core.stranger("C")

    frames = newcomer.send(
        request_id="h", type="hello", authentication={"method": "secret", "login": "user1", "secret": "s"}
    )

    assert [frame["type"] for frame in frames] == ["welcome", "context-added", "context-added"]
    assert [(frame["context_id"], frame["creator_id"]) for frame in frames[1:]] == [
        (kept, None),
        (owned, maker.peer_id),
    ]


def test_every_member_but_the_updater_gets_the_delta_as_it_was_sent(pair: tuple[Client, Client]) -> None:
    maker, other = pair
    context_id = create(maker)["context_id"]
    snapshot(other, context_id)
    maker.take()
    other.take()
    delta = {"added": {"b": 2}, "unknown": {"kept": [1]}}

    answer = other.ask(type="update-context", context_id=context_id, delta=delta)

    assert answer["type"] == "success"
    [told] = maker.take()
    assert (told["type"], told["updater_id"], told["delta"]) == ("context-updated", other.peer_id, delta)
    assert other.take() == []
    assert snapshot(other, context_id) == {"a": 1, "b": 2}


def test_who_is_no_member_may_update_and_gets_no_event(pair: tuple[Client, Client]) -> None:
    maker, other = pair
    context_id = create(maker)["context_id"]
    other.take()

    update(other, context_id, added={"b": 2})
    update(maker, context_id, added={"c": 3})

    assert other.take() == []
    assert snapshot(maker, context_id) == {"a": 1, "b": 2, "c": 3}


def test_unsubscribing_ends_the_updates_and_always_succeeds(pair: tuple[Client, Client]) -> None:
    maker, other = pair
    context_id = create(maker)["context_id"]
    snapshot(other, context_id)
    other.take()

    for _ in range(2):
        assert other.ask(type="unsubscribe-context", context_id=context_id)["type"] == "success"
    update(maker, context_id, added={"b": 2})

    assert other.take() == []


def test_a_wrong_delta_changes_nothing_and_notifies_no_peer(pair: tuple[Client, Client]) -> None:
    maker, other = pair
    context_id = create(maker)["context_id"]
    snapshot(other, context_id)
    other.take()

    answer = maker.ask(
        type="update-context",
        context_id=context_id,
        delta={"added": {"b": 2}, "commands": [{"type": "set", "path": "c", "value": 1}, {"type": "explode"}]},
    )

    assert answer["reason_uri"] == "global.errors.failure"
    assert other.take() == []
    assert snapshot(maker, context_id) == {"a": 1}


@pytest.mark.parametrize("kind", ["subscribe-context", "unsubscribe-context", "update-context", "destroy-context"])
def test_an_unknown_context_is_refused_with_the_words_that_clients_know(pair: tuple[Client, Client], kind: str) -> None:
    answer = pair[0].ask(type=kind, context_id="nope")

    assert (answer["domain"], answer["reason_uri"]) == ("global", "global.errors.failure")
    assert answer["reason"].startswith("Unable to find context with id")


@pytest.mark.parametrize("kind", ["subscribe-context", "unsubscribe-context", "update-context", "destroy-context"])
def test_another_users_context_does_not_exist(pair: tuple[Client, Client], kind: str) -> None:
    maker, _ = pair
    context_id = create(maker)["context_id"]
    stranger = maker.core.connect("C", "user2")

    answer = stranger.ask(type=kind, context_id=context_id, delta={"reset": {}})

    assert answer["reason"].startswith("Unable to find context with id")
    assert snapshot(maker, context_id) == {"a": 1}


def test_names_belong_to_a_user(pair: tuple[Client, Client]) -> None:
    maker, _ = pair
    mine = create(maker)["context_id"]
    theirs = create(maker.core.connect("C", "user2"), data={"b": 2})

    assert theirs["type"] == "context-created"
    assert theirs["context_id"] != mine


def test_a_context_of_a_service_is_everyones() -> None:
    core = Core()
    service = core.stranger("S")
    service.ask(type="hello", authentication={"method": "secret", "login": "root", "secret": "service"})
    service.peer_id = next(iter(service.peers))
    first, second = core.connect("A", "user1"), core.connect("B", "user2")

    context_id = create(service, "shared")["context_id"]

    assert [frame["context_id"] for client in (first, second) for frame in client.take()] == [context_id] * 2
    assert create(first, "shared")["type"] == "subscribed-context"
    update(second, context_id, added={"b": 2})
    assert [frame["type"] for frame in first.take()] == ["context-updated"]
    assert core.connect("C", "user3").ask(type="subscribe-context", context_id=context_id)["data"] == {"a": 1, "b": 2}


@pytest.mark.parametrize("lifetime", ["foo", "activity", "", None])
def test_an_unknown_lifetime_is_refused(pair: tuple[Client, Client], lifetime: Any) -> None:
    assert create(pair[0], lifetime=lifetime)["reason_uri"] == "global.errors.bad_lifetime"


@pytest.mark.parametrize("way", ["close", "unsubscribe", "leave"])
def test_an_owned_context_ends_with_its_owner(pair: tuple[Client, Client], way: str) -> None:
    owner, other = pair
    if way == "leave":
        owner.join("context")
    context_id = create(owner, lifetime="ownership")["context_id"]
    snapshot(other, context_id)
    other.take()

    if way == "close":
        owner.close()
    elif way == "leave":
        owner.ask(type="leave", destination="context")
    else:
        owner.ask(type="unsubscribe-context", context_id=context_id)

    [destroyed] = other.take()
    assert (destroyed["type"], destroyed["domain"]) == ("context-destroyed", "global")
    assert destroyed["reason_uri"] == ("global.peer-left" if way == "unsubscribe" else "context.peer-left")
    assert other.ask(type="subscribe-context", context_id=context_id)["type"] == "error"


def test_a_counted_context_ends_with_its_last_member(pair: tuple[Client, Client]) -> None:
    maker, other = pair
    context_id = create(maker, lifetime="ref-counted")["context_id"]
    snapshot(other, context_id)
    maker.close()
    other.take()
    assert update(other, context_id, added={"b": 1})["type"] == "success"

    frames = other.send(request_id="u", type="unsubscribe-context", context_id=context_id)

    assert [frame["type"] for frame in frames] == ["context-destroyed", "success"]


def test_a_retained_context_outlives_everyone(pair: tuple[Client, Client]) -> None:
    maker, other = pair
    context_id = create(maker)["context_id"]
    maker.close()
    other.close()

    assert snapshot(maker.core.connect("C"), context_id) == {"a": 1}


def test_destroying_notifies_members_and_readers_once_each(pair: tuple[Client, Client]) -> None:
    maker, other = pair
    onlooker = maker.core.connect("C")
    context_id = create(maker)["context_id"]
    snapshot(other, context_id)
    for client in (maker, other, onlooker):
        client.take()

    frames = other.send(request_id="d", type="destroy-context", context_id=context_id)

    assert [frame["type"] for frame in frames] == ["context-destroyed", "success"]
    assert frames[0]["reason_uri"] == "global.destroyed"
    assert [len(client.take()) for client in (maker, onlooker)] == [1, 1]
    assert create(maker)["type"] == "context-created"


def test_permissions_decide_who_reads_and_writes() -> None:
    core = Core()
    maker, reader, writer, nobody = (core.connect(name) for name in "ARWN")
    context_id = create(maker, read_permissions="$application == 'R'", write_permissions="$application == 'W'")[
        "context_id"
    ]

    def may(client: Client, kind: str) -> bool:
        answer = client.ask(type=kind, context_id=context_id, delta={"added": {}})
        assert answer["type"] != "error" or answer["reason_uri"] == "global.errors.not_authorized"
        return bool(answer["type"] != "error")

    assert [may(client, "subscribe-context") for client in (maker, reader, writer, nobody)] == [True, True, True, False]
    assert [may(client, "update-context") for client in (maker, reader, writer, nobody)] == [True, False, True, False]
    assert [may(client, "destroy-context") for client in (reader, nobody, writer)] == [False, False, True]


def test_who_may_not_read_is_not_informed(pair: tuple[Client, Client]) -> None:
    maker, other = pair

    create(maker, read_permissions="$application == 'nobody'")

    assert other.take() == []
    assert create(other)["reason_uri"] == "global.errors.not_authorized"


def test_the_creators_own_attributes_count_in_permissions() -> None:
    core = Core()
    maker = core.connect("A", desk="blue")
    same, other = core.connect("B", desk="blue"), core.connect("C", desk="red")

    create(maker, read_permissions="$desk == #desk")

    assert (len(same.take()), len(other.take())) == (1, 0)


@pytest.mark.parametrize("wrong", [{"read_permissions": "((("}, {"write_permissions": "$"}, {"data": 7}, {"data": []}])
def test_what_cannot_be_made_is_refused_completely(pair: tuple[Client, Client], wrong: dict[str, Any]) -> None:
    maker, other = pair

    assert create(maker, **wrong)["reason_uri"] == "global.errors.failure"
    assert other.take() == []
    assert create(maker)["type"] == "context-created"


def test_contexts_of_a_user_are_bounded(pair: tuple[Client, Client], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contexts, "MOST_CONTEXTS", 2)
    monkeypatch.setattr(changes, "MOST_CONTEXTS", 2)
    create(pair[0], "1")
    create(pair[0], "2")

    assert create(pair[1], "3")["reason_uri"] == "global.errors.failure"
    assert create(pair[1], "1")["type"] == "subscribed-context"
    assert create(pair[0].core.connect("C", "user2"), "3")["type"] == "context-created"
