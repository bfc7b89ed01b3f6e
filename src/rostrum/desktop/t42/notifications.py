"""T42.Notifications and T42.GNS: notifications for the client libraries."""

from collections.abc import Callable, Mapping
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.base.json_text import dump, parse
from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import RESERVED_METHODS, Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.app_rights import AppRights
from rostrum.desktop.services.interception import Interceptors
from rostrum.desktop.services.methods import Operation
from rostrum.desktop.services.notifications import (
    Chosen,
    Notification,
    NotificationAction,
    Notifications,
    may_see,
    require_notification,
)
from rostrum.desktop.t42.commands import Command, commands, flag, mapping, optional_text, refusing, text_list
from rostrum.gateway import LocalPeer
from rostrum.gateway.local.methods import LocalStream, RemoteMethod, Subscriber

_RAISE = "T42.GNS.Publish.RaiseNotification"
_EVENTS = "T42.GNS.Subscribe.Notifications"
_COUNTER = "T42.Notifications.Counter"
_EXECUTE = "T42.Notifications.Execute"
_HANDLER = "T42.Notifications.Handler-"
_LARGEST = 256 * 1024
_MOST_ACTIONS = 10
_MOST_IMPORTED = 1000
_LONGEST_ID = 200
_DAY = 86_400_000
_CHANGES = "changes"
"""The branch of subscribers that receive changes instead of complete notifications."""
_OURS = ("T42.", "apps.", RESERVED_METHODS)

Describe = Callable[[Notification], dict[str, Any]]


async def offer(
    peer: LocalPeer,
    notifications: Notifications,
    titles: Callable[[str], str],
    *,
    callers: Callers,
    calls: AppCalls,
    interceptors: Interceptors,
    rights: AppRights,
) -> None:
    """Register the methods and streams, and notify apps of the results of their notifications.

    ``titles`` returns the title of an app.
    """
    methods = _Methods(notifications, titles, interceptors, rights)
    for name, command in (
        (_RAISE, methods.raise_),
        ("T42.Notifications.Filter", methods.filter),
        ("T42.Notifications.Configure", methods.configure),
        ("T42.Notifications.Show", methods.show_panel),
        ("T42.Notifications.Hide", methods.hide_panel),
    ):
        await peer.methods.register(name, refusing(callers, command))
    await peer.methods.register(_EXECUTE, commands(callers, _EXECUTE, methods.commands))
    viewers = _Viewers(callers, rights)
    events = await peer.methods.stream(_EVENTS, viewers.branch_of)
    _follow(notifications, events, await peer.methods.stream(_COUNTER), viewers)
    answers = _Answers(notifications, calls)
    answers.follow()


