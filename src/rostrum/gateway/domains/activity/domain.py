"""The activity domain: membership and message handlers."""

from rostrum.gateway.domains.activity import membership, offers
from rostrum.gateway.domains.activity.activities import ActivityPeer
from rostrum.gateway.domains.activity.creation import creation_handlers, expire, fail, take_place
from rostrum.gateway.domains.context import changes
from rostrum.gateway.domains.domain import Domain, TokenSigner, peer_added, peer_removed
from rostrum.gateway.messages import activity as messages
from rostrum.gateway.messages.context import UpdateContext
from rostrum.gateway.messages.global_domain import Join
from rostrum.gateway.pace import Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason
from rostrum.gateway.restrictions import Restriction
from rostrum.gateway.state import State

_NAME = "activity"
_LOST = Reason("activity.peer-removed", "Peer has been removed")


def activity_domain(tokens: TokenSigner) -> Domain:
    """Create the domain; the tokens of requested peers are signed outside."""
    return Domain(
        name=_NAME,
        version=2,
        join=_join,
        leave=_leave,
        lost=_lost,
        expire=expire,
        handlers={
            messages.AddTypes: offers.add_types,
            messages.RemoveTypes: offers.remove_types,
            messages.AddPeerFactories: offers.add_factories,
            messages.RemovePeerFactories: offers.remove_factories,
            messages.SubscribeActivities: offers.subscribe,
            messages.UnsubscribeActivities: offers.unsubscribe,
            messages.JoinActivity: membership.join_activity,
            messages.LeaveActivity: membership.leave_activity,
            messages.DestroyActivity: membership.destroy_activity,
            messages.DestroyPeer: membership.destroy_peer,
            UpdateContext: changes.update,
            **creation_handlers(tokens),
        },
    )


def _join(state: State, peer: Peer, restriction: Restriction | None, _: Join) -> Steps:
    state.activities.peers[peer.id] = ActivityPeer(state.usage)
    state.enter(peer, _NAME, restriction)
    others = yield from state.visible(peer, _NAME)
    for other in others:
        state.out.send(peer, peer_added(_NAME, other))
    state.out.send_all(others, peer_added(_NAME, peer))
    kinds = state.activities.kinds_of(peer.user)
    if kinds:
        state.out.send(peer, messages.TypesAdded(types=[kind.text for kind in kinds.values()]))
    for other in others:
        their = state.activities.peers.get(other.id)
        if their is not None and their.factories:
            factories = [factory.text for factory in their.factories.values()]
            state.out.send(peer, messages.PeerFactoriesAdded(owner_id=other.id, factories=factories))
        if state.pace.is_over:
            yield
    take_place(state, peer)


def _leave(state: State, peer: Peer, reason: Reason) -> Steps:
    own = state.activities.peers.get(peer.id)
    if own is None:
        return
    others = yield from state.visible(peer, _NAME)
    if own.activity is not None and not _comes_back(state, peer):
        membership.leave(state, peer, own.activity, reason)
    if own.request is not None:
        fail(state, own.request, reason)
    for request in [found for found in state.activities.requests.values() if found.maker is peer]:
        if request.replaces is None:
            state.activities.requests.drop(request.id)
            fail(state, request, reason)
        if state.pace.is_over:
            yield
    if own.factories:
        removed = messages.PeerFactoriesRemoved(owner_id=peer.id, factory_ids=list(own.factories))
        state.out.send_all(others, removed)
    state.out.send_all(others, peer_removed(_NAME, peer, reason))
    own.factories.drop_all()
    own.watches.drop_all()
    del state.activities.peers[peer.id]
    state.exit(peer, _NAME)
    if peer.user not in state.members[_NAME]:
        state.activities.forget_kinds(peer.user)


def _lost(state: State, peer: Peer) -> Steps:
    return _leave(state, peer, _LOST)


def _comes_back(state: State, peer: Peer) -> bool:
    return any(found.replaces is not None and found.maker is peer for found in state.activities.requests.values())
