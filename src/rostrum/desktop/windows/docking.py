"""Where a window goes that is docked to an edge of its display; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.windows.geometry import Bounds, Side

__all__ = ["POSITIONS", "Docked", "DockingConfig", "dock_bounds", "read_docking_config"]

POSITIONS: tuple[Side, ...] = ("top", "bottom", "left", "right")
_SIDEWAYS = ("left", "right")


@dataclass(frozen=True, slots=True, kw_only=True)
class DockingConfig:
    """How a window may be docked.

    Attributes:
        enabled: Whether a person or an app may dock it.
        claims: Whether a docked window keeps its part of the display free of other windows.
        positions: The edges at which it may be docked.
        width: How wide it is at the left and the right edge; None leaves its width as it is.
        height: How high it is at the top and the bottom edge; None leaves its height as it is.

    """

    enabled: bool = False
    claims: bool = False
    positions: tuple[Side, ...] = ("top",)
    width: float | None = None
    height: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Docked:
    """A window that is docked: at which edge, how large it is there, and where it was before.

    Attributes:
        size: Its width at the left and the right edge, its height at the others.
        claims: Whether it keeps its part of the display free of other windows.
        before: Where it was; None if that was not to be saved.

    """

    position: Side
    size: float
    claims: bool = False
    before: Bounds | None = None


def dock_bounds(docked: Docked, area: Bounds) -> Bounds:
    """Return the place of a docked window: the whole length of the edge."""
    if docked.position in _SIDEWAYS:
        width = min(docked.size, area.width)
        left = area.left if docked.position == "left" else area.right - width
        return Bounds(left, area.top, width, area.height)
    height = min(docked.size, area.height)
    top = area.top if docked.position == "top" else area.bottom - height
    return Bounds(area.left, top, area.width, height)


def size_of(position: Side, width: float | None, height: float | None, now: Bounds) -> float:
    """Return how far a docked window reaches from its edge."""
    if position in _SIDEWAYS:
        return now.width if width is None else width
    return now.height if height is None else height


def read_docking_config(written: Mapping[str, Any]) -> DockingConfig:
    """Read the docking configuration of an app definition or of a caller; raise DesktopError if it is wrong."""
    positions = written.get("allowedPositions")
    if positions is None:
        positions = ["top"]
    if not isinstance(positions, (list, tuple)) or not all(one in POSITIONS for one in positions):
        raise DesktopError(f"allowedPositions must be an array of {', '.join(POSITIONS)}.")
    for name in ("enabled", "claimScreenArea"):
        if not isinstance(written.get(name, False), bool):
            raise DesktopError(f"{name} must be true or false.")
    return DockingConfig(
        enabled=written.get("enabled", False),
        claims=written.get("claimScreenArea", False),
        positions=tuple(dict.fromkeys(positions)),
        width=_size(written, "width"),
        height=_size(written, "height"),
    )


def _size(written: Mapping[str, Any], name: str) -> float | None:
    value = written.get(name)
    if value is None:
        return None
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 1 <= value < 100_000:
        raise DesktopError(f"{name} must be a number of pixels.")
    return float(value)
