"""The agm domain: membership and message handlers."""

from rostrum.gateway.domains.agm import calls, methods, subscriptions
from rostrum.gateway.domains.agm.agm_peer import AgmPeer
from rostrum.gateway.domains.domain import Domain, peer_added, peer_removed
from rostrum.gateway.messages import agm as messages
from rostrum.gateway.messages.global_domain import Join
from rostrum.gateway.pace import Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason
from rostrum.gateway.restrictions import Restriction
from rostrum.gateway.state import State

_NAME = "agm"
_LOST = Reason("agm.peer-removed", "Peer has been removed")


def _join(state: State, peer: Peer, restriction: Restriction | None, _: Join) -> Steps:
    state.agm_peers[peer.id] = AgmPeer(peer, state.usage)
    state.enter(peer, _NAME, restriction)
    others = yield from state.visible(peer, _NAME)
    for other in others:
        if other.id in state.agm_peers:
            # Clients must know a peer before they receive its methods.
            state.out.send(peer, peer_added(_NAME, other))
            known = list(state.agm_peers[other.id].methods.values())
            state.pace.load += sum(method.bytes for method in known)
            yield from methods.announce_methods(state, other, known, (peer,))
        if state.pace.is_over:
            yield
    state.out.send_all(others, peer_added(_NAME, peer))


def _leave(state: State, peer: Peer, reason: Reason) -> Steps:
    if peer.id not in state.agm_peers:
        return
    others = yield from state.visible(peer, _NAME)
    # From now on, others cannot call or subscribe to its methods.
    agm = state.agm_peers.pop(peer.id)
    yield from subscriptions.end_subscriptions_of(state, agm, reason)
    yield from calls.fail_calls_of(state, agm)
    for subscription in list(agm.interests.values()):
        subscriptions.cancel(state, subscription, reason)
        if state.pace.is_over:
            yield
    yield from methods.withdraw_methods(state, peer, list(agm.methods.values()), others)
    agm.methods.drop_all()
    state.out.send_all(others, peer_removed(_NAME, peer, reason))
    state.exit(peer, _NAME)


def _lost(state: State, peer: Peer) -> Steps:
    return _leave(state, peer, _LOST)


AGM = Domain(
    name=_NAME,
    version=1,
    join=_join,
    leave=_leave,
    lost=_lost,
    expire=calls.expire,
    handlers={
        messages.Register: methods.register,
        messages.Unregister: methods.unregister,
        messages.Call: calls.call,
        messages.Yield: calls.give_result,
        messages.CallError: calls.give_error,
        messages.Subscribe: subscriptions.subscribe,
        messages.Accepted: subscriptions.accept,
        messages.Publish: subscriptions.publish,
        messages.Post: subscriptions.post,
        messages.DropSubscription: subscriptions.drop,
        messages.Unsubscribe: subscriptions.unsubscribe,
    },
)
