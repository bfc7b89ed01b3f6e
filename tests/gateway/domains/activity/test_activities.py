"""Activities from their kinds to their end."""

from typing import Any

import pytest

from tests.gateway.core import Client, Core, Frame

KIND = {
    "name": "act",
    "owner_type": {"type": "win", "name": "own", "configuration": {"a": 1}},
    "helper_types": [{"type": "help"}],
    "default_context": {"d": 1},
}
SIMPLE = {"name": "simple", "owner_type": {"type": "win", "name": "own", "configuration": {"a": 1, "w": 2}}}


@pytest.fixture
def core() -> Core:
    return Core()


@pytest.fixture
def maker(core: Core) -> Client:
    """Who makes peers of both types, and named both kinds of activity."""
    maker = core.connect("F", "user1", "activity")
    factories = [{"id": "win", "peer_type": "win", "configuration": {"w": 1}}, {"id": "h", "peer_type": "help"}]
    maker.ask(domain="activity", type="add-peer-factories", factories=factories)
    maker.ask(domain="activity", type="add-types", types=[KIND, SIMPLE])
    maker.take()
    return maker


def ask(client: Client, kind: str, **message: Any) -> Frame:
    return client.ask(domain="activity", type=kind, **message)


def start(initiator: Client, kind: str = "simple", **more: Any) -> str:
    return str(ask(initiator, "create", activity_type=kind, **more)["activity_id"])


def arrive(core: Core, requested: Frame, name: str = "P") -> Client:
    """Sign in with the token of a request, and join."""
    client = core.stranger(name)
    welcome = client.ask(
        type="hello",
        identity={"application": name},
        authentication={"method": "gateway-token", "token": requested["gateway_token"]},
    )
    client.peer_id = welcome["peer_id"]
    client.join("activity")
    client.take()
    return client


def started(core: Core, maker: Client, initiator: Client) -> tuple[str, Client]:
    """Start the simple activity; give its id and its owner."""
    activity = start(initiator)
    [requested] = [frame for frame in maker.take() if frame["type"] == "peer-requested"]
    owner = arrive(core, requested, "owner")
    ask(owner, "ready")
    return activity, owner


def of(frames: list[Frame], kind: str) -> list[Frame]:
    return [frame for frame in frames if frame["type"] == kind]


def test_kinds_are_announced_to_everyone_of_the_user_and_to_newcomers(core: Core) -> None:
    first, second = core.connect("A", "user1", "activity"), core.connect("B", "user1", "activity")
    other = core.connect("C", "user2", "activity")
    first.take()

    assert ask(first, "add-types", types=[SIMPLE])["type"] == "success"

    for client in (first, second):
        [told] = of(client.take(), "types-added")
        assert told["types"] == [SIMPLE]
    assert other.take() == []
    frames = core.connect("D").send(request_id="j", type="join", destination="activity")
    assert [frame["types"] for frame in of(frames, "types-added")] == [[SIMPLE]]
    ask(second, "remove-types", types=["simple", "unknown"])
    assert [frame["types"] for frame in of(first.take(), "types-removed")] == [["simple"]]


def test_factories_are_announced_to_the_others_and_to_newcomers(core: Core) -> None:
    first, second = core.connect("A", "user1", "activity"), core.connect("B", "user1", "activity")
    first.take()
    factory = {"id": "f", "peer_type": "win", "flags": {"x": 1}}

    assert ask(first, "add-peer-factories", factories=[factory])["type"] == "success"

    [told] = second.take()
    assert (told["type"], told["owner_id"], told["factories"]) == ("peer-factories-added", first.peer_id, [factory])
    frames = core.connect("C").send(request_id="j", type="join", destination="activity")
    assert [frame["factories"] for frame in of(frames, "peer-factories-added")] == [[factory]]
    again = ask(first, "add-peer-factories", factories=[{"id": "other", "peer_type": "win"}])
    assert again["reason_uri"] == "activity.errors.factory_already_registered"
    second.take()
    ask(first, "remove-peer-factories", factory_ids=["f", "unknown"])
    assert [frame["factory_ids"] for frame in second.take()] == [["f"]]


