"""A native window, usually without the system's decorations: its bounds, state and focus.

The rectangle that the platform or a drag has set is authoritative. The position that Qt reports lags behind the window
manager, so it is adopted only if no other position was requested here. The same applies to its state: a window manager
that is slow reports the state before the last one after the last one was requested.
"""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Literal

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent, QMoveEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QWidget

from rostrum.desktop.hosts.qt.drags import bounds_of, rect_of
from rostrum.desktop.hosts.reports import WindowState
from rostrum.desktop.windows.geometry import Bounds

_Native = Literal["normal", "minimized", "maximized"]
"""States that the window manager supports."""
_SETTLE_MS = 400
"""Time limit for the window manager to move a window as requested."""
_CONFIRM_MS = 1000
"""Time limit for the window manager to report the state that was requested."""
_REST_MS = 120
"""A window that has not moved for this time has its final bounds."""
_SHOWN: Mapping[_Native, Qt.WindowState] = {
    "normal": Qt.WindowState.WindowNoState,
    "minimized": Qt.WindowState.WindowMinimized,
    "maximized": Qt.WindowState.WindowMaximized,
}
_activations = count(1)


class NativeFrame(QWidget):
    """A native window, without its contents: ``Frame`` implements the methods that depend on them.

    Attributes:
        bounds_changed: Emitted with whether more changes follow, as in a drag.
        state_changed: Emitted with the new state.
        activated: Emitted with whether the window has the focus.
        visible_changed: Emitted with whether the window is on the screen.
        settled: Emitted when the window manager has placed the window, as requested or elsewhere.
        close_wanted: Emitted when the user or the window manager wants to close the window.
        last_active: Increases with each frame that gets the focus.
    """

    bounds_changed = Signal(bool)
    state_changed = Signal(str)
    activated = Signal(bool)
    visible_changed = Signal(bool)
    settled = Signal()
    close_wanted = Signal()

    def __init__(self, bounds: Bounds, *, tool: bool = False) -> None:
        """Prepare a hidden window with the given bounds."""
        kind = Qt.WindowType.Tool if tool else Qt.WindowType.Window
        super().__init__(None, kind | Qt.WindowType.FramelessWindowHint)
        self.last_active = next(_activations)
        self._bounds = bounds
        self._state: _Native = "normal"
        self._requested: _Native | None = None
        """The state that was requested from the window manager a moment ago."""
        self._is_not_sent = False
        """Whether Qt has not sent this request, because a late report has said that the window has this state."""
        self._collapsed: Bounds | None = None
        self._may_close = False
        self._last_place: QRect | None = None
        """The place that was requested last."""
        self._place_before: QRect | None = None
        """The place that was requested before it, if Qt has not sent the last request to the window manager."""
        self._is_asked_again = False
        self._is_decorated = False
        self._settle = self._timer(_SETTLE_MS, self._adopt)
        self._confirm = self._timer(_CONFIRM_MS, self._adopt_state)
        self._rest = self._timer(_REST_MS, lambda: self.bounds_changed.emit(False))
        self.setGeometry(rect_of(bounds))

    @property
    def dragging(self) -> bool:
        """Return whether the user is moving or resizing the window."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Apply the title, icon, size limits and border of the contents."""
        raise NotImplementedError

    def arrange(self) -> None:
        """Arrange the contents."""
        raise NotImplementedError

    def _show_borders(self) -> None:
        """Show or hide borders, depending on the state of the window."""
        raise NotImplementedError

    def _collapsed_height(self) -> int:
        """Return the height of the window when it is collapsed."""
        raise NotImplementedError

    def place(self, bounds: Bounds) -> None:
        """Set the bounds of a window that is not shown yet."""
        self._bounds = bounds
        self.setGeometry(rect_of(bounds))
        self.refresh()

    @property
    def bounds(self) -> Bounds:
        """Return the rectangle of the window in its normal state."""
        return self._bounds

    @property
    def state(self) -> WindowState:
        """Return normal, minimized, maximized or collapsed."""
        return "collapsed" if self._collapsed is not None else self._state

    def open(self, state: WindowState, *, hidden: bool, focus: bool) -> None:
        """Show the window for the first time, with its bounds and state."""
        self._activate_when_shown(active=focus)
        if state == "collapsed":
            self.set_state("collapsed")
        else:
            self._state = state
        if state == "maximized":
            self.setWindowState(Qt.WindowState.WindowMaximized)
            self._show_borders()
        elif state == "minimized":
            self.setWindowState(Qt.WindowState.WindowMinimized)
        if not hidden:
            # The first reports of the window manager may contain temporary positions.
            self._settle.start()
            self.show()
        self._activate_when_shown(active=True)

    def show_again(self, *, focus: bool) -> None:
        """Show a window that was hidden."""
        self._activate_when_shown(active=focus)
        # As when it is shown for the first time.
        self._settle.start()
        self.show()
        self._activate_when_shown(active=True)

    def _activate_when_shown(self, *, active: bool) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not active)
        handle = self.windowHandle()
        if handle is not None:
            # Qt reads the attribute only when it creates the native window.
            handle.setProperty("_q_showWithoutActivating", not active)

    def set_bounds(self, bounds: Bounds) -> None:
        """Move and resize the window; the bounds of a maximized or minimized window apply when it is restored."""
        bounds = self._limited(bounds)
        changed = bounds != self._bounds
        self._bounds = bounds
        if self._state == "normal":
            self._request_place()
        elif self._state == "minimized" and not self.windowState() & Qt.WindowState.WindowMaximized:
            # The window manager maps the window there when it is restored, instead of at the earlier position.
            self.setGeometry(rect_of(bounds))
        if changed:
            self.bounds_changed.emit(self.dragging)

    def set_state(self, state: WindowState) -> None:
        """Minimize, maximize, collapse or restore the window."""
        if state == self.state:
            if state != "collapsed":
                # Somebody may have changed it, which is not reported yet.
                self._set_native_state(state)
            return
        if state == "collapsed":
            self._set_native_state("normal")
            self._collapsed = self._bounds
            # Set the state first: the window is restored to the height before it.
            self.state_changed.emit("collapsed")
            self.setMinimumHeight(1)
            height = self._collapsed_height()
            self.set_bounds(Bounds(self._bounds.left, self._bounds.top, self._bounds.width, height))
            return
        if self._collapsed is not None:
            before, self._collapsed = self._collapsed, None
            self.refresh()
            self.set_bounds(Bounds(self._bounds.left, self._bounds.top, before.width, before.height))
            if state == "normal":
                self.state_changed.emit("normal")
        self._set_native_state(state)

    def set_decorated(self, *, decorated: bool) -> None:
        """Let the window manager draw a title bar with its buttons around the window, or not."""
        if decorated is self._is_decorated:
            return
        self._is_decorated = decorated
        handle = self.windowHandle()
        if handle is None:
            self.setWindowFlag(Qt.WindowType.FramelessWindowHint, not decorated)
        else:
            # As for windows that stay on top.
            self._settle.start()
            handle.setFlag(Qt.WindowType.FramelessWindowHint, not decorated)

    @property
    def title_bar(self) -> int:
        """Return the height of the title bar that the window manager has drawn above the window; 0 for none."""
        handle = self.windowHandle()
        return handle.frameMargins().top() if handle is not None and self._is_decorated else 0

    def set_on_top(self, *, on_top: bool) -> None:
        """Keep the window above all others, or stop."""
        handle = self.windowHandle()
        if handle is None:
            self.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint, on_top)
        else:
            # On the native window itself: flags of the widget would close and reopen it.
            handle.setFlag(Qt.WindowType.WindowStaysOnTopHint, on_top)

    def set_modal(self, *, modal: bool) -> None:
        """Block other windows, or stop."""
        handle = self.windowHandle()
        if handle is not None:
            handle.setModality(Qt.WindowModality.ApplicationModal if modal else Qt.WindowModality.NonModal)

    def flash(self, *, on: bool) -> None:
        """Draw attention to the window in the taskbar, or stop."""
        QApplication.alert(self, 0 if on else 1)

    def bring_to_front(self) -> None:
        """Show the window above all others, with the focus."""
        if self._state == "minimized":
            self.set_state("normal")
        self.raise_()
        self.activateWindow()

    def remove(self) -> None:
        """Close the window without calling handlers."""
        self._may_close = True
        self.close()

    def leave_maximized(self, pointer: QPoint) -> None:
        """Restore a maximized window under the pointer, so that it can be dragged."""
        if self._state != "maximized":
            return
        covered = self.geometry()
        share = (pointer.x() - covered.x()) / max(1, covered.width())
        left = pointer.x() - self._bounds.width * share
        self._bounds = Bounds(round(left), covered.y(), self._bounds.width, self._bounds.height)
        self.set_state("normal")

    def rest(self) -> None:
        """Report the final bounds of the window."""
        self._rest.stop()
        self.bounds_changed.emit(False)

    def moveEvent(self, event: QMoveEvent) -> None:
        """Handle a move by the window manager."""
        super().moveEvent(event)
        self._noticed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Handle a resize by the window manager."""
        super().resizeEvent(event)
        self.arrange()
        self._noticed()

    def changeEvent(self, event: QEvent) -> None:
        """Handle a change of state or focus."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self._reported(self._state_of_qt)
        elif event.type() == QEvent.Type.ActivationChange:
            if self.isActiveWindow() and self._state == "minimized":
                # Qt does not detect every window that another program shows again.
                self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
            if self.isActiveWindow():
                self.last_active = next(_activations)
            self.activated.emit(self.isActiveWindow())

    def showEvent(self, event: QShowEvent) -> None:
        """Report that the window is on the screen."""
        super().showEvent(event)
        if not event.spontaneous():
            self.visible_changed.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Report that the window is off the screen; a minimized window is not hidden."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.visible_changed.emit(False)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Let the platform decide, unless it has closed the window itself."""
        if self._may_close:
            event.accept()
        else:
            event.ignore()
            self.close_wanted.emit()

    def _noticed(self) -> None:
        if self._state != "normal" or self.dragging or self._settle.isActive() or not self.isVisible():
            return
        if self._state_of_qt != "normal":
            return
        self._adopt()

    def _adopt(self) -> None:
        """Store the rectangle that the window manager has given the window."""
        if self._state != "normal" or self.dragging or not self.isVisible():
            return
        handle = self.windowHandle()
        if handle is None or not handle.isExposed() or self._state_of_qt != "normal":
            # While a window manager prepares a window that is not visible yet, or restores one, its position is
            # arbitrary.
            self._settle.start()
            return
        actual, wanted = bounds_of(self.geometry()), rect_of(self._bounds)
        # On a busy machine, Qt may treat the position inside the window manager's frame as the position on the desktop,
        # and keep it. The window manager then reports the position once more.
        is_in_corner = (actual.left, actual.top) == (0, 0) != (wanted.x(), wanted.y())
        is_not_sent = self._place_before is not None and actual == bounds_of(self._place_before)
        if (is_in_corner or is_not_sent) and not self._is_asked_again:
            self._is_asked_again = True
            self._request_place()
            return
        self._is_asked_again, self._place_before = False, None
        if actual != bounds_of(wanted):
            self._bounds = actual
            self.bounds_changed.emit(True)
            self._rest.start()
        self.settled.emit()

    def _request_place(self) -> None:
        wanted = rect_of(self._bounds)
        # Qt sends nothing if the last report, which may be old, says that the window is there.
        is_sent = self.geometry() != wanted
        self._place_before = None if is_sent or self._last_place == wanted else self._last_place
        self._last_place = wanted
        self._settle.start()
        self.setGeometry(wanted)

    @property
    def _state_of_qt(self) -> _Native:
        state = self.windowState()
        if state & Qt.WindowState.WindowMinimized:
            return "minimized"
        return "maximized" if state & Qt.WindowState.WindowMaximized else "normal"

    def _set_native_state(self, state: _Native) -> None:
        if state == self._state == self._state_of_qt and self.isVisible():
            return
        if not self.isVisible():
            self.setWindowState(_SHOWN[state])
            self._state_is(state)
            return
        self._requested = state
        self._confirm.start()
        self._is_not_sent = state == self._state_of_qt
        self.setWindowState(_SHOWN[state])
        self.show()
        self._state_is(state)

    def _reported(self, state: _Native) -> None:
        """Handle a report of the window manager, or of Qt, which reports each request as done."""
        if self._requested is None or state == self._requested:
            self._state_is(state)
            return
        # The window manager has not handled the request yet, or somebody has already changed the state again.
        self._confirm.start()
        if self._is_not_sent:
            self._is_not_sent = False
            self.setWindowState(_SHOWN[self._requested])

    def _adopt_state(self) -> None:
        self._requested = None
        self._state_is(self._state_of_qt)

    def _state_is(self, state: _Native) -> None:
        if state == self._state:
            return
        self._state = state
        self._show_borders()
        if state == "normal":
            # The window manager stores the position as well; ours is exact.
            self._request_place()
        self.state_changed.emit(state)

    def _limited(self, bounds: Bounds) -> Bounds:
        smallest, largest = self.minimumSize(), self.maximumSize()
        return Bounds(
            bounds.left,
            bounds.top,
            min(max(bounds.width, smallest.width()), largest.width()),
            min(max(bounds.height, smallest.height()), largest.height()),
        )

    def _timer(self, milliseconds: int, elapsed: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(elapsed)
        return timer
