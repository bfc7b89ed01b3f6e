"""AppWindow: one window on the screen: its frame, its caption bar, its page, and what it reports."""

import base64
import logging
import os
import signal
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from PySide6.QtCore import QBuffer, QIODevice, QObject, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWebEngineCore import QWebEngineLoadingInfo, QWebEnginePage
from PySide6.QtWebEngineWidgets import QWebEngineView

from rostrum.desktop.hosts.actions import FrameButton, SetSizeLimits
from rostrum.desktop.hosts.port import Bounds, Opened, WindowRequest
from rostrum.desktop.hosts.qt.caption import HEIGHT, AddedButton, CaptionBar
from rostrum.desktop.hosts.qt.downloads import Downloads
from rostrum.desktop.hosts.qt.heartbeat import Heartbeat
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.memory_watch import MemoryWatch
from rostrum.desktop.hosts.qt.move_areas import MoveAreas
from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.reports import (
    ButtonClicked,
    ChannelChosen,
    Crashed,
    DocumentTitled,
    Dropped,
    Focused,
    IconChanged,
    LoadFailed,
    LoadFinished,
    LoadStarted,
    MayClose,
    MayRefresh,
    Moved,
    Navigated,
    RendererStarted,
    Responsive,
    Retitled,
    StateChanged,
    Unresponsive,
    VisibilityChanged,
    WindowClosed,
    WindowState,
    Zoomed,
)
from rostrum.desktop.windows.geometry import screen_of
from rostrum.desktop.windows.snapping import drop

__all__ = ["AppWindow"]

_log = logging.getLogger(__name__)

_LIVE_MS = 16
"""While a person drags a window, its place is reported this often at most."""
_BORDER = 4
_UNREACHABLE = (
    QWebEngineLoadingInfo.ErrorDomain.ConnectionErrorDomain,
    QWebEngineLoadingInfo.ErrorDomain.DnsErrorDomain,
    QWebEngineLoadingInfo.ErrorDomain.CertificateErrorDomain,
)
"""Failures after which there is no page; others are stopped downloads, or pages of servers about errors."""
_REASONS = {1: "abnormal end", 2: "crashed", 3: "killed"}
_MOST_BUTTONS = 32
_LARGEST_ICON = 2 * 1024 * 1024


