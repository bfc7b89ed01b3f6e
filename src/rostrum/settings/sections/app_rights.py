"""appRights: rights of apps beyond their own windows and data."""

from rostrum.settings.scope import Effect
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import AppNames


class AppRights(Section, effect=Effect.PERMISSION):
    """Apps that may do more than use their own windows and data; * allows all apps."""

    hotkeys: AppNames = setting(("*",), "Apps that can register global hotkeys.", addition=True)
    navigation: AppNames = setting(
        (), "Apps that can load other addresses in windows of other apps, and go back or forward there.", addition=True
    )
    downloads: AppNames = setting((), "Apps that can download files through windows of other apps.", addition=True)
    printing: AppNames = setting((), "Apps that can print windows of other apps, also to PDF.", addition=True)
    dev_tools: AppNames = setting((), "Apps that can open developer tools for windows of other apps.", addition=True)
    dialogs: AppNames = setting((), "Apps that can show dialogs in windows of other apps.", addition=True)
    preferences: AppNames = setting(
        ("*",), "Apps that can read and change the preferences of other apps.", addition=True
    )
    notifications: AppNames = setting(
        ("*",),
        "Apps that can list, change and close notifications of other apps, and configure notifications.",
        addition=True,
    )
    notification_clicks: AppNames = setting(
        (), "Apps that can click on notifications of other apps, such as a notification panel.", addition=True
    )
