"""Work that concerns many peers: it is divided into steps, in which others have their turn."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from rostrum.base.patterns import Pattern
from rostrum.gateway import wire
from rostrum.gateway.messages.record import Outgoing
from rostrum.gateway.pace import Pace
from rostrum.gateway.restrictions import MOST_EFFORT
from rostrum.gateway.state import MANY_RECEIVERS
from tests.gateway.core import Client, Core, Frame, of_type
from tests.gateway.sockets import Talker, running, talking, until

COSTLY = "(a|a)*(a|aa)+(a*)*b"
RESTRICTION = " || ".join([f"$application ? '{COSTLY}'"] * 10)
PEERS, METHODS = 6, 5


class Steps:
    """A router that does long work in steps, and the patterns that each step compares."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.unfinished: list[str] = []
        self.compared = 0
        self.core = Core(on_unfinished=self.unfinished.append)
        monkeypatch.setattr(Pace, "is_over", False)
        self.others = [self.core.connect("a" + "c" * n, "user1", "agm", "activity", "bus") for n in range(PEERS)]
        self.client = self.core.connect("client", "user1")
        matches = Pattern.matches

        def counted(pattern: Pattern, text: str) -> bool:
            self.compared += 1
            return matches(pattern, text)

        monkeypatch.setattr(Pattern, "matches", counted)
        self._patch = monkeypatch
        self.context = ""

    def end_early(self) -> None:
        """End each step as early as possible from now on."""
        self._patch.setattr(Pace, "is_over", True)
        self.compared = 0

    def measure(self) -> list[int]:
        """Do all unfinished work; return how many patterns each step has compared."""
        found = [self.compared]
        for _ in range(100_000):
            if "user1" not in self.core.router.work:
                return found
            self.compared = 0
            self.core.router.work.advance("user1")
            found.append(self.compared)
        raise AssertionError("the work does not end")


@pytest.fixture(name="steps")
def _steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    return Steps(monkeypatch)


def methods(count: int = METHODS) -> list[dict[str, Any]]:
    return [{"id": str(n), "name": f"m{n}", "restrictions": RESTRICTION} for n in range(count)]


def join(client: Client) -> Frame:
    return client.ask(type="join", destination="agm", restrictions=RESTRICTION)


def registered(client: Client) -> None:
    client.join("agm")
    client.ask(domain="agm", type="register", methods=methods())


def create_context(client: Client, name: str = "c", lifetime: str = "ownership") -> str:
    created = client.ask(type="create-context", name=name, lifetime=lifetime, read_permissions=RESTRICTION)
    return str(created["context_id"])


def nothing(_: Steps) -> None: ...


def others_register(steps: Steps) -> None:
    for other in steps.others:
        other.ask(domain="agm", type="register", methods=methods(2))


def own_context(steps: Steps) -> None:
    steps.context = create_context(steps.client)


SECRET = {"method": "secret", "login": "user1", "secret": "s"}


def restricted_bus(steps: Steps) -> None:
    for other in steps.others:
        other.ask(domain="bus", type="subscribe", topic="t")
    steps.client.ask(type="join", destination="bus", restrictions=RESTRICTION)


def send(steps: Steps, **message: Any) -> None:
    steps.client.send(**message, request_id="attack")


