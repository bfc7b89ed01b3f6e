"""A window of an app: its page, its pane with the caption bar, and its frame."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QIcon
from PySide6.QtWebEngineCore import QWebEnginePage
from PySide6.QtWebEngineWidgets import QWebEngineView

from rostrum.desktop.hosts.actions import FrameButton, SetSizeLimits
from rostrum.desktop.hosts.port import ChannelAccess, Opened, WindowRequest
from rostrum.desktop.hosts.qt.builtin_pages import address_of
from rostrum.desktop.hosts.qt.caption import HEIGHT, CaptionBar
from rostrum.desktop.hosts.qt.downloads import Downloads
from rostrum.desktop.hosts.qt.frame_link import FrameLink
from rostrum.desktop.hosts.qt.framed_window import FramedWindow, leave
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.move_areas import MoveAreas
from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.page_watch import PageWatch
from rostrum.desktop.hosts.qt.pane import BORDER
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.qt.transparency import is_blended, make_transparent
from rostrum.desktop.hosts.qt.window_caption import added_buttons, picture_of, set_up_caption
from rostrum.desktop.hosts.reports import MayClose, MayRefresh, WindowClosed, WindowState
from rostrum.desktop.windows.geometry import Bounds, Side
from rostrum.desktop.windows.own_pages import window_page


class AppWindow(FramedWindow):
    """One window.

    Attributes:
        closed: Emitted when the window was closed.
        page: Its page; ``view`` shows it, in ``pane``.
    """

    closed = Signal()

    def __init__(self, request: WindowRequest, bounds: Bounds, shared: Shared, page: AppPage | None = None) -> None:
        """Create the window without showing it; ``page`` is a page that another page has opened."""
        super().__init__(request, shared)
        self._platform = shared.platform
        self._closed = False
        self._asking = False
        self.claimed_edge: Side | None = None
        self._frame_color: str | None = None
        self._is_adopted = self._is_loaded = page is not None
        self._dev_tools: QWebEngineView | None = None
        details, is_popup = request.details, request.kind == "popup"
        mode = str(details.get("mode") or "flat").lower()
        is_translucent = details.get("transparent", mode == "frameless") is True
        self._is_blended = is_translucent and is_blended(request.surface)
        self._is_tool = details.get("showInTaskbar") is False or is_popup
        empty = shared.pool.take(tool=self._is_tool, translucent=self._is_blended)
        self.pane = empty.pane
        self.view = empty.view
        self.page = empty.page if page is None else page
        if page is not None:
            page.move_to(self.view)
            empty.page.deleteLater()
        self.page.adopt(request)
        if is_translucent:
            make_transparent(self.view, self.page, request.surface)
        sizable = details.get("hasSizeAreas", mode != "frameless") is not False and not is_popup
        self._set_up_pane(BORDER if sizable else 0)
        self._link = FrameLink(request, self.pane, empty.frame, shared, self)
        self._link.state_changed.connect(self._state_changed)
        self._link.focused.connect(self._focused)
        self._link.close_wanted.connect(self.ask_close)
        if mode in ("flat", "tab") and details.get("showTitleBar") is not False and not is_popup:
            self._connect_caption(self.pane.add_caption())
        elif request.chrome.move_area is not None or request.chrome.buttons is not None:
            chrome = request.chrome
            areas = MoveAreas(self.pane, chrome.move_area, chrome.buttons, self._button_chosen)
            self._link.focused.connect(areas.focus_changed)
        self.frame.place(bounds)
        settings = details.get("downloadSettings")
        self.downloads = Downloads(
            self.instance,
            self.page,
            self.pane,
            settings if isinstance(settings, Mapping) else {},
            shared.platform,
            kept_folders=lambda: shared.kept_folders,
            parent=self,
        )
        self._watch = PageWatch(
            request, self.page, self.pane, shared.platform, is_adopted=self._is_adopted, parent=self
        )
        self._watch.icon_changed.connect(self._page_icon)
        self._watch.close_wanted.connect(self.close)
        self.page.windowCloseRequested.connect(self.ask_close)
        self.page.fullScreenRequested.connect(lambda asked: asked.accept())
        shared.apis.attach(self.page, request, shared.platform)

    def open(self) -> Opened:
        """Show the window, and load its page."""
        details = self.request.details
        self.set_on_top(on_top=details.get("onTop") in (True, "always"), in_groups=details.get("onTop") == "always")
        loader = details.get("loader")
        if self.request.load_page and isinstance(loader, Mapping) and loader.get("enabled") is True:
            self.pane.show_loader(loader)
        if self.request.failure:
            self.pane.hide_loader()
            self.pane.show_message(self.request.failure, [("Try again", self.reload), ("Close", self.close)])
        elif self.request.load_page and not self.page.release():
            if self._is_adopted:
                self._watch.report_empty()
            else:
                self.load()
        if details.get("autoOpenDevTools") is True and details.get("devToolsEnable") is not False:
            self.show_dev_tools()
        self.frame.open(self.request.state, hidden=self.request.hidden, focus=details.get("focus") is not False)
        return Opened(bounds=self.bounds, state=self.request.state)

    def load(self) -> None:
        """Load the page of the definition."""
        self._is_loaded = True
        details, kind = self.request.details, self.request.kind
        own = window_page(kind, details)
        if own is not None:
            self.page.open_builtin(address_of(own.name))
            return
        options = details.get("urlLoadOptions")
        self.page.open(str(details.get("url") or ""), options if isinstance(options, Mapping) else None)

    @property
    def is_open(self) -> bool:
        """Return whether the window is open."""
        return not self._closed

    @property
    def is_loaded(self) -> bool:
        """Return whether the page was loaded or is loading."""
        return self._is_loaded

    @property
    def is_tab(self) -> bool:
        """Return whether users can drop other windows on its caption bar to form tabs."""
        return str(self.request.details.get("mode") or "").lower() == "tab"

    def set_on_top(self, *, on_top: bool, in_groups: bool) -> None:
        """Keep the window above others, or stop; applies to all windows in its frame."""
        is_shared = self.frame.group is not None or len(self.cell.panes) > 1
        self.pane.on_top = on_top
        self.pane.on_top_grouped = on_top and (in_groups or is_shared)
        self.frame.refresh()

    def set_tab_tooltip(self, text: str) -> None:
        """Set the tooltip of the title."""
        self.tab_tooltip = text
        if self.caption is not None:
            self.caption.setToolTip(text)
        self.shared.tab_changed(self.instance)

    def set_limits(self, limits: SetSizeLimits) -> None:
        """Set the smallest and the largest size."""
        self._limit_size(limits)
        self.frame.refresh()
        self.set_bounds(self.bounds)

    def show(self, bounds: Bounds | None = None, *, focus: bool = True) -> None:
        """Show the window with the given bounds; without ``focus``, the keyboard focus does not change."""
        if bounds is not None:
            self.set_bounds(bounds)
        if self.cell.isHidden():
            self.cell.show()
            if self.frame.isVisible():
                self._report_cell(visible=True)
        self.frame.show_again(focus=focus)

    def hide(self) -> None:
        """Hide the window; it stays open."""
        if self.frame.group is not None:
            # Also the last one of a group: it must stay hidden when another one is shown again.
            self.cell.hide()
            if any(not one.isHidden() for one in self.frame.cells):
                self._report_cell(visible=False)
                return
        self.frame.hide()

    def _report_cell(self, *, visible: bool) -> None:
        """Report whether the window and the tabs of its cell are visible."""
        for pane in self.cell.panes:
            if pane.link is not None:
                pane.link.report_visible(visible=visible)

    def focus(self) -> None:
        """Bring the window to the front, with the focus."""
        if not self.frame.isVisible():
            self.show()
        if self.frame.group is not None:
            self.frame.focus_in(self.pane)
            self.pane.setFocus()
        self.frame.bring_to_front()

    def set_title(self, title: str) -> None:
        """Show another title."""
        self.pane.title = title
        if self.caption is not None:
            self.caption.set_title(title)
        self.frame.refresh()

    def set_look(self, look: Look) -> None:
        """Draw the window in other colours."""
        self.pane.set_look(look)
        self.set_frame_color(self._frame_color)

    def set_frame_color(self, color: str | None) -> None:
        """Set the colour of the frame; None uses the theme."""
        self._frame_color = color
        self.pane.color = color or self.shared.look.border
        if self.caption is not None:
            self.caption.set_color(color)
        self.frame.refresh()

    def set_channels(self) -> None:
        """Set the available channels."""
        if self.caption is not None:
            self.caption.selector.set_channels([(one.name, one.color) for one in self.shared.channels])
            self.frame.arrange()

    def set_joined(self, channels: tuple[str, ...], access: tuple[ChannelAccess, ...]) -> None:
        """Show the channels that the window has joined, and its access to them."""
        if self.caption is not None:
            self.caption.selector.set_joined(channels, access)
            self.frame.arrange()

    def set_buttons(self, buttons: tuple[FrameButton, ...]) -> None:
        """Show the buttons that apps have added."""
        if self.caption is not None:
            self.caption.set_added(added_buttons(buttons))
            self.frame.arrange()

    def set_icon(self, address: str) -> None:
        """Show another icon, given as a data address."""
        self._show_icon(QIcon(picture_of(address)))

    def set_zoom(self, factor: float) -> None:
        """Set the zoom factor."""
        self._watch.set_zoom(factor)

    @property
    def zoom(self) -> float:
        """Return the zoom factor."""
        return self._watch.zoom

    def reload(self, *, ignore_cache: bool = False) -> None:
        """Load the page again, or for the first time."""
        if self._is_loaded:
            self._watch.reload(ignore_cache=ignore_cache)
        else:
            self.pane.hide_message()
            self.load()

    def show_dev_tools(self) -> None:
        """Open the developer tools of the page in a separate window."""
        if self._dev_tools is None:
            tools = QWebEngineView()
            tools.setWindowTitle(f"Developer tools: {self.pane.title}")
            tools.resize(900, 600)
            tools.setPage(QWebEnginePage(self.shared.profile.engine, tools))
            self.page.setDevToolsPage(tools.page())
            self._dev_tools = tools
        self._watch.pause_heartbeat()
        self._dev_tools.show()
        self._dev_tools.raise_()

    def ask_reload(self) -> None:
        """Reload the page at the request of the user, unless the app prevents it."""

        def answered(allowed: Any, _reason: str | None) -> None:
            if allowed is not False and not self._closed:
                self.reload()

        self._platform.ask(MayRefresh(instance=self.instance), bool).then(answered)

    def ask_close(self) -> None:
        """Close the window at the request of the user or the page, if the platform agrees."""
        if self._asking or self._closed:
            return
        self._asking = True

        def answered(allowed: Any, _reason: str | None) -> None:
            self._asking = False
            # If the platform does not respond, the window must not stay open forever.
            if allowed is not False:
                self.close()

        self._platform.ask(MayClose(instance=self.instance), bool).then(answered)

    def close(self) -> None:
        """Close the window without calling handlers, and report it."""
        if self._closed:
            return
        self._closed = True
        self.page.end_dialogs(self._remove)

    def _remove(self) -> None:
        self._watch.close()
        self._link.detach()
        if self._dev_tools is not None:
            self._dev_tools.close()
            self._dev_tools.deleteLater()
        self.closed.emit()
        frame, cell = self.frame, self.cell
        # The page must be deleted before its view.
        self.page.deleteLater()
        cell.remove(self.pane)
        self.pane.deleteLater()
        leave(frame, cell)
        self._platform.report(WindowClosed(instance=self.instance))
        self.deleteLater()

    def _set_up_pane(self, border: int) -> None:
        details = self.request.details
        color = details.get("frameColor")
        self._frame_color = color if isinstance(color, str) and color else None
        tooltip = details.get("tabTooltip") or details.get("tabToolTip")
        self.tab_tooltip = tooltip if isinstance(tooltip, str) else ""
        self.pane.border = border
        self.pane.color = self._frame_color or self.shared.look.border
        self.pane.title = self.request.title
        self.pane.set_look(self.shared.look)
        self._limit_size(
            SetSizeLimits(
                min_width=_number(details.get("minWidth")),
                min_height=_number(details.get("minHeight")),
                max_width=_number(details.get("maxWidth")),
                max_height=_number(details.get("maxHeight")),
            )
        )

    def _limit_size(self, limits: SetSizeLimits) -> None:
        self.pane.smallest = (round(limits.min_width or 50), round(limits.min_height or HEIGHT))
        self.pane.largest = (
            round(limits.max_width) if limits.max_width else None,
            round(limits.max_height) if limits.max_height else None,
        )

    def _connect_caption(self, bar: CaptionBar) -> None:
        set_up_caption(bar, self.request, self.shared)
        bar.set_color(self._frame_color)
        bar.close_clicked.connect(self.ask_close)
        bar.minimize_clicked.connect(lambda: self.set_state("minimized"))
        bar.maximize_clicked.connect(self._maximize_clicked)

    def _button_chosen(self, name: str) -> None:
        if name == "close":
            self.ask_close()
        elif name == "minimize":
            self.set_state("minimized")
        else:
            self._maximize_clicked()

    def _state_changed(self, state: WindowState) -> None:
        if self.caption is not None:
            self.caption.set_maximized(maximized=state == "maximized")

    def _focused(self, focused: bool) -> None:  # noqa: FBT001 - a signal of Qt
        if focused and not (self.caption is not None and self.caption.is_editing):
            self.view.setFocus()

    def _page_icon(self, icon: QIcon) -> None:
        if not self.request.details.get("icon"):
            self._show_icon(icon)

    def _show_icon(self, icon: QIcon) -> None:
        self.pane.icon = icon
        if self.caption is not None:
            self.caption.set_icon(icon)
        self.frame.refresh()
        self.shared.tab_changed(self.instance)


def _number(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
    return float(value) if is_number else None
