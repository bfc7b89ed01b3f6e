"""Connects a window with its frame, and reports bounds, state, focus and visibility."""

from PySide6.QtCore import QObject, QTimer, Signal

from rostrum.desktop.hosts.port import WindowRequest
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.pane import Pane
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.reports import Dropped, Focused, Moved, StateChanged, TornOut, VisibilityChanged, WindowState
from rostrum.desktop.windows.geometry import Bounds, screen_of
from rostrum.desktop.windows.snapping import drop

_LIVE_MS = 16
"""Minimum interval of reported bounds while the user drags a window."""


class FrameLink(QObject):
    """The relation of a window to its frame.

    Attributes:
        state_changed: Emitted with the state of the window.
        focused: Emitted with whether the window has the focus.
        close_wanted: Emitted when the user or the window manager wants to close the window.
        rested: Emitted when the window has new final bounds.
    """

    state_changed = Signal(str)
    focused = Signal(bool)
    close_wanted = Signal()
    rested = Signal()

    def __init__(self, request: WindowRequest, pane: Pane, frame: Frame, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._request = request
        self._pane = pane
        self._shared = shared
        self._instance = request.instance
        self._live = QTimer(self)
        self._live.setSingleShot(True)
        self._live.setInterval(_LIVE_MS)
        self._live.timeout.connect(lambda: self._report_change(at_rest=False))
        self._has_focus = False
        self._reported: tuple[Bounds, bool] | None = None
        """The last reported bounds, and whether they were final."""
        self._frame = frame
        self._left_state: WindowState = "normal"
        """The state of the frame that the window has left, whose state may have changed since."""
        self._is_attached = False
        pane.link = self
        self._attach()

    @property
    def frame(self) -> Frame:
        """Return the frame that shows the window."""
        return self._frame

    def move_to(self, frame: Frame) -> None:
        """Use another frame, which now shows the window; its state may differ."""
        self.detach()
        self._frame = frame
        self._attach()
        if frame.state != self._left_state:
            self._state_changed(frame.state)

    def detach(self) -> None:
        """Stop reporting changes of the frame."""
        self._live.stop()
        if not self._is_attached:
            return
        self._is_attached = False
        frame = self._frame
        self._left_state = frame.state
        frame.bounds_changed.disconnect(self._bounds_changed)
        frame.state_changed.disconnect(self._state_changed)
        frame.activated.disconnect(self._focus_changed)
        frame.current_changed.disconnect(self._focus_changed)
        frame.visible_changed.disconnect(self._visible_changed)
        frame.close_wanted.disconnect(self._close_wanted)
        frame.dropped.disconnect(self._dropped)
        frame.dragged.disconnect(self._dragged)

    @property
    def bounds(self) -> Bounds:
        """Return the bounds of the window in its normal state."""
        return self._frame.place_of(self._pane)

    def set_bounds(self, bounds: Bounds) -> None:
        """Move and resize the window."""
        self._frame.put(self._pane, bounds)

    @property
    def state(self) -> WindowState:
        """Return the state of the window."""
        return self._frame.state

    @property
    def takes_part(self) -> bool:
        """Return whether other windows snap to this one."""
        is_normal = self.state in ("normal", "collapsed")
        return self._frame.isVisible() and self._is_in_sight and is_normal and self._request.kind != "popup"

    def _attach(self) -> None:
        frame, self._is_attached = self._frame, True
        if frame.group is None:
            self.use_own_snapping()
        frame.bounds_changed.connect(self._bounds_changed)
        frame.state_changed.connect(self._state_changed)
        frame.activated.connect(self._focus_changed)
        frame.current_changed.connect(self._focus_changed)
        frame.visible_changed.connect(self._visible_changed)
        frame.close_wanted.connect(self._close_wanted)
        frame.dropped.connect(self._dropped)
        frame.dragged.connect(self._dragged)

    def use_own_snapping(self) -> None:
        """Use the snapping options of this window for the frame, because it shows no other window."""
        self._frame.snap = self._snapped

    def report_bounds(self) -> None:
        """Report the final bounds of the window."""
        self._report_bounds(at_rest=True)

    def report_if_moved(self) -> None:
        """Report the final bounds of the window, unless they were reported before."""
        self._report_change(at_rest=True)

    def report_torn_out(self, *, dropped: bool) -> None:
        """Report that the user has torn the window out of its group; Dropped follows if it was ``dropped``."""
        self._shared.platform.report(TornOut(instance=self._instance, bounds=self.bounds, dropped=dropped))

    def refresh_focus(self) -> None:
        """Report the focus if it has changed."""
        self._focus_changed()

    def report_visible(self, *, visible: bool) -> None:
        """Report whether the window is on the screen."""
        self._shared.platform.report(VisibilityChanged(instance=self._instance, visible=visible))

    def _snapped(self, moving: Bounds, alt: bool) -> Bounds:  # noqa: FBT001 - called by a drag
        rules = self._request.snapping_with_alt if alt else self._request.snapping
        if rules is None:
            return moving
        area = screen_of(moving, self._shared.screens).work_area
        return drop(moving, self._shared.neighbours(self._frame), area, rules)

    def _bounds_changed(self, live: bool) -> None:  # noqa: FBT001 - a signal of Qt
        if not live:
            self._live.stop()
            self._report_change(at_rest=True)
        elif not self._live.isActive():
            # Nothing else here: a drag calls this for each step and each window of a group.
            self._live.start()

    def _report_change(self, *, at_rest: bool) -> None:
        """Report the bounds, unless another window of the group was moved and this one was not."""
        if self._frame.group is None or self._reported not in ((self.bounds, at_rest), (self.bounds, True)):
            self._report_bounds(at_rest=at_rest)

    def _report_bounds(self, *, at_rest: bool) -> None:
        bounds = self.bounds
        self._reported = (bounds, at_rest)
        if at_rest:
            self.rested.emit()
        self._shared.platform.report(Moved(instance=self._instance, bounds=bounds, at_rest=at_rest))

    def _state_changed(self, state: WindowState) -> None:
        self.state_changed.emit(state)
        self._shared.platform.report(StateChanged(instance=self._instance, state=state))

    def _focus_changed(self) -> None:
        is_active = self._frame.isActiveWindow() or self._pane.has_native_focus
        has_focus = is_active and self._frame.current is self._pane
        if has_focus == self._has_focus:
            return
        self._has_focus = has_focus
        self.focused.emit(has_focus)
        self._shared.platform.report(Focused(instance=self._instance, focused=has_focus))

    @property
    def _is_in_sight(self) -> bool:
        """Return whether the window is not hidden separately from its group."""
        cell = self._pane.parentWidget()
        return cell is None or not cell.isHidden()

    @property
    def _is_in_front(self) -> bool:
        """Return whether the window is not behind another tab."""
        return any(cell.shown is self._pane for cell in self._frame.cells)

    def _close_wanted(self) -> None:
        self.close_wanted.emit()

    def _visible_changed(self, visible: bool) -> None:  # noqa: FBT001 - a signal of Qt
        self.report_visible(visible=visible and self._is_in_sight)

    def _dropped(self, alt: bool) -> None:  # noqa: FBT001 - a signal of Qt
        if self._frame.group is not None or not self._is_in_front:
            return
        self._shared.tabs_dragged_over(None, self._frame)
        pointer = self._frame.pointer
        over, tab = self._shared.tabs_at(pointer, self._frame) or (None, None)
        over = over or self._shared.workspaces_at(pointer, self._frame)
        self._shared.platform.report(Dropped(instance=self._instance, bounds=self.bounds, alt=alt, over=over, tab=tab))

    def _dragged(self) -> None:
        # A group cannot be dropped as a tab.
        if self._frame.group is None and self._is_in_front:
            self._shared.tabs_dragged_over(self._frame.pointer, self._frame)
