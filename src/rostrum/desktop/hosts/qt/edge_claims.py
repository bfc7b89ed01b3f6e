"""Keeps an edge of the display free for a window that is docked there (X11)."""

from PySide6.QtWidgets import QWidget

from rostrum.desktop.hosts.qt.x11 import CARDINAL, X11
from rostrum.desktop.windows.geometry import Side

__all__ = ["claim_edge"]


def claim_edge(x11: X11, window: QWidget, side: Side | None) -> None:
    """Keep the part of the display that a window covers at an edge free of other windows; None gives it back."""
    number = int(window.winId())
    if side is None:
        x11.delete(number, "_NET_WM_STRUT_PARTIAL")
        return
    ratio, place, root = window.devicePixelRatio(), window.geometry(), x11.bounds(x11.root)
    if root is None:
        return
    left, top = round(place.left() * ratio), round(place.top() * ratio)
    right, bottom = round((place.right() + 1) * ratio), round((place.bottom() + 1) * ratio)
    reach = {"left": right, "right": round(root.width) - left, "top": bottom, "bottom": round(root.height) - top}
    values = [reach[one] if one == side else 0 for one in ("left", "right", "top", "bottom")]
    for one in ("left", "right", "top", "bottom"):
        ends = (top, bottom - 1) if one in ("left", "right") else (left, right - 1)
        values += ends if one == side else (0, 0)
    x11.set_values(number, "_NET_WM_STRUT_PARTIAL", CARDINAL, values)
