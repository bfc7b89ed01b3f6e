"""autoUpdater: new versions fetched and applied."""

from typing import Annotated, Literal

from pydantic import Field

from rostrum.settings.scope import Stream, Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Number

__all__ = ["AutoUpdater", "ServiceSource", "StaticStorageSource"]

_KIND = "Kind of place the updates come from."


class ServiceSource(Section, since="10.0", stream=Stream.V10):
    """An update service; it is asked at baseUrl/platform/version/channel."""

    type: Literal["Service"] = setting(..., _KIND)
    base_url: str = setting(..., "Start of the address.")
    channel: str | None = setting(None, "Last part of the address of a service.")


class StaticStorageSource(Section, since="10.0", stream=Stream.V10):
    """A static storage."""

    type: Literal["StaticStorage"] = setting(..., _KIND)
    base_url: str = setting(..., "Start of the address.")


UpdateSource = Annotated[ServiceSource | StaticStorageSource, Field(discriminator="type")]


class AutoUpdater(Section, since="10.0", stream=Stream.V10):
    """Automatic updates of installed builds; archives are not updated."""

    enabled: bool = setting(default=False, text="Look for updates.")
    notify_user: bool = setting(default=True, text="Ask the user to apply an update once it is downloaded.")
    update_interval_minutes: Number = setting(10, "How often to look.", unit=Unit.MINUTES, ge=5)
    update_source: UpdateSource | None = setting(None, "Where updates come from.", required=True)
