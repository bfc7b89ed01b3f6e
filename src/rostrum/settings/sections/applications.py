"""applications, envVars and interception: settings of all apps."""

from typing import Any

from rostrum.settings.scope import Stream
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Strings


class Applications(Section):
    """Settings of all apps."""

    title_format: str | None = setting(
        None, "Pattern of window titles, with {title} and {instanceIndex}, which counts from 1."
    )
    close_on_hibernate: bool = setting(default=True, text="Close apps when their layout hibernates.")


class EnvVars(Section, stream=Stream.V10):
    """Environment variables; the 9.0 stream has them in gilding.json."""

    set: dict[str, Any] | None = setting(
        None,
        "Names and values; %NAME% in a value stands for another variable, an empty text removes the variable.",
        addition=True,
    )


class Interception(Section, since="9.6"):
    """Interception of platform operations."""

    enabled: bool = setting(default=False, text="Allow apps to intercept operations.")
    applications: Strings | None = setting(None, "Apps that may register handlers.")
