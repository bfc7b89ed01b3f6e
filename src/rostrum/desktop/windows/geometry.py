"""Rectangles on the desktop, and the gaps between them; pure."""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Side = Literal["left", "top", "right", "bottom"]
_GRABBED = 30
"""The height of the part of a window by which users move it."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A rectangle on the desktop, in pixels."""

    left: float
    top: float
    width: float
    height: float

    @classmethod
    def between(cls, left: float, top: float, right: float, bottom: float) -> "Bounds":
        """Create a rectangle from its four edges."""
        return cls(left, top, right - left, bottom - top)

    @property
    def right(self) -> float:
        """Return the edge behind the last column."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Return the edge below the last row."""
        return self.top + self.height

    def overlaps(self, other: "Bounds") -> bool:
        """Return whether both cover a common pixel."""
        return self.beside(other) and self.above_or_below(other)

    def beside(self, other: "Bounds") -> bool:
        """Return whether some row crosses both."""
        return self.top < other.bottom and other.top < self.bottom

    def above_or_below(self, other: "Bounds") -> bool:
        """Return whether some column crosses both."""
        return self.left < other.right and other.left < self.right

    def with_edge(self, side: Side, place: float) -> "Bounds":
        """Move one edge; the others stay."""
        edges = {"left": self.left, "top": self.top, "right": self.right, "bottom": self.bottom, side: place}
        return Bounds.between(edges["left"], edges["top"], edges["right"], edges["bottom"])


@dataclass(frozen=True, slots=True)
class Screen:
    """One display and the part of it that windows may cover.

    Attributes:
        bounds: The display with its task bars; None if only the work area is known.
        scale: Physical pixels per logical pixel.
    """

    id: str
    work_area: Bounds
    primary: bool = False
    bounds: Bounds | None = None
    scale: float = 1
    name: str = ""
    dpi: float = 96

    @property
    def number(self) -> int:
        """Return the number of the display in layouts and programs; stable while the host uses the same name."""
        return zlib.crc32(self.id.encode())

    @property
    def whole(self) -> Bounds:
        """Return the display with its task bars."""
        return self.bounds or self.work_area


def screen_of(place: Bounds, screens: Sequence[Screen]) -> Screen:
    """Return the screen at a position, or the first one."""
    return next((one for one in screens if one.work_area.overlaps(place)), screens[0])


def back_on_screen(bounds: Bounds, screens: Sequence[Screen]) -> Bounds:
    """Return a position at which a window can be dragged; its own position if possible."""
    grabbed = Bounds(bounds.left, bounds.top, bounds.width, _GRABBED)
    area = screen_of(bounds, screens).work_area
    # Window managers move windows so that only a small part of them is left on a display.
    if sum(_common(grabbed, screen.work_area) for screen in screens) >= min(bounds.width, area.width) / 2:
        return bounds
    width, height = min(bounds.width, area.width), min(bounds.height, area.height)
    left = min(max(bounds.left, area.left), area.right - width)
    return Bounds(left, min(max(bounds.top, area.top), area.bottom - height), width, height)


def on_display(bounds: Bounds, display: Screen, screens: Sequence[Screen]) -> Bounds:
    """Return the same position on a display that has moved, relative to its corner."""
    there = screen_of(bounds, screens)
    if there.id == display.id:
        return bounds
    left = bounds.left - there.work_area.left + display.work_area.left
    top = bounds.top - there.work_area.top + display.work_area.top
    return back_on_screen(Bounds(left, top, bounds.width, bounds.height), [display])


def _common(one: Bounds, other: Bounds) -> float:
    """Return the width of the common part; 0 if they do not overlap."""
    return min(one.right, other.right) - max(one.left, other.left) if one.overlaps(other) else 0


def box(rectangles: Iterable[Bounds]) -> Bounds:
    """Return the bounding rectangle of at least one rectangle."""
    every = list(rectangles)
    return Bounds.between(
        min(one.left for one in every),
        min(one.top for one in every),
        max(one.right for one in every),
        max(one.bottom for one in every),
    )


def gaps(rectangles: Iterable[Bounds]) -> tuple[Bounds, ...]:
    """Return rectangles that, with the given ones, cover their bounding rectangle without overlaps."""
    every = list(rectangles)
    whole = box(every)
    lines = sorted({line for one in every for line in (one.top, one.bottom)})
    begun: dict[tuple[float, float], float] = {}
    found: list[Bounds] = []
    for top, bottom in pairwise(lines):
        free = _free(whole, [one for one in every if one.top < bottom and one.bottom > top])
        over = [span for span in begun if span not in free]
        found += [Bounds.between(span[0], begun.pop(span), span[1], top) for span in over]
        for span in free:
            begun.setdefault(span, top)
    found += [Bounds.between(left, top, right, whole.bottom) for (left, right), top in begun.items()]
    return tuple(found)


def _free(whole: Bounds, crossing: Sequence[Bounds]) -> list[tuple[float, float]]:
    free: list[tuple[float, float]] = []
    reached = whole.left
    for one in sorted(crossing, key=lambda each: each.left):
        if one.left > reached:
            free.append((reached, one.left))
        reached = max(reached, one.right)
    if reached < whole.right:
        free.append((reached, whole.right))
    return free
