"""Channels: named contexts that apps join to share data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from rostrum.base.signal import Signal
from rostrum.desktop.arguments import text
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.methods import method
from rostrum.settings.sections.channels import Channel
from rostrum.settings.sections.channels import Channels as ChannelSettings

_PREFIX = "___channel___"
DELIMITER = "+++"
"""Separates the names of several channels in one text."""
_MOST_ADDED = 200
_LONGEST_NAME = 200


class ChannelContexts(Protocol):
    """The shared contexts that store the data of channels; a peer of the gateway provides them."""

    @property
    def names(self) -> list[str]:
        """List the contexts that exist."""
        ...

    async def get(self, name: str) -> dict[str, Any]:
        """Return the data of a context."""
        ...

    async def set(self, name: str, data: dict[str, Any]) -> None:
        """Replace the data of a context."""
        ...

    async def update(self, name: str, members: Mapping[str, Any]) -> None:
        """Change members of a context."""
        ...

    async def destroy(self, name: str) -> None:
        """Remove a context."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """The channels that an instance has joined.

    Attributes:
        before: Its earlier channels.
        by: The peer that has switched its channel itself, so that no request to it is necessary; empty otherwise.
    """

    instance: str
    channels: tuple[str, ...]
    before: tuple[str, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Restriction:
    """Access of an instance to the data of a channel."""

    read: bool = True
    write: bool = True


class Channels:
    """The channels, and the instances that have joined them.

    Attributes:
        joined: Emitted when an instance has joined or left channels.
        restricted: Emitted with an instance whose access to a channel changed.
        defined: Emitted when a channel was added or removed.
    """

    def __init__(self, settings: ChannelSettings, contexts: ChannelContexts, of_file: Iterable[Channel] = ()) -> None:
        """Use the settings, the contexts of channels, and the channels of channels.json.

        A definition in the settings replaces the channel of the same name in the file.
        """
        self.joined: Signal[Joined] = Signal()
        self.restricted: Signal[str] = Signal()
        self.defined: Signal[None] = Signal()
        self._enabled = settings.enabled
        written = {one.name: one for one in (*of_file, *(settings.definitions or ()))}
        self._described = {name: _meta(one) for name, one in written.items()}
        self._added: set[str] = set()
        self._contexts = contexts
        self._members: dict[str, tuple[str, ...]] = {}
        self._several: set[str] = set()
        self._restrictions: dict[str, dict[str, Restriction]] = {}
        self._changeable: dict[str, Mapping[str, Restriction]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Return the channels; empty if channels are disabled."""
        return tuple(self._described) if self._enabled else ()

    @property
    def described(self) -> dict[str, dict[str, Any]]:
        """Return the definition of each channel: its colour, FDC3 metadata and other members."""
        return dict(self._described) if self._enabled else {}

    @property
    def members(self) -> Mapping[str, tuple[str, ...]]:
        """Return the channels of all instances that can join channels; empty for instances without a channel."""
        return dict(self._members)

    async def open(self) -> None:
        """Create the context of each channel, with its definition and its earlier data."""
        for name, meta in self.described.items():
            known = await self._contexts.get(_PREFIX + name)
            await self._contexts.set(_PREFIX + name, {"name": name, "meta": meta, "data": known.get("data") or {}})

    async def add(self, name: str, color: str, label: str | None = None) -> None:
        """Add a channel until the platform ends."""
        self._check_enabled()
        if not name or len(name) > _LONGEST_NAME or DELIMITER in name:
            raise DesktopError(f"the name of a channel has 1 to {_LONGEST_NAME} characters, and no {DELIMITER}")
        if name in self._described:
            raise DesktopError(f"Channel with name '{name}' already exists.")
        if len(self._added) >= _MOST_ADDED:
            raise DesktopError(f"apps have added {_MOST_ADDED} channels, which is the most that is supported")
        meta = {"color": color} | ({} if label is None else {"label": label})
        self._described[name] = meta
        self._added.add(name)
        await self._contexts.set(_PREFIX + name, {"name": name, "meta": meta, "data": {}})
        self.defined.emit(None)

    async def remove(self, name: str) -> None:
        """Remove a channel that was added while the platform runs; all instances leave it."""
        self._check_known(name)
        if name not in self._added:
            raise DesktopError(f"{name} is defined in the configuration, and cannot be removed")
        self._added.discard(name)
        del self._described[name]
        for instance, channels in self.members.items():
            self._set(instance, tuple(one for one in channels if one != name))
        for known in self._restrictions.values():
            known.pop(name, None)
        # The app that removes a channel may already have removed its context.
        if _PREFIX + name in self._contexts.names:
            await self._contexts.destroy(_PREFIX + name)
        self.defined.emit(None)

    def admit(self, instance: str, *, several: bool = False) -> None:
        """Allow a started instance to use channels; ``several`` states whether it can join more than one."""
        (self._several.add if several else self._several.discard)(instance)
        self._members.setdefault(instance, ())

    def restore(self, instance: str, channels: Iterable[str]) -> None:
        """Join an instance to the channels of a layout or a definition that still exist."""
        wanted = tuple(one for one in channels if one in self.names)
        if wanted:
            self._set(instance, wanted if instance in self._several else wanted[:1])

    def restore_restrictions(self, instance: str, restrictions: Mapping[str, Restriction]) -> None:
        """Apply the restrictions of a layout to an instance, except protected ones and those of missing channels."""
        for channel, one in restrictions.items():
            if channel in self.names:
                self._restrict(instance, (channel,), read=one.read, write=one.write)

    def protect(self, instance: str, changeable: Mapping[str, Restriction]) -> None:
        """Set which restrictions of an instance can be changed (true); those of channels that are not listed can."""
        self._changeable[instance] = changeable

    def forget(self, instance: str) -> None:
        """Remove an ended instance."""
        self._changeable.pop(instance, None)
        self._several.discard(instance)
        self._restrictions.pop(instance, None)
        self._members.pop(instance, None)

    def is_multiple(self, instance: str) -> bool:
        """Return whether an instance can join several channels."""
        return instance in self._several

    def join(self, instance: str, *channels: str, by: str = "") -> None:
        """Join an instance to channels; it leaves its earlier channel unless it can join several."""
        for channel in channels:
            self._check_known(channel)
        before = self.of(instance)
        if instance in self._several:
            self._set(instance, (*before, *(one for one in channels if one not in before)), by)
        else:
            self._set(instance, channels[-1:], by)

    def leave(self, instance: str, *channels: str, by: str = "") -> None:
        """Remove an instance from channels, or from all of them."""
        if instance in self._members:
            left = (one for one in self.of(instance) if channels and one not in channels)
            self._set(instance, tuple(left), by)

    def choose(self, instance: str, channels: Iterable[str], by: str = "") -> None:
        """Set the channels of an instance."""
        wanted = tuple(dict.fromkeys(channels))
        for channel in wanted:
            self._check_known(channel)
        if len(wanted) > 1 and instance not in self._several:
            raise DesktopError("the window can be in one channel only (windows.channelSelector.type)")
        self._set(instance, wanted, by)

    def of(self, instance: str) -> tuple[str, ...]:
        """Return the channels of an instance."""
        return self._members.get(instance, ())

    def restrict(self, instance: str, channel: str, *, read: bool | None = None, write: bool | None = None) -> None:
        """Change the access of an instance to the data of a channel; None keeps a part unchanged."""
        self._check_known(channel)
        changeable = self._changeable.get(instance, {}).get(channel, Restriction())
        if (read is not None and not changeable.read) or (write is not None and not changeable.write):
            raise DesktopError(f"the definition of the app keeps its restrictions for the channel {channel}")
        self._restrict(instance, (channel,), read=read, write=write)

    def restrict_all(self, instance: str, *, read: bool | None = None, write: bool | None = None) -> None:
        """Change the access of an instance to the data of all channels."""
        self._check_enabled()
        self._restrict(instance, self.names, read=read, write=write)

    def restrictions(self, instance: str) -> Mapping[str, Restriction]:
        """Return the access of an instance to each channel for which it was set."""
        return dict(self._restrictions.get(instance, {}))

    async def publish(self, channel: str, data: Mapping[str, Any]) -> None:
        """Merge members into the data of a channel."""
        self._check_known(channel)
        before = (await self._contexts.get(_PREFIX + channel)).get("data") or {}
        await self._contexts.update(_PREFIX + channel, {"data": {**before, **data}})

    async def data(self, channel: str) -> dict[str, Any]:
        """Return the data of a channel."""
        self._check_known(channel)
        found = (await self._contexts.get(_PREFIX + channel)).get("data")
        return found if isinstance(found, dict) else {}

    def _set(self, instance: str, channels: tuple[str, ...], by: str = "") -> None:
        before = self.of(instance)
        self._members[instance] = channels
        if channels != before:
            self.joined.emit(Joined(instance=instance, channels=channels, before=before, by=by))

    def _restrict(self, instance: str, channels: Iterable[str], *, read: bool | None, write: bool | None) -> None:
        known = self._restrictions.setdefault(instance, {})
        for channel in channels:
            old = known.get(channel, Restriction())
            changeable = self._changeable.get(instance, {}).get(channel, Restriction())
            known[channel] = replace(
                old,
                read=old.read if read is None or not changeable.read else read,
                write=old.write if write is None or not changeable.write else write,
            )
        self.restricted.emit(instance)

    def _check_enabled(self) -> None:
        if not self._enabled:
            raise DesktopError("channels are disabled (channels.enabled)")

    def _check_known(self, channel: str) -> None:
        self._check_enabled()
        if channel not in self._described:
            raise DesktopError(f"there is no channel {channel!r}")


def channel_names(written: str | None) -> tuple[str, ...]:
    """Return the channels that are named in one text."""
    return tuple(name for name in (written or "").split(DELIMITER) if name)


def _meta(channel: Channel) -> dict[str, Any]:
    meta = channel.meta.model_dump(mode="json", by_alias=True)
    if meta.get("fdc3") is None:
        meta.pop("fdc3", None)
    return meta


class ChannelMethods:
    """Channels on the gateway."""

    def __init__(self, channels: Channels) -> None:
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
        """Join an instance to a channel."""
        self._channels.join(text(arguments, "instance"), text(arguments, "channel"))
        return {}
