"""The bus domain: publishing on topics, to all subscribers."""

from collections.abc import Callable

import msgspec

from rostrum.gateway.domains.bus.topics import BusPeer, BusSubscription
from rostrum.gateway.domains.domain import Domain
from rostrum.gateway.messages import bus as messages
from rostrum.gateway.messages.global_domain import Join, Success
from rostrum.gateway.pace import Steps
from rostrum.gateway.peer import LONGEST_IDENTITY, Peer
from rostrum.gateway.reasons import Reason, failure
from rostrum.gateway.restrictions import Restriction
from rostrum.gateway.state import State
from rostrum.gateway.wire import body_decoder

MOST_SUBSCRIPTIONS = 10_000
MOST_PATTERNS = 1000
LONGEST_TOPIC = 255
_MOST_AT_ONCE = 100
"""Subscriptions that are compared in one step."""

_NAME = "bus"
_target: msgspec.json.Decoder[dict[str, object] | None] = body_decoder(dict[str, object] | None)


def _member(state: State, peer: Peer) -> BusPeer:
    found = state.topics.peers.get(peer.id)
    if found is None:
        raise failure(_NAME, f"Unable to find peer with id {peer.id} in domain bus")
    return found


def _subscribe(state: State, peer: Peer, message: messages.BusSubscribe) -> None:
    bus = _member(state, peer)
    if len(message.topic) > LONGEST_TOPIC:
        raise failure(_NAME, f"a topic may have {LONGEST_TOPIC} characters at most")
    if len(bus.subscriptions) >= MOST_SUBSCRIPTIONS:
        raise failure(_NAME, f"a peer may have {MOST_SUBSCRIPTIONS} subscriptions at most")
    subscription = BusSubscription(state.new_id("r"), peer, message.topic, message.routing_key)
    if (
        subscription.fits is not None
        and sum(each.fits is not None for each in bus.subscriptions.values()) >= MOST_PATTERNS
    ):
        raise failure(_NAME, f"a peer may have {MOST_PATTERNS} subscriptions with wildcards at most")
    bus.subscriptions.keep(peer, {subscription.id: subscription})
    state.topics.add(subscription)
    state.out.send(peer, messages.BusSubscribed(request_id=message.request_id, subscription_id=subscription.id))


def _unsubscribe(state: State, peer: Peer, message: messages.BusUnsubscribe) -> None:
    subscription = _member(state, peer).subscriptions.drop(message.subscription_id)
    if subscription is not None:
        state.topics.remove(subscription)
    state.out.send(peer, Success(domain=_NAME, request_id=message.request_id))


def _publish(state: State, peer: Peer, message: messages.BusPublish) -> Steps | None:
    _member(state, peer)
    if len(message.topic) > LONGEST_TOPIC:
        raise failure(_NAME, f"a topic may have {LONGEST_TOPIC} characters at most")
    data = message.data
    if isinstance(data, msgspec.UnsetType):
        return None
    wanted = _identity(message.target_identity)
    candidates = state.topics.candidates(peer, message.topic)
    event = messages.BusEvent(publisher_identity=peer.identity_text, data=data)

    def receives(subscription: BusSubscription) -> bool:
        return (
            subscription.takes(message.topic, message.routing_key)
            and peer.sees(subscription.peer, _NAME)
            and (wanted is None or _is(subscription.peer, wanted))
        )

    if len(candidates) > _MOST_AT_ONCE or peer.joined[_NAME] is not None:
        return _publish_in_steps(state, candidates, receives, event)
    state.out.send_all([each for each in candidates if receives(each)], event)
    return None


def _publish_in_steps(
    state: State,
    candidates: list[BusSubscription],
    receives: Callable[[BusSubscription], bool],
    event: messages.BusEvent,
) -> Steps:
    listening: list[BusSubscription] = []
    for subscription in candidates:
        if receives(subscription):
            listening.append(subscription)
        if state.pace.is_over:
            yield
    yield from state.out.send_in_steps(listening, event)


def _identity(text: msgspec.Raw) -> dict[str, object] | None:
    if memoryview(text).nbytes > LONGEST_IDENTITY:
        raise failure(_NAME, f"a target identity may have {LONGEST_IDENTITY} bytes at most")
    return _target.decode(text)


def _is(peer: Peer, wanted: dict[str, object]) -> bool:
    identity = peer.identity
    return all(name in identity and identity[name] == value for name, value in wanted.items())


def _join(state: State, peer: Peer, restriction: Restriction | None, _: Join) -> None:
    state.topics.peers[peer.id] = BusPeer(state.usage)
    state.enter(peer, _NAME, restriction)


def _leave(state: State, peer: Peer, _: Reason) -> Steps:
    return _lost(state, peer)


def _lost(state: State, peer: Peer) -> Steps:
    bus = state.topics.peers.pop(peer.id, None)
    if bus is None:
        return
    for subscription in list(bus.subscriptions.values()):
        state.topics.remove(subscription)
        bus.subscriptions.drop(subscription.id)
        if state.pace.is_over:
            yield
    state.exit(peer, _NAME)


BUS = Domain(
    name=_NAME,
    version=1,
    join=_join,
    leave=_leave,
    lost=_lost,
    handlers={
        messages.BusSubscribe: _subscribe,
        messages.BusUnsubscribe: _unsubscribe,
        messages.BusPublish: _publish,
    },
)
