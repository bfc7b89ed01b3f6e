"""The built-in pages of the platform in windows."""

from collections.abc import Callable, Mapping
from typing import Any

from rostrum.desktop.hosts.qt.bridge import PageBridge
from rostrum.desktop.hosts.qt.builtin_pages import address_of, is_builtin
from rostrum.desktop.hosts.qt.dispatcher import Refused
from rostrum.desktop.hosts.qt.later import Later, resolved
from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.page_window import PageWindow
from rostrum.desktop.hosts.qt.placement import centred
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.reports import OwnPageClosed, OwnPageOpened, PageCall
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.own_pages import PANEL, OwnPage, own_page

AnsweredHere = Callable[[str, Mapping[str, Any]], Any]
"""Responds to a call of a page; returns None if the platform responds."""
_OFFER = """Object.defineProperty(window, "rostrum", { value: Object.freeze({ call, on }) });"""


class OwnPages:
    """The open built-in pages; each at most once.

    Attributes:
        panel_side: The side of the screen where the notification panel opens.
    """

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self.panel_side = "right"
        self._open: dict[str, tuple[PageWindow, PageBridge]] = {}
        self._in_windows: dict[str, PageBridge] = {}

    def show(self, name: str) -> None:
        """Show a page, or bring it to the front."""
        page = own_page(name)
        if page is None:
            raise Refused(f"there is no page {name!r}")
        shown = self._open.get(page.name)
        if shown is not None:
            shown[0].frame.bring_to_front()
            return
        window = PageWindow(page.title, self._place(page), self._shared)
        bridge = PageBridge(window.page, is_builtin, lambda method, args: self._call(page.name, method, args), _OFFER)
        for signal in (window.close_wanted, window.page.windowCloseRequested):
            signal.connect(lambda: self._closed(page.name))
        self._open[page.name] = (window, bridge)
        window.page.open_builtin(address_of(page.name))
        window.frame.open("normal", hidden=False, focus=True)
        self._shared.platform.report(OwnPageOpened(page=page.name))

    def hide(self, name: str) -> None:
        """Close a page, if it is open."""
        page = own_page(name)
        if page is not None and page.name in self._open:
            self._closed(page.name)

    def attach(self, page: AppPage, name: str, instance: str, here: AnsweredHere | None = None) -> None:
        """Connect a page of the platform in an app window to the platform.

        ``here`` responds to some of its calls in this process, and returns None for the others.
        """

        def call(method: str, arguments: Mapping[str, Any]) -> Later:
            answer = None if here is None else here(method, arguments)
            return self._call(name, method, arguments, instance) if answer is None else resolved(answer)

        self._in_windows[instance] = PageBridge(page, is_builtin, call, _OFFER)

    def detach(self, instance: str) -> None:
        """Remove a closed window."""
        self._in_windows.pop(instance, None)

    def send_to(self, instance: str, event: str, data: Mapping[str, Any]) -> None:
        """Send an event to the page in one window."""
        bridge = self._in_windows.get(instance)
        if bridge is not None:
            bridge.send(event, data)

    def send(self, event: str, data: Mapping[str, Any]) -> None:
        """Send an event to every open page."""
        for bridge in (*(bridge for _, bridge in self._open.values()), *self._in_windows.values()):
            bridge.send(event, data)

    def set_look(self) -> None:
        """Draw the frames in other colours; the pages get an event from the platform."""
        for window, _ in self._open.values():
            window.set_look(self._shared.look)

    def close(self) -> None:
        """Close all pages."""
        for window, _ in self._open.values():
            window.close()
        self._open.clear()

    def _call(self, page: str, method: str, arguments: Mapping[str, Any], instance: str = "") -> Later:
        call = PageCall(page=page, instance=instance, method=method, arguments=arguments)
        return self._shared.platform.ask(call)

    def _closed(self, name: str) -> None:
        window = self._open.pop(name, None)
        if window is not None:
            window[0].close()
            self._shared.platform.report(OwnPageClosed(page=name))

    def _place(self, page: OwnPage) -> Bounds:
        area = self._shared.screens[0].work_area
        middle = centred(area, page.width, page.height)
        side = self.panel_side if page.name == PANEL else page.placement
        if side == "left":
            return Bounds(area.left, middle.top, middle.width, middle.height)
        if side == "right":
            return Bounds(area.right - middle.width, middle.top, middle.width, middle.height)
        return middle