class AppWindow(QObject):
    """One window.

    Attributes:
        closed: Emitted when the window is gone.

    """

    closed = Signal()

    def __init__(self, request: WindowRequest, bounds: Bounds, shared: Shared, page: AppPage | None = None) -> None:
        """Make the window without showing it; ``page`` is one that a page has opened."""
        super().__init__()
        details = request.details
        self.request = request
        self.instance = request.instance
        self.shared = shared
        self._platform = shared.platform
        self._collapsed: Bounds | None = None
        self._closed = False
        self._asking = False
        self._attempts = 0
        self._zoom = request.zoom
        self._title = request.title
        self._address = ""
        self._renderer = 0
        self._is_too_large = False
        self._is_first_load = True
        has_bar = self._take_empty_window(bounds, page)
        self.page.adopt(request)
        self.caption: CaptionBar | None = None
        if has_bar:
            self.caption = CaptionBar(self.frame, shared.look)
            self.frame.content.insertWidget(0, self.caption)
        chrome = request.chrome
        if not has_bar and (chrome.move_area is not None or chrome.buttons is not None):
            MoveAreas(self.cell, self.frame, chrome.move_area, chrome.buttons, self._button_chosen)
        self._live = QTimer(self)
        self._live.setSingleShot(True)
        self._live.setInterval(_LIVE_MS)
        self._live.timeout.connect(lambda: self._report_bounds(at_rest=False))
        self._heartbeat = Heartbeat(self.page, self._unresponsive, self._responsive, self)
        settings = details.get("downloadSettings")
        self.downloads = Downloads(
            self.instance,
            self.page,
            self.cell,
            settings if isinstance(settings, Mapping) else {},
            shared.platform,
            parent=self,
        )
        if request.memory_limit:
            MemoryWatch(self.page, request.memory_limit, self._memory_exceeded, self)
        self._dev_tools: QWebEngineView | None = None
        self._set_up_frame()
        self._set_up_caption()
        self._set_up_page()
        shared.apis.attach(self.page, request, shared.platform)

    def _take_empty_window(self, bounds: Bounds, page: AppPage | None) -> bool:
        """Take a frame with a page in it; return whether the frame has a caption bar."""
        details, is_popup = self.request.details, self.request.kind == "popup"
        mode = str(details.get("mode") or "flat").lower()
        sizable = details.get("hasSizeAreas", mode != "frameless") is not False and not is_popup
        self._is_translucent = details.get("transparent") is True or mode == "frameless"
        is_tool = details.get("showInTaskbar") is False or is_popup
        empty = self.shared.pool.take(tool=is_tool, translucent=self._is_translucent)
        self.frame, self.cell, self.view = empty.frame, empty.cell, empty.cell.view
        self.frame.place(bounds, border=_BORDER if sizable else 0)
        self.cell.set_look(self.shared.look)
        self._is_adopted = self._is_loaded = page is not None
        self.page = empty.page if page is None else page
        if page is not None:
            self.view.setPage(page)
            page.setParent(self.view)
            empty.page.deleteLater()
        return mode in ("flat", "tab") and details.get("showTitleBar") is not False and not is_popup

    def open(self) -> Opened:
        """Show the window at its place, and load its page."""
        details = self.request.details
        state = self.request.state
        if state == "collapsed":
            self.set_state("collapsed")
        if details.get("onTop") in (True, "always"):
            self.set_on_top(on_top=True)
        loader = details.get("loader")
        if self.request.load_page and isinstance(loader, Mapping) and loader.get("enabled") is True:
            self.cell.show_loader(loader)
        if self.request.load_page and not self.page.release():
            self._load_first()
        if details.get("autoOpenDevTools") is True and details.get("devToolsEnable") is not False:
            self.show_dev_tools()
        self.frame.open(
            "normal" if state == "collapsed" else state,
            hidden=self.request.hidden,
            focus=details.get("focus") is not False,
        )
        return Opened(bounds=self.frame.bounds, state=state)

    def _load_first(self) -> None:
        if not self._is_adopted:
            self.load()
        else:
            # A page without an address loads nothing; its opener waits for the window all the same.
            self._platform.report(LoadFinished(instance=self.instance, url="about:blank"))

    def load(self) -> None:
        """Load the page of the definition."""
        self._is_loaded = True
        details = self.request.details
        options = details.get("urlLoadOptions")
        self.page.open(str(details.get("url") or ""), options if isinstance(options, Mapping) else None)

    @property
    def is_loaded(self) -> bool:
        """Say whether the page was loaded, or is loading."""
        return self._is_loaded

    @property
    def bounds(self) -> Bounds:
        """Return where the window is."""
        return self.frame.bounds

    @property
    def takes_part(self) -> bool:
        """Say whether other windows snap to this one."""
        return self.frame.isVisible() and self.frame.state == "normal" and self.request.kind != "popup"

    @property
    def state(self) -> WindowState:
        """Return the state of the window."""
        return "collapsed" if self._collapsed is not None else self.frame.state

    def set_state(self, state: WindowState) -> None:
        """Minimize, maximize, collapse or restore the window."""
        if state == self.state:
            return
        if state == "collapsed":
            self.frame.set_state("normal")
            self._collapsed = self.frame.bounds
            self.frame.setMinimumHeight(1)
            self.frame.set_bounds(self._bar_only(self.frame.bounds))
            self._platform.report(StateChanged(instance=self.instance, state="collapsed"))
            return
        if self._collapsed is not None:
            before, self._collapsed = self._collapsed, None
            here = self.frame.bounds
            self._limit_size(self._limits)
            self.frame.set_bounds(Bounds(here.left, here.top, before.width, before.height))
            if state == "normal":
                self._platform.report(StateChanged(instance=self.instance, state="normal"))
        self.frame.set_state(state)

    def set_on_top(self, *, on_top: bool) -> None:
        """Keep the window above all others, or no longer."""
        handle = self.frame.windowHandle()
        if handle is None:
            self.frame.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint, on_top)
        else:
            # On the native window itself: flags of the widget would close it and open it again.
            handle.setFlag(Qt.WindowType.WindowStaysOnTopHint, on_top)

    def set_limits(self, limits: SetSizeLimits) -> None:
        """Set the smallest and the largest size."""
        self._limit_size(limits)
        self.frame.set_bounds(self.frame.bounds)

    def show(self, bounds: Bounds | None = None) -> None:
        """Show the window, at a place."""
        if bounds is not None:
            self.frame.set_bounds(bounds)
        self.frame.show()

    def set_title(self, title: str) -> None:
        """Show another title."""
        self._title = title
        self.frame.setWindowTitle(title)
        if self.caption is not None:
            self.caption.set_title(title)

    def set_look(self, look: Look) -> None:
        """Draw the window in other colours."""
        self.cell.set_look(look)
        if self.caption is not None:
            self.caption.set_look(look)
        self._color_frame(self._frame_color)

    def set_frame_color(self, color: str | None) -> None:
        """Draw the frame in a colour, or in that of the theme."""
        self._color_frame(color)

    def set_channels(self) -> None:
        """Offer the channels that there are now."""
        if self.caption is not None:
            self.caption.set_channels([(one.name, one.color) for one in self.shared.channels])

    def set_joined(self, channels: tuple[str, ...]) -> None:
        """Show the channels that the window is in."""
        if self.caption is not None:
            self.caption.set_joined(channels)

    def set_buttons(self, buttons: tuple[FrameButton, ...]) -> None:
        """Show the buttons that apps have added."""
        if self.caption is not None:
            shown = [
                AddedButton(one.id, one.tooltip, one.order, picture_of(one.image)) for one in buttons[:_MOST_BUTTONS]
            ]
            self.caption.set_added(shown)

    def set_icon(self, address: str) -> None:
        """Show another icon, given as a data address."""
        self._show_icon(QIcon(picture_of(address)))

    def set_zoom(self, factor: float) -> None:
        """Show the page larger or smaller."""
        factor = min(max(factor, 0.25), 5.0)
        changed = factor != self._zoom
        self._zoom = factor
        self.page.setZoomFactor(factor)
        if changed:
            self._platform.report(Zoomed(instance=self.instance, factor=factor))

    @property
    def zoom(self) -> float:
        """Return how large the page is shown."""
        return self._zoom

    def reload(self, *, ignore_cache: bool = False) -> None:
        """Load the page again."""
        self.cell.hide_message()
        action = QWebEnginePage.WebAction
        self.page.triggerAction(action.ReloadAndBypassCache if ignore_cache else action.Reload)

    def show_dev_tools(self) -> None:
        """Open the developer tools of the page in a window of their own."""
        if self._dev_tools is None:
            tools = QWebEngineView()
            tools.setWindowTitle(f"Developer tools: {self._title}")
            tools.resize(900, 600)
            tools.setPage(QWebEnginePage(self.shared.profile.engine, tools))
            self.page.setDevToolsPage(tools.page())
            self._dev_tools = tools
        # A page that is stopped at a breakpoint does not answer, and need not.
        self._heartbeat.paused = True
        self._dev_tools.show()
        self._dev_tools.raise_()

    def set_modal(self, *, modal: bool) -> None:
        """Let the window hold up the others, or no longer."""
        handle = self.frame.windowHandle()
        if handle is not None:
            handle.setModality(Qt.WindowModality.ApplicationModal if modal else Qt.WindowModality.NonModal)

    def ask_reload(self) -> None:
        """Load the page again if the app does not mind: a person wants it."""

        def answered(allowed: Any, _reason: str | None) -> None:
            if allowed is not False and not self._closed:
                self.reload()

        self._platform.ask(MayRefresh(instance=self.instance), bool).then(answered)

    def ask_close(self) -> None:
        """Close the window if the platform agrees: a person or the page wants it."""
        if self._asking or self._closed:
            return
        self._asking = True

        def answered(allowed: Any, _reason: str | None) -> None:
            self._asking = False
            # A platform that cannot answer must not keep a window open for ever.
            if allowed is not False:
                self.close()

        self._platform.ask(MayClose(instance=self.instance), bool).then(answered)

    def close(self) -> None:
        """Close the window without asking, and report it."""
        if self._closed:
            return
        self._closed = True
        self._live.stop()
        self._heartbeat.stop()
        if self._dev_tools is not None:
            self._dev_tools.close()
            self._dev_tools.deleteLater()
        self.frame.remove()
        self.closed.emit()
        self._platform.report(WindowClosed(instance=self.instance))
        self.page.deleteLater()
        self.frame.deleteLater()
        self.deleteLater()

    def _set_up_frame(self) -> None:
        frame, details = self.frame, self.request.details
        self._frame_color: str | None = _text(details.get("frameColor"))
        frame.setWindowTitle(self.request.title)
        frame.snap = self._snapped
        self._limit_size(
            SetSizeLimits(
                min_width=_number(details.get("minWidth")),
                min_height=_number(details.get("minHeight")),
                max_width=_number(details.get("maxWidth")),
                max_height=_number(details.get("maxHeight")),
            )
        )
        if self._is_translucent:
            self.page.setBackgroundColor(Qt.GlobalColor.transparent)
        self._color_frame(self._frame_color)
        frame.bounds_changed.connect(self._bounds_changed)
        frame.state_changed.connect(self._state_changed)
        frame.activated.connect(self._activated)
        frame.visible_changed.connect(self._visible_changed)
        frame.close_wanted.connect(self.ask_close)
        frame.dropped.connect(self._dropped)

    def _set_up_caption(self) -> None:
        bar, details, chrome = self.caption, self.request.details, self.request.chrome
        if bar is None:
            return
        bar.set_title(self.request.title)
        bar.title_editable = chrome.title_editable
        bar.set_buttons(
            minimize=details.get("allowMinimize") is not False and details.get("minimizable") is not False,
            maximize=details.get("allowMaximize") is not False and details.get("maximizable") is not False,
            close=details.get("allowClose") is not False,
        )
        selector = chrome.selector
        bar.set_selector(
            shown=selector is not None,
            read_only=selector is not None and selector.read_only,
            several=selector is not None and "multi" in selector.type.lower(),
        )
        self.set_channels()
        if selector is not None and selector.channel:
            bar.set_joined((selector.channel,))
        bar.close_clicked.connect(self.ask_close)
        bar.minimize_clicked.connect(lambda: self.set_state("minimized"))
        bar.maximize_clicked.connect(self._maximize_clicked)
        bar.title_entered.connect(lambda title: self._platform.report(Retitled(instance=self.instance, title=title)))
        bar.channels_chosen.connect(
            lambda names: self._platform.report(ChannelChosen(instance=self.instance, channels=tuple(names)))
        )
        bar.button_clicked.connect(
            lambda name: self._platform.report(ButtonClicked(instance=self.instance, button=name))
        )
        bar.menu_wanted.connect(lambda place: self.shared.open_menu(place))

    def _set_up_page(self) -> None:
        page = self.page
        page.loadingChanged.connect(self._loading_changed)
        page.urlChanged.connect(self._url_changed)
        page.titleChanged.connect(self._page_titled)
        page.iconChanged.connect(self._page_icon)
        page.renderProcessTerminated.connect(self._terminated)
        page.renderProcessPidChanged.connect(lambda _: self._check_renderer())
        page.windowCloseRequested.connect(self.ask_close)
        page.fullScreenRequested.connect(lambda asked: asked.accept())
        if self._zoom != 1:
            page.setZoomFactor(self._zoom)

    def _maximize_clicked(self) -> None:
        self.set_state("normal" if self.state == "maximized" else "maximized")

    def _button_chosen(self, name: str) -> None:
        if name == "close":
            self.ask_close()
        elif name == "minimize":
            self.set_state("minimized")
        else:
            self._maximize_clicked()

    def _snapped(self, moving: Bounds, alt: bool) -> Bounds:  # noqa: FBT001 - called by a drag
        rules = self.request.snapping_with_alt if alt else self.request.snapping
        if rules is None:
            return moving
        area = screen_of(moving, self.shared.screens).work_area
        return drop(moving, self.shared.neighbours(self.instance), area, rules)

    def _bounds_changed(self, live: bool) -> None:  # noqa: FBT001 - a signal of Qt
        if not live:
            self._live.stop()
            self._report_bounds(at_rest=True)
        elif not self._live.isActive():
            self._live.start()

    def _report_bounds(self, *, at_rest: bool) -> None:
        if not self._closed:
            self._platform.report(Moved(instance=self.instance, bounds=self.frame.bounds, at_rest=at_rest))

    def _state_changed(self, state: WindowState) -> None:
        if self.caption is not None:
            self.caption.set_maximized(maximized=state == "maximized")
        if not self._closed:
            self._platform.report(StateChanged(instance=self.instance, state=state))

    def _activated(self, focused: bool) -> None:  # noqa: FBT001 - a signal of Qt
        if self._closed:
            return
        if focused and not (self.caption is not None and self.caption.is_editing):
            self.view.setFocus()
        self._platform.report(Focused(instance=self.instance, focused=focused))

    def _visible_changed(self, visible: bool) -> None:  # noqa: FBT001 - a signal of Qt
        if not self._closed:
            self._platform.report(VisibilityChanged(instance=self.instance, visible=visible))

    def _dropped(self, alt: bool) -> None:  # noqa: FBT001 - a signal of Qt
        self._platform.report(Dropped(instance=self.instance, bounds=self.frame.bounds, alt=alt))

    def _loading_changed(self, info: QWebEngineLoadingInfo) -> None:
        status, url = info.status(), info.url().toString()
        self._check_renderer()
        if status == QWebEngineLoadingInfo.LoadStatus.LoadStartedStatus:
            # A page that another page has opened may have its address already.
            self._url_changed(self.page.url())
            self._platform.report(LoadStarted(instance=self.instance, url=url))
            return
        if status == QWebEngineLoadingInfo.LoadStatus.LoadSucceededStatus:
            # The start of a page that another page has opened may be over before this window exists.
            self._url_changed(self.page.url())
            self._attempts = 0
            self.cell.hide_message()
            self._load_finished(url)
        elif status == QWebEngineLoadingInfo.LoadStatus.LoadFailedStatus:
            self.cell.hide_loader()
            reason = info.errorString() or f"error {info.errorCode()}"
            self._platform.report(LoadFailed(instance=self.instance, url=url, reason=reason))
            if info.errorDomain() in _UNREACHABLE:
                # In place of the engine's own page, which names the engine and offers what a window cannot do.
                self.cell.show_message(
                    f"This page cannot be loaded.\n{QUrl(url).host()}: {reason}",
                    [("Reload", self.reload), ("Close", self.close)],
                )
            self._load_again()

    def _load_finished(self, url: str) -> None:
        loader = self.request.details.get("loader")
        if not (isinstance(loader, Mapping) and loader.get("hideOnLoad") is False):
            self.cell.hide_loader()
        if self._is_first_load:
            self._is_first_load = False
            if not self._is_adopted:
                # The empty page that it was before is nowhere to go back to.
                self.page.history().clear()
        if self.page.zoomFactor() != self._zoom:
            # Another origin starts at the usual size.
            self.page.setZoomFactor(self._zoom)
        self._platform.report(LoadFinished(instance=self.instance, url=url))

    def _load_again(self) -> None:
        options = self.request.details.get("reloadOptions")
        if not isinstance(options, Mapping):
            return
        most, timeout = options.get("maxAttempts"), options.get("timeout")
        if not isinstance(most, int) or not isinstance(timeout, int) or self._attempts >= most:
            return
        self._attempts += 1
        QTimer.singleShot(max(100, timeout), self, lambda: self.reload() if not self._closed else None)

    def _url_changed(self, url: QUrl) -> None:
        address = url.toString()
        if not self._closed and address and address != self._address:
            self._address = address
            self._platform.report(Navigated(instance=self.instance, url=address))

    def _page_titled(self, title: str) -> None:
        # The engine takes the address for a title until the page has one.
        if not self._closed and title and not _is_address(title, self.page.url()):
            self._platform.report(DocumentTitled(instance=self.instance, title=title))

    def _page_icon(self, icon: QIcon) -> None:
        if self._closed or icon.isNull():
            return
        if not self.request.details.get("icon"):
            self._show_icon(icon)
        address = self.page.iconUrl().toString()
        self._platform.report(IconChanged(instance=self.instance, address=address or _data_address(icon)))

    def _check_renderer(self) -> None:
        """Report the process of the page when it is another one; the signal of Qt for it does not always come."""
        process = self.page.renderProcessPid()
        if process > 0 and process != self._renderer and not self._closed:
            self._renderer = process
            self._platform.report(RendererStarted(instance=self.instance, process=process))

    def _terminated(self, status: QWebEnginePage.RenderProcessTerminationStatus, code: int) -> None:
        if self._closed or status == QWebEnginePage.RenderProcessTerminationStatus.NormalTerminationStatus:
            return
        self._heartbeat.reset()
        reason = "memory limit" if self._is_too_large else _REASONS.get(status.value, "ended")
        self._is_too_large = False
        self._platform.report(Crashed(instance=self.instance, reason=reason, code=code))
        self.cell.show_message("This page has stopped unexpectedly.", [("Reload", self.reload), ("Close", self.close)])
        self._load_again()

    def _memory_exceeded(self) -> None:
        self._is_too_large = True

    def _unresponsive(self) -> None:
        if self._closed:
            return
        self._platform.report(Unresponsive(instance=self.instance))
        self.cell.show_message(
            "This page does not respond.",
            [("Wait", self._wait), ("Reload", self._restart_page), ("Close", self.close)],
        )

    def _wait(self) -> None:
        self.cell.hide_message()
        self._heartbeat.reset()

    def _restart_page(self) -> None:
        """Load a page again that does not respond, in another process."""
        self.cell.hide_message()
        self._heartbeat.reset()
        end_renderer(self.page)

    def _responsive(self) -> None:
        if not self._closed:
            self.cell.hide_message()
            self._platform.report(Responsive(instance=self.instance))

    def _show_icon(self, icon: QIcon) -> None:
        self.frame.setWindowIcon(icon)
        if self.caption is not None:
            self.caption.set_icon(icon)

    def _color_frame(self, color: str | None) -> None:
        self._frame_color = color
        self.frame.set_color(color or self.shared.look.border)
        if self.caption is not None:
            self.caption.set_color(color)

    def _limit_size(self, limits: SetSizeLimits) -> None:
        self._limits = limits
        self.frame.set_limits(
            (round(limits.min_width or 50), round(limits.min_height or HEIGHT)),
            (
                round(limits.max_width) if limits.max_width else None,
                round(limits.max_height) if limits.max_height else None,
            ),
        )

    def _bar_only(self, bounds: Bounds) -> Bounds:
        return Bounds(bounds.left, bounds.top, bounds.width, HEIGHT + 2 * self.frame.border)


def picture_of(text: str) -> QPixmap:
    """Decode an image: a data address, or Base64 alone; what is neither is an empty picture."""
    picture = QPixmap()
    _, comma, body = text.partition(",")
    encoded = body if comma else text
    if len(encoded) <= _LARGEST_ICON:
        try:
            picture.loadFromData(base64.b64decode(encoded, validate=False))
        except ValueError:
            _log.warning("an icon cannot be read: it is not Base64")
    return picture


def end_renderer(page: QWebEnginePage) -> None:
    """End the process of a page that does not respond; the page then shows that it has stopped."""
    process = page.renderProcessPid()
    if process > 0:
        os.kill(process, getattr(signal, "SIGKILL", signal.SIGTERM))


def _is_address(title: str, url: QUrl) -> bool:
    address = unquote(url.toString())
    return title in (url.toString(), address, address.partition("://")[2].rstrip("/"))


def _data_address(icon: QIcon) -> str:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    icon.pixmap(32, 32).save(buffer, "PNG")
    return "data:image/png;base64," + base64.b64encode(bytes(buffer.data().data())).decode()


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _number(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
    return float(value) if is_number else None
