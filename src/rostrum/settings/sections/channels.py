"""channels: the colour channels by which apps share context."""

from collections.abc import Iterator
from typing import Any

from pydantic import ConfigDict

from rostrum.settings.problems import Severity
from rostrum.settings.scope import Effect, Stream
from rostrum.settings.setting import Section, SectionProblem, setting
from rostrum.settings.types import Colour


class ChannelMeta(Section, since="10.0", stream=Stream.V10):
    """Metadata of a channel; firms may add members."""

    model_config = ConfigDict(extra="allow")

    color: Colour = setting(
        ..., "Colour of the channel: an HTML colour name or a hexadecimal code.", effect=Effect.PLAIN
    )
    fdc3: dict[str, Any] | None = setting(
        None,
        "If it is set, the channel is also an FDC3 user channel. The members are id, and displayMetadata with name, "
        "color and glyph.",
        addition=True,
        effect=Effect.PLAIN,
    )

    def findings(self) -> Iterator[SectionProblem]:
        """Point out an FDC3 channel that FDC3 apps cannot find."""
        if self.fdc3 is not None and not isinstance(self.fdc3.get("id"), str):
            yield SectionProblem(
                Severity.WARNING, "fdc3", "must have the text id, such as fdc3.channel.1; it has no effect"
            )


class Channel(Section, since="10.0", stream=Stream.V10):
    """One channel."""

    name: str = setting(..., "Unique name of the channel.", effect=Effect.PLAIN)
    meta: ChannelMeta = setting(..., "Metadata of the channel.")


class Channels(Section, since="10.0", stream=Stream.V10, effect=Effect.PLAIN):
    """The channels of the platform."""

    enabled: bool = setting(default=True, text="Enable channels.")
    definitions: tuple[Channel, ...] | None = setting(
        None,
        "Channels, in addition to those in channels.json. A channel with the same name replaces the one in "
        "channels.json.",
        unique="name",
    )
