"""What the screen must show by the platform's model of windows, groups and tabs, and how it differs from that."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from rostrum.desktop.services.window_registry import WindowRecord
from rostrum.desktop.windows.geometry import Bounds, box
from rostrum.desktop.windows.groups import WindowGroup
from rostrum.desktop.windows.resize import fitted
from tests.windows.desk import BORDER, CAPTION, DeskOfTests
from tests.windows.display import SIZE
from tests.windows.screen import Rectangle, Window

HEADER = CAPTION + BORDER
WHOLE = Rectangle(0, 0, *SIZE)
_INSET = 24
"""Distance from the corners of a page at which its colour is checked."""


@dataclass(frozen=True)
class Frame:
    """A native window as it must be.

    Attributes:
        members: The windows that it shows, in the order of the model; tabs behind another one are not among them.
        pages: Where the page of each member is that can be seen.

    """

    title: str
    bounds: Rectangle
    is_minimized: bool
    is_maximized: bool
    members: tuple[str, ...]
    pages: dict[str, Rectangle] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, Rectangle | None, bool, bool]:
        """What the X server must say of it; a minimized window may be anywhere."""
        return self.title, None if self.is_minimized else self.bounds, self.is_minimized, self.is_maximized


class DeskModel:
    """Reads the model of a running desk, and compares it with the screen.

    Attributes:
        colors: The colour of the page of each app.

    """

    def __init__(self, desk: DeskOfTests, colors: dict[str, tuple[int, int, int]]) -> None:
        self.desk = desk
        self.colors = colors
        self.windows = desk.platform.services.windows

    @property
    def records(self) -> dict[str, WindowRecord]:
        """Every open window."""
        return {one.id: one for one in self.windows.registry.all}

    @property
    def covered(self) -> set[str]:
        """The windows behind another tab."""
        return {one for _, group in self.windows.tabs.all.items() for one in group.tabs if one != group.selected}

    def frames(self) -> list[Frame]:
        """Return the native windows that must be on the screen."""
        found = [frame for group in self.windows.groups.all for frame in self._group(group)]
        for record in self.records.values():
            is_alone = self.windows.groups.of(record.id) is None and record.id not in self.covered
            if is_alone and record.visible:
                found.append(self._alone(record))
        return found

    def frame_of(self, instance: str) -> Frame | None:
        """Return the native window that shows a window."""
        return next((one for one in self.frames() if instance in one.members), None)

    def native(self, instance: str) -> Window | None:
        """Return the native window on the screen that shows a window."""
        frame = self.frame_of(instance)
        found = [] if frame is None else [one for one in self.desk.windows() if _key(one) == frame.key]
        return found[0] if len(found) == 1 else None

    def differences(self) -> list[str]:
        """Return how the screen differs from the model, and the parts of the model from each other."""
        frames, windows = self.frames(), self.desk.windows()
        wanted, seen = Counter(one.key for one in frames), Counter(_key(one) for one in windows)
        found = [f"not on the screen: {key}" for key in wanted - seen]
        found += [f"on the screen only: {key}" for key in seen - wanted]
        found += self._contradictions()
        return found or [*self._wrong_pixels(frames, windows)]

    def _alone(self, record: WindowRecord) -> Frame:
        maximized = record.state == "maximized"
        bounds = WHOLE if maximized else rectangle(record.bounds)
        page = _page(bounds, 0 if maximized else BORDER)
        pages = {} if record.collapsed or record.state == "minimized" else {record.id: page}
        return Frame(record.title, bounds, record.state == "minimized", maximized, (record.id,), pages)

    def _group(self, group: WindowGroup) -> Iterator[Frame]:
        """Return the frame of a group, if one of its windows is visible."""
        members = [self.records[one] for one in group.windows if one in self.records]
        if not any(one.visible for one in members):
            return
        states = {one.state for one in members}
        top = HEADER if self.windows.groups.has_header(group) else 0
        whole, places = box(group.windows.values()), dict(group.windows)
        bounds = rectangle(Bounds(whole.left, whole.top - top, whole.width, whole.height + top))
        if states == {"maximized"}:
            places = fitted(places, group.edge, Bounds(0, top, WHOLE.width, WHOLE.height - top))
            bounds = WHOLE
        pages = {
            one.id: _page(rectangle(places[one.id]), BORDER)
            for one in members
            if one.visible and one.id not in group.collapsed and states != {"minimized"}
        }
        title = self.windows.groups.title_of(group)
        yield Frame(title, bounds, states == {"minimized"}, states == {"maximized"}, tuple(group.windows), pages)

    def _contradictions(self) -> Iterator[str]:
        yield from self._contradictions_of_groups()
        yield from self._contradictions_of_tabs()
        for one, record in self.records.items():
            if self.desk.host.bounds(one) != record.bounds:
                yield f"{record.title} is at {record.bounds}, and by its last report at {self.desk.host.bounds(one)}"

    def _contradictions_of_groups(self) -> Iterator[str]:
        for group in self.windows.groups.all:
            for one, bounds in group.windows.items():
                record = self.records.get(one)
                if record is None:
                    yield f"{one} is in a group and not open"
                elif record.bounds != bounds:
                    yield f"{record.title} is at {record.bounds}, and in its group at {bounds}"
            states = {self.records[one].state for one in group.windows if one in self.records}
            if len(states) > 1:
                yield f"the windows of a group have the states {states}"

    def _contradictions_of_tabs(self) -> Iterator[str]:
        for _, tabs in self.windows.tabs.all.items():
            front = self.records.get(str(tabs.selected))
            for one in tabs.tabs:
                record = self.records.get(one)
                if record is None or front is None:
                    yield f"{one} is a tab and not open"
                elif (record.bounds, record.state, record.visible) != (front.bounds, front.state, front.visible):
                    yield f"the tab {record.title} is {_short(record)}, and {front.title} in front {_short(front)}"

    def _wrong_pixels(self, frames: list[Frame], windows: list[Window]) -> Iterator[str]:
        counted = Counter(one.key for one in frames)
        # The button of the platform is above all windows.
        every = self.desk.screen.windows()
        for window in windows:
            frame = next(one for one in frames if one.key == _key(window))
            if counted[frame.key] > 1:
                continue
            higher = every[[one.id for one in every].index(window.id) + 1 :] if window in every else every
            above = [one.bounds for one in higher if not one.is_minimized]
            for member, area in frame.pages.items():
                record = self.records[member]
                for point in _points(area):
                    if any(_covers(one, point) for one in above) or not _covers(WHOLE, point):
                        continue
                    pixel = self.desk.screen.pixel(*point)
                    if pixel != self.colors[record.app]:
                        yield f"the page of {record.title} is not seen at {point} of {area}: {pixel}"


def rectangle(bounds: Bounds) -> Rectangle:
    """Return a place in pixels of the screen, as the window process rounds it."""
    left, top = round(bounds.left), round(bounds.top)
    return Rectangle(left, top, round(bounds.width), round(bounds.height))


def _page(cell: Rectangle, border: int) -> Rectangle:
    return Rectangle(
        cell.x + border, cell.y + border + CAPTION, cell.width - 2 * border, cell.height - 2 * border - CAPTION
    )


def _points(area: Rectangle) -> list[tuple[int, int]]:
    """Return points of a page with nothing but its colour."""
    if area.width < 3 * _INSET or area.height < 3 * _INSET:
        return []
    right, bottom = area.right - _INSET, area.bottom - _INSET
    return [area.center, (right, area.y + _INSET), (area.x + _INSET, bottom), (right, bottom)]


def _covers(area: Rectangle, point: tuple[int, int]) -> bool:
    return area.x <= point[0] < area.right and area.y <= point[1] < area.bottom


def _key(window: Window) -> tuple[str, Rectangle | None, bool, bool]:
    bounds = None if window.is_minimized else window.bounds
    return window.title, bounds, window.is_minimized, window.is_maximized and not window.is_minimized


def _short(record: WindowRecord) -> str:
    return f"{record.bounds} {record.state} {'visible' if record.visible else 'hidden'}"
