"""T42.Wnd.OnEvent: every change of a window, after a snapshot of all windows for each new subscriber."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.window_registry import ClickedButton, WindowChange, WindowRecord, WindowRegistry
from rostrum.desktop.t42.window_info import Composition, button_info, composition_of, window_info, zoom_info
from rostrum.gateway import LocalPeer
from rostrum.gateway.local.methods import LocalStream, Subscriber

__all__ = ["STREAM", "WindowEvents"]

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
}
"""The event for each member of a window, and its data."""


class WindowEvents:
    """The stream of window events."""

    def __init__(self, stream: LocalStream, registry: WindowRegistry, groups: WindowGroups, tabs: TabGroups) -> None:
        """Use ``offer``."""
        self._stream = stream
        self._registry = registry
        self._groups = groups
        self._tabs = tabs
        self._compositions: dict[str, Composition] = {}
        stream.subscribed.connect(self._subscribed)
        registry.opened.connect(self._opened)
        registry.changed.connect(self._changed)
        registry.closed.connect(self._closed)
        registry.clicked.connect(self._clicked)
        groups.changed.connect(lambda _: self._regrouped())

    @classmethod
    async def offer(
        cls, peer: LocalPeer, registry: WindowRegistry, groups: WindowGroups, tabs: TabGroups
    ) -> "WindowEvents":
        """Offer the stream on the gateway."""
        return cls(await peer.methods.stream(STREAM), registry, groups, tabs)

    def executed(self, peer: str, window: str, token: str) -> None:
        """Tell the caller of a command that it was carried out: callers wait for the result and for this event."""
        self.send(peer, {"type": "CommandExecuted", "windowId": window, "token": token})

    def send(self, peer: str, event: Mapping[str, Any]) -> None:
        """Send an event to the subscriptions of one peer only."""
        for subscriber in [one for one in self._stream.subscribers.values() if one.peer == peer]:
            self._stream.send(subscriber, event)

    def _subscribed(self, subscriber: Subscriber) -> None:
        if subscriber.arguments.get("withConfig") is True:
            self._stream.send(subscriber, {"type": "Configuration", "windowAvailableOnURLChanged": True})
        windows = [window_info(one, self._composition(one.id)) for one in self._registry.all]
        self._stream.send(subscriber, {"type": "Snapshot", "windows": windows})

    def _opened(self, record: WindowRecord) -> None:
        composition = self._compositions[record.id] = self._composition(record.id)
        self._push("Created", record.id, window_info(record, composition))
        # Clients take a window as ready once it has an address and a place in a group.
        self._push("CompositionChanged", record.id, composition.data(record.id))
        if record.loads:
            self._push("UrlChanged", record.id, record.url)

    def _changed(self, change: WindowChange) -> None:
        for kind, data in _events(change):
            self._push(kind, change.after.id, data)

    def _closed(self, record: WindowRecord) -> None:
        self._compositions.pop(record.id, None)
        self._push("Closed", record.id, None)

    def _clicked(self, click: ClickedButton) -> None:
        self._push("ButtonClicked", click.window, button_info(click.button))

    def _regrouped(self) -> None:
        for record in self._registry.all:
            before, after = self._compositions.get(record.id), self._composition(record.id)
            if before is None or before == after:
                continue
            self._compositions[record.id] = after
            self._push("CompositionChanged", record.id, after.data(record.id))
            if before.sticky != after.sticky:
                self._push("IsStickyChanged", record.id, after.sticky)

    def _composition(self, window: str) -> Composition:
        return composition_of(window, self._groups, self._tabs)

    def _push(self, kind: str, window: str, data: Any) -> None:
        self._stream.push({"type": kind, "windowId": window, "data": data})


def _events(change: WindowChange) -> Iterator[tuple[str, Any]]:
    before, after = change.before, change.after
    for name, (kind, data) in _EVENTS.items():
        if getattr(before, name) != getattr(after, name):
            yield kind, data(after)
    if before.loads == 0 and after.loads and before.url == after.url:
        # The address that was asked for is loaded, or cannot be: nobody waits for the window any longer.
        yield "UrlChanged", after.url
    kept = {one.id: one for one in after.buttons}
    for button in before.buttons:
        if kept.get(button.id) != button:
            yield "ButtonRemoved", button.id
    for button in after.buttons:
        if button not in before.buttons:
            yield "ButtonAdded", button_info(button)
