"""notifications: messages of apps to the user, and their display."""

from typing import Literal

from rostrum.settings.scope import Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Amount, AppNames, Strings


class Snooze(Section):
    """Snoozing of notifications."""

    enabled: bool = setting(default=False, text="Allow users to snooze notifications.", since="9.3")
    duration: Amount = setting(60000, "Snooze duration.", unit=Unit.MS)


class Placement(Section):
    """Position of notifications."""

    panel: Literal["left", "right"] = setting("right", "Side of the panel.", since="9.2")
    toasts: Literal["top-left", "top-right", "bottom-left", "bottom-right"] = setting(
        "bottom-right", "Corner of the toasts."
    )


class SourceFilter(Section):
    """Apps that are allowed to send notifications."""

    allowed: AppNames = setting(("*",), "Apps that can send notifications; * allows all apps.")
    blocked: Strings | None = setting(None, "Apps that cannot send notifications.")


class Toasts(Section):
    """Arrangement of toasts."""

    mode: Literal["single", "stacked"] = setting("single", "Show toasts one by one or in stacks.")
    stack_by: Literal["severity", "application"] = setting("severity", "Property by which toasts are stacked.")


class Notifications(Section):
    """Notifications."""

    enabled: bool = setting(default=True, text="Enable notifications.")
    enable_toasts: bool = setting(default=True, text="Show toasts.")
    close_notification_on_click: bool | None = setting(None, "Close a notification when it is clicked.", since="9.6")
    show_notification_badge: bool | None = setting(None, "Show the number of notifications as a badge.", since="9.4")
    toast_expiry: Amount = setting(15000, "Duration of a toast.", unit=Unit.MS)
    snooze: Snooze = setting(Snooze, "Snoozing of notifications.")
    placement: Placement = setting(Placement, "Position of notifications.")
    source_filter: SourceFilter = setting(SourceFilter, "Apps that are allowed to send notifications.")
    toasts: Toasts = setting(Toasts, "Arrangement of toasts.")
