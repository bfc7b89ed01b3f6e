"""Tracks which running apps are connected to the gateway, so that others can call their methods."""

import asyncio
from collections.abc import Mapping
from typing import Any, Literal

from rostrum.base.signal import Signal
from rostrum.desktop.callers import Callers, JoinedPeer
from rostrum.desktop.services.instances import Ended, Instance, Instances


class Readiness:
    """Tracks the peers of running apps, by their verified identities.

    Attributes:
        ready: Emitted with each instance when its app is connected.
    """

    def __init__(self, callers: Callers, instances: Instances) -> None:
        self.ready: Signal[Instance] = Signal()
        self._callers = callers
        self._instances = instances
        self._peers: dict[str, str] = {}
        self._servers: dict[str, Mapping[str, Any]] = {}
        self._ready: set[str] = set()
        callers.joined.connect(self._joined)
        callers.gone.connect(self._gone)
        instances.started.connect(lambda one: self._announce(one.id))
        instances.ended.connect(self._ended)

    def state(self, instance: str) -> Literal["started", "ready", "stopped"]:
        """Return the state of an instance."""
        if self._instances.get(instance) is None:
            return "stopped"
        return "ready" if instance in self._ready else "started"

    def server(self, instance: str) -> Mapping[str, Any] | None:
        """Return the identity of the peer that an instance is connected with."""
        return self._servers.get(instance)

    def announce(self, instance: str) -> None:
        """Mark an instance as ready at its own request."""
        if self._instances.get(instance) is not None and instance not in self._ready:
            self._servers.setdefault(instance, {})
            self._announce(instance)

    async def wait(self, instance: str) -> bool:
        """Wait until an instance is ready; return False if it has ended."""
        news = asyncio.Event()
        disconnect = [
            self.ready.connect(lambda _: news.set()),
            self._instances.ended.connect(lambda _: news.set()),
        ]
        try:
            while (state := self.state(instance)) == "started":
                await news.wait()
                news.clear()
            return state == "ready"
        finally:
            for each in disconnect:
                each()

    def _joined(self, peer: JoinedPeer) -> None:
        instance = self._callers.of(peer.id).instance
        if instance is not None:
            self._peers[peer.id] = instance
            self._servers[instance] = {**peer.identity, "peerId": peer.id}
            self._announce(instance)

    def _announce(self, instance: str) -> None:
        # An app may connect before its start is complete, and again after it has lost its connection.
        running = self._instances.get(instance)
        if running is not None and instance in self._servers and instance not in self._ready:
            self._ready.add(instance)
            self.ready.emit(running)

    def _gone(self, peer: str) -> None:
        instance = self._peers.pop(peer, None)
        if instance is not None and self._servers.get(instance, {}).get("peerId") == peer:
            del self._servers[instance]

    def _ended(self, ended: Ended) -> None:
        self._servers.pop(ended.instance.id, None)
        self._ready.discard(ended.instance.id)
