"""A peer that this process is."""

from typing import Any

from rostrum.gateway.local.bus import LocalBus
from rostrum.gateway.local.connection import PeerConnection
from rostrum.gateway.local.contexts import LocalContexts
from rostrum.gateway.local.methods import LocalMethods
from rostrum.gateway.local.source import Transport


class LocalPeer(PeerConnection):
    """A peer that this process is. Its parts: ``methods`` to offer and call, ``contexts``, ``bus``."""

    def __init__(self, transport: Transport, peer_id: str, identity: dict[str, Any]) -> None:
        """Use ``Gateway.local_peer`` or, from another process, ``remote.connected``: they sign it in."""
        super().__init__(transport, peer_id, identity)
        self.methods = LocalMethods(self)
        self.contexts = LocalContexts(self)
        self.bus = LocalBus(self)
