"""The context domain joined on purpose: presence, and where its messages come."""

from tests.gateway.core import Core


def test_members_of_the_domain_are_notified_of_contexts_and_peers_of_the_user() -> None:
    core = Core()
    explicit, usual = core.connect("A"), core.connect("B")
    core.connect("C", "user2")

    frames = explicit.send(request_id="j", type="join", destination="context")

    assert [(frame["domain"], frame["type"]) for frame in frames] == [("context", "peer-added"), ("context", "success")]
    usual.ask(type="create-context", name="c", lifetime="retained")
    assert explicit.take()[0]["domain"] == "context"
    assert usual.take()[0]["domain"] == "global"
    newcomer = core.connect("D")
    [added] = explicit.take()
    assert (added["type"], added["new_peer_id"]) == ("peer-added", newcomer.peer_id)
    newcomer.close()
    [removed] = explicit.take()
    assert (removed["removed_id"], removed["reason_uri"]) == (newcomer.peer_id, "context.peer-removed")
    assert usual.take() == []


def test_answers_come_in_the_domain_of_the_request() -> None:
    client = Core().connect("A", "user1", "context")

    made = client.ask(domain="context", type="create-context", name="c", lifetime="retained")
    read = client.ask(domain="global", type="subscribe-context", context_id=made["context_id"])
    missing = client.ask(domain="context", type="subscribe-context", context_id="x")

    assert (made["domain"], read["domain"], missing["domain"]) == ("context", "global", "context")
    assert missing["reason_uri"] == "context.errors.failure"


def test_leaving_takes_the_peer_out_of_its_contexts() -> None:
    core = Core()
    leaver, other = core.connect("A", "user1", "context"), core.connect("B")
    context_id = leaver.ask(domain="context", type="create-context", name="c", lifetime="retained")["context_id"]

    leaver.ask(type="leave", destination="context", reason="r", reason_uri="u")
    leaver.take()
    other.ask(type="update-context", context_id=context_id, delta={"added": {"a": 1}})

    assert leaver.take() == []
