"""What the router needs to know of a domain."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rostrum.gateway.messages.global_domain import Join, PeerAdded, PeerRemoved
from rostrum.gateway.messages.record import Incoming
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason
from rostrum.gateway.restrictions import Restriction
from rostrum.gateway.state import State

Handler = Callable[[State, Peer, Any], None]
"""Carries out one message of a peer: refuses it before anything changes, or carries it out completely."""
_LOCAL = {"local": True}


class TokenSigner(Protocol):
    """Signs tokens, which needs a key and the time of day."""

    def gateway_token(self, user: str, session: str = "", binding: str = "") -> str:
        """Make a token for another program of the same user, good as long as the session and binding it comes from."""
        ...

    def request_token(self, claims: dict[str, Any]) -> str:
        """Make the token with which a peer that was asked for signs in."""
        ...


def _nothing(state: State, *_: object) -> None:
    """Do nothing: the domain has no business with this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """One domain.

    Attributes:
        handlers: What to do with each kind of message.
        welcome: Called when a peer has signed in.
        join: Called when a peer wants to become a member; the answer follows it.
        leave: Called when a member wants to be one no longer; the answer follows it.
        lost: Called when any peer has lost its connection.
        expire: Called every now and then with the time, to end what was waited for in vain.

    """

    name: str
    version: int
    handlers: Mapping[type[Incoming], Handler]
    welcome: Callable[[State, Peer], None] = _nothing
    join: Callable[[State, Peer, Restriction | None, Join], None] = _nothing
    leave: Callable[[State, Peer, Reason], None] = _nothing
    lost: Callable[[State, Peer], None] = _nothing
    expire: Callable[[State, float], None] = _nothing


def peer_added(domain: str, peer: Peer) -> PeerAdded:
    return PeerAdded(domain=domain, new_peer_id=peer.id, identity=peer.identity_text, meta=_LOCAL)


def peer_removed(domain: str, peer: Peer, reason: Reason) -> PeerRemoved:
    """Write that a peer can no longer be seen."""
    return PeerRemoved(domain=domain, removed_id=peer.id, reason_uri=reason.uri, reason=reason.text)