def test_an_activity_is_made_owner_first_with_laid_over_configuration(core: Core, maker: Client) -> None:
    initiator, watcher = core.connect("I", "user1", "activity"), core.connect("W", "user1", "activity")
    ask(watcher, "subscribe", activity_types=["simple"])
    for client in (maker, initiator, watcher):
        client.take()

    activity = start(
        initiator, initial_context={"c": 1}, configuration=[{"type": "win", "configuration": {"over": 3, "w": 9}}]
    )

    [requested] = maker.take()
    assert (requested["type"], requested["peer_factory"]) == ("peer-requested", "win")
    assert requested["configuration"] == {"w": 9, "a": 1, "over": 3}
    assert requested["activity"]["id"] == activity
    assert requested["activity"]["initial-context"] == {"c": 1}
    owner = arrive(core, requested, "owner")
    watcher.take()
    frames = owner.send(request_id="r", domain="activity", type="ready")
    [joined] = of(frames, "joined")
    info = {"peer_id": owner.peer_id, "name": "own", "type": "win"}
    assert (joined["activity_id"], joined["initiator"]) == (activity, initiator.peer_id)
    assert (joined["owner"], joined["participants"], joined["context_snapshot"]) == (info, [], {"c": 1})
    assert (joined["peer_name"], joined["peer_type"]) == ("own", "win")
    [created] = of(watcher.take(), "created")
    assert (created["activity_id"], created["owner"], created["participants"]) == (activity, info, [])


def test_a_peer_made_for_an_activity_has_the_user_of_who_asked(core: Core, maker: Client) -> None:
    initiator = core.connect("I", "user1", "activity")
    maker.take()
    start(initiator)

    owner = arrive(core, maker.take()[-1], "owner")

    assert core.router.state.peers[owner.peer_id].user == "user1"


def test_helpers_wait_for_the_owner(core: Core, maker: Client) -> None:
    initiator = core.connect("I", "user1", "activity")
    maker.take()
    start(initiator, "act", initial_context={"c": 2})
    owner_request, helper_request = maker.take()
    assert helper_request["activity"]["initial-context"] == {"d": 1, "c": 2}
    helper, owner = arrive(core, helper_request, "helper"), arrive(core, owner_request, "owner")
    helper.take()

    assert of(helper.send(request_id="r", domain="activity", type="ready"), "joined") == []
    ask(owner, "ready")

    assert len(of(helper.take(), "joined")) == 1
    late = core.connect("L", "user1", "activity")
    owner.take()
    activity = next(iter(core.router.state.activities.by_id))
    answer = ask(owner, "join-activity", target_id=late.peer_id, activity_id=activity, peer_name="n", peer_type="t")
    assert answer["type"] == "success"
    [joined] = of(late.take(), "joined")
    assert [each["peer_id"] for each in joined["participants"]] == [helper.peer_id, late.peer_id]
    [told] = of(owner.take(), "activity-joined")
    assert (told["joined_id"], told["joined_type"], told["joined_name"]) == (late.peer_id, "t", "n")


def test_only_members_change_the_context_and_all_others_are_notified(core: Core, maker: Client) -> None:
    initiator = core.connect("I", "user1", "activity")
    maker.take()
    activity, owner = started(core, maker, initiator)
    ask(owner, "join-activity", target_id=initiator.peer_id, activity_id=activity)
    context_id = core.router.state.activities.by_id[activity].context.id
    owner.take()
    message = {"context_id": context_id, "delta": {"added": {"x": 1}}}

    assert ask(initiator, "update-context", **message)["domain"] == "activity"
    assert ask(maker, "update-context", **message)["reason_uri"] == "activity.errors.not_authorized"

    [told] = of(owner.take(), "context-updated")
    assert (told["domain"], told["delta"]) == ("global", message["delta"])
    assert owner.ask(type="destroy-context", context_id=context_id)["reason_uri"] == "global.errors.not_authorized"


def test_members_leave_and_the_owner_ends_it(core: Core, maker: Client) -> None:
    initiator, watcher = core.connect("I", "user1", "activity"), core.connect("W", "user1", "activity")
    ask(watcher, "subscribe")
    maker.take()
    activity, owner = started(core, maker, initiator)
    ask(owner, "join-activity", target_id=initiator.peer_id, activity_id=activity)
    again = ask(owner, "join-activity", target_id=initiator.peer_id, activity_id=activity)
    assert again["reason_uri"] == "activity.errors.activity_is_child"
    for client in (owner, watcher, initiator):
        client.take()

    assert ask(initiator, "leave-activity", reason="r")["type"] == "success"
    assert [frame["left_id"] for frame in of(owner.take(), "left")] == [initiator.peer_id]
    assert ask(initiator, "leave-activity")["reason_uri"] == "activity.errors.not_a_member"

    owner.close()
    [destroyed] = of(watcher.take(), "destroyed")
    assert (destroyed["activity_id"], destroyed["reason_uri"]) == (activity, "activity.peer-removed")
    assert core.router.state.activities.by_id == {}
    assert len(core.router.state.contexts) == 0


