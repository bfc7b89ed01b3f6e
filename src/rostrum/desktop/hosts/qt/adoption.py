"""Embeds the window of a program in a window of the platform, so that it can join a group.

The window is reparented into a native window of Qt's connection and is in the save set of that connection: when this
process fails, the X server returns it to the desktop, and the program continues.
"""

import ctypes
from collections.abc import Callable
from ctypes import c_uint16, c_uint32
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QMouseEvent, QResizeEvent, QWindow
from PySide6.QtWidgets import QWidget

from rostrum.desktop.hosts.port import WindowRequest
from rostrum.desktop.hosts.qt.caption import HEIGHT
from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.frame_link import FrameLink
from rostrum.desktop.hosts.qt.framed_window import FramedWindow, leave
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.hosts.qt.pane import BORDER, Pane
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.qt.window_caption import set_up_caption
from rostrum.desktop.hosts.qt.x11 import X11
from rostrum.desktop.windows.geometry import Bounds

_SMALLEST = 50
_INSERT, _DELETE = 0, 1
_REVERT_TO_POINTER_ROOT = 1
_WIDTH, _HEIGHT, _BORDER_WIDTH = 1 << 2, 1 << 3, 1 << 4
_WITHDRAW_MS = 2000
"""Time limit for the window manager to release a window."""


def around(contents: Bounds) -> Bounds:
    """Return the bounds of a frame whose contents have the given bounds."""
    return Bounds(
        contents.left - BORDER,
        contents.top - BORDER - HEIGHT,
        contents.width + 2 * BORDER,
        contents.height + 2 * BORDER + HEIGHT,
    )


def contents(window: Bounds) -> Bounds:
    """Return the bounds of the contents of a frame."""
    return Bounds(
        window.left + BORDER,
        window.top + BORDER + HEIGHT,
        max(1, window.width - 2 * BORDER),
        max(1, window.height - 2 * BORDER - HEIGHT),
    )


class _QtRequests:
    """Requests on Qt's own connection: only its save set protects windows that are embedded in windows of Qt."""

    def __init__(self) -> None:
        application = QGuiApplication.instance()
        native: Any = None if application is None else application.nativeInterface()
        self._connection = ctypes.c_void_p(native.connection())
        self._xcb = ctypes.CDLL("libxcb.so.1")

    def embed(self, window: int, into: int, width: int, height: int) -> None:
        self._xcb.xcb_change_save_set(self._connection, _INSERT, c_uint32(window))
        self._xcb.xcb_reparent_window(self._connection, c_uint32(window), c_uint32(into), 0, 0)
        self.resize(window, width, height)
        self._xcb.xcb_map_window(self._connection, c_uint32(window))
        self._xcb.xcb_flush(self._connection)

    def set_focus(self, window: int) -> None:
        # On this connection, which also shows the windows: a hidden window cannot get the keyboard focus.
        self._xcb.xcb_set_input_focus(self._connection, _REVERT_TO_POINTER_ROOT, c_uint32(window), 0)
        self._xcb.xcb_flush(self._connection)

    def release(self, window: int, root: int, left: int, top: int) -> None:
        self._xcb.xcb_reparent_window(
            self._connection, c_uint32(window), c_uint32(root), ctypes.c_int16(left), ctypes.c_int16(top)
        )
        self._xcb.xcb_change_save_set(self._connection, _DELETE, c_uint32(window))
        self._xcb.xcb_flush(self._connection)

    def resize(self, window: int, width: int, height: int) -> None:
        values = (c_uint32 * 3)(max(1, width), max(1, height), 0)
        mask = c_uint16(_WIDTH | _HEIGHT | _BORDER_WIDTH)
        self._xcb.xcb_configure_window(self._connection, c_uint32(window), mask, values)
        self._xcb.xcb_flush(self._connection)


class _Holder(QWindow):
    """The native window that contains the window of a program."""

    def __init__(self, resized: Callable[[], None]) -> None:
        super().__init__()
        self._resized = resized

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._resized()


