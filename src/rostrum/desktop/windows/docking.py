"""Positions of windows that are docked to an edge of their display; pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, TypeGuard

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.windows.geometry import Bounds, Side

POSITIONS: tuple[Side, ...] = ("top", "bottom", "left", "right")
_SIDEWAYS = ("left", "right")


@dataclass(frozen=True, slots=True, kw_only=True)
class DockingConfig:
    """How a window may be docked.

    Attributes:
        enabled: Whether users or apps may dock it.
        claims: Whether a docked window reserves its area of the display.
        positions: The edges at which it may be docked.
        width: Width at the left and right edge; None keeps its width.
        height: Height at the top and bottom edge; None keeps its height.
    """

    enabled: bool = False
    claims: bool = False
    positions: tuple[Side, ...] = ("top",)
    width: float | None = None
    height: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Docked:
    """A docked window: its edge, its size there, and its earlier bounds.

    Attributes:
        size: Its width at the left and the right edge, its height at the others.
        claims: Whether it reserves its area of the display.
        before: Its earlier bounds; None if they were not saved.
    """

    position: Side
    size: float
    claims: bool = False
    before: Bounds | None = None


def docked_state(docked: Docked) -> dict[str, Any]:
    """Return the docking state for layouts."""
    length = "width" if docked.position in _SIDEWAYS else "height"
    before = None if docked.before is None else asdict(docked.before)
    return {
        "docked": True,
        "position": docked.position,
        "claimScreenArea": docked.claims,
        length: docked.size,
        **({} if before is None else {"restoreBounds": before}),
    }


def docked_from(state: object) -> Docked | None:
    """Read the docking state of a layout; None for a window that was not docked, or if it is invalid."""
    if not isinstance(state, Mapping) or state.get("docked") is not True:
        return None
    position = next((one for one in POSITIONS if one == state.get("position")), None)
    size = state.get("width" if position in _SIDEWAYS else "height")
    if position is None or not _is_length(size):
        return None
    return Docked(
        position=position,
        size=float(size),
        claims=state.get("claimScreenArea") is True,
        before=_bounds(state.get("restoreBounds")),
    )


def dock_bounds(docked: Docked, area: Bounds) -> Bounds:
    """Return the bounds of a docked window: the whole length of the edge."""
    if docked.position in _SIDEWAYS:
        width = min(docked.size, area.width)
        left = area.left if docked.position == "left" else area.right - width
        return Bounds(left, area.top, width, area.height)
    height = min(docked.size, area.height)
    top = area.top if docked.position == "top" else area.bottom - height
    return Bounds(area.left, top, area.width, height)


def first_docked(details: Mapping[str, Any], bounds: Bounds) -> Docked | None:
    """Return the initial docking of a window from its definition; raise DesktopError if it is invalid."""
    written = details.get("docking")
    if not isinstance(written, Mapping) or written.get("initialPosition") is None:
        return None
    position = written["initialPosition"]
    config = read_docking_config(written)
    if not config.enabled:
        return None
    if position not in config.positions:
        raise DesktopError(f"docking.initialPosition must be one of allowedPositions: {', '.join(config.positions)}.")
    size = size_of(position, config.width, config.height, bounds)
    return Docked(position=position, size=size, claims=config.claims, before=bounds)


def size_of(position: Side, width: float | None, height: float | None, now: Bounds) -> float:
    """Return the size of a docked window, perpendicular to its edge."""
    if position in _SIDEWAYS:
        return now.width if width is None else width
    return now.height if height is None else height


def read_docking_config(written: Mapping[str, Any]) -> DockingConfig:
    """Read the docking configuration of an app definition or a caller; raise DesktopError if it is invalid."""
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


def _bounds(written: object) -> Bounds | None:
    if not isinstance(written, Mapping):
        return None
    left, top, width, height = (written.get(one) for one in ("left", "top", "width", "height"))
    if not (_is_number(left) and _is_number(top) and _is_length(width) and _is_length(height)):
        return None
    return Bounds(left, top, width, height)


def _is_length(value: object) -> TypeGuard[float]:
    return _is_number(value) and value > 0


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
