"""Records the calls that a restarted window process must receive, and the positions of its windows."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from rostrum.desktop.hosts.actions import (
    ClaimEdge,
    Focus,
    SetButtons,
    SetFrameColor,
    SetIcon,
    SetLocked,
    SetModal,
    SetOnTop,
    SetOpacity,
    SetSizeLimits,
    SetStandardButtons,
    SetTabTooltip,
    WindowAction,
)
from rostrum.desktop.hosts.port import Opened, WindowRequest
from rostrum.desktop.hosts.reports import (
    Focused,
    Moved,
    Navigated,
    ProgramWindowChanged,
    Report,
    ScreensChanged,
    StateChanged,
    ToastClosed,
    VisibilityChanged,
    WindowClosed,
    Zoomed,
)
from rostrum.desktop.windows.geometry import Bounds, Screen, box, gaps
from rostrum.desktop.windows.groups import GroupDrawing

Step = tuple[str, tuple[Any, ...]]
"""A method of the port and its arguments."""

_LASTING = frozenset(
    {
        "set_requests",
        "keep_folders",
        "set_themes",
        "set_sticky_windows",
        "set_channels",
        "set_hotkeys",
        "set_spelling",
        "set_panel_side",
        "watch_pointer",
        "show_tray",
        "show_login",
        "show_splash",
        "show_loader",
    }
)
"""Methods of which only the last call counts."""
_LASTING_PER_KEY = frozenset(
    {"show_toast", "show_group", "show_tabs", "follow_program", "adopt_window", "show_selector"}
)
"""Methods of which only the last call for each toast, group or instance counts."""
_UNDO = {
    "hide_login": "show_login",
    "hide_splash": "show_splash",
    "hide_loader": "show_loader",
    "hide_toast": "show_toast",
    "hide_group": "show_group",
    "hide_tabs": "show_tabs",
    "hide_selector": "show_selector",
    "forget_program": "follow_program",
}
_LASTING_ACTIONS: tuple[type[WindowAction], ...] = (
    SetOnTop,
    SetOpacity,
    SetSizeLimits,
    SetModal,
    SetLocked,
    ClaimEdge,
    SetIcon,
    SetFrameColor,
    SetButtons,
    SetStandardButtons,
    SetTabTooltip,
)
_PRIMARY = Screen("unknown", Bounds(0, 0, 1920, 1080), primary=True)


@dataclass(slots=True)
class _Window:
    """The current state of an open window."""

    request: WindowRequest
    bounds: Bounds | None
    expanded_height: float | None = None
    """The height of a collapsed window in its normal state."""
    actions: dict[type[WindowAction], WindowAction] = field(default_factory=dict)
    joined: tuple[Any, ...] | None = None


class Journal:
    """Records commands and reports, so that they can be repeated.

    Attributes:
        screens: The displays, the primary one first.
    """

    def __init__(self) -> None:
        """Start with an empty screen."""
        self.screens: tuple[Screen, ...] = (_PRIMARY,)
        self._steps: dict[tuple[str, str], Step] = {}
        self._windows: dict[str, _Window] = {}
        self._adopted: dict[str, Bounds] = {}
        self._focused: str | None = None

    def bounds(self, instance: str) -> Bounds | None:
        """Return the bounds of a window."""
        window = self._windows.get(instance)
        return self._adopted.get(instance) if window is None else window.bounds

    def has(self, instance: str) -> bool:
        """Return whether a window is open."""
        return instance in self._windows

    def done(self, op: str, args: tuple[Any, ...], result: Any) -> None:
        """Record the bounds of a window that was opened, or of a program's window that was adopted."""
        if op == "open_window":
            self.opened(args[0].instance, result)
        elif op == "adopt_window":
            self._adopted[args[0]] = result

    def failed(self, op: str, args: tuple[Any, ...]) -> None:
        """Remove a window that was not opened or not adopted."""
        if op == "open_window":
            self.command("close_window", (args[0].instance,))
        elif op == "adopt_window":
            self._not_adopted(args[0])

    def opened(self, instance: str, opened: Opened) -> None:
        """Record the bounds of an opened window."""
        window = self._windows.get(instance)
        if window is not None:
            wanted = window.request.bounds
            window.expanded_height = wanted.height if wanted is not None and opened.state == "collapsed" else None
            window.bounds = opened.bounds
            window.request = replace(window.request, bounds=opened.bounds, state=opened.state)

    def _not_adopted(self, instance: str) -> None:
        self._steps.pop(("adopt_window", instance), None)
        self._adopted.pop(instance, None)

    def command(self, op: str, args: tuple[Any, ...]) -> bool:
        """Record a command; return whether a restarted process has its effect without another call."""
        if op == "forget_program":
            self._not_adopted(args[0])
            self._steps.pop(("set_channel", args[0]), None)
        if op in _UNDO:
            self._steps.pop((_UNDO[op], str(args[0]) if args else ""), None)
            return True
        is_of_program = op == "set_channel" and ("follow_program", str(args[0])) in self._steps
        if op in _LASTING or op in _LASTING_PER_KEY or is_of_program:
            key = "" if op in _LASTING else _key(args[0])
            if op == "follow_program":
                # A program keeps its own window.
                args = (*args[:2], None, None)
            self._steps.pop((op, key), None)
            self._steps[(op, key)] = (op, args)
            return True
        if op == "open_window":
            request: WindowRequest = args[0]
            self._windows[request.instance] = _Window(request, request.bounds)
            return True
        return self._window_command(op, args)

    def report(self, report: Report) -> None:
        """Record a report of the window process."""
        match report:
            case ScreensChanged(screens=screens) if screens:
                self.screens = screens
            case WindowClosed(instance=instance):
                self._windows.pop(instance, None)
            case ToastClosed(toast=toast):
                self._steps.pop(("show_toast", toast), None)
            case Focused(instance=instance, focused=focused):
                if focused:
                    self._focused = instance
            case Moved(instance=instance, bounds=bounds) if instance in self._windows:
                self._windows[instance].bounds = bounds
            case Moved(instance=instance, bounds=bounds) if instance in self._adopted:
                self._adopted[instance] = bounds
            case ProgramWindowChanged(instance=instance, bounds=None):
                self._not_adopted(instance)
            case _:
                self._window_report(report)

    def steps(self) -> Iterator[Step]:
        """Return the calls to repeat, in order; windows are opened at their last bounds, in their last state."""
        yield from [step for (op, _), step in self._steps.items() if op in _LASTING]
        for instance, window in [*self._windows.items()]:
            yield "open_window", (replace(window.request, bounds=_expanded(window)),)
            for action in window.actions.values():
                yield "act", (instance, action)
            if window.joined is not None:
                yield "set_channel", (instance, *window.joined)
        for op, step in [(key[0], step) for key, step in self._steps.items() if key[0] not in _LASTING]:
            yield self._current(step)
            place = self._adopted.get(step[1][0]) if op == "adopt_window" else None
            if place is not None:
                # When the process that embedded the window ended, the system placed the window elsewhere.
                yield "move_window", (step[1][0], place)
        if self._focused in self._windows:
            yield "act", (self._focused, Focus())

    def _current(self, step: Step) -> Step:
        """Return a step with current values: a group that the user has moved or resized has its current bounds."""
        drawing = step[1][0]
        if not isinstance(drawing, GroupDrawing):
            return step
        windows = {one: self.bounds(one) or place for one, place in drawing.windows.items()}
        filled = gaps(windows.values()) if drawing.filled else ()
        return step[0], (replace(drawing, windows=windows, bounds=box(windows.values()), filled=filled),)

    def _window_command(self, op: str, args: tuple[Any, ...]) -> bool:
        window = self._windows.get(str(args[0])) if args else None
        if window is None:
            return False
        match op:
            case "close_window":
                self._windows.pop(str(args[0]))
            case "set_title":
                window.request = replace(window.request, title=args[1])
            case "move_window":
                window.bounds = args[1]
            case "show_window":
                window.bounds = args[1]
                window.request = replace(window.request, hidden=False)
            case "hide_window":
                window.request = replace(window.request, hidden=True)
            case "set_channel":
                window.joined = args[1:]
            case "act" if isinstance(args[1], _LASTING_ACTIONS):
                window.actions[type(args[1])] = args[1]
            case _:
                return False
        return True

    def _window_report(self, report: Report) -> None:
        window = self._windows.get(getattr(report, "instance", ""))
        if window is None:
            return
        match report:
            case StateChanged(state=state):
                height = None if window.bounds is None else window.bounds.height
                window.expanded_height = (window.expanded_height or height) if state == "collapsed" else None
                window.request = replace(window.request, state=state)
            case VisibilityChanged(visible=visible):
                window.request = replace(window.request, hidden=not visible)
            case Zoomed(factor=factor):
                window.request = replace(window.request, zoom=factor)
            case Navigated(url=url) if _is_own(url, window.request):
                window.request = replace(window.request, details={**window.request.details, "url": url})


def _expanded(window: _Window) -> Bounds | None:
    """Return the bounds of a window with its height in the normal state."""
    if window.bounds is None or window.expanded_height is None:
        return window.bounds
    return replace(window.bounds, height=window.expanded_height)


def _key(value: Any) -> str:
    return value if isinstance(value, str) else str(value.id)


def _is_own(url: str, request: WindowRequest) -> bool:
    """Return whether a window that navigated to an address loads it again; pages of other origins are not loaded."""
    parts = urlsplit(url)
    origins = request.access.origins if request.access is not None else ()
    return f"{parts.scheme}://{parts.netloc}" in origins
