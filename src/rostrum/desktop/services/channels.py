"""Channels: named contexts that apps join to share what they look at."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from rostrum.base.signal import Signal
from rostrum.desktop.arguments import text
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.methods import method
from rostrum.settings.sections.channels import Channel
from rostrum.settings.sections.channels import Channels as ChannelSettings

__all__ = ["ChannelContexts", "ChannelMethods", "Channels"]

_PREFIX = "___channel___"


class ChannelContexts(Protocol):
    """The shared contexts that channels live in; a peer of the gateway has them."""

    async def get(self, name: str) -> dict[str, Any]:
        """Return the data of a context."""
        ...

    async def set(self, name: str, data: dict[str, Any]) -> None:
        """Replace the data of a context."""
        ...

    async def update(self, name: str, members: Mapping[str, Any]) -> None:
        """Change members of a context."""
        ...


class Channels:
    """The channels of the settings, and who is in which.

    Attributes:
        joined: Emitted with instance and channel; None when it left.

    """

    def __init__(self, settings: ChannelSettings, contexts: ChannelContexts, of_file: Iterable[Channel] = ()) -> None:
        """Take the settings, the contexts that channels live in, and the channels of channels.json.

        A definition in the settings replaces the channel of the same name in the file.
        """
        self.joined: Signal[tuple[str, str | None]] = Signal()
        self._enabled = settings.enabled
        self._definitions = {one.name: one for one in (*of_file, *(settings.definitions or ()))}
        self._contexts = contexts
        self._members: dict[str, str] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Return the channels there are; none when they are switched off."""
        return tuple(self._definitions) if self._enabled else ()

    @property
    def described(self) -> dict[str, dict[str, Any]]:
        """Return what is known of each channel: its colour, FDC3 metadata and anything else that is written."""
        return {name: _meta(self._definitions[name]) for name in self.names}

    async def open(self) -> None:
        """Make each channel's context, with what its definition says and the data it had."""
        for name, meta in self.described.items():
            known = await self._contexts.get(_PREFIX + name)
            await self._contexts.set(_PREFIX + name, {"name": name, "meta": meta, "data": known.get("data") or {}})

    def join(self, instance: str, channel: str) -> None:
        """Put an instance into a channel; it leaves the one it was in."""
        self._known(channel)
        self._members[instance] = channel
        self.joined.emit((instance, channel))

    def leave(self, instance: str) -> None:
        """Take an instance out of its channel."""
        if self._members.pop(instance, None) is not None:
            self.joined.emit((instance, None))

    def of(self, instance: str) -> str | None:
        """Return the channel an instance is in."""
        return self._members.get(instance)

    async def publish(self, channel: str, data: Mapping[str, Any]) -> None:
        """Change what a channel shares, name by name."""
        self._known(channel)
        before = (await self._contexts.get(_PREFIX + channel)).get("data") or {}
        await self._contexts.update(_PREFIX + channel, {"data": {**before, **data}})

    async def data(self, channel: str) -> dict[str, Any]:
        """Return what a channel shares."""
        self._known(channel)
        found = (await self._contexts.get(_PREFIX + channel)).get("data")
        return found if isinstance(found, dict) else {}

    def _known(self, channel: str) -> None:
        if not self._enabled:
            raise DesktopError("channels are switched off (channels.enabled)")
        if channel not in self._definitions:
            raise DesktopError(f"there is no channel {channel!r}")


def _meta(channel: Channel) -> dict[str, Any]:
    meta = channel.meta.model_dump(mode="json", by_alias=True)
    if meta.get("fdc3") is None:
        meta.pop("fdc3", None)
    return meta


class ChannelMethods:
    """Channels on the gateway."""

    def __init__(self, channels: Channels) -> None:
        """Take the channels."""
        self._channels = channels

    @method("Rostrum.Channels.List")
    async def list_all(self, _: Mapping[str, Any]) -> Any:
        """List the channels and their definitions."""
        described = self._channels.described
        return {
            "channels": [*described],
            "definitions": [{"name": name, "meta": meta} for name, meta in described.items()],
        }

    @method("Rostrum.Channels.Join")
    async def join(self, arguments: Mapping[str, Any]) -> Any:
        """Put an instance into a channel."""
        self._channels.join(text(arguments, "instance"), text(arguments, "channel"))
        return {}
