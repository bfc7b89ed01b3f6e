"""channels: the colour channels by which apps share context."""

from pydantic import ConfigDict

from rostrum.settings.scope import Stream
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Colour

__all__ = ["Channel", "Channels"]


class ChannelMeta(Section, since="10.0", stream=Stream.V10):
    """What is known of a channel; firms may add what they need."""

    model_config = ConfigDict(extra="allow")

    color: Colour = setting(..., "HTML colour name or hex code.")


class Channel(Section, since="10.0", stream=Stream.V10):
    """One channel."""

    name: str = setting(..., "Name of the channel; no two channels share one.")
    meta: ChannelMeta = setting(..., "What is known of the channel.")


class Channels(Section, since="10.0", stream=Stream.V10):
    """The channels of the platform."""

    enabled: bool = setting(default=True, text="Offer channels.")
    definitions: tuple[Channel, ...] | None = setting(None, "The channels there are.", unique="name")
