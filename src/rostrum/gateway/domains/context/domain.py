"""The context domain: peers use contexts in the global domain unless they have joined this one."""

from rostrum.gateway.domains.context import changes
from rostrum.gateway.domains.domain import Domain, Handler, peer_added, peer_removed
from rostrum.gateway.messages import context as messages
from rostrum.gateway.messages.global_domain import Join
from rostrum.gateway.messages.record import Incoming
from rostrum.gateway.pace import Partly, Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason
from rostrum.gateway.restrictions import Restriction
from rostrum.gateway.state import State

_NAME = "context"
_LOST = Reason("context.peer-removed", "Peer has been removed")

CONTEXT_HANDLERS: dict[type[Incoming], Handler] = {
    messages.CreateContext: changes.create,
    messages.SubscribeContext: changes.subscribe,
    messages.UnsubscribeContext: changes.unsubscribe,
    messages.UpdateContext: changes.update,
    messages.DestroyContext: changes.destroy,
}


def _welcome(state: State, peer: Peer) -> Steps:
    yield from changes.announce(state, peer)
    others = yield from state.visible(peer, _NAME)
    state.out.send_all(others, peer_added(_NAME, peer))


def _join(state: State, peer: Peer, restriction: Restriction | None, _: Join) -> Steps:
    state.enter(peer, _NAME, restriction)
    peer.context_domain = _NAME
    others = yield from _others(state, peer)
    for other in others:
        state.out.send(peer, peer_added(_NAME, other))


def _leave(state: State, peer: Peer, reason: Reason) -> Steps:
    yield from changes.leave_all(state, peer)
    others = yield from state.visible(peer, _NAME)
    state.out.send_all(others, peer_removed(_NAME, peer, reason))
    if _NAME in peer.joined:
        others = yield from _others(state, peer)
        for other in others:
            state.out.send(peer, peer_removed(_NAME, other, reason))
        state.exit(peer, _NAME)


def _lost(state: State, peer: Peer) -> Steps:
    return _leave(state, peer, _LOST)


def _others(state: State, peer: Peer) -> Partly[list[Peer]]:
    found: list[Peer] = []
    for other in state.same_user(peer):
        if other is not peer and peer.sees(other, _NAME):
            found.append(other)
        if state.pace.is_over:
            yield
    return found


CONTEXT = Domain(
    name=_NAME,
    version=2,
    handlers=CONTEXT_HANDLERS,
    welcome=_welcome,
    join=_join,
    leave=_leave,
    lost=_lost,
    expire=changes.expire,
)
