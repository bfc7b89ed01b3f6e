"""systemConfigurations: the sources that settings are merged from."""

from typing import Annotated, Literal

from pydantic import Field

from rostrum.settings.scope import Stream, Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Amount, Number

_SINCE = "10.0.3"


class Impersonation(Section, since=_SINCE, stream=Stream.V10):
    """The user, group and version for which remote sources are requested."""

    user: str | None = setting(None, "User whose configuration is requested.")
    group: str = setting("*", "Group to act for.")
    version: str | None = setting(None, "Platform version whose configuration is requested.")


class _Source(Section, since=_SINCE, stream=Stream.V10):
    source: str = setting(..., "Folder or address; environment variables are expanded.")
    configs: str = setting("*", "Comma-separated names of the files to apply.")
    priority: Number = setting(1000, "The highest priority takes precedence; among equals, the later source.")
    required: bool = setting(default=False, text="Do not start without this source.")
    impersonation: Impersonation | None = setting(None, "User, group and version that are sent with every request.")


class PathSource(_Source, since=_SINCE, stream=Stream.V10):
    """A folder."""

    type: Literal["path"] = setting(..., "Kind of source.")


class RestSource(_Source, since=_SINCE, stream=Stream.V10):
    """A manager or REST service."""

    type: Literal["rest"] = setting(..., "Kind of source.")
    rest_backoff_factor: Amount = setting(1000, "Factor of the delay between retries.", unit=Unit.MS)
    rest_retries: Amount = setting(3, "Number of retries.")
    rest_timeout: Amount = setting(30, "Request timeout.", unit=Unit.S)
    rest_use_cache: bool = setting(default=True, text="Use the last response if a request fails.")


Source = Annotated[PathSource | RestSource, Field(discriminator="type")]
_BUILT_IN = PathSource.model_construct(type="path", source="./config", configs="*", priority=1, required=True)


class SystemConfigurations(Section, since=_SINCE, stream=Stream.V10):
    """Sources of settings."""

    sources: tuple[Source, ...] = setting((_BUILT_IN,), "Sources of the configuration. Default: the folder ./config.")
    rest_fetch_interval: Amount = setting(
        60,
        "Interval at which remote sources other than the manager are fetched again while the platform runs. With 0, "
        "they are fetched only at the start.",
        unit=Unit.S,
        addition=True,
    )
