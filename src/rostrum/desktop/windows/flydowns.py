"""When a flydown window is shown and hidden, based on the pointer and time; pure."""

from dataclasses import dataclass
from typing import Literal

from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.popups import Location
from rostrum.settings.sections.window_management import FlydownWindows


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of a window that opens a flydown while the pointer is on it.

    Attributes:
        bounds: Its rectangle, from the left and from the top of the window.
        window: The flydown window.
        location: The side of the zone at which it shows.
        width: Default width; ``height`` likewise.
    """

    id: str
    bounds: Bounds
    window: str = ""
    location: Location = "bottom"
    width: float = 200
    height: float = 200


@dataclass(frozen=True, slots=True)
class Turn:
    """A pending action: show the flydown for a zone, or hide it."""

    what: Literal["show", "hide"]
    zone: Zone


class FlydownWatch:
    """Tracks the pointer over the zones of one owner; ``now`` is in seconds, of a monotonic clock."""

    def __init__(self, settings: FlydownWindows, zones: tuple[Zone, ...], active: Bounds | None = None) -> None:
        self._settings = settings
        self._zones = zones
        self._active = active
        self._pointer: tuple[Zone | None, float, float, tuple[float, float]] | None = None
        self._over: tuple[Zone, float] | None = None
        self._declined: Zone | None = None
        self._shown: tuple[Zone, Bounds] | None = None
        self._outside_since: float | None = None
        self._looked = 0.0

    @property
    def shown(self) -> Zone | None:
        """Return the zone of the visible flydown."""
        return self._shown[0] if self._shown else None

    def move(
        self, x: float, y: float, now: float, origin: tuple[float, float] = (0, 0), *, covered: bool = False
    ) -> None:
        """Process a move of the pointer; ``origin`` is the window's position, ``covered`` whether it is hidden."""
        inside = (x - origin[0], y - origin[1])
        zone = next((one for one in self._zones if _holds(one.bounds, *inside)), None) if not covered else None
        self._pointer = (zone, x, y, inside)
        if zone != self._declined:
            self._declined = None
        if zone is None or self._declined:
            self._over = None
        elif self._over is None or self._over[0] != zone:
            self._over = (zone, now)
        self._check_outside(now)

    def showing(self, zone: Zone, bounds: Bounds, now: float) -> None:
        """Record that the flydown is shown, and its bounds on the desktop."""
        self._shown, self._outside_since = (zone, bounds), None
        # The pointer may have left the zone while the app was asked.
        self._check_outside(now)

    def decline(self, zone: Zone) -> None:
        """Record that the flydown is not shown for a zone, until the pointer returns."""
        # The pointer may have reached another zone while the app was asked.
        if self._over is not None and self._over[0] == zone:
            self._over, self._declined = None, zone

    def turn(self, now: float) -> Turn | None:
        """Return the pending action; hiding is checked no more often than the settings define."""
        if self._over is not None and self._over[0] != self.shown and self._is_over(now):
            return Turn("show", self._over[0])
        if self._shown is None or self._outside_since is None:
            return None
        if (now - self._looked) * 1000 < self._settings.hide_check_interval:
            return None
        self._looked = now
        if (now - self._outside_since) * 1000 < self._settings.hide_delay:
            return None
        zone, self._shown, self._outside_since = self._shown[0], None, None
        return Turn("hide", zone)

    def pause(self, now: float) -> float | None:
        """Return the seconds until the next check; None if only a move can cause a change."""
        waits = []
        if self._over is not None and self._over[0] != self.shown:
            waits.append(self._over[1] + self._settings.show_delay / 1000 - now)
        if self._shown is not None and self._outside_since is not None:
            waits.append(self._looked + self._settings.hide_check_interval / 1000 - now)
        return max(0.0, min(waits)) if waits else None

    def _check_outside(self, now: float) -> None:
        if self._shown is None or self._pointer is None:
            return
        zone, x, y, inside = self._pointer
        is_active = self._active is not None and _holds(self._active, *inside)
        if zone == self._shown[0] or is_active or _holds(self._shown[1], x, y):
            self._outside_since = None
        elif self._outside_since is None:
            self._outside_since = self._looked = now

    def _is_over(self, now: float) -> bool:
        return self._over is not None and (now - self._over[1]) * 1000 >= self._settings.show_delay


def _holds(bounds: Bounds, x: float, y: float) -> bool:
    return bounds.left <= x < bounds.right and bounds.top <= y < bounds.bottom
