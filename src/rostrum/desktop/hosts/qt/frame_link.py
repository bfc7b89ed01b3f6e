"""FrameLink: connects a window with the frame that shows it, and reports place, state, focus and visibility."""

from PySide6.QtCore import QObject, QTimer, Signal

from rostrum.desktop.hosts.port import WindowRequest
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.reports import Dropped, Focused, Moved, StateChanged, VisibilityChanged, WindowState
from rostrum.desktop.windows.geometry import Bounds, screen_of
from rostrum.desktop.windows.snapping import drop

__all__ = ["FrameLink"]

_LIVE_MS = 16
"""While a person drags a window, its place is reported this often at most."""


class FrameLink(QObject):
    """What a window has to do with its frame.

    Attributes:
        state_changed: Emitted with the state of the window.
        focused: Emitted with whether the window has the focus.
        close_wanted: Emitted when a person or the window manager wants to close the window.

    """

    state_changed = Signal(str)
    focused = Signal(bool)
    close_wanted = Signal()

    def __init__(self, request: WindowRequest, frame: Frame, shared: Shared, parent: QObject) -> None:
        """Take the frame that shows the window first."""
        super().__init__(parent)
        self._request = request
        self._shared = shared
        self._instance = request.instance
        self._live = QTimer(self)
        self._live.setSingleShot(True)
        self._live.setInterval(_LIVE_MS)
        self._live.timeout.connect(lambda: self._report_bounds(at_rest=False))
        self._frame = frame
        self._connect()

    @property
    def frame(self) -> Frame:
        """Return the frame that shows the window."""
        return self._frame

    def move_to(self, frame: Frame) -> None:
        """Follow another frame, which shows the window from now on."""
        self.close()
        self._frame = frame
        self._connect()

    def close(self) -> None:
        """Report nothing any more."""
        self._live.stop()
        frame = self._frame
        frame.bounds_changed.disconnect(self._bounds_changed)
        frame.state_changed.disconnect(self._state_changed)
        frame.activated.disconnect(self._activated)
        frame.visible_changed.disconnect(self._visible_changed)
        frame.close_wanted.disconnect(self._close_wanted)
        frame.dropped.disconnect(self._dropped)

    @property
    def bounds(self) -> Bounds:
        """Return where the window is in its normal state."""
        return self._frame.bounds

    def set_bounds(self, bounds: Bounds) -> None:
        """Move and resize the window."""
        self._frame.set_bounds(bounds)

    @property
    def state(self) -> WindowState:
        """Return the state of the window."""
        return self._frame.state

    @property
    def takes_part(self) -> bool:
        """Say whether other windows snap to this one."""
        is_normal = self.state in ("normal", "collapsed")
        return self._frame.isVisible() and is_normal and self._request.kind != "popup"

    def _connect(self) -> None:
        frame = self._frame
        frame.snap = self._snapped
        frame.bounds_changed.connect(self._bounds_changed)
        frame.state_changed.connect(self._state_changed)
        frame.activated.connect(self._activated)
        frame.visible_changed.connect(self._visible_changed)
        frame.close_wanted.connect(self._close_wanted)
        frame.dropped.connect(self._dropped)

    def _snapped(self, moving: Bounds, alt: bool) -> Bounds:  # noqa: FBT001 - called by a drag
        rules = self._request.snapping_with_alt if alt else self._request.snapping
        if rules is None:
            return moving
        area = screen_of(moving, self._shared.screens).work_area
        return drop(moving, self._shared.neighbours(self._instance), area, rules)

    def _bounds_changed(self, live: bool) -> None:  # noqa: FBT001 - a signal of Qt
        if not live:
            self._live.stop()
            self._report_bounds(at_rest=True)
        elif not self._live.isActive():
            self._live.start()

    def _report_bounds(self, *, at_rest: bool) -> None:
        self._shared.platform.report(Moved(instance=self._instance, bounds=self.bounds, at_rest=at_rest))

    def _state_changed(self, state: WindowState) -> None:
        self.state_changed.emit(state)
        self._shared.platform.report(StateChanged(instance=self._instance, state=state))

    def _activated(self, focused: bool) -> None:  # noqa: FBT001 - a signal of Qt
        self.focused.emit(focused)
        self._shared.platform.report(Focused(instance=self._instance, focused=focused))

    def _close_wanted(self) -> None:
        self.close_wanted.emit()

    def _visible_changed(self, visible: bool) -> None:  # noqa: FBT001 - a signal of Qt
        self._shared.platform.report(VisibilityChanged(instance=self._instance, visible=visible))

    def _dropped(self, alt: bool) -> None:  # noqa: FBT001 - a signal of Qt
        self._shared.platform.report(Dropped(instance=self._instance, bounds=self.bounds, alt=alt))
