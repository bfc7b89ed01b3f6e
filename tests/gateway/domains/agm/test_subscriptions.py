"""Streams: interest, acceptance, events and their end."""

from typing import Any

import pytest

from rostrum.gateway.domains.agm.agm_peer import AgmPeer
from tests.gateway.core import Client, Core, Frame

INVALID = "agm.errors.subscription.invalid_subscription"


@pytest.fixture
def pair() -> tuple[Client, Client]:
    core = Core()
    publisher, subscriber = core.connect("A", "user1", "agm"), core.connect("B", "user1", "agm")
    method = {"id": "s", "name": "stream", "flags": {"streaming": True}}
    publisher.ask(domain="agm", type="register", methods=[method])
    publisher.take()
    subscriber.take()
    return publisher, subscriber


def ask(subscriber: Client, publisher: Client, request_id: str = "s", **more: Any) -> str:
    """Subscribe; give the subscription's id as the publisher got it."""
    message = {"domain": "agm", "type": "subscribe", "server_id": publisher.peer_id, "method_id": "s", **more}
    subscriber.send(request_id=request_id, **message)
    [interest] = publisher.take()
    assert interest["type"] == "add-interest"
    return str(interest["subscription_id"])


def accepted(subscriber: Client, publisher: Client, stream: Any = "0", request_id: str = "s") -> str:
    subscription = ask(subscriber, publisher, request_id)
    publisher.send(domain="agm", type="accepted", subscription_id=subscription, stream_id=stream)
    [frame] = subscriber.take()
    assert (frame["type"], frame["request_id"]) == ("subscribed", request_id)
    assert frame["subscription_id"] == subscription
    return subscription


def publish(publisher: Client, stream: Any = "0", **more: Any) -> list[Frame]:
    return publisher.send(**{"domain": "agm", "type": "publish", "stream_id": stream, "data": {"n": 1}, **more})


