"""The effect of dragging or double-clicking an outer border of a group or a line between its windows; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from types import MappingProxyType

from rostrum.desktop.modes import Feature, require, supports
from rostrum.desktop.windows.geometry import Bounds, Side, box
from rostrum.desktop.windows.groups import ResizeWay, WindowGroup, cells
from rostrum.settings.scope import Mode

SMALLEST = 50
"""The minimum width and height of a window when a border is dragged, in pixels."""


def drag_border(
    group: WindowGroup, instance: str, side: Side, by: float, *, way: ResizeWay, mode: Mode, alt: bool
) -> WindowGroup:
    """Drag a group's outer border outwards by some pixels, at one window.

    With ALT, only that window is resized, if the mode supports this.
    """
    if alt and supports(mode, Feature.RESIZE_GROUP_BORDERS):
        held = group.windows[instance]
        by = max(by, SMALLEST - _length(held, side))
        return replace(group, windows={**group.windows, instance: _grown(held, side, by)})
    return resize(group, side, by, way)


def resize(group: WindowGroup, side: Side, by: float, way: ResizeWay) -> WindowGroup:
    """Move a whole outer border; Fill falls back to Proportional for a group with holes or ragged borders."""
    own = cells(group.windows, group.edge)
    whole = box(own.values())
    if way == "Fill" and group.is_rectangular:
        touching = {name: cell for name, cell in own.items() if _edge(cell, side) == _edge(whole, side)}
        by = max(by, *(SMALLEST - _length(group.windows[name], side) for name in touching))
        resized = {name: _grown(group.windows[name], side, by) for name in touching}
        return replace(group, windows={**group.windows, **resized})
    return replace(group, windows=_scaled(group, own, whole, side, by))


def align(group: WindowGroup, side: Side, mode: Mode) -> WindowGroup:
    """Extend all windows that are open on one side to the group's border; raise NotInThisMode if not supported."""
    require(mode, Feature.DOUBLE_CLICK_ALIGNMENT)
    border = _edge(box(group.windows.values()), side)
    windows = {
        name: one.with_edge(side, border) if is_open(one, side, group.windows) else one
        for name, one in group.windows.items()
    }
    return replace(group, windows=windows)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedEdge:
    """A line between adjacent windows of a group; dragging it resizes all windows along it.

    Attributes:
        sideways: Whether it moves horizontally, otherwise vertically.
        before: The windows that end at it.
        after: The windows that begin behind it.
    """

    sideways: bool
    before: frozenset[str]
    after: frozenset[str]

    def area(self, windows: Mapping[str, Bounds]) -> Bounds:
        """Return the gap between the windows along the line."""
        first, second = [windows[one] for one in self.before], [windows[one] for one in self.after]
        along = box([*first, *second])
        if self.sideways:
            return Bounds.between(first[0].right, along.top, second[0].left, along.bottom)
        return Bounds.between(along.left, first[0].bottom, along.right, second[0].top)


def shared_edges(windows: Mapping[str, Bounds], edge: int) -> tuple[SharedEdge, ...]:
    """Return the lines between adjacent windows, whose distance is at most the gap of the group."""
    # Windows may also meet only in the gap.
    found, own = list[SharedEdge](), cells(windows, edge)
    for sideways in (True, False):
        lines: list[tuple[set[str], set[str]]] = []
        for one, other in permutations(windows, 2):
            if not _are_neighbours(own[one], own[other], edge, sideways=sideways):
                continue
            joined = [line for line in lines if one in line[0] or other in line[1]]
            lines = [line for line in lines if line not in joined]
            before, after = {one}, {other}
            for line in joined:
                before |= line[0]
                after |= line[1]
            lines.append((before, after))
        found += [
            SharedEdge(sideways=sideways, before=frozenset(before), after=frozenset(after)) for before, after in lines
        ]
    return tuple(found)


