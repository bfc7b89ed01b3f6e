"""notifications: what apps tell the user, and how it is shown."""

from typing import Literal

from rostrum.settings.scope import Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Amount, AppNames, Strings


class Snooze(Section):
    """Putting a notification off."""

    enabled: bool = setting(default=False, text="Let users put notifications off.", since="9.3")
    duration: Amount = setting(60000, "How long a notification stays away.", unit=Unit.MS)


class Placement(Section):
    """Where notifications appear."""

    panel: Literal["left", "right"] = setting("right", "Side of the panel.", since="9.2")
    toasts: Literal["top-left", "top-right", "bottom-left", "bottom-right"] = setting(
        "bottom-right", "Corner of the toasts."
    )


class SourceFilter(Section):
    """Who may notify."""

    allowed: AppNames = setting(("*",), "Apps that may notify; * lets all of them.")
    blocked: Strings | None = setting(None, "Apps that may not notify.")


class Toasts(Section):
    """How toasts are arranged."""

    mode: Literal["single", "stacked"] = setting("single", "One by one or in stacks.")
    stack_by: Literal["severity", "application"] = setting("severity", "What the toasts of a stack share.")


class Notifications(Section):
    """Notifications."""

    enabled: bool = setting(default=True, text="Offer notifications.")
    enable_toasts: bool = setting(default=True, text="Show toasts.")
    close_notification_on_click: bool | None = setting(None, "Close a notification when it is clicked.", since="9.6")
    show_notification_badge: bool | None = setting(None, "Show the number of notifications as a badge.", since="9.4")
    toast_expiry: Amount = setting(15000, "How long a toast stays.", unit=Unit.MS)
    snooze: Snooze = setting(Snooze, "Putting notifications off.")
    placement: Placement = setting(Placement, "Where notifications appear.")
    source_filter: SourceFilter = setting(SourceFilter, "Who may notify.")
    toasts: Toasts = setting(Toasts, "How toasts are arranged.")
