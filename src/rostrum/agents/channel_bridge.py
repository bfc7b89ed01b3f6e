"""Connects FDC3 user channels with the platform's channels: contexts pass in both directions between agent and gateway.

A channel is a context of the gateway, ``{name, meta, data, latest_fdc3_type}``. Client libraries write an FDC3 context
of the type ``a.b`` into ``data.fdc3_a&b``, without its type, and ``a&b`` into ``latest_fdc3_type``.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from rostrum.agents.profile import ChannelDefinition
from rostrum.agents.user_agent import UserAgent
from rostrum.fdc3.host import ContextBroadcast
from rostrum.gateway import LocalPeer
from rostrum.gateway.local.contexts import Delta, Followed

_PREFIX = "___channel___"
_KEY = "fdc3_"
_LATEST = "latest_fdc3_type"
_MOST_HELD = 2_000
_MOST_HELD_BYTES = 8 * 1024 * 1024
"""Limit of data that the apps of one user can store on the gateway through FDC3; the oldest contexts are removed."""


class ChannelBridge:
    """Connects the user channels of one agent with the channels on the gateway."""

    def __init__(self, agent: UserAgent, peer: LocalPeer, identity_of: Callable[[str], Mapping[str, Any]]) -> None:
        self._agent = agent
        self._identity_of = identity_of
        self._peer = peer
        self._names: dict[str, str] = {}
        self._held: dict[tuple[str, str], int] = {}
        self._held_bytes = 0
        agent.broadcast.connect(self._on_broadcast)

    async def open(self) -> None:
        """Subscribe to the user's channels; the agent gets their current contexts."""
        for channel in self._agent.profile.channels:
            if channel.user_channel.id not in self._names:
                await self._follow(channel)

    async def _follow(self, channel: ChannelDefinition) -> None:
        id_, name = channel.user_channel.id, _PREFIX + channel.name
        contexts = self._peer.contexts

        def changed(channel: Followed, delta: Delta, updater: str) -> None:
            if _has_fdc3(delta):
                key = channel.member(_LATEST)
                if isinstance(key, str):
                    self._publish(id_, key, channel.member("data", _KEY + key), self._source(updater))

        data = await contexts.follow(name, _part_for_fdc3, changed)
        if "meta" not in data:
            # The channel does not exist: no desktop is connected to this gateway.
            contexts.change(name, {"name": channel.name, "meta": dict(channel.meta), "data": data.get("data") or {}})
        self._names[id_] = name
        held = data.get("data")
        latest = data.get(_LATEST)
        values = held if isinstance(held, dict) else {}
        keys = [key.removeprefix(_KEY) for key in values if key.startswith(_KEY)]
        for key in sorted(keys, key=lambda key: key == latest):
            self._publish(id_, key, values[_KEY + key], None)

    def _publish(self, channel_id: str, key: str, value: Any, source: Mapping[str, str] | None) -> None:
        if isinstance(value, dict):
            context = {"type": key.replace("&", "."), **value}
            self._agent.publish(channel_id, msgspec.json.encode(context), source)

    def _on_broadcast(self, broadcast: ContextBroadcast) -> None:
        name = self._names.get(broadcast.channel_id)
        if name is None or name not in self._peer.contexts.names:
            return
        context = msgspec.json.decode(broadcast.context, type=dict[str, msgspec.Raw])
        type_ = msgspec.json.decode(context.pop("type"), type=str)
        key = type_.replace(".", "&")
        newer = self._agent.waiting_types(broadcast.channel_id)
        if type_ in newer:
            # A client library has already written the channel; its context follows.
            return
        latest = {} if newer else {_LATEST: key}
        self._peer.contexts.change(name, {f"data.{_KEY}{key}": context, **latest})
        self._make_room((name, key), memoryview(broadcast.context).nbytes)

    def _make_room(self, newest: tuple[str, str], size: int) -> None:
        self._held_bytes += size - self._held.pop(newest, 0)
        self._held[newest] = size
        while len(self._held) > _MOST_HELD or (self._held_bytes > _MOST_HELD_BYTES and len(self._held) > 1):
            name, key = next(iter(self._held))
            self._held_bytes -= self._held.pop((name, key))
            if name in self._peer.contexts.names:
                self._peer.contexts.remove(name, f"data.{_KEY}{key}")

    def _source(self, peer: str) -> Mapping[str, str] | None:
        identity = self._identity_of(peer)
        app, instance = identity.get("application"), identity.get("instance")
        if not isinstance(app, str) or not isinstance(instance, str):
            return None
        return {"appId": app, "instanceId": instance}


def _part_for_fdc3(delta: Delta) -> Delta:
    """Return the part of a change that concerns FDC3 contexts: other data of a channel can be large."""
    part: Delta = {}
    for name, content in delta.items():
        kept: Any = None
        if name == "commands" and isinstance(content, list):
            kept = [command for each in content if (command := _command_for_fdc3(each)) is not None]
        elif name == "removed" and isinstance(content, list):
            kept = [each for each in content if each in ("data", _LATEST)]
        elif name in ("reset", "added", "updated") and isinstance(content, dict):
            kept = _members_for_fdc3(content)
        # Also an empty object replaces the data.
        if kept or (name == "reset" and kept is not None):
            part[name] = kept
    return part


def _command_for_fdc3(command: Mapping[str, Any]) -> Mapping[str, Any] | None:
    path, value = command["path"], command.get("value")
    if not path:
        return {**command, "value": _members_for_fdc3(value) if isinstance(value, dict) else None}
    if path == "data":
        return {**command, "value": _values_for_fdc3(value)}
    return command if path.startswith((f"data.{_KEY}", _LATEST)) else None


def _members_for_fdc3(members: Mapping[str, Any]) -> dict[str, Any]:
    kept = {_LATEST: members[_LATEST]} if _LATEST in members else {}
    if "data" in members:
        kept["data"] = _values_for_fdc3(members["data"])
    return kept


def _values_for_fdc3(values: Any) -> dict[str, Any] | None:
    """Return the FDC3 contexts in the data of a channel; none if it is no object."""
    if not isinstance(values, dict):
        return None
    return {name: value for name, value in values.items() if name.startswith(_KEY)}


def _has_fdc3(delta: Mapping[str, Any]) -> bool:
    """Return whether a change of a channel concerns an FDC3 context, not only other data."""
    commands = delta.get("commands")
    if isinstance(commands, list):
        paths = (one.get("path") for one in commands if isinstance(one, dict) and one.get("type") == "set")
        if any(isinstance(path, str) and path.startswith((f"data.{_KEY}", _LATEST)) for path in paths):
            return True
    for part in ("reset", "added", "updated"):
        changed = delta.get(part)
        if isinstance(changed, dict):
            data = changed.get("data")
            if _LATEST in changed or (isinstance(data, dict) and any(key.startswith(_KEY) for key in data)):
                return True
    return False
