"""What happens to a group when one of its outer borders is dragged or clicked twice; pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from rostrum.desktop.modes import Feature, supports
from rostrum.desktop.windows.geometry import Bounds, Side, box
from rostrum.desktop.windows.groups import WindowGroup, cells
from rostrum.settings.scope import Mode

__all__ = ["SMALLEST", "ResizeWay", "align", "drag_border", "resize"]

ResizeWay = Literal["Fill", "Proportional"]
SMALLEST = 50
"""No dragging makes a window narrower or lower than this."""


def drag_border(
    group: WindowGroup, instance: str, side: Side, by: float, *, way: ResizeWay, mode: Mode, alt: bool
) -> WindowGroup:
    """Drag a group's outer border outwards by some pixels, holding it at one window.

    With ALT only that window is resized, where the mode knows this; elsewhere ALT makes no difference.
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
    """Let every window that lies open on one side reach the group's border there; only in a mode that knows this."""
    if not supports(mode, Feature.DOUBLE_CLICK_ALIGNMENT):
        return group
    border = _edge(box(group.windows.values()), side)
    windows = {
        name: one.with_edge(side, border) if _is_open(one, side, group.windows) else one
        for name, one in group.windows.items()
    }
    return replace(group, windows=windows)


def _scaled(group: WindowGroup, own: Mapping[str, Bounds], whole: Bounds, side: Side, by: float) -> dict[str, Bounds]:
    length = _length(whole, side)
    least = max((SMALLEST + group.edge) / _length(cell, side) for cell in own.values())
    # Rounding may take half a pixel at either edge of a window; one more pixel for each keeps it large enough.
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


def _is_open(window: Bounds, side: Side, windows: Mapping[str, Bounds]) -> bool:
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