def test_destroying_disposes_of_the_members(core: Core, maker: Client) -> None:
    initiator = core.connect("I", "user1", "activity")
    maker.take()
    activity, owner = started(core, maker, initiator)
    owner.take()

    assert ask(initiator, "destroy", activity_id=activity, reason="r")["type"] == "success"

    frames = owner.take()
    assert [frame["requestor_id"] for frame in of(frames, "dispose-peer")] == [initiator.peer_id]
    assert [frame["activity_id"] for frame in of(frames, "destroyed")] == [activity]
    assert ask(initiator, "destroy", activity_id=activity)["reason_uri"] == "activity.errors.invalid_activity"


def test_another_users_activity_does_not_exist(core: Core, maker: Client) -> None:
    maker.take()
    activity, owner = started(core, maker, core.connect("I", "user1", "activity"))
    stranger = core.connect("X", "user2", "activity")

    for message in (
        {"kind": "destroy", "activity_id": activity},
        {"kind": "join-activity", "activity_id": activity, "target_id": stranger.peer_id},
        {"kind": "create-peer", "activity_id": activity, "peer_type": "win"},
    ):
        assert ask(stranger, **message)["reason_uri"] == "activity.errors.invalid_activity"
    assert ask(stranger, "destroy-peer", destroy_peer_id=owner.peer_id)["reason_uri"] == "activity.errors.invalid_peer"
    ask(stranger, "subscribe")
    assert of(stranger.take(), "created") == []


def test_a_watcher_is_notified_of_what_there_is_once(core: Core, maker: Client) -> None:
    maker.take()
    activity, _ = started(core, maker, core.connect("I", "user1", "activity"))
    watcher = core.connect("W", "user1", "activity")

    frames = watcher.send(request_id="s", domain="activity", type="subscribe", activity_types=[])

    assert [frame["type"] for frame in frames] == ["success", "created"]
    assert frames[1]["activity_id"] == activity
    assert (
        of(watcher.send(request_id="s", domain="activity", type="subscribe", activity_types=["simple"]), "created")
        == []
    )
    ask(watcher, "unsubscribe", activity_types=[])
    started(core, maker, core.connect("J", "user1", "activity"))
    assert of(watcher.take(), "created") == []


def test_what_is_missing_is_said(core: Core, maker: Client) -> None:
    initiator = core.connect("I", "user1", "activity")
    ask(initiator, "add-types", types=[{"name": "odd", "owner_type": {"type": "nobody makes this"}}])

    assert ask(initiator, "create", activity_type="unknown")["reason_uri"] == "activity.errors.missing_type"
    assert ask(initiator, "create", activity_type="odd")["reason_uri"] == "activity.errors.missing_factory"
    assert ask(initiator, "create-peer", peer_type="x")["reason_uri"] == "activity.errors.missing_factory"
    assert ask(initiator, "ready")["reason_uri"] == "activity.errors.failure"
    assert core.router.state.activities.by_id == {}


def test_other_peers_than_those_of_the_type_can_be_requested(core: Core, maker: Client) -> None:
    initiator = core.connect("I", "user1", "activity")
    maker.take()

    start(initiator, "act", types_override={"owner_type": {"type": "help"}, "helper_types": []})

    assert [frame["peer_factory"] for frame in of(maker.take(), "peer-requested")] == ["h"]


def test_an_owner_that_cannot_be_made_ends_the_activity(core: Core, maker: Client) -> None:
    initiator = core.connect("I", "user1", "activity")
    maker.take()
    activity = start(initiator)
    [requested] = maker.take()
    initiator.take()

    maker.send(domain="activity", type="error", request_id=requested["request_id"], reason="no window")

    [destroyed] = of(initiator.take(), "destroyed")
    assert (destroyed["activity_id"], destroyed["reason_uri"]) == (activity, "activity.errors.owner_creation")
    assert core.router.state.activities.by_id == {}


