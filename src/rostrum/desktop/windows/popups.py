"""Popups: small windows that a page opens beside something of its own; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rostrum.desktop.modes import Feature, require
from rostrum.desktop.windows.geometry import Bounds, Screen, screen_of
from rostrum.settings.scope import Mode

__all__ = ["Popup", "place_popup"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Popup:
    """A popup that a page asks for.

    Attributes:
        kind: A window of its own (what ``useExternalWindowPopup()`` opens), or one that the group's page draws.
        anchor: The rectangle on the desktop beside which it opens.

    """

    kind: Literal["external", "custom"]
    anchor: Bounds
    width: float
    height: float


def place_popup(popup: Popup, screens: Sequence[Screen], mode: Mode) -> Bounds:
    """Return where it opens: below its anchor, else above, always on a screen; custom ones need their mode."""
    if popup.kind == "custom":
        require(mode, Feature.CUSTOM_POPUPS)
    area = screen_of(popup.anchor, screens).work_area
    width, height = min(popup.width, area.width), min(popup.height, area.height)
    left = min(max(popup.anchor.left, area.left), area.right - width)
    below = popup.anchor.bottom
    top = below if below + height <= area.bottom else popup.anchor.top - height
    return Bounds(left, min(max(top, area.top), area.bottom - height), width, height)
