"""appRights: rights of apps beyond their own windows and data."""

from rostrum.settings.scope import Effect
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import AppNames


class AppRights(Section, effect=Effect.PERMISSION):
    """Apps that may do more than use their own windows and data; * allows all apps."""

    hotkeys: AppNames = setting(("*",), "Apps that can register global hotkeys.", addition=True)