def test_interest_carries_what_the_subscriber_said(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair

    subscriber.send(
        domain="agm",
        type="subscribe",
        server_id=publisher.peer_id,
        method_id="s",
        arguments_kv={"q": 1},
        flags={"f": 1},
        context={"c": 1},
    )

    [interest] = publisher.take()
    assert (interest["method_id"], interest["caller_id"]) == ("s", subscriber.peer_id)
    assert (interest["arguments"], interest["arguments_kv"]) == (None, {"q": 1})
    assert (interest["flags"], interest["context"]) == ({"f": 1}, {"c": 1})


def test_nothing_is_delivered_before_acceptance(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    subscription = ask(subscriber, publisher)

    publish(publisher)
    publisher.send(domain="agm", type="post", subscription_id=subscription, data=1)

    assert subscriber.take() == []


def test_events_go_to_every_subscription_on_the_branch(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    first = accepted(subscriber, publisher, "0")
    second = accepted(subscriber, publisher, "0")
    accepted(subscriber, publisher, "other branch")

    assert publish(publisher, sequence=4, snapshot=True) == []

    events = subscriber.take()
    assert [event["subscription_id"] for event in events] == [first, second]
    assert all(event["peer_id"] == subscriber.peer_id for event in events)
    assert [(event["oob"], event["sequence"], event["snapshot"]) for event in events] == [(False, 4, True)] * 2
    assert events[0]["data"] == {"n": 1}


def test_branches_belong_to_their_publisher(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    accepted(subscriber, publisher, "0")
    other = publisher.core.connect("C", "user1", "agm")
    subscriber.take()

    assert publish(other, "0") == []
    assert subscriber.take() == []


def test_a_private_event_goes_to_one(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    first = accepted(subscriber, publisher)
    accepted(subscriber, publisher)

    publisher.send(domain="agm", type="post", subscription_id=first, data=[1])

    [event] = subscriber.take()
    assert (event["subscription_id"], event["oob"], event["sequence"]) == (first, True, None)


def test_a_subscriber_can_be_moved_to_another_branch(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    subscription = accepted(subscriber, publisher, "0")

    publisher.send(domain="agm", type="accepted", subscription_id=subscription, stream_id="1")
    publish(publisher, "0")
    assert subscriber.take() == []

    publish(publisher, "1")
    assert len(subscriber.take()) == 1


def test_a_publisher_can_reject(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    subscription = ask(subscriber, publisher)

    publisher.send(domain="agm", type="error", request_id=subscription, reason_uri="u", reason="no", context={"z": 1})

    [error] = subscriber.take()
    assert (error["type"], error["request_id"], error["reason_uri"]) == ("error", "s", "u")
    assert error["context"] == {"z": 1}
    publisher.send(domain="agm", type="accepted", subscription_id=subscription, stream_id="0")
    assert subscriber.take() == []


def test_an_error_after_acceptance_ends_the_subscription(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    subscription = accepted(subscriber, publisher)

    publisher.send(domain="agm", type="error", request_id=subscription, reason_uri="u", reason="over")

    [cancelled] = subscriber.take()
    assert (cancelled["type"], cancelled["reason"]) == ("subscription-cancelled", "over")


def test_a_publisher_can_drop(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    subscription = accepted(subscriber, publisher)

    publisher.send(domain="agm", type="drop-subscription", subscription_id=subscription, reason_uri="d", reason="bye")

    [cancelled] = subscriber.take()
    assert (cancelled["subscription_id"], cancelled["reason_uri"], cancelled["reason"]) == (subscription, "d", "bye")
    publish(publisher)
    assert subscriber.take() == []


def test_dropping_too_early_or_twice_is_refused_with_the_subscription_as_request(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    subscription = ask(subscriber, publisher)
    drop = {"domain": "agm", "type": "drop-subscription", "subscription_id": subscription}

    [early] = publisher.send(**drop)
    publisher.send(domain="agm", type="accepted", subscription_id=subscription, stream_id="0")
    publisher.send(**drop)
    [twice] = publisher.send(**drop)

    assert [(error["request_id"], error["reason_uri"]) for error in (early, twice)] == [(subscription, INVALID)] * 2


def test_acceptance_needs_a_branch_and_ignores_unknown_subscriptions(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    subscription = ask(subscriber, publisher)

    [error] = publisher.send(request_id="a", domain="agm", type="accepted", subscription_id=subscription)

    assert (error["request_id"], error["reason_uri"]) == ("a", INVALID)
    assert publisher.send(domain="agm", type="accepted", subscription_id="nope", stream_id="0") == []


def test_a_subscriber_can_end_it(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    subscription = accepted(subscriber, publisher)
    message = {"domain": "agm", "type": "unsubscribe", "subscription_id": subscription, "reason": "done"}

    assert subscriber.ask(**message)["type"] == "success"

    [removed] = publisher.take()
    assert (removed["type"], removed["caller_id"], removed["reason"]) == ("remove-interest", subscriber.peer_id, "done")
    publish(publisher)
    assert subscriber.take() == []
    assert subscriber.ask(**message)["reason_uri"] == INVALID


def test_peers_cannot_end_or_publish_to_subscriptions_of_others(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    subscription = accepted(subscriber, publisher)
    stranger = publisher.core.connect("C", "user1", "agm")
    subscriber.take()
    publisher.take()

    about = {"domain": "agm", "subscription_id": subscription}
    assert stranger.ask(type="unsubscribe", **about)["reason_uri"] == INVALID
    assert stranger.send(type="drop-subscription", **about)[0]["reason_uri"] == INVALID
    assert stranger.send(type="post", data=1, **about) == []
    assert stranger.send(type="accepted", stream_id="x", **about) == []
    assert (subscriber.take(), publisher.take()) == ([], [])


@pytest.mark.parametrize("way", ["close", "leave", "unregister"])
def test_a_publisher_that_goes_ends_what_was_accepted_and_fails_what_was_not(
    pair: tuple[Client, Client], way: str
) -> None:
    publisher, subscriber = pair
    subscription = accepted(subscriber, publisher)
    ask(subscriber, publisher, "still waiting")

    if way == "close":
        publisher.close()
    elif way == "leave":
        publisher.ask(type="leave", destination="agm")
    else:
        publisher.ask(domain="agm", type="unregister", methods=["s"])

    cancelled, failed, *rest = subscriber.take()
    assert (cancelled["type"], cancelled["subscription_id"]) == ("subscription-cancelled", subscription)
    assert (failed["type"], failed["request_id"]) == ("error", "still waiting")
    assert failed["reason_uri"] == "agm.errors.subscription.failure"
    assert [frame["type"] for frame in rest] == ["methods-removed", "peer-removed"][: 1 if way == "unregister" else 2]


def test_a_subscriber_that_goes_is_reported_to_the_publisher(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    subscription = accepted(subscriber, publisher)

    subscriber.close()

    removed, gone = publisher.take()
    assert (removed["type"], removed["subscription_id"]) == ("remove-interest", subscription)
    assert removed["reason_uri"] == "agm.peer-removed"
    assert gone["type"] == "peer-removed"
    assert publish(publisher) == []


def test_subscribing_is_checked_like_calling(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    message = {"domain": "agm", "type": "subscribe", "server_id": publisher.peer_id, "method_id": "s"}

    assert subscriber.ask(**{**message, "method_id": "x"})["reason_uri"] == "agm.errors.invocation.failure"
    assert subscriber.ask(**{**message, "server_id": "p"})["reason_uri"] == "agm.errors.failure"
    assert (
        subscriber.ask(**message, arguments=[1], arguments_kv={"a": 1})["reason_uri"] == "agm.errors.invocation.failure"
    )
    assert publisher.take() == []


def test_subscriptions_are_bounded(pair: tuple[Client, Client]) -> None:
    publisher, subscriber = pair
    usage = subscriber.core.router.state.usage
    usage.add("user1", usage.most - usage.of("user1") - 2 * 2500)
    ask(subscriber, publisher, "1")
    ask(subscriber, publisher, "2")
    message = {"domain": "agm", "type": "subscribe", "server_id": publisher.peer_id, "method_id": "s"}

    assert subscriber.ask(**message)["reason_uri"] == "agm.errors.limits_exceeded"


def test_one_publication_to_a_thousand_subscribers_is_written_once(pair: tuple[Client, Client]) -> None:
    publisher, _ = pair
    core = publisher.core
    many = [core.connect(f"S{number}", "user1") for number in range(1000)]
    publisher.take()
    tails: set[int] = set()
    count = 0

    def deliver(head: bytes, tail: bytes | memoryview) -> None:
        nonlocal count
        tails.add(id(tail))
        count += 1

    for client in many:
        # Joining would notify each of every other, a million times: not what is looked at here.
        peer = core.router.state.peers[client.peer_id]
        core.router.state.agm_peers[peer.id] = AgmPeer(peer, core.router.state.usage)
        core.router.state.enter(peer, "agm", None)
        accepted(client, publisher, "0")
        client.deliver = deliver  # type: ignore[method-assign]

    publish(publisher)

    assert count == 1000
    assert len(tails) == 1