class _Methods:
    def __init__(
        self, notifications: Notifications, titles: Callable[[str], str], interceptors: Interceptors, rights: AppRights
    ) -> None:
        self._rights = rights
        self._notifications = notifications
        self._titles = titles
        self._interceptors = interceptors
        self.commands: dict[str, Command] = {
            "list": self._list,
            "getConfiguration": self._configuration,
            "isPanelVisible": self._is_panel_visible,
            "click": self._click,
            "clear": self._clear,
            "clearMany": self._clear_many,
            "clearAll": self._clear_all,
            "clearAllOld": self._clear_old,
            "snooze": self._snooze,
            "snoozeMany": self._snooze_many,
            "updateState": self._set_state,
            "updateStates": self._set_states,
            "create-or-update-attribute": self._set_attribute,
            "importNotifications": self._import,
        }

    async def raise_(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        written = mapping(arguments, "notification")
        asked = Operation(area="Notifications", name="Raise", arguments=dict(written), caller=caller.peer)
        allowed = (await self._interceptors.passed(asked)).arguments
        raised = await self._notifications.add(self._read(allowed, caller))
        return {"id": raised.id}

    async def filter(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        wanted = {name: arguments[name] for name in ("allowed", "blocked", "muted") if name in arguments}
        if wanted:
            self._rights.require(caller, "notifications", "configure notifications")
            self._notifications.configure({"sourceFilter": wanted})
        return self._notifications.configuration.source_filter

    async def configure(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        self._rights.require(caller, "notifications", "configure notifications")
        self._notifications.configure(arguments)
        return self._notifications.configuration.described()

    async def show_panel(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        # Without an argument, the panel is toggled.
        visible = flag(arguments, "show")
        await self._notifications.show_panel(
            visible=not self._notifications.panel_visible if visible is None else visible
        )
        return {}

    async def hide_panel(self, _: Mapping[str, Any], __: Caller) -> Any:
        await self._notifications.show_panel(visible=False)
        return {}

    async def _list(self, _: Mapping[str, Any], caller: Caller) -> Any:
        return {"notifications": [_described(one) for one in self._seen_by(caller)]}

    async def _configuration(self, _: Mapping[str, Any], __: Caller) -> Any:
        return self._notifications.configuration.described()

    async def _is_panel_visible(self, _: Mapping[str, Any], __: Caller) -> Any:
        return {"panelVisible": self._notifications.panel_visible}

    async def _click(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        found = self._notifications.get(text(arguments, "id"))
        require_notification(self._rights, caller, found, click=True)
        wanted = optional_text(arguments, "action")
        action = None if wanted is None else _action_id(found, wanted)
        await self._notifications.click(found.id, action, close=flag(mapping(arguments, "options"), "close"))
        return {}

    async def _clear(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        await self._notifications.close(self._one(arguments, caller).id)
        return {}

    async def _clear_many(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        wanted = set(text_list(arguments, "notifications") or ())
        await self._notifications.close_all([one.id for one in self._seen_by(caller) if one.id in wanted])
        return {}

    async def _clear_all(self, _: Mapping[str, Any], caller: Caller) -> Any:
        await self._notifications.close_all([one.id for one in self._seen_by(caller)])
        return {}

    async def _clear_old(self, _: Mapping[str, Any], caller: Caller) -> Any:
        await self._notifications.close_old([one.id for one in self._seen_by(caller)])
        return {}

    async def _snooze(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        duration = _milliseconds(arguments, "duration")
        await self._notifications.snooze(self._one(arguments, caller).id, duration)
        return {}

    async def _snooze_many(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        duration = _milliseconds(arguments, "duration")
        for one in self._several(arguments, caller):
            await self._notifications.snooze(one, duration)
        return {}

    async def _set_state(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        self._notifications.set_state(self._one(arguments, caller).id, text(arguments, "state"))
        return {}

    async def _set_states(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        state = text(arguments, "state")
        for one in self._several(arguments, caller):
            self._notifications.set_state(one, state)
        return {}

    async def _set_attribute(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        found, attribute = self._one(arguments, caller), mapping(arguments, "attribute")
        key = text(attribute, "key")
        kept = [one for one in _attributes(found.details) if one.get("key") != key]
        details = {**found.details, "attributes": [*kept, {"key": key, "value": attribute.get("value")}]}
        _check_size(details)
        self._notifications.set_details(found.id, details)
        return {}

    async def _import(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        listed = arguments.get("notificationSettings")
        if not isinstance(listed, list) or len(listed) > _MOST_IMPORTED:
            raise DesktopError(f"notificationSettings must be an array of at most {_MOST_IMPORTED} notifications")
        if not all(isinstance(one, Mapping) for one in listed):
            raise DesktopError("notificationSettings must be an array of objects")
        read = [self._read(one, caller) for one in listed]
        return {"notifications": [_described(await self._notifications.add(one, toast=False)) for one in read]}

    def _seen_by(self, caller: Caller) -> list[Notification]:
        """Return the notifications that a caller may use."""
        return [one for one in self._notifications.kept if may_see(self._rights, caller, one)]

    def _one(self, arguments: Mapping[str, Any], caller: Caller) -> Notification:
        """Return the named notification, which must exist and be available to the caller."""
        found = self._notifications.get(text(arguments, "id"))
        require_notification(self._rights, caller, found)
        return found

    def _several(self, arguments: Mapping[str, Any], caller: Caller) -> tuple[str, ...]:
        """Return the named notifications, all of which must exist and be available to the caller."""
        return tuple(self._one({"id": one}, caller).id for one in text_list(arguments, "notifications") or ())

    def _read(self, written: Mapping[str, Any], caller: Caller) -> Notification:
        _check_size(written)
        identity = optional_text(written, "id") or ""
        values = {one.get("key"): _string_value(one) for one in _attributes(written)}
        app = caller.application
        return Notification(
            id=identity[:_LONGEST_ID],
            app=app,
            title=text(written, "title"),
            body=optional_text(written, "description") or optional_text(written, "body") or "",
            severity=optional_text(written, "severity") or "None",
            state=optional_text(written, "state") or "Active",
            app_title="" if app is None else self._titles(app),
            instance=caller.instance,
            peer=caller.peer,
            icon=values.get("icon", ""),
            actions=_actions(written),
            details={name: value for name, value in written.items() if name not in ("id", "state")},
            toast_expiry=_expiry(values.get("toastExpiry")),
            panel_expiry=_expiry(values.get("panelExpiry")),
        )


class _Answers:
    """Notifies the app that raised a notification, only through its own methods."""

    def __init__(self, notifications: Notifications, calls: AppCalls) -> None:
        self._notifications = notifications
        self._calls = calls

    def follow(self) -> None:
        self._notifications.raised.connect(lambda one: self._extra(one, "show"))
        self._notifications.closed.connect(lambda one: self._extra(one, "close"))
        self._notifications.chosen.connect(self._chosen)

    def _extra(self, notification: Notification, event: str) -> None:
        if notification.details.get("publishExtraEvents") is True:
            self._report(notification, notification.details.get("glueRoutingDetailMethodName"), event, {})

    def _chosen(self, chosen: Chosen) -> None:
        notification, action = chosen.notification, chosen.action
        if action is None:
            self._report(notification, notification.details.get("glueRoutingDetailMethodName"), "click", {})
            self._call_named(notification, notification.details.get("clickInterop"))
            return
        parameters = _parameters(action)
        self._report(notification, action.name, "action", parameters)
        # Libraries that do not forward the arguments call the method of an action themselves.
        if parameters.get("g42interopMethod") and "g42interopArguments" in parameters:
            self._call_named(
                notification,
                {
                    "method": parameters["g42interopMethod"],
                    "target": parameters.get("g42interopTarget"),
                    "arguments": _parsed(parameters["g42interopArguments"]),
                },
            )

    def _report(self, notification: Notification, method: Any, event: str, more: Mapping[str, Any]) -> None:
        if not isinstance(method, str) or not method.startswith(_HANDLER):
            return
        described = _described(notification)
        about = {**described, "event": event, "sourceNotificationId": notification.details.get("sourceId")}
        self._calls.notify(self._calls.of_peer(notification.peer, method), {**more, "notification": about})

    def _call_named(self, notification: Notification, wanted: Any) -> None:
        """Call a method that the app has named for a click as this app, unless it is a method of the platform."""
        if not isinstance(wanted, Mapping) or not isinstance(wanted.get("method"), str):
            return
        if wanted["method"].startswith(_OURS):
            return
        arguments = wanted.get("arguments")
        found: tuple[RemoteMethod, ...] = self._calls.of_everyone(wanted["method"])
        if wanted.get("target") != "all":
            found = found[:1]
        self._calls.notify_as(notification.peer, found, arguments if isinstance(arguments, Mapping) else {})


class _Viewers:
    """The branches of the stream: for subscribers that receive changes only, and for those that see only their own."""

    def __init__(self, callers: Callers, rights: AppRights) -> None:
        self._callers = callers
        self._rights = rights

    def branch_of(self, subscriber: Subscriber) -> str:
        kind = _CHANGES if subscriber.arguments.get("sendDeltaOnly") is True else ""
        caller = self._callers.of(subscriber.peer)
        if self._rights.has(caller, "notifications"):
            return kind
        return self._own(kind, caller.application, caller.peer)

    def branches(self, kind: str, notification: Notification) -> tuple[str, str]:
        """Return the branches of one kind that receive a notification."""
        return kind, self._own(kind, notification.app, notification.peer)

    def may_see(self, subscriber: Subscriber, notification: Notification) -> bool:
        return may_see(self._rights, self._callers.of(subscriber.peer), notification)

    def _own(self, kind: str, app: str | None, peer: str) -> str:
        return f"{kind} of {app or peer}"


def _follow(notifications: Notifications, events: LocalStream, counter: LocalStream, viewers: _Viewers) -> None:
    def push(notification: Notification, kind: str, data: Any) -> None:
        for branch in viewers.branches(kind, notification):
            events.push(data, branch)

    def snapshot(subscriber: Subscriber) -> None:
        listed = [_described(one) for one in notifications.kept if viewers.may_see(subscriber, one)]
        events.send(subscriber, {"items": listed, "isSnapshot": True})

    def push_state(notification: Notification) -> None:
        attributes = {"attributes": notification.details.get("attributes", [])}
        delta = {"state": notification.state}
        before = states.get(notification.id)
        if notification.state == "Closed":
            states.pop(notification.id, None)
        else:
            states[notification.id] = notification.state
        changed = attributes if before == notification.state else delta
        push(notification, _CHANGES, {"deltas": [{"id": notification.id, "delta": changed}]})
        push(notification, "", {"items": [_described(notification)]})

    def push_new(notification: Notification) -> None:
        states[notification.id] = notification.state
        for kind in ("", _CHANGES):
            push(notification, kind, {"items": [_described(notification)]})

    states: dict[str, str] = {}
    events.subscribed.connect(snapshot)
    notifications.raised.connect(push_new)
    notifications.updated.connect(push_state)
    notifications.closed.connect(push_state)
    notifications.configured.connect(lambda _: events.push({"configuration": notifications.configuration.described()}))
    notifications.panel_shown.connect(lambda visible: events.push({"command": "showPanel" if visible else "hidePanel"}))
    counter.subscribed.connect(lambda one: counter.send(one, {"count": len(notifications.all)}))
    notifications.changed.connect(lambda count: counter.push({"count": count}))


def _described(notification: Notification) -> dict[str, Any]:
    """Describe a notification in the format of the client libraries."""
    return {
        **notification.details,
        "id": notification.id,
        "title": notification.title,
        "body": notification.body,
        "description": notification.body,
        "severity": notification.severity,
        "state": notification.state,
        "appName": notification.app,
        "appTitle": notification.app_title,
        "instanceId": notification.instance,
        "timestamp": notification.created,
    }


def _actions(written: Mapping[str, Any]) -> tuple[NotificationAction, ...]:
    listed = written.get("actions") or []
    if (
        not isinstance(listed, list)
        or len(listed) > _MOST_ACTIONS
        or not all(isinstance(one, Mapping) for one in listed)
    ):
        raise DesktopError(f"actions must be an array of at most {_MOST_ACTIONS} objects")
    return tuple(
        NotificationAction(
            id=str(number),
            name=text(one, "name"),
            title=optional_text(one, "displayName") or optional_text(one, "description") or text(one, "name"),
            details=one,
        )
        for number, one in enumerate(listed)
    )


def _action_id(notification: Notification, wanted: str) -> str:
    """Return the id of an action that is identified as in the app or the library."""
    for one in notification.actions:
        if wanted in (_parameters(one).get("g42action"), one.name, one.title):
            return one.id
    raise DesktopError(f"the notification has no action {wanted!r}")


def _parameters(action: NotificationAction) -> dict[str, Any]:
    listed = action.details.get("parameters")
    if not isinstance(listed, list):
        return {}
    found = {one.get("name"): _string_value(one) for one in listed if isinstance(one, Mapping)}
    return {name: value for name, value in found.items() if isinstance(name, str) and name != "notification"}


def _parsed(written: str) -> Any:
    try:
        return parse(written) if written else {}
    except RostrumError:
        return {}


def _attributes(written: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    listed = written.get("attributes") or []
    if not isinstance(listed, list) or not all(isinstance(one, Mapping) for one in listed):
        raise DesktopError("attributes must be an array of objects")
    return listed


def _string_value(one: Mapping[str, Any]) -> str:
    value = one.get("value")
    found = value.get("stringValue") if isinstance(value, Mapping) else None
    return found if isinstance(found, str) else ""


def _expiry(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if 0 < number <= _DAY else None


def _milliseconds(arguments: Mapping[str, Any], name: str) -> float | None:
    value = arguments.get(name)
    if value is None:
        return None
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value <= _DAY:
        raise DesktopError(f"{name} must be a number of milliseconds, at most a day")
    return float(value)


def _check_size(written: Mapping[str, Any]) -> None:
    if len(dump(dict(written))) > _LARGEST:
        raise DesktopError(f"a notification can have at most {_LARGEST // 1024} KiB")
