"""What an agent needs to know of its user: the apps and the channels."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.fdc3 import Directory, UserChannel, user_channels

__all__ = ["ChannelDefinition", "Profile", "ProfileUnavailable", "Profiles", "channel_definitions"]


class ChannelDefinition(NamedTuple):
    """A channel of the platform, and the user channel of FDC3 that it is.

    Attributes:
        name: Its name on the platform.
        meta: What its definition says: colour, FDC3 metadata and anything else.

    """

    name: str
    meta: Mapping[str, Any]
    user_channel: UserChannel


class Profile(NamedTuple):
    """The apps and channels of a user."""

    directory: Directory
    channels: tuple[ChannelDefinition, ...]


class ProfileUnavailable(RostrumError):
    """The apps and channels of a user cannot be read now; the text says why."""


class Profiles(Protocol):
    """Reads the profiles of users.

    Attributes:
        changed: Emitted with a user whose apps or channels may have changed.

    """

    changed: Signal[str]

    async def read(self, user: str) -> Profile:
        """Return the profile of a user; ProfileUnavailable if it cannot be read now."""
        ...


def channel_definitions(definitions: Iterable[Mapping[str, Any]]) -> tuple[ChannelDefinition, ...]:
    """Read channels as channels.json and the settings define them; invalid ones are left out."""
    found: dict[str, ChannelDefinition] = {}
    for definition in definitions:
        for channel in user_channels((definition,)):
            meta = definition.get("meta")
            one = ChannelDefinition(definition["name"], meta if isinstance(meta, Mapping) else {}, channel)
            found.setdefault(channel.id, one)
    return tuple(found.values())
