"""Windows of the platform itself: its built-in pages, and the page on which people sign in."""

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QUrl
from PySide6.QtWebEngineWidgets import QWebEngineView

from rostrum.desktop.hosts.port import Bounds, LoginScreen
from rostrum.desktop.hosts.qt.bridge import PageBridge, add_script, channel_library
from rostrum.desktop.hosts.qt.builtin_pages import address_of, is_builtin
from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.dispatcher import Refused
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.origins import origin_of
from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.pane import BORDER, Pane
from rostrum.desktop.hosts.qt.placement import centred
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.reports import CredentialsEntered, OwnPageClosed, OwnPageOpened, PageCall
from rostrum.desktop.windows.own_pages import PANEL, OwnPage, own_page

__all__ = ["LoginWindow", "OwnPages"]

_BRIDGE = """(function () {
%(library)s
  const waiting = new Map(), listeners = new Map(), early = [];
  let bridge = null, last = 0;
  function call(method, args) {
    return new Promise((resolve, reject) => {
      const number = ++last;
      waiting.set(number, { resolve, reject });
      const text = JSON.stringify(args === undefined || args === null ? {} : args);
      bridge ? bridge.call(number, method, text) : early.push([number, method, text]);
    });
  }
  function on(event, callback) {
    const all = listeners.get(event) || new Set();
    listeners.set(event, all.add(callback));
    return () => all.delete(callback);
  }
  new QWebChannel(qt.webChannelTransport, (channel) => {
    bridge = channel.objects.bridge;
    bridge.answered.connect((number, succeeded, text) => {
      const promise = waiting.get(number);
      waiting.delete(number);
      if (promise) { succeeded ? promise.resolve(JSON.parse(text)) : promise.reject(new Error(JSON.parse(text))); }
    });
    bridge.event.connect((name, text) => {
      for (const callback of listeners.get(name) || []) { callback(JSON.parse(text)); }
    });
    for (const one of early.splice(0)) { bridge.call(...one); }
  });
  %(offer)s
})();"""

_OFFER_ROSTRUM = """Object.defineProperty(window, "rostrum", { value: Object.freeze({ call, on }) });"""
_OFFER_SIGN_IN = """const object = window.glue42gd || {};
  object.authDone = (details) => call("authDone", details);
  window.glue42gd = window.iodesktop = object;
  window.authDone = object.authDone;"""
"""A sign-in page has nothing but the way to say that it has finished."""


def bridge_script(offer: str) -> str:
    """Return the script that gives a page its way to the platform."""
    return _BRIDGE % {"library": channel_library(), "offer": offer}


class _PageWindow(QObject):
    """A window with a caption bar and one page of the platform."""

    def __init__(self, title: str, bounds: Bounds, shared: Shared) -> None:
        super().__init__()
        self.frame = Frame(bounds)
        self.view = QWebEngineView(self.frame)
        self.page = AppPage(shared.profile.engine, shared.platform, self.view)
        self.page.setBackgroundColor(shared.look.surface)
        self.view.setPage(self.page)
        self._pane = Pane(self.view, shared.look)
        self._pane.border = BORDER
        self._pane.title = title
        self.caption = self._pane.add_caption()
        self.caption.set_title(title)
        self.frame.add_cell(Cell(self._pane))
        self.caption.minimize_clicked.connect(lambda: self.frame.set_state("minimized"))
        self.caption.maximize_clicked.connect(
            lambda: self.frame.set_state("normal" if self.frame.state == "maximized" else "maximized")
        )
        self.frame.state_changed.connect(lambda state: self.caption.set_maximized(maximized=state == "maximized"))
        self.frame.activated.connect(lambda focused: self.view.setFocus() if focused else None)

    def set_look(self, look: Look) -> None:
        self._pane.set_look(look)
        self._pane.color = look.border
        self.frame.refresh()

    def close(self) -> None:
        self.frame.remove()
        self.page.deleteLater()
        self.frame.deleteLater()
        self.deleteLater()


class OwnPages:
    """The built-in pages that are open; each at most once.

    Attributes:
        panel_side: The side of the screen at which the page of notifications opens.

    """

    def __init__(self, shared: Shared) -> None:
        """Start without pages."""
        self._shared = shared
        self.panel_side = "right"
        self._open: dict[str, tuple[_PageWindow, PageBridge]] = {}
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
        window = _PageWindow(page.title, self._place(page), self._shared)
        bridge = PageBridge(
            window.page, lambda: is_builtin(window.page.url()), lambda method, args: self._call(page.name, method, args)
        )
        add_script(window.page, "rostrum", bridge_script(_OFFER_ROSTRUM))
        for signal in (window.frame.close_wanted, window.caption.close_clicked, window.page.windowCloseRequested):
            signal.connect(lambda: self._closed(page.name))
        self._open[page.name] = (window, bridge)
        window.page.open_builtin(address_of(page.name))
        window.frame.open("normal", hidden=False, focus=True)
        self._shared.platform.report(OwnPageOpened(page=page.name))

    def hide(self, name: str) -> None:
        """Close a page; nothing happens when it is not open."""
        page = own_page(name)
        if page is not None and page.name in self._open:
            self._closed(page.name)

    def attach(self, page: AppPage, name: str, instance: str) -> None:
        """Give a page of the platform in a window that is opened as that of an app its way to the platform."""
        self._in_windows[instance] = PageBridge(
            page, lambda: is_builtin(page.url()), lambda method, args: self._call(name, method, args, instance)
        )
        add_script(page, "rostrum", bridge_script(_OFFER_ROSTRUM))

    def detach(self, instance: str) -> None:
        """Forget a window that is gone."""
        self._in_windows.pop(instance, None)

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


class LoginWindow(QObject):
    """The page on which a person signs in; it says by ``authDone`` that it has finished."""

    def __init__(self, screen: LoginScreen, shared: Shared) -> None:
        """Prepare the window."""
        super().__init__()
        self._platform = shared.platform
        bounds = centred(shared.screens[0].work_area, screen.width or 400, screen.height or 400)
        self._window = _PageWindow("Sign in", bounds, shared)
        self._url = QUrl.fromUserInput(screen.url)
        page = self._window.page
        self._bridge = PageBridge(page, self._is_own, self._call)
        add_script(
            page,
            "sign-in",
            f"if (location.origin === {json.dumps(origin_of(self._url))}) {{ " + bridge_script(_OFFER_SIGN_IN) + " }",
        )
        self._window.caption.close_clicked.connect(self._cancelled)
        self._window.frame.close_wanted.connect(self._cancelled)

    def open(self) -> None:
        """Show the page."""
        self._window.page.setUrl(self._url)
        self._window.frame.open("normal", hidden=False, focus=True)

    def close(self) -> None:
        """Close the window."""
        self._window.close()
        self.deleteLater()

    def _is_own(self) -> bool:
        url = self._window.page.url()
        return origin_of(url) == origin_of(self._url) and bool(origin_of(url))

    def _call(self, method: str, arguments: Mapping[str, Any]) -> Later:
        if method != "authDone":
            raise ValueError(f"a sign-in page cannot call {method}")
        user = arguments.get("user") or arguments.get("username") or ""
        question = CredentialsEntered(
            user=str(user),
            password=str(arguments.get("password") or ""),
            details={name: value for name, value in arguments.items() if name != "password"},
        )
        return self._platform.ask(question)

    def _cancelled(self) -> None:
        """Report that the person does not sign in."""
        self._platform.ask(CredentialsEntered(user=""))