class AdoptedWindow(FramedWindow):
    """The window of a program with a caption bar and a border of the platform."""

    def __init__(
        self, request: WindowRequest, window: int, x11: X11, shared: Shared, settled: Callable[[], None]
    ) -> None:
        """Prepare the frame; ``settled`` is called when the window has new bounds or another state."""
        super().__init__(request, shared)
        self._window = window
        self._x11 = x11
        self._qt = _QtRequests()
        self._is_embedded = False
        self._is_closed = False
        self._holder = _Holder(self._fit)
        # Never shown: it contains the program's window while Qt creates and destroys native windows.
        self._parking = QWindow()
        self._parking.create()
        container = QWidget.createWindowContainer(self._holder)
        # Qt would give the keyboard focus to the native window around the program's window.
        container.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.pane = Pane(container, shared.look)
        self.pane.setFocusProxy(None)
        self.pane.carry = self._carry
        self.pane.border = BORDER
        self.pane.title = request.title
        self.pane.smallest = (_SMALLEST, HEIGHT + _SMALLEST)
        bar = self.pane.add_caption()
        set_up_caption(bar, request, shared)
        bar.minimize_clicked.connect(lambda: self.set_state("minimized"))
        bar.maximize_clicked.connect(self._maximize_clicked)
        bar.close_clicked.connect(self.ask_close)
        frame = Frame(request.bounds or Bounds(0, 0, 1, 1))
        frame.add_cell(Cell(self.pane))
        self._link = FrameLink(request, self.pane, frame, shared, self)
        self._link.state_changed.connect(lambda state: bar.set_maximized(maximized=state == "maximized"))
        self._link.state_changed.connect(lambda _: settled())
        self._link.rested.connect(settled)
        self._link.close_wanted.connect(self.ask_close)
        self._watched: Frame | None = None
        self._embedded: Callable[[], None] = lambda: None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(lambda: self._embed())

    def open(self, embedded: Callable[[], None]) -> None:
        """Embed the window; ``embedded`` is called when that is done."""
        self.frame.open("normal", hidden=False, focus=False)
        self._watch_frame()
        # The window manager must release it first: it would return the window to the desktop.
        self._x11.withdraw(self._window)
        self._embedded = embedded
        self._timer.start(_WITHDRAW_MS)
        self.manager_let_go()

    def manager_let_go(self) -> None:
        """Embed the window if the window manager has released it."""
        if self._x11.values(self._window, "WM_STATE")[:1] in ([], [0]):
            self._embed()

    @property
    def is_embedded(self) -> bool:
        """Return whether the window of the program is embedded."""
        return self._is_embedded

    def _embed(self) -> None:
        if self._is_embedded or self._is_closed:
            return
        self._is_embedded = True
        self._timer.stop()
        self._put_into(self._holder)
        self._x11.watch_presses(self._window)
        self._embedded()

    def pressed(self) -> None:
        """Give the program the keyboard focus after a click into its window."""
        self.frame.focus_in(self.pane)
        self._qt.set_focus(self._window)

    def focus_changed(self, *, focused: bool) -> None:
        """Handle that the program got or lost the keyboard focus."""
        self.pane.has_native_focus = focused
        self._link.refresh_focus()

    def take_keyboard(self) -> None:
        self.pressed()

    def give_keyboard_back(self) -> None:
        if self.pane.has_native_focus:
            self._qt.set_focus(int(self.frame.winId()))

    def set_channels(self) -> None:
        """Set the available channels."""
        if self.caption is not None:
            self.caption.selector.set_channels([(one.name, one.color) for one in self.shared.channels])

    def set_look(self, look: Look) -> None:
        """Draw the frame in other colours."""
        self.pane.set_look(look)
        self.pane.color = look.border
        self.frame.refresh()

    def ask_close(self) -> None:
        """Let the program close its window."""
        self._x11.ask_to_close(self._window)

    def close(self, place: Bounds, *, is_gone: bool) -> None:
        """Remove the frame; a window that still exists is returned to the desktop at the position of its contents."""
        if self._is_closed:
            return
        self._is_closed = True
        self._timer.stop()
        if self._is_embedded and not is_gone:
            self._qt.release(self._window, self._x11.root, round(place.left), round(place.top))
            self._x11.ignore_presses(self._window)
        self._link.detach()
        frame, cell = self.frame, self.cell
        cell.remove(self.pane)
        self.pane.deleteLater()
        leave(frame, cell)
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keyboard focus from the program when the user clicks elsewhere in the frame.

        A click into its caption bar counts as a click into its window.
        """
        if isinstance(event, QMouseEvent) and watched is self.frame.windowHandle():
            if event.type() == QEvent.Type.MouseButtonPress and self.pane.has_native_focus:
                self._x11.set_focus(int(self.frame.winId()))
            elif event.type() == QEvent.Type.MouseButtonRelease and self._is_in_caption(event.position().toPoint()):
                self.pressed()
        return super().eventFilter(watched, event)

    def _is_in_caption(self, place: QPoint) -> bool:
        caption = self.caption
        return (
            caption is not None and caption.isVisible() and caption.rect().contains(caption.mapFrom(self.frame, place))
        )

    def _watch_frame(self) -> None:
        frame = self.frame
        handle = frame.windowHandle()
        if frame is not self._watched and handle is not None:
            self._watched = frame
            handle.installEventFilter(self)
            frame.activated.connect(self._activated)

    def _activated(self, active: bool) -> None:  # noqa: FBT001 - a signal of Qt
        """Make the window that gets the keyboard focus from Qt the current one."""
        frame = self.frame
        if not active or self.pane.has_native_focus or frame.current is not self.pane:
            return
        widget = frame.focusWidget()
        while widget is not None and not isinstance(widget, Pane):
            widget = widget.parentWidget()
        if widget is not None:
            frame.focus_in(widget)
        else:
            self.pressed()

    def _carry(self, leaving: bool) -> None:  # noqa: FBT001 - called by the pane
        """Hold the window while its pane moves to another frame."""
        self._put_into(self._parking if leaving else self._holder)
        if not leaving:
            self._watch_frame()

    def _put_into(self, holder: QWindow) -> None:
        if self._is_embedded:
            self._qt.embed(self._window, int(holder.winId()), *self._size())

    def _fit(self) -> None:
        if self._is_embedded and not self._is_closed:
            self._qt.resize(self._window, *self._size())

    def _size(self) -> tuple[int, int]:
        ratio = self._holder.devicePixelRatio()
        return round(self._holder.width() * ratio), round(self._holder.height() * ratio)
