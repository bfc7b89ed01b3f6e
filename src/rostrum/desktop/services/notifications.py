"""Notifications: permissions, toasts, closing and snoozing."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Container, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rostrum.base.retry import Sleep
from rostrum.base.shown_text import shown_text
from rostrum.base.signal import Signal
from rostrum.desktop.arguments import text
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import Toast, ToastAction, WindowHost
from rostrum.desktop.hosts.reports import (
    OwnPageClosed,
    OwnPageOpened,
    Reports,
    ToastActionChosen,
    ToastClicked,
    ToastClosed,
)
from rostrum.desktop.services.app_rights import AppRights
from rostrum.desktop.services.methods import method
from rostrum.desktop.services.notification_configuration import NotificationConfiguration
from rostrum.desktop.windows.own_pages import PANEL
from rostrum.settings.sections.notifications import Notifications as NotificationSettings

SEVERITIES = ("None", "Low", "Medium", "High", "Critical")
STATES = ("Active", "Acknowledged", "Seen", "Closed", "Stale", "Snoozed", "Processing")
_OLD = ("Acknowledged", "Seen", "Stale")
UNKNOWN_APP = "A program"
"""Shown in place of the app for programs that the platform has not started."""
SNOOZE = "snooze"
"""The action of a toast that postpones its notification."""
_MOST = 1000
_MOST_TOASTS = 5
"""Toasts of one app at the same time; further notifications share one toast."""
_IMPORTED = 0.05
"""What a notification without a toast counts, compared with one that has a toast."""
_SHOWN = ("id", "app", "title", "body", "severity", "data")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationAction:
    """A button of a notification.

    Attributes:
        id: Its number among the actions; a toast reports it.
        name: Its name in the app.
        details: Its other members.
    """

    id: str
    name: str
    title: str
    details: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """A message of an app to the user.

    Attributes:
        app: The verified name of the app; None for a program that was started outside the platform.
        peer: The peer that has raised it; empty for the platform itself.
        details: Members of the app that the platform does not use.
        created: When it was raised, in milliseconds since 1970.
        toast_expiry: Milliseconds for which its toast is shown; None for the default.
        panel_expiry: Milliseconds after which it is closed; None for never.
    """

    id: str
    app: str | None
    title: str
    body: str = ""
    severity: str = "None"
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)
    state: str = "Active"
    app_title: str = ""
    instance: str | None = None
    peer: str = field(default="", repr=False)
    icon: str = field(default="", repr=False)
    actions: tuple[NotificationAction, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict, repr=False)
    created: int = field(default_factory=lambda: int(time.time() * 1000))
    toast_expiry: float | None = None
    panel_expiry: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A clicked notification, or one of its actions."""

    notification: Notification
    action: NotificationAction | None = None


