"""notifications: messages of apps to the user, and their display."""

from typing import Literal

from rostrum.settings.scope import Effect, Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Amount, AppNames, Strings


class Snooze(Section, effect=Effect.PLAIN):
    """Snoozing of notifications."""

    enabled: bool = setting(default=False, text="Allow users to snooze notifications.", since="9.3")
    duration: Amount = setting(60000, "Time after which a snoozed notification is shown again.", unit=Unit.MS)


class Placement(Section, effect=Effect.PLAIN):
    """Position of notifications."""

    panel: Literal["left", "right"] = setting(
        "right", "Side of the screen on which the notification panel opens.", since="9.2"
    )
    toasts: Literal["top-left", "top-right", "bottom-left", "bottom-right"] = setting(
        "bottom-right", "Corner of the screen in which toasts are shown."
    )


class SourceFilter(Section):
    """Apps that are allowed to send notifications."""

    allowed: AppNames = setting(("*",), "Apps that can send notifications; * allows all apps.", effect=Effect.PLAIN)
    blocked: Strings | None = setting(None, "Apps that cannot send notifications.", effect=Effect.PLAIN)


class Toasts(Section, effect=Effect.PLAIN):
    """Arrangement of toasts."""

    mode: Literal["single", "stacked"] = setting(
        "single", "Whether each toast is shown separately (single), or similar toasts in a stack (stacked)."
    )
    stack_by: Literal["severity", "application"] = setting(
        "severity", "Property that the toasts of a stack have in common."
    )


class Notifications(Section, effect=Effect.PLAIN):
    """Notifications."""

    enabled: bool = setting(default=True, text="Enable notifications.")
    enable_toasts: bool = setting(
        default=True, text="Show new notifications as toasts (small windows that close by themselves)."
    )
    close_notification_on_click: bool | None = setting(None, "Close a notification when it is clicked.", since="9.6")
    show_notification_badge: bool | None = setting(None, "Show the number of notifications as a badge.", since="9.4")
    toast_expiry: Amount = setting(15000, "Time for which a toast is shown.", unit=Unit.MS)
    most_per_minute: Amount = setting(
        120, "Number of notifications that an app can raise in a minute. Further ones are refused.", addition=True
    )
    snooze: Snooze = setting(Snooze, "Snoozing of notifications.")
    placement: Placement = setting(Placement, "Position of notifications.")
    source_filter: SourceFilter = setting(SourceFilter, "Apps that are allowed to send notifications.")
    toasts: Toasts = setting(Toasts, "Arrangement of toasts.")
