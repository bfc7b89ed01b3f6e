"""Notifications: who may raise them, how they pop up, when they go, and how they come back."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rostrum.base.retry import Sleep
from rostrum.base.signal import Signal
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import Toast, WindowHost
from rostrum.desktop.services.methods import method
from rostrum.settings.sections.notifications import Notifications as NotificationSettings

__all__ = ["SEVERITIES", "Notification", "NotificationMethods", "Notifications"]

SEVERITIES = ("None", "Low", "Medium", "High", "Critical")
_EVERYONE = "*"
_MOST = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """Something an app tells the person at the desk.

    Attributes:
        app: The verified name of the app; None for a program that was started outside the platform.

    """

    id: str
    app: str | None
    title: str
    body: str = ""
    severity: str = "None"
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)


class Notifications:
    """Keeps notifications until they are closed, and shows toasts for a while.

    Attributes:
        changed: Emitted with the number of notifications, for the badge and the panel.

    """

    def __init__(
        self,
        settings: NotificationSettings,
        host: WindowHost,
        *,
        new_id: Callable[[], str],
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Take the settings and where toasts are shown."""
        self.changed: Signal[int] = Signal()
        self._settings = settings
        self._host = host
        self._new_id = new_id
        self._sleep = sleep
        self._stored: dict[str, Notification] = {}
        self._snoozed: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @property
    def all(self) -> tuple[Notification, ...]:
        """Return the notifications of the panel, oldest first; those put off are not there."""
        return tuple(one for one in self._stored.values() if one.id not in self._snoozed)

    @property
    def badge(self) -> int | None:
        """Return the number to show, when it is to be shown."""
        return len(self.all) if self._settings.show_notification_badge else None

    @property
    def panel_side(self) -> str:
        """Return the side of the panel."""
        return self._settings.placement.panel

    async def raise_(
        self, app: str | None, title: str, body: str = "", severity: str = "None", data: Mapping[str, Any] | None = None
    ) -> Notification:
        """Raise a notification; refuse those who may not, and everyone while notifications are off."""
        self._check(app, severity)
        notification = Notification(
            id=self._new_id(), app=app, title=title, body=body, severity=severity, data=data or {}
        )
        self._stored[notification.id] = notification
        while len(self._stored) > _MOST:
            await self.close(next(iter(self._stored)))
        self._report()
        await self._pop_up(notification)
        return notification

    async def click(self, notification: str) -> None:
        """Take note of a click: the toast goes, and the notification too where the settings say so."""
        if self._settings.close_notification_on_click:
            await self.close(notification)
        else:
            await self._hide(notification)

    async def snooze(self, notification: str) -> None:
        """Put a notification off; it pops up again later."""
        if not self._settings.snooze.enabled:
            raise DesktopError("notifications cannot be put off (notifications.snooze.enabled)")
        found = self._found(notification)
        await self._hide(notification)
        self._snoozed.add(notification)
        self._report()
        self._later(notification, self._return(found))

    async def close(self, notification: str) -> None:
        """Close a notification for good."""
        await self._hide(notification)
        self._snoozed.discard(notification)
        if self._stored.pop(notification, None) is not None:
            self._report()

    async def close_all(self) -> None:
        """Close every notification."""
        for notification in [*self._stored]:
            await self.close(notification)

    def _check(self, app: str | None, severity: str) -> None:
        if not self._settings.enabled:
            raise DesktopError("notifications are switched off (notifications.enabled)")
        if severity not in SEVERITIES:
            raise DesktopError(f"the severity must be one of {', '.join(SEVERITIES)}, not {severity!r}")
        filters = self._settings.source_filter
        blocked = filters.blocked or ()
        allowed = _EVERYONE in filters.allowed or app in filters.allowed
        if not allowed or app in blocked or _EVERYONE in blocked:
            who = "a program started outside the platform" if app is None else app
            raise DesktopError(f"{who} may not raise notifications (notifications.sourceFilter)")

    async def _pop_up(self, notification: Notification) -> None:
        if not self._settings.enable_toasts:
            return
        toasts = self._settings.toasts
        stack = None
        if toasts.mode == "stacked":
            stack = notification.severity if toasts.stack_by == "severity" else notification.app
        await self._host.show_toast(
            Toast(
                id=notification.id,
                title=notification.title,
                body=notification.body,
                severity=notification.severity,
                stack=stack,
                corner=self._settings.placement.toasts,
            )
        )
        self._later(notification.id, self._expire(notification.id))

    async def _expire(self, notification: str) -> None:
        await self._sleep(self._settings.toast_expiry / 1000)
        await self._host.hide_toast(notification)

    async def _return(self, notification: Notification) -> None:
        await self._sleep(self._settings.snooze.duration / 1000)
        self._snoozed.discard(notification.id)
        self._report()
        # The task that shows it again is not the one that waits here.
        self._tasks.pop(notification.id, None)
        await self._pop_up(notification)

    async def _hide(self, notification: str) -> None:
        task = self._tasks.pop(notification, None)
        if task is not None:
            task.cancel()
            await self._host.hide_toast(notification)

    def _later(self, notification: str, what: Any) -> None:
        self._tasks[notification] = asyncio.create_task(what, name=f"notification {notification}")

    def _found(self, notification: str) -> Notification:
        found = self._stored.get(notification)
        if found is None:
            raise DesktopError("there is no such notification")
        return found

    def _report(self) -> None:
        self.changed.emit(len(self.all))


class NotificationMethods:
    """Notifications on the gateway."""

    def __init__(self, notifications: Notifications) -> None:
        """Take the notifications."""
        self._notifications = notifications

    @method("Rostrum.Notifications.Raise")
    async def raise_(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Raise a notification of the calling app."""
        raised = await self._notifications.raise_(
            caller.application,
            text(arguments, "title"),
            str(arguments.get("body") or ""),
            str(arguments.get("severity") or "None"),
            arguments.get("data"),
        )
        return {"id": raised.id}

    @method("Rostrum.Notifications.List")
    async def list_all(self, _: Mapping[str, Any]) -> Any:
        """List the notifications of the panel."""
        return {
            "notifications": [asdict(one) for one in self._notifications.all],
            "badge": self._notifications.badge,
            "panel": self._notifications.panel_side,
        }

    @method("Rostrum.Notifications.Close")
    async def close(self, arguments: Mapping[str, Any]) -> Any:
        """Close a notification."""
        await self._notifications.close(text(arguments, "id"))
        return {}

    @method("Rostrum.Notifications.Click")
    async def click(self, arguments: Mapping[str, Any]) -> Any:
        """Report a click on a notification."""
        await self._notifications.click(text(arguments, "id"))
        return {}

    @method("Rostrum.Notifications.Snooze")
    async def snooze(self, arguments: Mapping[str, Any]) -> Any:
        """Put a notification off."""
        await self._notifications.snooze(text(arguments, "id"))
        return {}
