"""When a flydown window shows and hides, from where the pointer is and how long it has been there; pure."""

from dataclasses import dataclass
from typing import Literal

from rostrum.desktop.windows.geometry import Bounds
from rostrum.settings.sections.window_management import FlydownWindows

__all__ = ["FlydownWatch", "Turn", "Zone"]


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of the screen that opens a flydown while the pointer rests on it."""

    id: str
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class Turn:
    """What has to be done now: show the flydown for a zone, or hide it."""

    what: Literal["show", "hide"]
    zone: Zone


class FlydownWatch:
    """Follows the pointer over the zones of one owner; ``now`` is in seconds, of a clock that only grows."""

    def __init__(self, settings: FlydownWindows, zones: tuple[Zone, ...]) -> None:
        """Take the delays, and the zones."""
        self._settings = settings
        self._zones = zones
        self._over: tuple[Zone, float] | None = None
        self._declined: Zone | None = None
        self._shown: tuple[Zone, Bounds] | None = None
        self._outside_since: float | None = None
        self._looked = 0.0

    @property
    def shown(self) -> Zone | None:
        """Return the zone that the flydown is shown for."""
        return self._shown[0] if self._shown else None

    def move(self, x: float, y: float, now: float) -> None:
        """Hear where the pointer is."""
        zone = next((one for one in self._zones if _holds(one.bounds, x, y)), None)
        if zone != self._declined:
            self._declined = None
        if zone is None or self._declined:
            self._over = None
        elif self._over is None or self._over[0] != zone:
            self._over = (zone, now)
        if self._shown is None:
            return
        if zone == self._shown[0] or _holds(self._shown[1], x, y):
            self._outside_since = None
        elif self._outside_since is None:
            self._outside_since = self._looked = now

    def showing(self, zone: Zone, bounds: Bounds) -> None:
        """Hear that the flydown is shown, and where."""
        self._shown, self._outside_since = (zone, bounds), None

    def decline(self, zone: Zone) -> None:
        """Hear that the flydown is not wanted for a zone; it may be when the pointer comes back."""
        self._over, self._declined = None, zone

    def turn(self, now: float) -> Turn | None:
        """Return what is due; hiding is looked at no more often than the settings say."""
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
        """Return after how many seconds to ask for a turn again; None when only a move can change anything."""
        waits = []
        if self._over is not None and self._over[0] != self.shown:
            waits.append(self._over[1] + self._settings.show_delay / 1000 - now)
        if self._shown is not None and self._outside_since is not None:
            waits.append(self._looked + self._settings.hide_check_interval / 1000 - now)
        return max(0.0, min(waits)) if waits else None

    def _is_over(self, now: float) -> bool:
        return self._over is not None and (now - self._over[1]) * 1000 >= self._settings.show_delay


def _holds(bounds: Bounds, x: float, y: float) -> bool:
    return bounds.left <= x < bounds.right and bounds.top <= y < bounds.bottom
