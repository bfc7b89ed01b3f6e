"""The bus: topics, patterns, routing keys, targets."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.gateway.domains.bus import domain
from rostrum.gateway.domains.bus.topics import _matcher, _Places
from tests.gateway.core import Client, Core
from tests.long_form import cycles


@pytest.fixture
def pair() -> tuple[Client, Client]:
    core = Core()
    return core.connect("A", "user1", "bus"), core.connect("B", "user1", "bus")


def subscribe(client: Client, topic: str, **more: Any) -> str:
    answer = client.ask(domain="bus", type="subscribe", topic=topic, **more)
    assert (answer["domain"], answer["type"]) == ("bus", "subscribed"), answer
    return str(answer["subscription_id"])


def publish(client: Client, topic: str, data: Any = 1, **more: Any) -> list[dict[str, Any]]:
    return client.send(domain="bus", type="publish", topic=topic, data=data, **more)


def test_an_event_contains_the_publisher_but_not_the_topic(pair: tuple[Client, Client]) -> None:
    publisher, listener = pair
    subscription = subscribe(listener, "t.a")

    assert publish(publisher, "t.a", {"x": 1}) == []

    [event] = listener.take()
    assert event["publisher-identity"]["application"] == "A"
    assert event == {
        "domain": "bus",
        "type": "event",
        "peer_id": listener.peer_id,
        "subscription_id": subscription,
        "publisher-identity": event["publisher-identity"],
        "data": {"x": 1},
    }


def test_the_publisher_gets_its_own_message_and_each_subscription_its_own_event(pair: tuple[Client, Client]) -> None:
    publisher, listener = pair
    subscribe(publisher, "t")
    both = {subscribe(listener, "t"), subscribe(listener, "*")}

    assert len(publish(publisher, "t")) == 1
    assert {event["subscription_id"] for event in listener.take()} == both


@pytest.mark.parametrize(
    ("pattern", "topic", "fits"),
    [
        ("t.a", "t.a", True),
        ("t.a", "t.ab", False),
        ("t.a", "t-a", False),
        ("t.*", "t.x", True),
        ("t.*", "t.x_9", True),
        ("t.*", "t.b-c", False),
        ("t.*", "t.", False),
        ("t.*", "t.x.y", False),
        ("t.*.z", "t.x.z", True),
        ("t.>", "t.x.y", True),
        ("t.>", "t.b-c", True),
        ("t.>", "t.", True),
        ("t.>", "t", False),
        (">", "anything at all.", True),
        ("*", "one", True),
        ("*", "one.two", False),
        ("a.b*", "a.bcd", True),
        ("a.b*", "a.b", False),
        ("a+.*", "a+.x", True),
        ("a+.*", "aa.x", False),
        ("a(.*", "a(.x", True),
        ("**", "ab", True),
        ("**", "a", False),
        (">.end", "a.b.end", True),
        (">x>", "axb", True),
    ],
)
def test_patterns(pair: tuple[Client, Client], pattern: str, topic: str, fits: bool) -> None:
    publisher, listener = pair
    subscribe(listener, pattern)

    publish(publisher, topic)

    assert bool(listener.take()) is fits


def test_patterns_side_by_side_cannot_make_the_gateway_try_for_ever(pair: tuple[Client, Client]) -> None:
    publisher, listener = pair
    for pattern in ("*" * 100 + "!", ">*" * 100 + "!", "a*" * 100 + "!"):
        subscribe(listener, pattern)

    publish(publisher, "a" * 255)

    assert listener.take() == []


@settings(max_examples=cycles(80))
@given(st.text("ab.*>-", max_size=7), st.text("ab.-", max_size=7))
def test_every_pattern_agrees_with_a_common_matcher(pattern: str, topic: str) -> None:
    signs = {"*": "[A-Za-z0-9_]+", ">": ".*"}
    expected = re.fullmatch("".join(signs.get(sign) or re.escape(sign) for sign in pattern), topic) is not None

    assert _matcher(pattern)(topic) is expected
    assert _Places(pattern).fits(topic) is expected


def test_routing_keys_count_when_both_sides_have_one(pair: tuple[Client, Client]) -> None:
    publisher, listener = pair
    without, with_key = subscribe(listener, "t"), subscribe(listener, "t", routing_key="k")

    def reached(**more: Any) -> set[str]:
        publish(publisher, "t", **more)
        return {event["subscription_id"] for event in listener.take()}

    assert reached() == {without, with_key}
    assert reached(routing_key="k") == {without, with_key}
    assert reached(routing_key="other") == {without}


def test_a_target_must_have_every_value(pair: tuple[Client, Client]) -> None:
    publisher, listener = pair
    subscribe(listener, "t")

    for target, reached in (
        ({"application": "B"}, 1),
        ({"application": "B", "user": "user1"}, 1),
        ({"application": "B", "user": "other"}, 0),
        ({"missing": None}, 0),
        ({}, 1),
    ):
        publish(publisher, "t", target_identity=target)
        assert len(listener.take()) == reached, target


def test_without_data_nothing_is_published_but_null_is_data(pair: tuple[Client, Client]) -> None:
    publisher, listener = pair
    subscribe(listener, "t")

    publisher.send(domain="bus", type="publish", topic="t")
    assert listener.take() == []

    publish(publisher, "t", None)
    assert [event["data"] for event in listener.take()] == [None]


def test_users_do_not_hear_each_other(pair: tuple[Client, Client]) -> None:
    publisher, _ = pair
    stranger = publisher.core.connect("C", "user2", "bus")
    subscribe(stranger, ">")

    publish(publisher, "t")

    assert stranger.take() == []


def test_restrictions_at_joining_count(pair: tuple[Client, Client]) -> None:
    publisher, _ = pair
    choosy = publisher.core.connect("C")
    choosy.ask(type="join", destination="bus", restrictions="$application == 'B'")
    subscribe(choosy, "t")

    publish(publisher, "t")
    assert choosy.take() == []

    publish(pair[1], "t")
    assert len(choosy.take()) == 1


def test_unsubscribing_always_succeeds(pair: tuple[Client, Client]) -> None:
    publisher, listener = pair
    exact, pattern = subscribe(listener, "t"), subscribe(listener, "t.*")

    for subscription in (exact, exact, pattern, "nope"):
        assert listener.ask(domain="bus", type="unsubscribe", subscription_id=subscription)["type"] == "success"
    publish(publisher, "t")

    assert listener.take() == []


def test_peers_cannot_end_subscriptions_of_others(pair: tuple[Client, Client]) -> None:
    publisher, listener = pair
    subscription = subscribe(listener, "t")

    publisher.ask(domain="bus", type="unsubscribe", subscription_id=subscription)
    publish(publisher, "t")

    assert len(listener.take()) == 1


@pytest.mark.parametrize("way", ["close", "leave"])
def test_subscriptions_end_with_membership(pair: tuple[Client, Client], way: str) -> None:
    publisher, listener = pair
    subscribe(listener, "t")
    subscribe(listener, "t.*")

    if way == "close":
        listener.close()
    else:
        listener.ask(type="leave", destination="bus")
    publish(publisher, "t")

    assert listener.take() == []
    assert len(publisher.core.router.state.topics) == 0


def test_only_members_take_part() -> None:
    client = Core().connect("A")

    for message in ({"type": "subscribe", "topic": "t"}, {"type": "unsubscribe", "subscription_id": "x"}):
        assert client.ask(domain="bus", **message)["reason_uri"] == "bus.errors.failure"


def test_topics_and_subscriptions_are_bounded(pair: tuple[Client, Client], monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = pair
    long = client.ask(domain="bus", type="subscribe", topic="x" * (domain.LONGEST_TOPIC + 1))
    [published] = client.send(domain="bus", type="publish", topic="x" * (domain.LONGEST_TOPIC + 1), data=1)
    assert (long["reason_uri"], published["reason_uri"]) == ("bus.errors.failure", "bus.errors.failure")

    monkeypatch.setattr(domain, "MOST_PATTERNS", 1)
    subscribe(client, "a.*")
    assert client.ask(domain="bus", type="subscribe", topic="b.*")["reason_uri"] == "bus.errors.failure"

    monkeypatch.setattr(domain, "MOST_SUBSCRIPTIONS", 2)
    subscribe(client, "t")
    assert client.ask(domain="bus", type="subscribe", topic="t")["reason_uri"] == "bus.errors.failure"
