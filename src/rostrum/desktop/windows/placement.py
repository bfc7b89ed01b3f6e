"""Positions of windows relative to their display; pure."""

import math
import re
from collections.abc import Mapping
from typing import Any

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.windows.docking import dock_bounds, first_docked
from rostrum.desktop.windows.geometry import Bounds, Screen

_USUAL = (800.0, 600.0)
_LENGTH = re.compile(r"(-?\d{1,7}(?:\.\d{1,3})?)\s*(px|%)?")
_STARTS = {"left", "top"}
_ENDS = {"right", "bottom"}
_ALIGNMENTS = {
    "horizontalAlignment": ("left", "center", "right", "stretch"),
    "verticalAlignment": ("top", "center", "bottom", "stretch"),
}


def place(settings: Mapping[str, Any], bounds: Bounds, area: Bounds) -> Bounds:
    """Return the bounds of a window in an area: aligned, with margins and sizes in pixels or percent of the area.

    Values that the settings omit do not change.
    """
    left, width = _along(settings, "horizontalAlignment", (bounds.left, bounds.width), (area.left, area.width))
    top, height = _along(settings, "verticalAlignment", (bounds.top, bounds.height), (area.top, area.height))
    return Bounds(left, top, width, height)


def first_place(details: Mapping[str, Any], screen: Screen) -> Bounds | None:
    """Return the initial bounds of a window that its definition docks or places; None for other windows.

    Raise DesktopError if the definition is invalid.
    """
    left, top, width, height = (
        float(value) if isinstance(value := details.get(name), (int, float)) and not isinstance(value, bool) else usual
        for name, usual in zip(
            ("left", "top", "width", "height"), (screen.work_area.left, screen.work_area.top, *_USUAL), strict=True
        )
    )
    bounds = Bounds(left, top, width, height)
    docked = first_docked(details, bounds)
    if docked is not None:
        return dock_bounds(docked, screen.whole if docked.claims else screen.work_area)
    placement = details.get("placement")
    return place(placement, bounds, screen.work_area) if isinstance(placement, Mapping) and placement else None


def grid(area: Bounds, count: int) -> tuple[Bounds, ...]:
    """Divide an area into cells of about the same size, row by row; the last row is as wide as the others."""
    columns = math.ceil(math.sqrt(count))
    rows = math.ceil(count / columns)
    places: list[Bounds] = []
    for row in range(rows):
        in_row = min(columns, count - len(places))
        top, bottom = _edge(area.top, area.height, row, rows), _edge(area.top, area.height, row + 1, rows)
        for column in range(in_row):
            left = _edge(area.left, area.width, column, in_row)
            places.append(Bounds.between(left, top, _edge(area.left, area.width, column + 1, in_row), bottom))
    return tuple(places)


def _along(
    settings: Mapping[str, Any], alignment: str, own: tuple[float, float], area: tuple[float, float]
) -> tuple[float, float]:
    """Return the start and the length in one direction."""
    start_name, end_name, size_name = (
        ("left", "right", "width") if alignment == "horizontalAlignment" else ("top", "bottom", "height")
    )
    wanted = settings.get(alignment)
    if wanted is not None and wanted not in _ALIGNMENTS[alignment]:
        raise DesktopError(f"{alignment} must be one of {', '.join(_ALIGNMENTS[alignment])}.")
    start, end = (_length(settings, name, area[1]) or 0 for name in (start_name, end_name))
    written = _length(settings, size_name, area[1])
    size = own[1] if written is None else max(1, written)
    if wanted == "stretch":
        return area[0] + start, max(1, area[1] - start - end)
    if wanted == "center":
        return area[0] + (area[1] - size) / 2 + start - end, size
    if wanted in _ENDS:
        return area[0] + area[1] - size - end, size
    if wanted in _STARTS or settings.get(start_name) is not None:
        return area[0] + start, size
    return own[0], size


def _length(settings: Mapping[str, Any], name: str, whole: float) -> float | None:
    value = settings.get(name)
    if value is None:
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    found = _LENGTH.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        raise DesktopError(f"{name} must be a number of pixels, or text such as 10px or 10%.")
    return float(found[1]) * whole / 100 if found[2] == "%" else float(found[1])


def _edge(start: float, length: float, number: int, count: int) -> int:
    return round(start + length * number / count)
