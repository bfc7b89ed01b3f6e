"""The final position of a dragged window: beside another, at an edge of the screen, or where it was dropped; pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.gestures import takes_part
from rostrum.settings.scope import AppType

if TYPE_CHECKING:
    # For annotations only: without the settings, the window process starts faster.
    from rostrum.settings.sections.window_management import WindowManagement


_EDGES = ("left", "top", "right", "bottom")


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapRules:
    """The snapping rules of one window.

    Attributes:
        distance: Snapping distance to other windows; None for windows that do not snap.
        gap: Gap between the edges of both.
        align: Whether it takes the other's height or width.
        screen: Snapping distance to the edges of the screen; None for windows that do not snap to it.
        edges: Its edges that snap to other windows.
    """

    distance: float | None
    gap: float
    align: bool
    screen: float | None
    edges: tuple[str, ...] = _EDGES


def snap_rules(kind: str, details: Mapping[str, Any], settings: "WindowManagement", *, alt: bool = False) -> SnapRules:
    """Read the settings and the app's own rules; only apps of type window snap to the screen."""
    off = not takes_part("snapping", settings.alternate_behavior, alt=alt)
    own = details.get("snapToScreenEdges")
    edges = own if isinstance(own, Mapping) else {}
    to_screen = kind == AppType.WINDOW and edges.get("enabled", settings.snap_to_screen_edges.enabled) is True
    snaps = settings.snapping.enabled and details.get("autoSnap") is not False
    align = details.get("autoAlign")
    return SnapRules(
        distance=None if off or not snaps else settings.snapping.approaching_distance,
        gap=settings.snapping.edge_distance,
        align=align if isinstance(align, bool) else settings.snapping.auto_align,
        screen=None if off or not to_screen else edges.get("distance", settings.snap_to_screen_edges.distance),
        edges=_snapping_edges(details.get("snappingEdges")),
    )


def _snapping_edges(written: Any) -> tuple[str, ...]:
    words = {word.strip().lower() for word in written.split(",")} if isinstance(written, str) and written else {"all"}
    return _EDGES if "all" in words else tuple(edge for edge in _EDGES if edge in words)


def drop(moving: Bounds, others: Iterable[Bounds], area: Bounds, rules: SnapRules) -> Bounds:
    """Return the final position of a dropped window; dropping it there again does not move it."""
    every = tuple(others)
    beside = _nearest(moving, every, rules)
    if beside is not None:
        return beside
    at_edge = moving if rules.screen is None else _at_edges(moving, area, rules.screen)
    # The screen edge may have moved it near a window.
    return _nearest(at_edge, every, rules) or at_edge


def neighbour(window: Bounds, others: Mapping[str, Bounds], gap: float) -> str | None:
    """Return a window that another one is adjacent to, at the distance of the gap."""
    for name, other in others.items():
        sideways = gap in (window.left - other.right, other.left - window.right) and window.beside(other)
        upright = gap in (window.top - other.bottom, other.top - window.bottom) and window.above_or_below(other)
        if sideways or upright:
            return name
    return None


def _nearest(moving: Bounds, others: Sequence[Bounds], rules: SnapRules) -> Bounds | None:
    if rules.distance is None:
        return None
    free = [
        (distance, target)
        for other in others
        for distance, target in _targets(moving, other, rules)
        if distance <= rules.distance and not any(target.overlaps(one) for one in others)
    ]
    if any(target == moving for _, target in free):
        return moving
    return min(free, key=lambda each: each[0])[1] if free else None


def _targets(moving: Bounds, other: Bounds, rules: SnapRules) -> Iterator[tuple[float, Bounds]]:
    if moving.beside(other):
        top, height = (other.top, other.height) if rules.align else (moving.top, moving.height)
        places = {"left": other.right + rules.gap, "right": other.left - rules.gap - moving.width}
        for left in (place for edge, place in places.items() if edge in rules.edges):
            yield abs(left - moving.left), Bounds(left, top, moving.width, height)
    if moving.above_or_below(other):
        left, width = (other.left, other.width) if rules.align else (moving.left, moving.width)
        places = {"top": other.bottom + rules.gap, "bottom": other.top - rules.gap - moving.height}
        for top in (place for edge, place in places.items() if edge in rules.edges):
            yield abs(top - moving.top), Bounds(left, top, width, moving.height)


def _at_edges(moving: Bounds, area: Bounds, distance: float) -> Bounds:
    return Bounds(
        _attracted(moving.left, moving.width, area.left, area.right, distance),
        _attracted(moving.top, moving.height, area.top, area.bottom, distance),
        moving.width,
        moving.height,
    )


def _attracted(start: float, length: float, first: float, last: float, distance: float) -> float:
    if start in (first, last - length):
        return start
    if abs(start - first) <= distance:
        return first
    return last - length if abs(start + length - last) <= distance else start
