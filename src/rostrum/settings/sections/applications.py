"""applications, envVars and interception: settings of all apps."""

from typing import Any

from rostrum.settings.scope import Effect, Stream
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Strings


class Applications(Section, effect=Effect.PLAIN):
    """Settings of all apps."""

    title_format: str | None = setting(
        None,
        "Format of window titles. {title} is replaced by the title of the app, {instanceIndex} by the number of the "
        "instance, starting at 1.",
        effect=Effect.PLAIN,
    )
    close_on_hibernate: bool = setting(default=True, text="Close the apps of a layout when the layout is hibernated.")


class EnvVars(Section, stream=Stream.V10, effect=Effect.CODE):
    """Environment variables; the 9.0 stream has them in gilding.json."""

    set: dict[str, Any] | None = setting(
        None,
        "Names and values of environment variables of apps. %NAME% in a value is replaced by the value of another "
        "variable. An empty value removes the variable.",
        addition=True,
    )


class Interception(Section, since="9.6", effect=Effect.PERMISSION):
    """Interception of platform operations."""

    enabled: bool = setting(
        default=False, text="Allow apps to intercept operations of the platform before they are executed."
    )
    applications: Strings | None = setting(None, "Apps that can intercept operations.")
