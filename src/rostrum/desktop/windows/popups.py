"""Popups: small windows that a page opens beside one of its elements; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rostrum.desktop.modes import Feature, require
from rostrum.desktop.windows.geometry import Bounds, Screen, screen_of
from rostrum.settings.scope import Mode

Location = Literal["left", "right", "top", "bottom", "none"]
LOCATIONS: tuple[Location, ...] = ("left", "right", "top", "bottom", "none")
"""The sides of an anchor at which a window is shown; ``none`` covers the anchor, from its top left corner."""
_OPPOSITE: dict[Location, Location] = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Popup:
    """A requested popup.

    Attributes:
        kind: A separate window (with ``useExternalWindowPopup()``), or one that the group's page draws.
        anchor: The rectangle on the desktop beside which it opens.
    """

    kind: Literal["external", "custom"]
    anchor: Bounds
    width: float
    height: float


def place_popup(popup: Popup, screens: Sequence[Screen], mode: Mode) -> Bounds:
    """Return its position: below its anchor, or above, always on a screen; custom popups depend on the mode."""
    if popup.kind == "custom":
        require(mode, Feature.CUSTOM_POPUPS)
    return place_beside(popup.anchor, "bottom", (popup.width, popup.height), screens)


def place_beside(
    anchor: Bounds,
    location: Location,
    size: tuple[float, float],
    screens: Sequence[Screen],
    offset: tuple[float, float] = (0, 0),
) -> Bounds:
    """Return the position beside an anchor: at the opposite side if there is no space, always on a screen."""
    area = screen_of(anchor, screens).work_area
    width, height = min(size[0], area.width), min(size[1], area.height)
    found = _beside(anchor, location, width, height, offset)
    if not _fits(found, area, location) and location in _OPPOSITE:
        other = _beside(anchor, _OPPOSITE[location], width, height, (-offset[0], -offset[1]))
        found = other if _fits(other, area, location) else found
    left = min(max(found.left, area.left), area.right - width)
    return Bounds(left, min(max(found.top, area.top), area.bottom - height), width, height)


def _beside(anchor: Bounds, location: Location, width: float, height: float, offset: tuple[float, float]) -> Bounds:
    left = {"left": anchor.left - width, "right": anchor.right}.get(location, anchor.left)
    top = {"top": anchor.top - height, "bottom": anchor.bottom}.get(location, anchor.top)
    return Bounds(left + offset[0], top + offset[1], width, height)


def _fits(bounds: Bounds, area: Bounds, location: Location) -> bool:
    """Return whether a window is on a screen in the direction in which it can be moved to the other side."""
    if location in ("left", "right"):
        return area.left <= bounds.left and bounds.right <= area.right
    return area.top <= bounds.top and bounds.bottom <= area.bottom
