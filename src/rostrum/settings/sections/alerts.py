"""alerts: the short messages the platform itself shows."""

from rostrum.settings.scope import Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Amount


class Alerts(Section, since="9.9"):
    """Short messages of the platform."""

    enabled: bool = setting(default=True, text="Show alerts.")
    height: Amount = setting(82, "Height of an alert.", unit=Unit.PX)
    width: Amount = setting(400, "Width of an alert.", unit=Unit.PX)
    ttl: Amount = setting(5000, "How long an alert stays.", unit=Unit.MS)
    rounded_corners: bool = setting(default=False, text="Draw alerts with rounded corners.")
    transparent: bool = setting(default=True, text="Let what is behind an alert shine through.")
    url: str | None = setting(None, "Page of an own alerts app.")
