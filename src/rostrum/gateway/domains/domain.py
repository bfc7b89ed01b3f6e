"""The interface of domains."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rostrum.gateway.messages.global_domain import Join, PeerAdded, PeerRemoved
from rostrum.gateway.messages.record import Incoming
from rostrum.gateway.pace import Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason
from rostrum.gateway.restrictions import Restriction
from rostrum.gateway.state import State

Handler = Callable[[State, Peer, Any], Steps | None]
"""Processes a message of a peer: either rejects it without changes, or processes it completely, perhaps in steps."""
_LOCAL = {"local": True}


class TokenSigner(Protocol):
    """Signs tokens, which needs a key and the time of day."""

    def gateway_token(self, user: str, session: str = "", binding: str = "") -> str:
        """Create a token for another program of the same user, valid as long as its session and binding."""
        ...

    def request_token(self, claims: dict[str, Any]) -> str:
        """Create the token with which a requested peer signs in."""
        ...


def _nothing(state: State, *_: object) -> None:
    """Default for events that a domain does not handle."""


def _none_expired(state: State, now: float) -> Iterable[tuple[str, Steps]]:  # noqa: ARG001 - the interface
    """Default for domains without anything that expires."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """One domain.

    Attributes:
        handlers: The handler of each message type.
        welcome: Called when a peer has signed in.
        join: Called when a peer joins, before the response is sent.
        leave: Called when a member leaves, before the response is sent.
        lost: Called when any peer has lost its connection.
        expire: Called regularly with the time, to end requests that have expired; returns the work for each owner.
    """

    name: str
    version: int
    handlers: Mapping[type[Incoming], Handler]
    welcome: Callable[[State, Peer], Steps | None] = _nothing
    join: Callable[[State, Peer, Restriction | None, Join], Steps | None] = _nothing
    leave: Callable[[State, Peer, Reason], Steps | None] = _nothing
    lost: Callable[[State, Peer], Steps | None] = _nothing
    expire: Callable[[State, float], Iterable[tuple[str, Steps]]] = _none_expired


def peer_added(domain: str, peer: Peer) -> PeerAdded:
    return PeerAdded(domain=domain, new_peer_id=peer.id, identity=peer.identity_text, meta=_LOCAL)


def peer_removed(domain: str, peer: Peer, reason: Reason) -> PeerRemoved:
    """Create the message that a peer is no longer visible."""
    return PeerRemoved(domain=domain, removed_id=peer.id, reason_uri=reason.uri, reason=reason.text)
