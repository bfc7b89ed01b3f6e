"""The bounds and states of the windows of programs, as reported by the window host."""

from collections.abc import Mapping
from typing import Any

from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import ProgramWindowChanged, Reports, WindowState
from rostrum.desktop.launch.launcher import Launch
from rostrum.desktop.windows.geometry import Bounds

_STATES: tuple[WindowState, ...] = ("normal", "minimized", "maximized")


class NativeWindows:
    """The windows of running programs, for layouts. Empty if the host cannot track programs."""

    def __init__(self, host: WindowHost, reports: Reports, background: BackgroundTasks) -> None:
        """Listen to the reports of the window host."""
        self._host = host
        self._background = background
        self._processes: dict[str, int] = {}
        self._windows: dict[str, tuple[Bounds, WindowState]] = {}
        reports.listen(ProgramWindowChanged, self._changed)

    def follow(self, launch: Launch, process: int) -> None:
        """Track the window of a started program, with the bounds of a layout or of the definition."""
        self._processes[launch.instance] = process
        placement, details = launch.placement, launch.details
        state = placement.state or next((one for one in _STATES if one == _lower(details.get("windowState"))), None)
        self._place(launch.instance, placement.bounds or _bounds(details), state)

    def follows(self, instance: str) -> bool:
        """Return whether an instance is a program whose window is tracked."""
        return instance in self._processes

    async def place(self, instance: str, bounds: Bounds | None, state: WindowState | None) -> None:
        """Set the bounds and the state of a running program's window; has no effect for other apps."""
        if instance in self._processes:
            await self._host.follow_program(instance, self._processes[instance], bounds, _shown(state))

    def window(self, instance: str) -> tuple[Bounds, WindowState] | None:
        """Return the bounds and the state of a program's window, or None."""
        return self._windows.get(instance)

    def forget(self, instance: str) -> None:
        """Stop tracking a program that has ended."""
        if self._processes.pop(instance, None) is not None:
            self._windows.pop(instance, None)
            self._background.begin(self._host.forget_program(instance))

    def _place(self, instance: str, bounds: Bounds | None, state: WindowState | None) -> None:
        # Programs are started even if windows cannot be tracked, and do not wait for that.
        process = self._processes[instance]
        self._background.begin(self._host.follow_program(instance, process, bounds, _shown(state)))

    def _changed(self, report: ProgramWindowChanged) -> None:
        if report.bounds is None or report.instance not in self._processes:
            self._windows.pop(report.instance, None)
        else:
            self._windows[report.instance] = (report.bounds, report.state)


def _bounds(details: Mapping[str, Any]) -> Bounds | None:
    numbers = [details.get(name) for name in ("left", "top", "width", "height")]
    if not all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in numbers):
        return None
    return Bounds(*(float(one) for one in numbers if one is not None))


def _shown(state: WindowState | None) -> WindowState | None:
    """Return the state of a program's window; only windows of the platform collapse."""
    return "normal" if state == "collapsed" else state


def _lower(value: Any) -> str:
    return value.lower() if isinstance(value, str) else ""
