"""The apps and channels of a user."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.fdc3 import Directory, UserChannel, user_channels


class ChannelDefinition(NamedTuple):
    """A channel of the platform, with its FDC3 user channel.

    Attributes:
        name: Its name on the platform.
        meta: Its metadata: colour, FDC3 metadata and other members.
    """

    name: str
    meta: Mapping[str, Any]
    user_channel: UserChannel


class Profile(NamedTuple):
    """The apps and channels of a user."""

    directory: Directory
    channels: tuple[ChannelDefinition, ...]


class ProfileUnavailable(RostrumError):
    """The apps and channels of a user are not available; the message contains the reason."""


class Profiles(Protocol):
    """Reads the profiles of users.

    Attributes:
        changed: Emitted with a user whose apps or channels may have changed.

    """

    changed: Signal[str]

    async def read(self, user: str) -> Profile:
        """Return the profile of a user; raise ProfileUnavailable if it cannot be read."""
        ...


def channel_definitions(definitions: Iterable[Mapping[str, Any]]) -> tuple[ChannelDefinition, ...]:
    """Read channel definitions from channels.json and the settings; invalid ones are omitted."""
    found: dict[str, ChannelDefinition] = {}
    for definition in definitions:
        for channel in user_channels((definition,)):
            meta = definition.get("meta")
            one = ChannelDefinition(definition["name"], meta if isinstance(meta, Mapping) else {}, channel)
            found.setdefault(channel.id, one)
    return tuple(found.values())
