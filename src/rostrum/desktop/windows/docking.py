"""Where a window goes that is docked to an edge of its display; pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, TypeGuard

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.windows.geometry import Bounds, Side

__all__ = [
    "POSITIONS",
    "Docked",
    "DockingConfig",
    "dock_bounds",
    "docked_from",
    "docked_state",
    "first_docked",
    "read_docking_config",
]

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


def docked_state(docked: Docked) -> dict[str, Any]:
    """Return how layouts keep a docked window."""
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
    """Read what a layout keeps; None for a window that was not docked, or when that cannot be read."""
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
    """Return the place of a docked window: the whole length of the edge."""
    if docked.position in _SIDEWAYS:
        width = min(docked.size, area.width)
        left = area.left if docked.position == "left" else area.right - width
        return Bounds(left, area.top, width, area.height)
    height = min(docked.size, area.height)
    top = area.top if docked.position == "top" else area.bottom - height
    return Bounds(area.left, top, area.width, height)


def first_docked(details: Mapping[str, Any], bounds: Bounds) -> Docked | None:
    """Return how a window is docked when it opens, as its definition says; raise DesktopError if that is wrong."""
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
