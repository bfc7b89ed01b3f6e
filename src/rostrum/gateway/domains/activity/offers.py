"""Types of activities, and factories for their peers."""

from typing import TypeVar

import msgspec
from msgspec import Raw

from rostrum.gateway.domains.activity.activities import Activity, ActivityPeer, ActivityType, Factory
from rostrum.gateway.messages import activity as messages
from rostrum.gateway.messages.global_domain import Success
from rostrum.gateway.messages.record import Incoming
from rostrum.gateway.pace import Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Refused, failure
from rostrum.gateway.state import State
from rostrum.gateway.usage import Stored, text_bytes
from rostrum.gateway.wire import body_decoder

MOST_OFFERS = 1000
_WATCH_BYTES = 256
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


def add_types(state: State, peer: Peer, message: messages.AddTypes) -> Steps:
    """Declare types of activities for all peers of the user."""
    member(state, peer)
    known = state.activities.kinds_of(peer.user)
    # A text has too many types before it is read.
    if len(known) + len(message.types) > MOST_OFFERS:
        raise failure("activity", f"there may be {MOST_OFFERS} kinds of activities at most")
    texts = [text.copy() for text in message.types]
    kinds: list[ActivityType] = [ActivityType(peer.user, _read(_kind, text), text) for text in texts]
    known.keep(peer, {kind.definition.name: kind for kind in kinds})
    others = yield from state.visible(peer, "activity")
    state.out.send_all([*others, peer], messages.TypesAdded(types=[kind.text for kind in kinds]))
    _succeed(state, peer, message)


def remove_types(state: State, peer: Peer, message: messages.RemoveTypes) -> Steps:
    """Remove types of activities; unknown ones are ignored."""
    member(state, peer)
    known = state.activities.kinds_of(peer.user)
    removed = [name for name in message.types if known.drop(name) is not None]
    if removed:
        others = yield from state.visible(peer, "activity")
        state.out.send_all([*others, peer], messages.TypesRemoved(types=removed))
    _succeed(state, peer, message)


def add_factories(state: State, peer: Peer, message: messages.AddPeerFactories) -> Steps:
    own = member(state, peer).factories
    if len(own) + len(message.factories) > MOST_OFFERS:
        raise failure("activity", f"a peer may have {MOST_OFFERS} factories at most")
    texts = [text.copy() for text in message.factories]
    factories: list[Factory] = [Factory(peer.user, _read(_factory, text), text) for text in texts]
    kinds = {factory.definition.peer_type for factory in own.values()}
    for factory in factories:
        if factory.definition.peer_type in kinds or factory.definition.id in own:
            text = f"A factory for {factory.definition.peer_type} is already registered"
            raise Refused("activity.errors.factory_already_registered", text)
        kinds.add(factory.definition.peer_type)
    own.keep(peer, {factory.definition.id: factory for factory in factories})
    added = messages.PeerFactoriesAdded(owner_id=peer.id, factories=[factory.text for factory in factories])
    others = yield from state.visible(peer, "activity")
    state.out.send_all(others, added)
    _succeed(state, peer, message)


def remove_factories(state: State, peer: Peer, message: messages.RemovePeerFactories) -> Steps:
    """Remove peer factories; unknown ones are ignored."""
    own = member(state, peer).factories
    removed = [name for name in message.factory_ids if own.drop(name) is not None]
    if removed:
        announcement = messages.PeerFactoriesRemoved(owner_id=peer.id, factory_ids=removed)
        others = yield from state.visible(peer, "activity")
        state.out.send_all(others, announcement)
    _succeed(state, peer, message)


def subscribe(state: State, peer: Peer, message: messages.SubscribeActivities) -> None:
    """Notify a peer of activities, beginning with the existing ones."""
    own = member(state, peer)
    visible = [found for found in state.activities.by_id.values() if found.user == peer.user]
    before = {found.id for found in visible if own.is_watching(found.type)}
    if message.activity_types:
        names = message.activity_types[:MOST_OFFERS]
        own.watches.keep(peer, {name: Stored(peer.user, _WATCH_BYTES + text_bytes(name)) for name in names})
    else:
        own.watches_all = True
    _succeed(state, peer, message)
    for activity in visible:
        if activity.id not in before and own.is_watching(activity.type) and activity.is_started:
            state.out.send(peer, activity.created())


def unsubscribe(state: State, peer: Peer, message: messages.UnsubscribeActivities) -> None:
    own = member(state, peer)
    if message.activity_types:
        for name in message.activity_types:
            own.watches.drop(name)
    else:
        own.watches_all = False
        own.watches.drop_all()
    _succeed(state, peer, message)


def watchers(state: State, activity: Activity) -> list[Peer]:
    """List the peers that are subscribed to an activity."""
    peers = state.members.get("activity", {}).get(activity.user, {}).values()
    members = state.activities.peers
    return [peer for peer in peers if peer.id in members and members[peer.id].is_watching(activity.type)]


def _read(decoder: msgspec.json.Decoder[D], text: Raw) -> D:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise failure("activity", f"The definition is wrong: {error}") from None


def _succeed(state: State, peer: Peer, message: Incoming) -> None:
    state.out.send(peer, Success(domain="activity", request_id=message.request_id))