def drag_edge(
    windows: Mapping[str, Bounds],
    edge: SharedEdge,
    by: float,
    smallest: Mapping[str, tuple[float, float]] = MappingProxyType({}),
) -> dict[str, Bounds]:
    """Move a line between adjacent windows; those before it grow as much as those after it shrink."""
    near: Side = "right" if edge.sideways else "bottom"
    far: Side = "left" if edge.sideways else "top"
    which = 0 if edge.sideways else 1

    def spare(name: str) -> float:
        least = max(SMALLEST, smallest.get(name, (0.0, 0.0))[which])
        return max(0.0, _length(windows[name], near) - least)

    back, forth = min(map(spare, edge.before)), min(map(spare, edge.after))
    by = min(max(by, -back), forth)
    moved = {name: windows[name].with_edge(near, _edge(windows[name], near) + by) for name in edge.before}
    moved |= {name: windows[name].with_edge(far, _edge(windows[name], far) + by) for name in edge.after}
    return {**windows, **moved}


def fitted(windows: Mapping[str, Bounds], edge: int, into: Bounds) -> dict[str, Bounds]:
    """Stretch all windows of a group to fill another rectangle; the gaps do not change."""
    own = cells(windows, edge)
    before, (after,) = box(own.values()), cells({"": into}, edge).values()
    near, far = edge // 2, edge - edge // 2
    across, down = after.width / before.width, after.height / before.height

    def x(place: float) -> float:
        return after.left + round((place - before.left) * across)

    def y(place: float) -> float:
        return after.top + round((place - before.top) * down)

    return {
        name: Bounds.between(x(one.left) + near, y(one.top) + near, x(one.right) - far, y(one.bottom) - far)
        for name, one in own.items()
    }


def _scaled(group: WindowGroup, own: Mapping[str, Bounds], whole: Bounds, side: Side, by: float) -> dict[str, Bounds]:
    length = _length(whole, side)
    least = max((SMALLEST + group.edge) / _length(cell, side) for cell in own.values())
    # Rounding may remove half a pixel at either edge; one more pixel for each keeps a window large enough.
    factor = max((length + by) / length, min(1.0, least + 1 / min(_length(cell, side) for cell in own.values())))
    near, far = group.edge // 2, group.edge - group.edge // 2
    horizontal = side in ("left", "right")
    anchor = {"left": whole.right, "right": whole.left, "top": whole.bottom, "bottom": whole.top}[side]

    def moved(place: float) -> float:
        return anchor + round((place - anchor) * factor)

    scaled: dict[str, Bounds] = {}
    for name, cell in own.items():
        if horizontal:
            new = Bounds.between(moved(cell.left), cell.top, moved(cell.right), cell.bottom)
        else:
            new = Bounds.between(cell.left, moved(cell.top), cell.right, moved(cell.bottom))
        scaled[name] = Bounds.between(new.left + near, new.top + near, new.right - far, new.bottom - far)
    return scaled


def _are_neighbours(one: Bounds, other: Bounds, edge: int, *, sideways: bool) -> bool:
    """Return whether a window, with its half of the gap, begins where another one ends."""
    if sideways:
        return one.beside(other) and -edge <= other.left - one.right <= 0
    return one.above_or_below(other) and -edge <= other.top - one.bottom <= 0


def is_open(window: Bounds, side: Side, windows: Mapping[str, Bounds]) -> bool:
    """Return whether no other window of a group is beyond one side of a window."""
    for other in windows.values():
        across = window.beside(other) if side in ("left", "right") else window.above_or_below(other)
        if across and other != window and _outward(_edge(other, side), side) > _outward(_edge(window, side), side):
            return False
    return True


def _outward(place: float, side: Side) -> float:
    return place if side in ("right", "bottom") else -place


def _grown(window: Bounds, side: Side, by: float) -> Bounds:
    return window.with_edge(side, _edge(window, side) + _outward(by, side))


def _edge(window: Bounds, side: Side) -> float:
    return {"left": window.left, "top": window.top, "right": window.right, "bottom": window.bottom}[side]


def _length(window: Bounds, side: Side) -> float:
    return window.width if side in ("left", "right") else window.height
