"""Finds the window that ends the window process again and again, so that the other windows can continue without it."""

from collections.abc import Hashable

from rostrum.desktop.hosts.reports import Crashed, LoadFailed, LoadFinished, LoadStarted, Report, WindowClosed

_PERIOD = 60.0
_ENDS = 2
"""The number of times that the process must end within the period while a window is opened or loaded."""


class Suspects:
    """The windows that are being opened or loaded, and what has happened during that time.

    Attributes:
        isolated: The windows whose pages are not loaded again until the user tries it.
        one_by_one: The windows to load one after the other, to find the one that ends the process.
    """

    def __init__(self) -> None:
        self.isolated: set[str] = set()
        self.one_by_one: list[str] = []
        self._active: dict[Hashable, tuple[str, ...]] = {}
        self._ends: dict[str, list[float]] = {}

    def begin(self, what: Hashable, *windows: str) -> None:
        """Record work for windows, which ends with ``end``."""
        self._active[what] = windows

    def end(self, what: Hashable) -> None:
        """Record that work has ended."""
        self._active.pop(what, None)

    def loads(self, window: str) -> None:
        """Record that the page of a window is loading, until a report states otherwise."""
        self.begin(("page", window), window)

    def is_loading(self, window: str) -> bool:
        """Return whether the page of a window is loading."""
        return ("page", window) in self._active

    def report(self, report: Report) -> None:
        """Record a report of the window process."""
        match report:
            case LoadStarted(instance=window):
                self.isolated.discard(window)
                self.loads(window)
            case LoadFinished(instance=window) | LoadFailed(instance=window) | Crashed(instance=window):
                self.end(("page", window))
            case WindowClosed(instance=window):
                self.end(("page", window))
                self.isolated.discard(window)

    def process_ended(self, now: float) -> set[str]:
        """Record that the process has ended; return the windows that are isolated because of it."""
        blamed = {window for windows in self._active.values() for window in windows}
        self._active.clear()
        self._ends = {one: recent for one, times in self._ends.items() if (recent := _within(times, now))}
        for one in blamed:
            self._ends.setdefault(one, []).append(now)
        found = {one for one in blamed if len(self._ends[one]) >= _ENDS}
        # Several windows may have been loading by chance: next time, they are loaded one after the other.
        if len(found) > 1 and not self.one_by_one:
            self.one_by_one = sorted(found)
            return set()
        if found:
            self.one_by_one = []
            self.isolated |= found
            for one in found:
                # If the user tries again, the next end is enough.
                del self._ends[one][:-1]
        return found


def _within(times: list[float], now: float) -> list[float]:
    return [time for time in times if now - time < _PERIOD]
