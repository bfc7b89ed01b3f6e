"""Who may send what: checks before any domain is asked."""

from typing import Any

import pytest

from rostrum.gateway.messages.global_domain import Hello
from rostrum.gateway.peer import Source
from rostrum.gateway.router import Router
from tests.gateway.core import Client, Core


def test_a_ping_is_never_answered() -> None:
    core = Core()

    assert core.stranger().send(type="ping") == []
    assert core.connect("A").send(type="ping") == []


def test_a_frame_that_is_no_json_is_answered_and_forgotten() -> None:
    client = Core().connect("A")

    [error] = client.send_text(b"\xff")

    assert (error["domain"], error["type"], error["request_id"]) == ("global", "error", None)
    assert client.ask(type="join", destination="agm")["type"] == "success"


@pytest.mark.parametrize("domain", ["agm", "bus", "context", "activity", "metrics", "global"])
def test_a_peer_id_is_needed(domain: str) -> None:
    answer = Core().stranger().ask(domain=domain, type="anything")

    assert (answer["domain"], answer["peer_id"], answer["reason_uri"]) == (domain, None, f"{domain}.errors.failure")


def test_an_unknown_peer_id_is_refused_in_the_domain_addressed() -> None:
    stranger = Core().stranger()

    refused = stranger.ask(domain="agm", type="register", peer_id="p-none")
    joining = stranger.ask(type="join", destination="agm", peer_id="p-none")

    assert (refused["domain"], refused["peer_id"], refused["reason_uri"]) == ("agm", "p-none", "agm.errors.failure")
    assert joining["reason_uri"] == "global.errors.invalid_peer"


def test_a_connection_cannot_use_peers_of_another() -> None:
    core = Core()
    victim, attacker = core.connect("A", "user1", "agm"), core.connect("B", "user1", "agm")
    victim.take()

    answer = attacker.ask(domain="agm", type="register", methods=[{"id": "w", "name": "w"}], peer_id=victim.peer_id)

    assert (answer["domain"], answer["reason_uri"]) == ("agm", "global.errors.failure")
    assert victim.take() == []
    assert not core.router.state.agm_peers[victim.peer_id].methods


def test_an_unknown_domain_and_an_unknown_type_are_refused() -> None:
    client = Core().connect("A", "user1", "agm")

    nowhere = client.ask(domain="nowhere", type="x")
    unknown = client.ask(domain="agm", type="explode")

    assert (nowhere["domain"], nowhere["reason_uri"]) == ("nowhere", "global.errors.failure")
    assert (unknown["domain"], unknown["reason_uri"]) == ("agm", "agm.errors.unhandled_message")


def test_a_missing_domain_is_the_global_one() -> None:
    client = Core().connect("A")

    assert client.ask(type="create-token")["domain"] == "global"
    assert client.ask(domain=None, type="create-token")["domain"] == "global"


def test_an_unknown_destination_is_refused_in_the_global_domain() -> None:
    client = Core().connect("A")

    for kind in ("join", "leave"):
        answer = client.ask(type=kind, destination="nowhere")
        assert (answer["domain"], answer["reason_uri"]) == ("global", "global.errors.invalid_domain")


def test_several_peers_may_share_a_connection_and_go_with_it() -> None:
    core = Core()
    watcher = core.connect("W", "user1", "agm")
    client = core.connect("A", "user1", "agm")
    first = client.peer_id
    client.hello(application="second")
    client.join("agm")
    assert client.peer_id != first
    watcher.take()

    client.close()

    assert [frame["removed_id"] for frame in watcher.take()] == [first, client.peer_id]


def test_a_sign_in_that_is_decided_after_the_connection_has_ended_is_ignored() -> None:
    waiting: list[tuple[Source, Hello]] = []
    core = Core()
    core.router = Router("T", lambda source, hello: waiting.append((source, hello)), core.tokens)
    client = Client(core, "A")
    client.send(type="hello", authentication={"method": "secret", "login": "u", "secret": "s"})
    client.close()
    [(source, hello)] = waiting

    core._authenticate(source, hello)

    assert core.router.state.peers == {}


def test_everything_is_forgotten_when_everyone_has_gone() -> None:
    core = Core()
    clients = [core.connect(name, "user1", "agm", "bus", "context", "activity", "metrics") for name in "ABC"]
    clients[0].ask(domain="agm", type="register", methods=[{"id": "0", "name": "m"}])
    for client in clients:
        client.send(domain="agm", type="call", server_id=clients[0].peer_id, method_id="0")
        client.send(domain="agm", type="subscribe", server_id=clients[0].peer_id, method_id="0")
        client.ask(domain="bus", type="subscribe", topic="a.*")
        client.ask(type="create-context", name="owned" + client.name, lifetime="ownership")

    for client in clients:
        client.close()

    state = core.router.state
    left: list[Any] = [state.peers, state.users, state.services, state.identities, list(state.contexts)]
    assert left == [{}, {}, {}, {}, []]
    assert all(not group for group in state.members.values())
    assert len(state.topics) == 0
    assert all(not client.peers for client in clients)


def test_identity_attributes_that_are_long_are_refused() -> None:
    answer = (
        Core()
        .stranger()
        .ask(
            type="hello",
            identity={"application": "x" * 70_000},
            authentication={"method": "secret", "login": "u", "secret": "s"},
        )
    )

    assert answer["reason_uri"] == "global.errors.failure"
