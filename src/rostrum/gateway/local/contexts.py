"""Contexts for a local peer, by name."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Raw
from msgspec.json import decode, encode

from rostrum.gateway.domains.context.delta import Node, apply, as_data, write
from rostrum.gateway.local.connection import PeerConnection
from rostrum.gateway.local.source import Frame

Listener = Callable[[dict[str, Any]], None]
ChangeListener = Callable[[dict[str, Any], dict[str, Any], str], None]
"""Called with the new data, the change as sent, and the id of the peer that changed it."""


class LocalContexts:
    """Reads, changes and subscribes to contexts. A change or subscription creates a context that does not exist."""

    def __init__(self, peer: PeerConnection) -> None:
        self._peer = peer
        self._ids: dict[str, str] = {}
        self._data: dict[str, dict[str, Node]] = {}
        self._listeners: dict[str, list[Listener]] = {}
        self._followers: dict[str, list[ChangeListener]] = {}
        peer.listen("global", "context-added", self._on_added)
        peer.listen("global", "context-updated", self._on_updated)
        peer.listen("global", "context-destroyed", self._on_destroyed)

    @property
    def names(self) -> list[str]:
        """List the contexts of this peer's user."""
        return list(self._ids)

    async def get(self, name: str) -> dict[str, Any]:
        """Return the current data; a context that does not exist is empty."""
        if name not in self._ids:
            return {}
        answer = await self._peer.request("subscribe-context", domain="global", context_id=self._ids[name])
        context_id: str = answer["context_id"]
        if context_id not in self._data:
            await self._peer.request("unsubscribe-context", domain="global", context_id=context_id)
        data: dict[str, Any] = answer["data"]
        return data

    async def set(self, name: str, data: dict[str, Any]) -> None:
        """Replace the data."""
        await self._change(name, {"reset": data})

    async def update(self, name: str, members: Mapping[str, Any]) -> None:
        """Set members of the data, and keep the others; a name with dots is a path."""
        commands = [{"type": "set", "path": path, "value": value} for path, value in members.items()]
        await self._change(name, {"commands": commands})

    async def destroy(self, name: str) -> None:
        await self._peer.request("destroy-context", domain="global", context_id=self._ids[name])

    def change(self, name: str, members: Mapping[str, Any]) -> None:
        """Set members of a subscribed context, without waiting for a response; a name with dots is a path."""
        self._send(name, [{"type": "set", "path": path, "value": value} for path, value in members.items()])

    def remove(self, name: str, path: str) -> None:
        """Remove a member of a subscribed context, without waiting for a response."""
        self._send(name, [{"type": "remove", "path": path}])

    def _send(self, name: str, commands: list[dict[str, Any]]) -> None:
        context_id, delta = self._ids[name], {"commands": commands}
        self._peer.send("update-context", domain="global", context_id=context_id, delta=delta)
        if context_id in self._data:
            self._data[context_id] = apply(self._data[context_id], Raw(encode(delta)))

    async def subscribe(self, name: str, listener: Listener) -> None:
        """Call a function with the current data, and after each change by another peer."""
        context_id, data = await self._subscribed(name)
        self._listeners.setdefault(context_id, []).append(listener)
        listener(data)

    async def follow(self, name: str, listener: ChangeListener) -> dict[str, Any]:
        """Call a function with each change by another peer; return the current data."""
        context_id, data = await self._subscribed(name)
        self._followers.setdefault(context_id, []).append(listener)
        return data

    async def _subscribed(self, name: str) -> tuple[str, dict[str, Any]]:
        context_id = self._ids.get(name) or await self._create(name)
        answer = await self._peer.request("subscribe-context", domain="global", context_id=context_id)
        data: dict[str, Any] = answer["data"]
        self._data[context_id] = as_data(Raw(encode(data)))
        return context_id, data

    async def _create(self, name: str) -> str:
        answer = await self._peer.request("create-context", domain="global", name=name, data={}, lifetime="retained")
        context_id: str = answer["context_id"]
        self._ids[name] = context_id
        return context_id

    async def _change(self, name: str, delta: dict[str, Any]) -> None:
        context_id = self._ids.get(name) or await self._create(name)
        await self._peer.request("update-context", domain="global", context_id=context_id, delta=delta)
        if context_id in self._data:
            self._data[context_id] = apply(self._data[context_id], Raw(encode(delta)))

    def _on_added(self, frame: Frame) -> None:
        self._ids[frame["name"]] = frame["context_id"]

    def _on_updated(self, frame: Frame) -> None:
        context_id = frame["context_id"]
        if context_id in self._data:
            self._data[context_id] = apply(self._data[context_id], Raw(encode(frame["delta"])))
            for listener in self._listeners.get(context_id, ()):
                listener(decode(write(self._data[context_id])))
            for follower in self._followers.get(context_id, ()):
                follower(decode(write(self._data[context_id])), frame["delta"], str(frame.get("updater_id")))

    def _on_destroyed(self, frame: Frame) -> None:
        context_id = frame["context_id"]
        self._data.pop(context_id, None)
        self._listeners.pop(context_id, None)
        self._followers.pop(context_id, None)
        self._ids = {name: known for name, known in self._ids.items() if known != context_id}
