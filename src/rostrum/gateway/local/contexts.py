"""Contexts for a local peer, by name."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Raw
from msgspec.json import decode, encode

from rostrum.gateway.domains.context.delta import Node, apply, as_data, write
from rostrum.gateway.local.connection import PeerConnection
from rostrum.gateway.local.source import Frame
from rostrum.gateway.wire import first_character

Listener = Callable[[dict[str, Any]], None]
Delta = dict[str, Any]
ChangeListener = Callable[["Followed", Delta, str], None]
"""Called with the context, the selected part of a change, and the id of the peer that has made it."""
Selection = Callable[[Delta], Delta]
"""Returns the part of a change that a listener needs, which is empty for most changes."""


class Followed:
    """The part of a context's data that a listener needs; nothing else is stored or parsed."""

    __slots__ = ("_data", "_listener", "_select")

    def __init__(self, data: dict[str, Any], select: Selection, listener: ChangeListener) -> None:
        """Store the selected part of the current data."""
        self._select = select
        self._listener = listener
        self._data: dict[str, Node] = {}
        self.change({"reset": data})

    def member(self, *names: str) -> Any:
        """Return one value, parsed; None if there is none."""
        node: Node = self._data
        for name in names:
            members = node if isinstance(node, dict) else _members_of(node)
            if name not in members:
                return None
            node = members[name]
        return decode(node if isinstance(node, Raw) else write(node))

    def change(self, delta: Delta) -> Delta:
        """Apply a change, and return the part of it that was selected."""
        selected = self._select(delta)
        if selected:
            self._data = apply(self._data, Raw(encode(selected)))
        return selected

    def on_changed(self, delta: Delta, updater: str) -> None:
        """Notify the listener of a change by another peer, if it concerns the part."""
        selected = self.change(delta)
        if selected:
            self._listener(self, selected, updater)


class LocalContexts:
    """Reads, changes and subscribes to contexts. A change or subscription creates a context that does not exist."""

    def __init__(self, peer: PeerConnection) -> None:
        self._peer = peer
        self._ids: dict[str, str] = {}
        self._data: dict[str, dict[str, Node]] = {}
        self._listeners: dict[str, list[Listener]] = {}
        self._followed: dict[str, list[Followed]] = {}
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
        if context_id not in self._data and context_id not in self._followed:
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
        self._apply_own(context_id, delta)

    async def subscribe(self, name: str, listener: Listener) -> None:
        """Call a function with the current data, and after each change by another peer."""
        context_id, data = await self._subscribed(name)
        self._data[context_id] = as_data(Raw(encode(data)))
        self._listeners.setdefault(context_id, []).append(listener)
        listener(data)

    async def follow(self, name: str, select: Selection, listener: ChangeListener) -> dict[str, Any]:
        """Call a function with each change by another peer of which something is selected; return the current data."""
        context_id, data = await self._subscribed(name)
        self._followed.setdefault(context_id, []).append(Followed(data, select, listener))
        return data

    async def _subscribed(self, name: str) -> tuple[str, dict[str, Any]]:
        context_id = self._ids.get(name) or await self._create(name)
        answer = await self._peer.request("subscribe-context", domain="global", context_id=context_id)
        data: dict[str, Any] = answer["data"]
        return context_id, data

    async def _create(self, name: str) -> str:
        answer = await self._peer.request("create-context", domain="global", name=name, data={}, lifetime="retained")
        context_id: str = answer["context_id"]
        self._ids[name] = context_id
        return context_id

    async def _change(self, name: str, delta: dict[str, Any]) -> None:
        context_id = self._ids.get(name) or await self._create(name)
        await self._peer.request("update-context", domain="global", context_id=context_id, delta=delta)
        self._apply_own(context_id, delta)

    def _apply_own(self, context_id: str, delta: Delta) -> None:
        self._apply(context_id, delta)
        for followed in self._followed.get(context_id, ()):
            followed.change(delta)

    def _apply(self, context_id: str, delta: Delta) -> None:
        if context_id in self._data:
            self._data[context_id] = apply(self._data[context_id], Raw(encode(delta)))

    def _on_added(self, frame: Frame) -> None:
        self._ids[frame["name"]] = frame["context_id"]

    def _on_updated(self, frame: Frame) -> None:
        context_id, delta = frame["context_id"], frame["delta"]
        self._apply(context_id, delta)
        for listener in self._listeners.get(context_id, ()):
            listener(decode(write(self._data[context_id])))
        for followed in self._followed.get(context_id, ()):
            followed.on_changed(delta, str(frame.get("updater_id")))

    def _on_destroyed(self, frame: Frame) -> None:
        context_id = frame["context_id"]
        self._data.pop(context_id, None)
        self._listeners.pop(context_id, None)
        self._followed.pop(context_id, None)
        self._ids = {name: known for name, known in self._ids.items() if known != context_id}


def _members_of(text: Raw) -> dict[str, Raw]:
    return decode(text, type=dict[str, Raw]) if first_character(text) == "{" else {}
