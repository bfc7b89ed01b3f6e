"""interception: apps that step between a call and the platform."""

from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Strings


class Interception(Section, since="9.6"):
    """Interception of platform operations."""

    enabled: bool = setting(default=False, text="Let apps intercept operations.")
    applications: Strings | None = setting(None, "Apps that may register handlers.")
