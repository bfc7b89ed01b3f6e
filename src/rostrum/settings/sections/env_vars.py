"""envVars: environment variables that apps are started with."""

from typing import Any

from rostrum.settings.scope import Stream
from rostrum.settings.setting import Section, setting


class EnvVars(Section, stream=Stream.V10):
    """Environment variables; the 9.0 stream has them in gilding.json."""

    set: dict[str, Any] | None = setting(
        None,
        "Names and values; %NAME% in a value stands for another variable, an empty text removes the variable.",
        addition=True,
    )
