"""The default position of a window: from its definition, or next to the last window."""

from collections.abc import Mapping, Sequence
from typing import Any

from rostrum.desktop.hosts.port import WindowRequest
from rostrum.desktop.windows.geometry import Bounds, Screen

_USUAL = (800.0, 600.0)
_STEP = 50
_STEPS = 8
_START = 60


def place_of(request: WindowRequest, screens: Sequence[Screen], open_windows: int) -> Bounds:
    """Return the bounds of a new window."""
    if request.bounds is not None:
        return request.bounds
    area, details = screens[0].work_area, request.details
    width = min(_number(details.get("width"), _USUAL[0]), area.width)
    height = min(_number(details.get("height"), _USUAL[1]), area.height)
    location = details.get("startLocation")
    if isinstance(location, Mapping):
        location = location.get("location")
    if isinstance(location, str):
        found = _located(location.lower(), area, width, height)
        if found is not None:
            return found
    step = (open_windows % _STEPS) * _STEP
    left = _number(details.get("left"), area.left + min(_START + step, max(0, area.width - width)))
    top = _number(details.get("top"), area.top + min(_START + step, max(0, area.height - height)))
    return Bounds(left, top, width, height)


def centred(area: Bounds, width: float, height: float) -> Bounds:
    """Return a centred rectangle that fits into an area."""
    width, height = min(width, area.width), min(height, area.height)
    return Bounds(area.left + (area.width - width) // 2, area.top + (area.height - height) // 2, width, height)


def _located(location: str, area: Bounds, width: float, height: float) -> Bounds | None:
    middle = centred(area, width, height)
    right, bottom = area.right - width, area.bottom - height
    return {
        "center": middle,
        "topcenter": Bounds(middle.left, area.top, width, height),
        "bottomcenter": Bounds(middle.left, bottom, width, height),
        "leftcenter": Bounds(area.left, middle.top, width, height),
        "rightcenter": Bounds(right, middle.top, width, height),
        "full": area,
        "topfull": Bounds(area.left, area.top, area.width, height),
        "bottomfull": Bounds(area.left, bottom, area.width, height),
        "leftfull": Bounds(area.left, area.top, width, area.height),
        "rightfull": Bounds(right, area.top, width, area.height),
    }.get(location)


def _number(value: Any, otherwise: float) -> float:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else otherwise