WAYS: dict[str, tuple[Callable[[Steps], Any], Callable[[Steps], Any]]] = {
    "join with a restriction": (nothing, lambda s: send(s, type="join", destination="agm", restrictions=RESTRICTION)),
    "join, others have restricted methods": (others_register, lambda s: send(s, type="join", destination="agm")),
    "register": (
        lambda s: s.client.join("agm"),
        lambda s: send(s, domain="agm", type="register", methods=methods()),
    ),
    "unregister": (
        lambda s: registered(s.client),
        lambda s: send(s, domain="agm", type="unregister", methods=[str(n) for n in range(METHODS)]),
    ),
    "leave": (lambda s: registered(s.client), lambda s: send(s, type="leave", destination="agm")),
    "lose the connection": (lambda s: registered(s.client), lambda s: s.client.close()),
    "create a context": (
        nothing,
        lambda s: send(s, type="create-context", name="c", lifetime="ownership", read_permissions=RESTRICTION),
    ),
    "destroy a context": (own_context, lambda s: send(s, type="destroy-context", context_id=s.context)),
    "lose a context with its owner": (own_context, lambda s: s.client.close()),
    "sign in beside contexts": (
        lambda s: [create_context(s.client, f"c{n}") for n in range(METHODS)],
        lambda s: s.core.stranger("new").send(type="hello", identity={"application": "new"}, authentication=SECRET),
    ),
    "join activities with a restriction": (
        nothing,
        lambda s: send(s, type="join", destination="activity", restrictions=RESTRICTION),
    ),
    "publish with a restriction": (
        restricted_bus,
        lambda s: send(s, domain="bus", type="publish", topic="t", data=1),
    ),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_step_compares_few_patterns(way: tuple[Callable[[Steps], Any], Callable[[Steps], Any]], steps: Steps) -> None:
    prepare, attack = way
    prepare(steps)
    steps.end_early()

    attack(steps)

    found = steps.measure()
    # A pair of peers is one part of the work, and both may have a restriction.
    assert max(found) <= 2 * 10
    assert sum(found) >= 10 * min(PEERS, METHODS)


def test_a_sign_in_beside_many_contexts_sends_them_in_parts(steps: Steps) -> None:
    for number in range(20):
        steps.client.ask(type="create-context", name=f"c{number}", lifetime="retained")
    steps.end_early()
    new = steps.core.stranger("new")

    new.core.router.receive(new, json.dumps({"type": "hello", "authentication": SECRET}).encode())

    assert len(list(of_type(new.take(), "context-added"))) < 3
    steps.measure()
    assert len(list(of_type(new.take(), "context-added"))) > 17


def test_what_was_begun_in_steps_is_complete_and_in_order(steps: Steps) -> None:
    client, other = steps.client, steps.others[0]
    for each in steps.others:
        each.take()
    steps.end_early()

    send(steps, type="join", destination="agm")
    definition = {"id": "1", "name": "m", "restrictions": "$application ? 'a+'"}
    client.send(domain="agm", type="register", methods=[definition], request_id="r")
    client.send(domain="agm", type="unregister", methods=["1"], request_id="u")
    client.close()
    steps.measure()

    kinds = [frame["type"] for frame in other.take() if frame.get("domain") == "agm"]
    assert kinds == ["peer-added", "methods-added", "methods-removed", "peer-removed"]
    # A peer whose name the pattern does not match receives nothing about the method.
    kinds = [frame["type"] for frame in steps.others[1].take() if frame.get("domain") == "agm"]
    assert kinds == ["peer-added", "peer-removed"]
    assert client.peer_id not in steps.core.router.state.peers


def test_a_request_that_fails_in_a_later_step_is_refused(steps: Steps) -> None:
    steps.client.join("agm")
    steps.end_early()
    wrong = [*methods(), {"id": "x", "name": "x", "restrictions": "$$$"}]

    send(steps, domain="agm", type="register", methods=wrong)
    steps.measure()

    [error] = of_type(steps.client.take(), "error")
    assert error["request_id"] == "attack"
    assert not steps.core.router.state.agm_peers[steps.client.peer_id].methods


def test_the_next_work_follows_work_that_fails(steps: Steps, monkeypatch: pytest.MonkeyPatch) -> None:
    steps.client.join("agm")
    steps.end_early()
    monkeypatch.setattr("rostrum.gateway.domains.agm.methods.check_names", lambda *_: 1 / 0)
    send(steps, domain="agm", type="register", methods=methods())
    send(steps, type="leave", destination="agm")
    work = steps.core.router.work

    for _ in range(METHODS - 1):
        work.advance("user1")
    with pytest.raises(ZeroDivisionError):
        work.advance("user1")
    steps.measure()

    assert steps.client.peer_id not in steps.core.router.state.agm_peers


def test_a_client_reconnects_before_its_old_connection_is_removed(steps: Steps) -> None:
    first = steps.core.connect("again", "user1", "agm", instance="i")
    steps.end_early()

    first.close()
    second = steps.core.stranger("again")
    welcome = second.hello("user1", instance="i")
    steps.measure()
    third = steps.core.stranger("again")

    assert welcome["type"] == "welcome"
    identity = {"application": "again", "instance": "i"}
    refused = third.ask(type="hello", identity=identity, authentication=SECRET)
    assert refused["reason_uri"] == "global.errors.already_seen"


def test_a_restriction_has_a_limited_effort() -> None:
    client = Core().connect("A", "user1")

    refused = client.ask(type="join", destination="agm", restrictions=" || ".join(["$a ? 'x{100}'"] * 40))

    assert (refused["type"], "too many patterns" in refused["reason"]) == ("error", True)
    assert client.ask(type="join", destination="agm", restrictions=RESTRICTION)["type"] == "success"
    assert MOST_EFFORT >= 2 * 4000, "two patterns that are parts of identities"


async def test_another_user_is_answered_between_the_steps() -> None:
    """Peers with a long name, and methods whose restrictions take long to compare with it."""
    async with running() as gateway, talking(gateway, "user1") as attacker, talking(gateway, "user2") as other:
        await peers_with_long_names(attacker, 8)
        attack = {"domain": "agm", "type": "register", "methods": methods(6)}
        registering = asyncio.create_task(attacker.ask(**attack))
        answered = 0
        async with asyncio.timeout(60):
            while not registering.done():
                assert (await other.ask(type="create-token"))["type"] == "token"
                answered += 1
        assert (await registering)["type"] == "success"
        # All at once, one or two answers would arrive together with the last one.
        assert answered > 5


async def peers_with_long_names(talker: Talker, count: int) -> None:
    for _ in range(count):
        await talker.hello("user1", application="a" * 199)
        await talker.ask(type="join", destination="agm")


async def test_messages_of_the_user_wait_for_long_work() -> None:
    async with running() as gateway, talking(gateway, "user1") as attacker, talking(gateway, "user2"):
        await peers_with_long_names(attacker, 8)
        costs = gateway.costs_of("user1")
        await attacker.send(domain="agm", type="register", methods=methods(6), request_id="r")
        await until(lambda: costs.is_working)
        async with talking(gateway, "user1") as second:
            await second.send(type="create-token", request_id="t")
            assert costs.is_working
            assert (await attacker.get_of("success"))["request_id"] == "r"
            assert (await second.get_of("token"))["request_id"] == "t"
        await until(lambda: not costs.is_working)


def test_a_method_is_encoded_once_for_all_peers_that_may_see_it(steps: Steps, monkeypatch: pytest.MonkeyPatch) -> None:
    steps.client.join("agm")
    encoded: list[int] = []
    encode = wire.encode

    def noted(message: Outgoing) -> bytes | memoryview:
        text = encode(message)
        encoded.append(len(text))
        return text

    monkeypatch.setattr(wire, "encode", noted)
    restricted = {"id": "1", "name": "m", "restrictions": "$application != 'x'", "flags": {"a": "x" * 100_000}}

    send(steps, domain="agm", type="register", methods=[restricted])
    steps.measure()

    assert len([size for size in encoded if size > 100_000]) == 2, "for the others, and for the owner"
    assert all(list(of_type(other.take(), "methods-added")) for other in steps.others)


@pytest.mark.parametrize("domain", ["agm", "bus"])
def test_an_event_for_very_many_subscriptions_is_sent_in_parts_and_in_order(steps: Steps, domain: str) -> None:
    client, other = steps.client.join("agm", "bus"), steps.others[0]
    subscribe(client, other, domain, MANY_RECEIVERS + 100)
    steps.end_early()

    for number in range(2):
        send(steps, domain=domain, type="publish", topic="t", stream_id="s", data=number)
    first = [frame["data"] for frame in of_type(other.take(), "event")]
    steps.measure()
    events = [frame["data"] for frame in of_type(other.take(), "event")]

    assert len(first) <= MANY_RECEIVERS
    assert first + events == [0] * (MANY_RECEIVERS + 100) + [1] * (MANY_RECEIVERS + 100)


def subscribe(publisher: Client, subscriber: Client, domain: str, count: int) -> None:
    if domain == "bus":
        for _ in range(count):
            subscriber.send(domain="bus", type="subscribe", topic="t")
    else:
        publisher.ask(domain="agm", type="register", methods=[{"id": "1", "name": "s", "flags": {"streaming": True}}])
        for _ in range(count):
            subscriber.send(domain="agm", type="subscribe", server_id=publisher.peer_id, method_id="1")
        for frame in list(of_type(publisher.take(), "add-interest")):
            publisher.send(domain="agm", type="accepted", subscription_id=frame["subscription_id"], stream_id="s")
    subscriber.take()


def test_an_activity_with_many_peers_is_created_and_started_in_steps(steps: Steps) -> None:
    client = steps.client.join("activity")
    client.ask(domain="activity", type="add-peer-factories", factories=[{"id": "f", "peer_type": "t"}])
    kind = {"name": "k", "owner_type": {"type": "t"}, "helper_types": [{"type": "t"}] * 20}
    client.ask(domain="activity", type="add-types", types=[kind])
    steps.end_early()

    client.send(domain="activity", type="create", activity_type="k", request_id="c")

    assert len(list(of_type(client.take(), "peer-requested"))) < 3
    steps.measure()
    assert len(list(of_type(client.take(), "peer-requested"))) > 17


def test_a_connection_belongs_to_one_user() -> None:
    core = Core()
    client = core.connect("A", "user1")

    secret = {"method": "secret", "login": "user2", "secret": "s"}
    refused = client.ask(type="hello", identity={"application": "B"}, authentication=secret)

    assert (refused["type"], "another user" in refused["reason"]) == ("error", True)
    again = client.ask(type="hello", identity={"application": "B"}, authentication=SECRET)
    assert again["type"] == "welcome"


async def test_messages_wait_until_clients_have_read_what_was_sent() -> None:
    async with running() as gateway, talking(gateway, "user1") as client:
        costs = gateway.costs_of("user1")
        costs.queued += 8 * 1024 * 1024
        await client.send(type="create-token", request_id="t", note="x" * 5000)
        await until(lambda: costs.must_wait)
        costs.queued -= 8 * 1024 * 1024
        assert (await client.get_of("token"))["request_id"] == "t"
