"""Types of activities, and factories for their peers."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec
from msgspec import Raw

from rostrum.gateway.domains.activity.activities import Activity, ActivityPeer, ActivityType, Factory, Offer
from rostrum.gateway.messages import activity as messages
from rostrum.gateway.messages.global_domain import Success
from rostrum.gateway.messages.record import Incoming
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Refused, failure
from rostrum.gateway.state import State
from rostrum.gateway.wire import body_decoder

MOST_OFFERS = 1000
_kind = body_decoder(messages.ActivityDefinition)
_factory = body_decoder(messages.FactoryDefinition)
D = TypeVar("D")


def member(state: State, peer: Peer) -> ActivityPeer:
    """Return a member of the domain; raise an error for a peer that has not joined it."""
    found = state.activities.peers.get(peer.id)
    if found is None:
        raise failure("activity", f"Unable to find peer with id {peer.id} in domain activity")
    return found


def find(state: State, peer: Peer, activity_id: str) -> Activity:
    """Find an activity of the peer's user."""
    activity = state.activities.by_id.get(activity_id)
    if activity is None or activity.user != peer.user:
        raise Refused("activity.errors.invalid_activity", f"Unable to find activity with id {activity_id}")
    return activity


def add_types(state: State, peer: Peer, message: messages.AddTypes) -> None:
    """Declare types of activities for all peers of the user."""
    member(state, peer)
    texts = [text.copy() for text in message.types]
    kinds: list[ActivityType] = [ActivityType(_read(_kind, text), text) for text in texts]
    known = state.activities.kinds.setdefault(peer.user, {})
    if len(known) + len(kinds) > MOST_OFFERS:
        raise failure("activity", f"there may be {MOST_OFFERS} kinds of activities at most")
    added = {kind.definition.name: kind for kind in kinds}
    growth = _bytes(added.values()) - _bytes(known[name] for name in added if name in known)
    state.usage.check(peer, peer.user, growth, "activity")
    state.usage.add(peer.user, growth)
    known.update(added)
    receivers = [*state.visible(peer, "activity"), peer]
    state.out.send_all(receivers, messages.TypesAdded(types=[kind.text for kind in kinds]))
    _succeed(state, peer, message)


def remove_types(state: State, peer: Peer, message: messages.RemoveTypes) -> None:
    """Remove types of activities; unknown ones are ignored."""
    member(state, peer)
    known = state.activities.kinds.get(peer.user, {})
    found = [(name, kind) for name in message.types if (kind := known.pop(name, None)) is not None]
    removed = [name for name, _ in found]
    state.usage.add(peer.user, -_bytes(kind for _, kind in found))
    if removed:
        state.out.send_all([*state.visible(peer, "activity"), peer], messages.TypesRemoved(types=removed))
    _succeed(state, peer, message)


def add_factories(state: State, peer: Peer, message: messages.AddPeerFactories) -> None:
    own = member(state, peer).factories
    texts = [text.copy() for text in message.factories]
    factories: list[Factory] = [Factory(_read(_factory, text), text) for text in texts]
    kinds = {factory.definition.peer_type for factory in own.values()}
    for factory in factories:
        if factory.definition.peer_type in kinds or factory.definition.id in own:
            text = f"A factory for {factory.definition.peer_type} is already registered"
            raise Refused("activity.errors.factory_already_registered", text)
        kinds.add(factory.definition.peer_type)
    if len(own) + len(factories) > MOST_OFFERS:
        raise failure("activity", f"a peer may have {MOST_OFFERS} factories at most")
    state.usage.check(peer, peer.user, _bytes(factories), "activity")
    state.usage.add(peer.user, _bytes(factories))
    own.update((factory.definition.id, factory) for factory in factories)
    added = messages.PeerFactoriesAdded(owner_id=peer.id, factories=[factory.text for factory in factories])
    state.out.send_all(state.visible(peer, "activity"), added)
    _succeed(state, peer, message)


def remove_factories(state: State, peer: Peer, message: messages.RemovePeerFactories) -> None:
    """Remove peer factories; unknown ones are ignored."""
    own = member(state, peer).factories
    found = [(name, factory) for name in message.factory_ids if (factory := own.pop(name, None)) is not None]
    removed = [name for name, _ in found]
    state.usage.add(peer.user, -_bytes(factory for _, factory in found))
    if removed:
        announcement = messages.PeerFactoriesRemoved(owner_id=peer.id, factory_ids=removed)
        state.out.send_all(state.visible(peer, "activity"), announcement)
    _succeed(state, peer, message)


def subscribe(state: State, peer: Peer, message: messages.SubscribeActivities) -> None:
    """Notify a peer of activities, beginning with the existing ones."""
    own = member(state, peer)
    before = [found for found in state.activities.by_id.values() if own.is_watching(found.type)]
    if message.activity_types:
        own.watches.update(message.activity_types[:MOST_OFFERS])
    else:
        own.watches_all = True
    _succeed(state, peer, message)
    for activity in state.activities.by_id.values():
        is_new = activity not in before and own.is_watching(activity.type)
        if is_new and activity.is_started and activity.user == peer.user:
            state.out.send(peer, activity.created())


def unsubscribe(state: State, peer: Peer, message: messages.UnsubscribeActivities) -> None:
    own = member(state, peer)
    if message.activity_types:
        own.watches.difference_update(message.activity_types)
    else:
        own.watches_all = False
        own.watches.clear()
    _succeed(state, peer, message)


def watchers(state: State, activity: Activity) -> list[Peer]:
    """List the peers that are subscribed to an activity."""
    peers = state.members.get("activity", {}).get(activity.user, {}).values()
    members = state.activities.peers
    return [peer for peer in peers if peer.id in members and members[peer.id].is_watching(activity.type)]


def forget_types(state: State, user: str) -> None:
    """Remove the types of a user without members of the domain: later members define them again."""
    state.usage.add(user, -_bytes(state.activities.kinds.pop(user, {}).values()))


def forget_factories(state: State, peer: Peer) -> None:
    """Free the factories of a peer that leaves."""
    own = state.activities.peers[peer.id].factories
    state.usage.add(peer.user, -_bytes(own.values()))
    own.clear()


def _bytes(offers: Iterable[Offer]) -> int:
    return sum(offer.bytes for offer in offers)


def _read(decoder: msgspec.json.Decoder[D], text: Raw) -> D:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise failure("activity", f"The definition is wrong: {error}") from None


def _succeed(state: State, peer: Peer, message: Incoming) -> None:
    state.out.send(peer, Success(domain="activity", request_id=message.request_id))
