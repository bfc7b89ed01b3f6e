"""Joining and leaving agm: who is notified of whom, and in which order."""

from tests.gateway.core import Core


def kinds(frames: list[dict[str, object]]) -> list[str]:
    return [str(frame["type"]) for frame in frames]


def test_a_newcomer_is_notified_of_each_peer_before_its_methods_and_of_all_before_success() -> None:
    core = Core()
    first = core.connect("A", "user1", "agm")
    first.ask(domain="agm", type="register", methods=[{"id": 1, "name": "m"}])
    second = core.connect("B", "user1", "agm")
    first.take()
    third = core.connect("C")

    frames = third.send(request_id="j", type="join", destination="agm")

    assert kinds(frames) == ["peer-added", "methods-added", "peer-added", "success"]
    assert [frame["new_peer_id"] for frame in frames if frame["type"] == "peer-added"] == [
        first.peer_id,
        second.peer_id,
    ]
    assert frames[1]["server_id"] == first.peer_id
    assert [frame["new_peer_id"] for frame in first.take()] == [third.peer_id]
    assert second.take()[0]["identity"]["application"] == "C"


def test_joining_twice_succeeds_without_announcements() -> None:
    core = Core()
    first, second = core.connect("A", "user1", "agm"), core.connect("B", "user1", "agm")
    first.take()

    frames = first.send(request_id="j", type="join", destination="agm")

    assert kinds(frames) == ["success"]
    assert second.take() == []


def test_leaving_notifies_the_others_with_the_reason_and_succeeds_in_the_domain_that_was_left() -> None:
    core = Core()
    first, second = core.connect("A", "user1", "agm"), core.connect("B", "user1", "agm")
    first.take()
    second.ask(domain="agm", type="register", methods=[{"id": "x", "name": "m"}])
    first.take()

    answer = second.ask(type="leave", destination="agm", reason_uri="my.uri", reason="enough")

    assert (answer["domain"], answer["type"]) == ("agm", "success")
    removed, gone = first.take()
    assert (removed["type"], removed["methods"]) == ("methods-removed", ["x"])
    assert (gone["removed_id"], gone["reason_uri"], gone["reason"]) == (second.peer_id, "my.uri", "enough")


def test_leaving_a_domain_one_is_not_in_succeeds() -> None:
    answer = Core().connect("A").ask(type="leave", destination="bus")

    assert (answer["domain"], answer["type"]) == ("bus", "success")


def test_users_do_not_see_each_other() -> None:
    core = Core()
    mine = core.connect("A", "user1", "agm")
    theirs = core.connect("B", "user2", "agm")
    theirs.ask(domain="agm", type="register", methods=[{"id": 1, "name": "m"}])
    theirs.close()

    assert mine.take() == []


def test_a_service_sees_and_is_seen_by_every_user() -> None:
    core = Core()
    mine, theirs = core.connect("A", "user1", "agm"), core.connect("B", "user2", "agm")
    service = core.stranger("S")
    service.ask(type="hello", authentication={"method": "secret", "login": "root", "secret": "service"})
    service.peer_id = next(iter(service.peers))

    frames = service.send(request_id="j", type="join", destination="agm")

    assert [frame["new_peer_id"] for frame in frames[:-1]] == [mine.peer_id, theirs.peer_id]
    assert [frame["new_peer_id"] for frame in mine.take()] == [service.peer_id]
    assert [frame["new_peer_id"] for frame in theirs.take()] == [service.peer_id]


def test_restrictions_at_joining_hide_both_sides_from_each_other() -> None:
    core = Core()
    wanted = core.connect("B", "user1", "agm")
    unwanted = core.connect("C", "user1", "agm")
    wanted.take()
    choosy = core.connect("A")

    frames = choosy.send(request_id="j", type="join", destination="agm", restrictions="$application == 'B'")

    assert [frame.get("new_peer_id") for frame in frames] == [wanted.peer_id, None]
    assert [frame["type"] for frame in wanted.take()] == ["peer-added"]
    assert unwanted.take() == []
    unwanted.ask(domain="agm", type="register", methods=[{"id": 1, "name": "m"}])
    assert choosy.take() == []


def test_invalid_restrictions_are_rejected_in_the_domain_and_the_peer_does_not_join() -> None:
    core = Core()
    client = core.connect("A")

    answer = client.ask(type="join", destination="agm", restrictions="$$$")

    assert (answer["domain"], answer["type"], answer["reason_uri"]) == ("agm", "error", "agm.errors.failure")
    assert client.ask(domain="agm", type="register", methods=[])["type"] == "error"
