"""A peer of this process, and its bus."""

from collections.abc import Callable
from typing import Any

from rostrum.gateway.local.connection import PeerConnection
from rostrum.gateway.local.contexts import LocalContexts
from rostrum.gateway.local.methods import LocalMethods
from rostrum.gateway.local.source import Frame, Transport

Listener = Callable[[Any, dict[str, Any]], None]


class LocalBus:
    """Publishes on topics, and subscribes to them."""

    def __init__(self, peer: PeerConnection) -> None:
        self._peer = peer
        self._listeners: dict[str, Listener] = {}
        peer.listen("bus", "event", self._on_event)

    def publish(self, topic: str, data: Any, **more: Any) -> None:
        self._peer.send("publish", domain="bus", topic=topic, data=data, **more)

    async def subscribe(self, topic: str, listener: Listener) -> str:
        """Call a function with each publication and its publisher; return the subscription's id."""
        answer = await self._peer.request("subscribe", domain="bus", topic=topic)
        subscription_id: str = answer["subscription_id"]
        self._listeners[subscription_id] = listener
        return subscription_id

    async def unsubscribe(self, subscription_id: str) -> None:
        """Remove the subscription."""
        self._listeners.pop(subscription_id, None)
        await self._peer.request("unsubscribe", domain="bus", subscription_id=subscription_id)

    def _on_event(self, frame: Frame) -> None:
        listener = self._listeners.get(frame["subscription_id"])
        if listener is not None:
            listener(frame["data"], frame["publisher-identity"])


class LocalPeer(PeerConnection):
    """A peer of this process, with ``methods``, ``contexts`` and ``bus``."""

    def __init__(self, transport: Transport, peer_id: str, identity: dict[str, Any]) -> None:
        """Created by ``Gateway.local_peer`` or, from another process, ``remote.connected``."""
        super().__init__(transport, peer_id, identity)
        self.methods = LocalMethods(self)
        self.contexts = LocalContexts(self)
        self.bus = LocalBus(self)