class Notifications:
    """Stores notifications until they are closed, and shows toasts.

    Attributes:
        changed: Emitted with the number of notifications, for the badge and the panel.
        raised: Emitted with each new notification.
        updated: Emitted with each notification whose state or details changed.
        closed: Emitted with each closed notification.
        chosen: Emitted when the user, or the app that lists notifications, clicked one.
        configured: Emitted when an app has changed the configuration.
        panel_shown: Emitted when the panel is shown or hidden.
    """

    def __init__(
        self,
        settings: NotificationSettings,
        host: WindowHost,
        *,
        new_id: Callable[[], str],
        reports: Reports | None = None,
        sleep: Sleep = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.changed: Signal[int] = Signal()
        self.raised: Signal[Notification] = Signal()
        self.updated: Signal[Notification] = Signal()
        self.closed: Signal[Notification] = Signal()
        self.chosen: Signal[Chosen] = Signal()
        self.configured: Signal[None] = Signal()
        self.panel_shown: Signal[bool] = Signal()
        self.panel_visible = False
        self._configuration = NotificationConfiguration(settings)
        self._settings = settings
        self._host = host
        self._new_id = new_id
        self._sleep = sleep
        self._monotonic = monotonic
        self._budgets: dict[str, tuple[float, float]] = {}
        self._toasts: dict[str, str] = {}
        self._merged: Counter[str] = Counter()
        self._kept: dict[str, Notification] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._expiries: dict[str, asyncio.Task[None]] = {}
        self._background = BackgroundTasks("a report of a toast was not processed")
        if reports is not None:
            reports.listen(ToastClicked, lambda one: self._background.begin(self.click(one.toast)))
            reports.listen(ToastActionChosen, lambda one: self._background.begin(self._action_chosen(one)))
            reports.listen(ToastClosed, lambda one: self._background.begin(self._toast_closed(one.toast)))
            reports.listen(OwnPageOpened, lambda one: self._page_shown(one.page, visible=True))
            reports.listen(OwnPageClosed, lambda one: self._page_shown(one.page, visible=False))

    @property
    def all(self) -> tuple[Notification, ...]:
        """Return the notifications of the panel, oldest first, without snoozed ones."""
        return tuple(one for one in self._kept.values() if one.state != "Snoozed")

    @property
    def kept(self) -> tuple[Notification, ...]:
        """Return all notifications that are not closed, oldest first."""
        return tuple(self._kept.values())

    @property
    def badge(self) -> int | None:
        """Return the number of the badge, or None if it is hidden."""
        return len(self.all) if self._settings.show_notification_badge else None

    @property
    def can_snooze(self) -> bool:
        """Return whether users may postpone notifications."""
        return self._settings.snooze.enabled

    @property
    def panel_side(self) -> str:
        """Return the side of the panel."""
        return self._configuration.panel_side

    @property
    def configuration(self) -> NotificationConfiguration:
        """Return the settings with the changes of apps."""
        return self._configuration

    def configure(self, changes: Mapping[str, Any]) -> None:
        """Change the configuration until the platform ends; an app cannot allow what the settings forbid."""
        before, self._configuration = self._configuration, self._configuration.changed(changes)
        if self.panel_side != before.panel_side:
            self._background.begin(self._host.set_panel_side(self.panel_side))
        self.configured.emit(None)

    async def open(self) -> None:
        """Set the side of the panel; the panel itself is not shown."""
        await self._host.set_panel_side(self.panel_side)

    async def raise_(
        self, app: str | None, title: str, body: str = "", severity: str = "None", data: Mapping[str, Any] | None = None
    ) -> Notification:
        """Raise a notification; rejected if the app may not notify, or if notifications are disabled."""
        return await self.add(
            Notification(id=self._new_id(), app=app, title=title, body=body, severity=severity, data=data or {})
        )

    async def add(self, notification: Notification, *, toast: bool = True) -> Notification:
        """Raise a notification with all its members; it gets a new id if it has none, or one that is in use."""
        self._check(notification.app, notification.severity, notification.state)
        self._spend(_source(notification), 1 if toast else _IMPORTED)
        notification = replace(
            notification,
            title=shown_text(notification.title),
            body=shown_text(notification.body),
            app_title=shown_text(notification.app_title),
            actions=tuple(replace(one, title=shown_text(one.title)) for one in notification.actions),
        )
        if not notification.id or notification.id in self._kept:
            notification = replace(notification, id=self._new_id())
        self._kept[notification.id] = notification
        while len(self._kept) > _MOST:
            await self.close(next(iter(self._kept)))
        self._report_count()
        self.raised.emit(notification)
        if notification.panel_expiry is not None:
            expiry = self._close_later(notification.id, notification.panel_expiry)
            self._expiries[notification.id] = asyncio.create_task(expiry, name=f"notification {notification.id}")
        if toast and notification.state == "Active":
            await self._pop_up(notification)
        return notification

    async def click(self, notification: str, action: str | None = None, *, close: bool | None = None) -> None:
        """Forward a click to the app; the toast is removed, and the notification is closed if configured.

        ``action`` is the id or the name of an action; ``close`` overrides the settings.
        """
        found = self._kept.get(notification)
        if notification in self._merged:
            await self.show_panel(visible=True)
        if found is not None:
            self.chosen.emit(Chosen(notification=found, action=_action(found, action)))
        if self._configuration.close_on_click if close is None else close:
            await self.close(notification)
        else:
            await self._hide(notification)

    async def snooze(self, notification: str, duration: float | None = None) -> None:
        """Snooze a notification: its toast appears again after a number of milliseconds."""
        if not self._settings.snooze.enabled:
            raise DesktopError("notifications cannot be snoozed (notifications.snooze.enabled)")
        found = self.get(notification)
        await self._hide(notification)
        self._update(replace(found, state="Snoozed"))
        self._report_count()
        self._later(notification, self._return(notification, duration))

    def set_state(self, notification: str, state: str) -> None:
        """Change the state of a notification that stays open."""
        if state not in STATES or state == "Closed":
            raise DesktopError(f"the state must be one of {', '.join(one for one in STATES if one != 'Closed')}")
        self._update(replace(self.get(notification), state=state))
        self._report_count()

    def set_details(self, notification: str, details: Mapping[str, Any]) -> None:
        """Replace the members of the app that the platform does not use."""
        self._update(replace(self.get(notification), details=dict(details)))

    def get(self, notification: str) -> Notification:
        """Return a notification that is not closed."""
        found = self._kept.get(notification)
        if found is None:
            raise DesktopError("there is no such notification")
        return found

    async def close(self, notification: str) -> None:
        """Close a notification for good."""
        await self._hide(notification)
        expiry = self._expiries.pop(notification, None)
        if expiry is not None and expiry is not asyncio.current_task():
            expiry.cancel()
        found = self._kept.pop(notification, None)
        if found is not None:
            self._report_count()
            self.closed.emit(replace(found, state="Closed"))

    async def close_all(self, notifications: Iterable[str] | None = None) -> None:
        """Close some notifications, or every one."""
        for notification in [*self._kept] if notifications is None else notifications:
            await self.close(notification)

    async def close_old(self, among: Container[str]) -> None:
        """Close those of some notifications that the user has handled."""
        await self.close_all([one.id for one in self.kept if one.state in _OLD and one.id in among])

    async def show_panel(self, *, visible: bool) -> None:
        """Show the panel, or hide it."""
        if visible:
            await self._host.show_own(PANEL)
        else:
            await self._host.hide_own(PANEL)
        self._page_shown(PANEL, visible=visible)

    async def stop(self) -> None:
        """Close all notifications, and cancel pending work."""
        await self._background.cancel()
        await self.close_all()

    def _check(self, app: str | None, severity: str, state: str) -> None:
        if not self._configuration.enabled:
            raise DesktopError("notifications are disabled (notifications.enabled)")
        if severity not in SEVERITIES:
            raise DesktopError(f"the severity must be one of {', '.join(SEVERITIES)}, not {severity!r}")
        if state not in STATES:
            raise DesktopError(f"the state must be one of {', '.join(STATES)}, not {state!r}")
        if not self._configuration.allows(app):
            who = "a program started outside the platform" if app is None else app
            raise DesktopError(f"{who} may not raise notifications (notifications.sourceFilter)")

    def _spend(self, source: str, cost: float) -> None:
        """Refuse notifications of an app that raises more than the settings allow, so that users see all others."""
        most, now = self._settings.most_per_minute, self._monotonic()
        if len(self._budgets) >= _MOST:
            # Sources that have raised nothing for a minute have their complete budget.
            self._budgets = {one: known for one, known in self._budgets.items() if now - known[1] < 60}
        left, then = self._budgets.get(source, (most, now))
        left = min(most, left + (now - then) * most / 60)
        if left < cost:
            raise DesktopError(f"an app can raise {most:g} notifications in a minute (notifications.mostPerMinute)")
        self._budgets[source] = left - cost, now

    async def _pop_up(self, notification: Notification) -> None:
        configuration = self._configuration
        if not configuration.toasts or configuration.is_muted(notification.app):
            return
        source, corner = _source(notification), configuration.toast_corner
        name = notification.app_title or notification.app or UNKNOWN_APP
        if list(self._toasts.values()).count(source) >= _MOST_TOASTS:
            identity = f"more of {source}"
            self._merged[identity] += 1
            title = f"{self._merged[identity]} more notifications"
            merged = Toast(id=identity, title=title, body="", severity="None", stack=None, corner=corner, app=name)
            await self._host.show_toast(merged)
            self._cancel(identity)
            self._later(identity, self._expire(replace(notification, id=identity, toast_expiry=None)))
            return
        self._toasts[notification.id] = source
        stack = None
        if configuration.toast_mode == "stacked":
            stack = notification.severity if configuration.stack_by == "severity" else notification.app
        await self._host.show_toast(
            Toast(
                id=notification.id,
                title=notification.title,
                body=notification.body,
                severity=notification.severity,
                stack=stack,
                corner=corner,
                app=name,
                icon=notification.icon,
                actions=tuple(ToastAction(id=one.id, title=one.title) for one in notification.actions),
                snooze=self._settings.snooze.enabled,
            )
        )
        self._later(notification.id, self._expire(notification))

    async def _expire(self, notification: Notification) -> None:
        usual = self._configuration.toast_expiry
        await self._sleep((usual if notification.toast_expiry is None else notification.toast_expiry) / 1000)
        self._forget_toast(notification.id)
        await self._host.hide_toast(notification.id)

    async def _return(self, notification: str, duration: float | None) -> None:
        await self._sleep((self._settings.snooze.duration if duration is None else duration) / 1000)
        found = self._kept.get(notification)
        if found is None:
            return
        returned = replace(found, state="Active")
        self._update(returned)
        self._report_count()
        # The task that shows it again is not the one that waits here.
        self._tasks.pop(notification, None)
        await self._pop_up(returned)

    async def _close_later(self, notification: str, milliseconds: float) -> None:
        await self._sleep(milliseconds / 1000)
        await self.close(notification)

    async def _hide(self, notification: str) -> None:
        self._forget_toast(notification)
        if self._cancel(notification):
            await self._host.hide_toast(notification)

    def _cancel(self, notification: str) -> bool:
        task = self._tasks.pop(notification, None)
        if task is not None:
            task.cancel()
        return task is not None

    def _forget_toast(self, toast: str) -> None:
        self._toasts.pop(toast, None)
        self._merged.pop(toast, None)

    async def _action_chosen(self, report: ToastActionChosen) -> None:
        if report.action == SNOOZE:
            await self.snooze(report.toast)
        else:
            await self.click(report.toast, report.action)

    async def _toast_closed(self, notification: str) -> None:
        await self._hide(notification)

    def _page_shown(self, page: str, *, visible: bool) -> None:
        if page == PANEL and self.panel_visible != visible:
            self.panel_visible = visible
            self.panel_shown.emit(visible)

    def _update(self, notification: Notification) -> None:
        if notification != self._kept.get(notification.id):
            self._kept[notification.id] = notification
            self.updated.emit(notification)

    def _later(self, notification: str, what: Coroutine[Any, Any, None]) -> None:
        self._tasks[notification] = asyncio.create_task(what, name=f"notification {notification}")

    def _report_count(self) -> None:
        self.changed.emit(len(self.all))


def _source(notification: Notification) -> str:
    return notification.app or notification.peer


def _action(notification: Notification, wanted: str | None) -> NotificationAction | None:
    if wanted is None:
        return None
    for one in notification.actions:
        if wanted in (one.id, one.name):
            return one
    raise DesktopError(f"the notification has no action {wanted!r}")


class NotificationMethods:
    """Notifications on the gateway."""

    def __init__(self, notifications: Notifications, rights: AppRights) -> None:
        self._notifications = notifications
        self._rights = rights

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
    async def list_all(self, _: Mapping[str, Any], caller: Caller) -> Any:
        """List the notifications of the panel."""
        listed = [one for one in self._notifications.all if may_see(self._rights, caller, one)]
        return {
            "notifications": [
                {**{name: getattr(one, name) for name in _SHOWN}, "source": one.app_title or one.app or UNKNOWN_APP}
                for one in listed
            ],
            "badge": self._notifications.badge,
            "panel": self._notifications.panel_side,
            "snooze": self._notifications.can_snooze,
        }

    @method("Rostrum.Notifications.Close")
    async def close(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Close a notification."""
        await self._notifications.close(self._id(arguments, caller))
        return {}

    @method("Rostrum.Notifications.Click")
    async def click(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Report a click on a notification."""
        await self._notifications.click(self._id(arguments, caller, click=True))
        return {}

    @method("Rostrum.Notifications.Snooze")
    async def snooze(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Snooze a notification."""
        await self._notifications.snooze(self._id(arguments, caller))
        return {}

    def _id(self, arguments: Mapping[str, Any], caller: Caller, *, click: bool = False) -> str:
        """Return the notification that a call names, if the caller may use it."""
        identity = text(arguments, "id")
        found = next((one for one in self._notifications.kept if one.id == identity), None)
        if found is not None:
            require_notification(self._rights, caller, found, click=click)
        return identity


def may_see(rights: AppRights, caller: Caller, notification: Notification) -> bool:
    """Return whether a caller may list a notification, change and close it."""
    return _is_own(caller, notification) or rights.has(caller, "notifications")


def require_notification(rights: AppRights, caller: Caller, notification: Notification, *, click: bool = False) -> None:
    """Reject a caller that may not change a notification, or click on it."""
    if not _is_own(caller, notification):
        what = "click on" if click else "use"
        rights.require(caller, "notification_clicks" if click else "notifications", f"{what} notifications of others")


def _is_own(caller: Caller, notification: Notification) -> bool:
    return caller.peer == notification.peer or (
        caller.application is not None and caller.application == notification.app
    )
