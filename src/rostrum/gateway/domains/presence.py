"""Telling the members of a domain who comes and goes."""

from rostrum.gateway.messages.global_domain import PeerAdded, PeerRemoved
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason

_LOCAL = {"local": True}


def peer_added(domain: str, peer: Peer) -> PeerAdded:
    return PeerAdded(domain=domain, new_peer_id=peer.id, identity=peer.identity_text, meta=_LOCAL)


def peer_removed(domain: str, peer: Peer, reason: Reason) -> PeerRemoved:
    """Write that a peer can no longer be seen."""
    return PeerRemoved(domain=domain, removed_id=peer.id, reason_uri=reason.uri, reason=reason.text)
