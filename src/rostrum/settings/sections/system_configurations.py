"""systemConfigurations: the sources that settings are merged from."""

from typing import Annotated, Literal

from pydantic import Field

from rostrum.settings.scope import Effect, Stream, Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Amount, Number

_SINCE = "10.0.3"


class Impersonation(Section, since=_SINCE, stream=Stream.V10):
    """The user, group and version for which remote sources are requested."""

    user: str | None = setting(None, "User whose configuration is requested.")
    group: str = setting("*", "Group whose configuration is requested.")
    version: str | None = setting(None, "Platform version whose configuration is requested.")


class _Source(Section, since=_SINCE, stream=Stream.V10):
    source: str = setting(..., "Folder or address. Environment variables such as %NAME% are replaced.")
    configs: str = setting("*", "Names of the files that are used, separated by commas; * stands for all files.")
    priority: Number = setting(
        1000,
        "Values of a source with a higher priority override those of a source with a lower priority. If priorities "
        "are equal, the later source overrides the earlier one.",
    )
    required: bool = setting(default=False, text="If true, the platform does not start if the source cannot be read.")
    impersonation: Impersonation | None = setting(None, "User, group and version that are sent with every request.")


class PathSource(_Source, since=_SINCE, stream=Stream.V10):
    """A folder."""

    type: Literal["path"] = setting(..., "Type of the source: a folder (path), or a manager or REST service (rest).")


class RestSource(_Source, since=_SINCE, stream=Stream.V10):
    """A manager or REST service."""

    type: Literal["rest"] = setting(..., "Type of the source: a folder (path), or a manager or REST service (rest).")
    rest_backoff_factor: Amount = setting(
        1000, "Delay before the first retry. It doubles with each further retry, up to 5 minutes.", unit=Unit.MS
    )
    rest_retries: Amount = setting(3, "Number of retries after a failed request.")
    rest_timeout: Amount = setting(30, "Time after which a request fails.", unit=Unit.S)
    rest_use_cache: bool = setting(default=True, text="Use the last stored response if a request fails.")


Source = Annotated[PathSource | RestSource, Field(discriminator="type")]
_BUILT_IN = PathSource.model_construct(type="path", source="./config", configs="*", priority=1, required=True)


class SystemConfigurations(Section, since=_SINCE, stream=Stream.V10, effect=Effect.ADDRESS):
    """Sources of settings."""

    sources: tuple[Source, ...] = setting((_BUILT_IN,), "Sources of the configuration. Default: the folder ./config.")
    rest_fetch_interval: Amount = setting(
        60,
        "Interval at which remote sources other than the manager are fetched again while the platform runs. With 0, "
        "they are fetched only at the start.",
        unit=Unit.S,
        addition=True,
    )
