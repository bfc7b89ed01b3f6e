"""T42.Wnd.OnEvent: all changes of windows, after a snapshot of all windows for each new subscriber."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rostrum.desktop.services.group_hibernation import GroupHibernation, GroupStateChange
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.window_registry import ClickedButton, WindowChange, WindowRecord, WindowRegistry
from rostrum.desktop.t42.composition import Composition, composition_events, composition_of
from rostrum.desktop.t42.window_info import button_info, docking_info, window_info, zoom_info
from rostrum.gateway import LocalPeer
from rostrum.gateway.local.methods import LocalStream, Subscriber

STREAM = "T42.Wnd.OnEvent"
_EVENTS: Mapping[str, tuple[str, Callable[[WindowRecord], Any]]] = {
    "bounds": ("BoundsChanged", lambda one: asdict(one.bounds)),
    "url": ("UrlChanged", lambda one: one.url),
    "title": ("TitleChanged", lambda one: one.title),
    "context": ("ContextChanged", lambda one: one.context),
    "visible": ("VisibilityChanged", lambda one: one.visible),
    "state": ("StateChanged", lambda one: one.state),
    "collapsed": ("StateChanged", lambda one: "collapsed" if one.collapsed else "expanded"),
    "focused": ("FocusChanged", lambda one: one.focused),
    "frame_color": ("FrameColorChanged", lambda one: one.frame_color),
    "zoom": ("WindowZoomFactorChanged", zoom_info),
    "locked": ("FrameIsLockedChanged", lambda one: one.locked),
    "allow_workspace_drop": ("AllowWorkspaceDropChanged", lambda one: one.allow_workspace_drop),
    "placement": ("PlacementSettingsChanged", lambda one: one.placement),
    "docking": ("DockingChanged", lambda one: docking_info(one.docking)),
}
"""The event and data for each member of a window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventServices:
    """The services whose changes are events."""

    registry: WindowRegistry
    groups: WindowGroups
    tabs: TabGroups
    hibernation: GroupHibernation


class WindowEvents:
    """The stream of window events."""

    def __init__(self, stream: LocalStream, services: "EventServices") -> None:
        """Created by ``offer``."""
        self._stream = stream
        self._registry = registry = services.registry
        self._groups = services.groups
        self._tabs = services.tabs
        self._compositions: dict[str, Composition] = {}
        self._visible_groups: set[str] = set()
        stream.subscribed.connect(self._subscribed)
        registry.opened.connect(self._opened)
        registry.changed.connect(self._changed)
        registry.closed.connect(self._closed)
        registry.clicked.connect(self._clicked)
        services.groups.changed.connect(lambda _: self._regrouped())
        services.tabs.changed.connect(lambda _: self._regrouped())
        services.hibernation.changed.connect(self._group_state_changed)

    @classmethod
    async def offer(cls, peer: LocalPeer, services: "EventServices") -> "WindowEvents":
        """Register the stream on the gateway."""
        return cls(await peer.methods.stream(STREAM), services)

    def executed(self, peer: str, window: str, token: str) -> None:
        """Notify the caller of a command that it was executed: callers wait for the result and for this event."""
        self.send(peer, {"type": "CommandExecuted", "windowId": window, "token": token})

    def publish(self, event: Mapping[str, Any]) -> None:
        """Send an event that concerns no single window to all subscribers."""
        self._stream.push(dict(event))

    def send(self, peer: str, event: Mapping[str, Any]) -> None:
        """Send an event to the subscriptions of one peer only."""
        for subscriber in [one for one in self._stream.subscribers.values() if one.peer == peer]:
            self._stream.send(subscriber, event)

    def _subscribed(self, subscriber: Subscriber) -> None:
        if subscriber.arguments.get("withConfig") is True:
            self._stream.send(subscriber, {"type": "Configuration", "windowAvailableOnURLChanged": True})
        windows = [self._info(one, self._composition(one)) for one in self._registry.all]
        self._stream.send(subscriber, {"type": "Snapshot", "windows": windows})

    def _opened(self, record: WindowRecord) -> None:
        composition = self._compositions[record.id] = self._composition(record)
        if record.visible:
            self._visible_groups.add(composition.group)
        self._push("Created", record.id, self._info(record, composition))
        # Clients treat a window as ready when it has an address and a position in a group.
        self._push("CompositionChanged", record.id, composition.data(record.id))
        if record.loads:
            self._push("UrlChanged", record.id, record.url)

    def _changed(self, change: WindowChange) -> None:
        for kind, data in _events(change):
            self._push(kind, change.after.id, data)
        if change.before.visible != change.after.visible:
            self._show_or_hide(self._composition(change.after).group)

    def _closed(self, record: WindowRecord) -> None:
        self._compositions.pop(record.id, None)
        self._push("Closed", record.id, None)

    def _clicked(self, click: ClickedButton) -> None:
        self._push("ButtonClicked", click.window, button_info(click.button))

    def _regrouped(self) -> None:
        before = self._compositions
        self._compositions = {one.id: self._composition(one) for one in self._registry.all if one.id in before}
        # The state of a group that windows have joined or left is known before they are in it.
        self._visible_groups = {one.group for name, one in self._compositions.items() if self._is_visible(name)}
        for kind, window, data in composition_events(before, self._compositions):
            self._push(kind, window, data)

    def _show_or_hide(self, group: str) -> None:
        members = [name for name, one in self._compositions.items() if one.group == group]
        visible = any(self._is_visible(one) for one in members)
        if visible != (group in self._visible_groups):
            (self._visible_groups.add if visible else self._visible_groups.discard)(group)
            self._stream.push({"type": "OnGroupVisibilityChanged", "data": {"groupId": group, "visible": visible}})

    def _group_state_changed(self, change: GroupStateChange) -> None:
        data = {"groupId": change.group, "state": change.state}
        self._stream.push({"type": "OnGroupStateChanged", "data": data})

    def _is_visible(self, window: str) -> bool:
        record = self._registry.get(window)
        return record is not None and record.visible

    def _info(self, record: WindowRecord, composition: Composition) -> dict[str, Any]:
        return window_info(record, composition, group_visible=composition.group in self._visible_groups)

    def _composition(self, record: WindowRecord) -> Composition:
        return composition_of(record, self._groups, self._tabs)

    def _push(self, kind: str, window: str, data: Any) -> None:
        self._stream.push({"type": kind, "windowId": window, "data": data})


def _events(change: WindowChange) -> Iterator[tuple[str, Any]]:
    before, after = change.before, change.after
    for name, (kind, data) in _EVENTS.items():
        if getattr(before, name) != getattr(after, name):
            yield kind, data(after)
    if before.loads == 0 and after.loads and before.url == after.url:
        # The requested address was loaded, or failed to load: no caller waits any longer.
        yield "UrlChanged", after.url
    kept = {one.id: one for one in after.buttons}
    for button in before.buttons:
        if kept.get(button.id) != button:
            yield "ButtonRemoved", button.id
    for button in after.buttons:
        if button not in before.buttons:
            yield "ButtonAdded", button_info(button)
