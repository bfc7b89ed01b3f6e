"""Windows of apps over the page that draws workspaces, each at the position of its panel."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter

from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.drags import CURSORS, Drag, ResizeDrag, edges_at
from rostrum.desktop.hosts.qt.framed_window import FramedWindow
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.qt.pane import Pane
from rostrum.desktop.hosts.qt.window import AppWindow
from rostrum.desktop.windows.geometry import Bounds

_MOST_PLACES = 500


class WorkspaceFrame:
    """The arrangement of a frame's page and the windows in its workspaces, in one native window.

    Windows keep their documents and processes. A window without a position in the page, because it is behind another
    tab or in another workspace, is hidden.
    """

    def __init__(self, window: AppWindow, windows: Mapping[str, FramedWindow], send: Callable[[Any], None]) -> None:
        """Use the window with the page; ``send`` sends drawings to the page."""
        self._main = window
        self._windows = windows
        self._send = send
        self._drawing: Mapping[str, Any] = {}
        self._number = 0
        self._waiting: dict[int, Later] = {}
        self._inside: dict[str, FramedWindow] = {}
        self._places: dict[str, QRect] = {}
        window.frame.group = self
        window.frame.settled.connect(self._settled)
        window.frame.refresh()

    @property
    def title(self) -> str:
        """Return the title for the taskbar."""
        return self._main.pane.title

    def draw(self, drawing: Mapping[str, Any]) -> Later:
        """Add and remove windows and let the page draw them; the result is available when it has."""
        self._number += 1
        self._drawing = {**drawing, "number": self._number}
        wanted = {instance for one in drawing["workspaces"] for instance in one["windows"].values()}
        for name in [one for one in self._inside if one not in wanted]:
            self._let_go(name)
        for name in wanted:
            window = self._windows.get(name)
            if window is not None and name not in self._inside:
                self._take_in(window)
        later = self._waiting[self._number] = Later()
        self._send(self._drawing)
        return later

    def call(self, method: str, arguments: Mapping[str, Any]) -> Any:
        """Handle a call of the page about its first drawing, finished drawings or panels; return None for others."""
        if method == "Workspaces.Drawing":
            return self._drawing
        if method == "Workspaces.Drawn":
            number = arguments.get("number")
            for one in [each for each in self._waiting if isinstance(number, int) and each <= number]:
                self._waiting.pop(one).resolve({})
            return {}
        if method == "Workspaces.Places":
            self._places = _places(arguments.get("places"))
            self.arrange()
            return {}
        return None

    def forget(self, window: FramedWindow) -> None:
        """Remove a closed window."""
        self._inside = {name: one for name, one in self._inside.items() if one is not window}

    def close(self) -> None:
        """Release all windows, because the frame is closed."""
        for name in [*self._inside]:
            # The platform closes them.
            self._let_go(name, visible=False)
        self._main.frame.group = None
        self._main.frame.settled.disconnect(self._settled)
        for later in self._waiting.values():
            later.fail("the frame was closed")
        self._waiting.clear()

    def arrange(self) -> None:
        """Move each window to its panel, above the page."""
        frame = self._main.frame
        page = self._main.cell
        page.setGeometry(frame.rect())
        view = self._main.view
        origin = view.mapTo(frame, QPoint(0, 0))
        shown = {name: window for name, window in self._inside.items() if name in self._places}
        for name, window in self._inside.items():
            was_hidden = window.cell.isHidden()
            if name in shown:
                place = _scaled(self._places[name], view.zoomFactor()).translated(origin)
                was_elsewhere = window.cell.geometry() != place
                window.cell.setGeometry(place)
                window.cell.show()
                if was_elsewhere:
                    window.report_bounds()
            else:
                window.cell.hide()
            if window.cell.isHidden() != was_hidden and window.pane.link is not None and frame.isVisible():
                window.pane.link.report_visible(visible=was_hidden)
        # The page lists floating panels last: their windows are above the others.
        for name in self._places:
            if name in shown:
                shown[name].cell.raise_()

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Paint nothing: the page fills the frame."""

    def place_of(self, pane: Pane) -> Bounds:
        """Return the bounds of a window on the screen."""
        frame = self._main.frame
        if pane is self._main.pane:
            return frame.bounds
        cell = self._cell_of(pane)
        corner = frame.mapToGlobal(QPoint(0, 0) if cell is None else cell.pos())
        size = frame.size() if cell is None else cell.size()
        return Bounds(corner.x(), corner.y(), size.width(), size.height())

    def put(self, pane: Pane, bounds: Bounds) -> None:
        """Move the frame; the page determines the position of a window in a workspace."""
        if pane is self._main.pane:
            self._main.frame.set_bounds(bounds)

    def drag_at(self, place: QPoint, pointer: QPoint) -> Drag | None:
        """Return the drag that a press at a position of the frame starts: of its edges."""
        frame = self._main.frame
        edges = edges_at(place, frame.size(), frame.border)
        return ResizeDrag(frame, pointer, edges, frame.minimumSize(), frame.maximumSize()) if edges else None

    def cursor_at(self, place: QPoint) -> Qt.CursorShape | None:
        """Return the cursor for a position of the frame."""
        frame = self._main.frame
        return CURSORS.get(edges_at(place, frame.size(), frame.border))

    def double_click(self, place: QPoint) -> bool:  # noqa: ARG002 - the protocol has it
        """Return False: a double click has no effect."""
        return False

    def tear(self, pane: Pane, pointer: QPoint) -> Drag | None:  # noqa: ARG002 - the protocol has it
        """Return None: windows leave a workspace with the button of the page."""
        return None

    def _settled(self) -> None:
        """Correct what was reported while the window manager was still preparing the frame."""
        for window in self._inside.values():
            if not window.cell.isHidden():
                window.report_if_moved()

    def _take_in(self, window: FramedWindow) -> None:
        cell = window.cell
        window.move_to(self._main.frame)
        # Only now: while it moves, its cell is not in a frame.
        self._inside[window.instance] = window
        cell.set_bare(bare=True)
        cell.show_border(shown=False)
        cell.hide()

    def _let_go(self, name: str, *, visible: bool = True) -> None:
        window = self._inside.pop(name)
        if window.frame is not self._main.frame:
            return
        place = self.place_of(window.pane)
        window.cell.set_bare(bare=False)
        window.cell.show_border(shown=True)
        window.cell.setHidden(not visible)
        window.move_out(place, visible=visible)
        self._main.frame.refresh()

    def _cell_of(self, pane: Pane) -> Cell | None:
        return next((cell for cell in self._main.frame.cells if pane in cell.panes), None)


def _scaled(place: QRect, factor: float) -> QRect:
    sides = (place.x(), place.y(), place.width(), place.height())
    return QRect(*(round(side * factor) for side in sides))


def _places(written: Any) -> dict[str, QRect]:
    """Read the positions of the panels of running apps: by instance, in CSS pixels of the page."""
    if not isinstance(written, list) or len(written) > _MOST_PLACES:
        return {}
    found = {}
    for one in written:
        if not isinstance(one, Mapping) or not isinstance(one.get("instance"), str):
            continue
        sides = [one.get(side) for side in ("left", "top", "width", "height")]
        if all(isinstance(side, int | float) and not isinstance(side, bool) and abs(side) < 1e5 for side in sides):
            left, top, width, height = (round(float(side or 0)) for side in sides)
            found[one["instance"]] = QRect(left, top, max(1, width), max(1, height))
    return found
