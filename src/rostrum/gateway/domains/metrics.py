"""The metrics domain: messages are accepted, because clients require the domain, and discarded."""

from rostrum.gateway.domains.domain import Domain
from rostrum.gateway.messages.global_domain import Join
from rostrum.gateway.messages.metrics import DefineMetrics, PublishMetrics
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason
from rostrum.gateway.restrictions import Restriction
from rostrum.gateway.state import State

_NAME = "metrics"


def _take(state: State, peer: Peer, message: DefineMetrics | PublishMetrics) -> None: ...


def _join(state: State, peer: Peer, restriction: Restriction | None, _: Join) -> None:
    state.enter(peer, _NAME, restriction)


def _leave(state: State, peer: Peer, _: Reason) -> None:
    _lost(state, peer)


def _lost(state: State, peer: Peer) -> None:
    if _NAME in peer.joined:
        state.exit(peer, _NAME)


METRICS = Domain(
    name=_NAME,
    version=1,
    join=_join,
    leave=_leave,
    lost=_lost,
    handlers={DefineMetrics: _take, PublishMetrics: _take},
)
