"""Drags in a group: move a line or a border, or tear a window out."""

from collections.abc import Callable, Mapping
from typing import Protocol, get_args

from PySide6.QtCore import QPoint, Qt, QTimer
from shiboken6 import isValid

from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.windows.geometry import Bounds, Side
from rostrum.desktop.windows.gestures import LongPress
from rostrum.desktop.windows.groups import ResizeWay, WindowGroup
from rostrum.desktop.windows.resize import SharedEdge, drag_border, drag_edge, resize
from rostrum.settings.scope import Mode

_STEP_MS = 16
"""Windows are resized at most once per screen refresh."""
_TEAR = 16
"""Distance that the caption bar is dragged before the window leaves its group."""


class Sizable(Protocol):
    """The part of a group that a drag uses."""

    def place(self, windows: Mapping[str, Bounds]) -> None:
        """Set the bounds of the windows."""
        ...

    def rest(self) -> None:
        """Report the final bounds of the windows."""
        ...


class TornOutReport(Protocol):
    """Reports that a window was torn out of its group."""

    def __call__(self, *, dropped: bool) -> None:
        """Report it; ``dropped`` states whether the drag has ended."""
        ...


class _SizeDrag:
    """Resizes windows of a group, at most once per screen refresh."""

    begun = True

    def __init__(self, group: Sizable, pointer: QPoint) -> None:
        self._group = group
        self._start = pointer
        self._latest: QPoint | None = None
        self._alt = False
        self._timer = QTimer()
        self._timer.setSingleShot(True)
        self._timer.setInterval(_STEP_MS)
        self._timer.timeout.connect(self._apply)

    def to(self, pointer: QPoint, *, alt: bool) -> None:
        """Follow the pointer; positions between two refreshes are skipped."""
        self._latest, self._alt = pointer, alt
        if not self._timer.isActive():
            self._apply()

    def end(self, *, alt: bool) -> None:  # noqa: ARG002 - a drag knows it
        """Report the final bounds of the windows."""
        self._apply()
        self._timer.stop()
        self._group.rest()

    def _apply(self) -> None:
        latest, self._latest = self._latest, None
        if latest is not None:
            self._group.place(self._sized(latest - self._start))
            self._timer.start()

    def _sized(self, step: QPoint) -> Mapping[str, Bounds]:
        raise NotImplementedError


class EdgeDrag(_SizeDrag):
    """Moves the line between adjacent windows."""

    def __init__(
        self,
        group: Sizable,
        pointer: QPoint,
        windows: Mapping[str, Bounds],
        edge: SharedEdge,
        smallest: Mapping[str, tuple[float, float]],
    ) -> None:
        super().__init__(group, pointer)
        self._windows = windows
        self._edge = edge
        self._smallest = smallest

    def _sized(self, step: QPoint) -> Mapping[str, Bounds]:
        by = step.x() if self._edge.sideways else step.y()
        return drag_edge(self._windows, self._edge, by, self._smallest)


class BorderDrag(_SizeDrag):
    """Moves outer borders of a group, or with ALT those of one window."""

    def __init__(
        self,
        group: Sizable,
        pointer: QPoint,
        before: WindowGroup,
        sides: frozenset[str],
        *,
        way: ResizeWay,
        alone: str | None,
    ) -> None:
        """Use the grabbed sides; ``alone`` is the window that ALT resizes separately, or None."""
        super().__init__(group, pointer)
        self._before = before
        self._sides: tuple[Side, ...] = tuple(side for side in get_args(Side) if side in sides)
        self._way = way
        self._alone = alone

    def _sized(self, step: QPoint) -> Mapping[str, Bounds]:
        by = {"left": -step.x(), "right": step.x(), "top": -step.y(), "bottom": step.y()}
        group = self._before
        for side in self._sides:
            if self._alone is None:
                group = resize(group, side, by[side], self._way)
            else:
                group = drag_border(
                    group, self._alone, side, by[side], way=self._way, mode=Mode.ADVANCED, alt=self._alt
                )
        return group.windows


class TearDrag:
    """Tears a window out of a group by its caption bar; the drag continues with its own frame.

    A long press also tears it out, before the pointer moves.
    """

    def __init__(
        self,
        frame: Frame,
        pointer: QPoint,
        take_out: Callable[[], Frame],
        report: TornOutReport,
        unlock: LongPress | None,
    ) -> None:
        """Start at a press; ``take_out`` creates the new frame."""
        self.begun = False
        self._frame = frame
        self._pointer = pointer
        self._take_out = take_out
        self._report = report
        self._unlock = unlock
        self._torn: Frame | None = None
        self._is_reported = False
        self._timer = QTimer()
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._pressed_long)
        if unlock is not None:
            self._timer.start(round(unlock.timeout))

    def to(self, pointer: QPoint, *, alt: bool) -> None:
        """Follow the pointer."""
        step = pointer - self._pointer
        if self._unlock is None or not self._unlock.allows(step.x(), step.y()):
            self._timer.stop()
        if self._torn is None:
            if step.manhattanLength() < _TEAR:
                return
            self._tear()
        if self._torn is not None and isValid(self._torn):
            self._torn.drag_to(pointer, alt=alt)

    def end(self, *, alt: bool) -> None:
        """Drop the window."""
        self._frame.releaseMouse()
        if self._torn is not None and isValid(self._torn):
            if not self._is_reported:
                self._report(dropped=True)
            self._torn.end_drag(alt=alt)

    def _pressed_long(self) -> None:
        # The button may have been released long ago: only started drags are ended.
        if self._torn is None and self._frame.follows(self):
            self._tear()
            self._is_reported = True
            self._report(dropped=False)

    def _tear(self) -> None:
        self._timer.stop()
        self.begun = True
        self._torn = self._take_out()
        # The button was pressed in this frame, so this frame gets pointer events until the release.
        self._frame.grabMouse()
        self._torn.begin_move(self._pointer)