def test_a_single_peer_is_reported_to_who_asked(core: Core, maker: Client) -> None:
    asker = core.connect("I", "user1", "activity")
    maker.take()

    assert ask(asker, "create-peer", request_id="mine", peer_type="win", configuration={"x": 1})["type"] == "success"
    [requested] = maker.take()
    assert requested["configuration"] == {"w": 1, "x": 1}
    assert "activity" not in requested
    made = arrive(core, requested, "made")
    asker.take()
    ask(made, "ready")

    [created] = of(asker.take(), "peer-created")
    assert (created["request_id"], created["created_id"]) == ("mine", made.peer_id)


@pytest.mark.parametrize("way", ["error", "maker goes", "peer goes before it is ready"])
def test_a_single_peer_that_does_not_come_fails_the_request(core: Core, maker: Client, way: str) -> None:
    asker = core.connect("I", "user1", "activity")
    maker.take()
    ask(asker, "create-peer", request_id="mine", peer_type="win")
    [requested] = maker.take()
    made = arrive(core, requested) if way.startswith("peer") else None
    asker.take()

    if made is not None:
        made.close()
    elif way == "error":
        maker.send(domain="activity", type="error", request_id=requested["request_id"], reason_uri="u", reason="r")
    else:
        maker.close()

    [error] = of(asker.take(), "error")
    assert error["request_id"] == "mine"


def test_only_the_factory_can_respond_to_its_requests(core: Core, maker: Client) -> None:
    asker = core.connect("I", "user1", "activity")
    maker.take()
    ask(asker, "create-peer", peer_type="win")
    [requested] = maker.take()

    refused = ask(asker, "error", request_id=requested["request_id"])

    assert refused["reason_uri"] == "activity.errors.failure"


def test_a_peer_can_be_asked_to_end(core: Core) -> None:
    first, second = core.connect("A", "user1", "activity"), core.connect("B", "user1", "activity")
    first.take()

    assert ask(first, "destroy-peer", destroy_peer_id=second.peer_id, reason="r")["type"] == "success"

    [told] = of(second.take(), "dispose-peer")
    assert (told["requestor_id"], told["reason"]) == (first.peer_id, "r")


def test_reloading_keeps_the_owner_its_place(core: Core, maker: Client) -> None:
    initiator = core.connect("I", "user1", "activity")
    maker.take()
    activity, owner = started(core, maker, initiator)
    ask(owner, "join-activity", target_id=initiator.peer_id, activity_id=activity)
    token = ask(owner, "reload")["token"]
    owner.close()
    initiator.take()

    again = core.stranger("owner")
    welcome = again.ask(type="hello", identity={}, authentication={"method": "gateway-token", "token": token})
    again.peer_id = welcome["peer_id"]
    frames = again.send(request_id="j", type="join", destination="activity")

    [joined] = of(frames, "joined")
    assert (joined["activity_id"], joined["owner"]["peer_id"]) == (activity, again.peer_id)
    assert [frame["joined_id"] for frame in of(initiator.take(), "activity-joined")] == [again.peer_id]


def test_one_who_does_not_come_back_from_reloading_has_left(core: Core, maker: Client) -> None:
    initiator = core.connect("I", "user1", "activity")
    maker.take()
    activity, owner = started(core, maker, initiator)
    ask(owner, "reload")
    owner.close()
    core.router.expire(0.0)
    core.router.expire(59.0)
    assert activity in core.router.state.activities.by_id

    core.router.expire(61.0)

    assert core.router.state.activities.by_id == {}


@pytest.mark.parametrize("kind", ["add-types", "create", "ready", "subscribe", "reload", "leave-activity"])
def test_only_members_take_part(core: Core, kind: str) -> None:
    answer = ask(core.connect("A"), kind, types=[], activity_type="x")

    assert answer["reason_uri"] == "activity.errors.failure"


@pytest.mark.parametrize("wrong", [7, {}, {"name": "n"}, {"name": "n", "owner_type": 7}, {"name": 7, "owner_type": {}}])
def test_wrong_kinds_are_refused(core: Core, wrong: Any) -> None:
    answer = ask(core.connect("A", "user1", "activity"), "add-types", types=[wrong])

    assert answer["reason_uri"] == "activity.errors.failure"


def test_kinds_are_forgotten_with_the_last_peer_of_the_user(core: Core, maker: Client) -> None:
    maker.close()

    assert not core.router.state.activities.kinds_of("user1")
