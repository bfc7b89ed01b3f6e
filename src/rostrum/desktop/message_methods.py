"""Notifications and alerts as methods on the gateway."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller

if TYPE_CHECKING:
    from rostrum.desktop.platform import Platform

__all__ = ["MESSAGE_IDENTITY_METHODS", "MESSAGE_METHODS"]


async def _raise_notification(platform: "Platform", arguments: Mapping[str, Any], caller: Caller) -> Any:
    raised = await platform.notifications.raise_(
        caller.application,
        text(arguments, "title"),
        str(arguments.get("body") or ""),
        str(arguments.get("severity") or "None"),
        arguments.get("data"),
    )
    return {"id": raised.id}


async def _list_notifications(platform: "Platform", _: Mapping[str, Any]) -> Any:
    notifications = platform.notifications
    return {
        "notifications": [asdict(one) for one in notifications.all],
        "badge": notifications.badge,
        "panel": notifications.panel_side,
    }


async def _close_notification(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.notifications.close(text(arguments, "id"))
    return {}


async def _click_notification(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.notifications.click(text(arguments, "id"))
    return {}


async def _snooze_notification(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.notifications.snooze(text(arguments, "id"))
    return {}


async def _show_alert(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    return {"id": await platform.alerts.show(text(arguments, "text"))}


MESSAGE_METHODS = {
    "Rostrum.Notifications.List": _list_notifications,
    "Rostrum.Notifications.Click": _click_notification,
    "Rostrum.Notifications.Snooze": _snooze_notification,
    "Rostrum.Notifications.Close": _close_notification,
    "Rostrum.Alerts.Show": _show_alert,
}

MESSAGE_IDENTITY_METHODS = {
    "Rostrum.Notifications.Raise": _raise_notification,
}
