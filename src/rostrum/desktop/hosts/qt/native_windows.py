"""The windows of programs that the platform has started, tracked on X11.

The program draws its window itself and the window manager decorates it. This process only finds the window, tracks its
bounds and state, and shows a channel selector at it. In a group, the window is embedded in one of ours
(``adoption.py``).
"""

import logging
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from rostrum.desktop.hosts.port import ChannelAccess, WindowRequest
from rostrum.desktop.hosts.qt.adoption import AdoptedWindow, around, contents
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.qt.program_drags import ProgramDrags
from rostrum.desktop.hosts.qt.selector_window import SelectorWindow
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.qt.x11 import CARDINAL, CONFIGURE, DESTROY, FOCUS_IN, FOCUS_OUT, PRESS, PROPERTY, X11, XEvent
from rostrum.desktop.hosts.reports import ProgramDropped, ProgramWindowChanged, WindowState
from rostrum.desktop.windows.chrome import Chrome, Selector
from rostrum.desktop.windows.geometry import Bounds, Side

_MOST_PARENTS = 32
_log = logging.getLogger(__name__)
_SETTLE_MS = 80
"""The bounds and the state of a window change separately: they are read after both have changed."""
_APPEAR_MS = 10_000
"""Time limit for a program to show the window that is to join a group."""
_STATIC_GRAVITY = 10
_MOVE_RESIZE = _STATIC_GRAVITY | 0xF << 8 | 2 << 12
"""Position and size of the contents, requested by a program on behalf of a user."""
_FROM_PERSON = 2
_ICONIC = 3


def claim_edge(x11: X11, window: QWidget, side: Side | None) -> None:
    """Reserve the part of the display that a window covers at an edge; None releases it."""
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


def is_main(x11: X11, window: int) -> bool:
    """Return whether a window is a main window, not a dialog, menu or other part."""
    kinds = x11.values(window, "_NET_WM_WINDOW_TYPE")
    is_usual = not kinds or x11.atom("_NET_WM_WINDOW_TYPE_NORMAL") in kinds
    return is_usual and not x11.values(window, "WM_TRANSIENT_FOR")


def belongs(owner: int, process: int) -> bool:
    """Return whether a process is another one or was started by it; programs run in their own sessions."""
    if owner == process:
        return True
    with suppress(OSError):
        if os.getsid(owner) == process:
            return True
    for _ in range(_MOST_PARENTS):
        try:
            stat = Path(f"/proc/{owner}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False
        # The name of the program is in brackets and may contain spaces.
        owner = int(stat.rpartition(")")[2].split()[1])
        if owner == process:
            return True
        if owner <= 1:
            return False
    return False


_REMOVE, _ADD = 0, 1


@dataclass(slots=True)
class _Program:
    """A program: the requested bounds and state of its window, and the window when it exists."""

    instance: str
    process: int
    settle: QTimer
    bounds: Bounds | None = None
    state: WindowState | None = None
    asked: Bounds | None = None
    """The requested position, until the window manager has responded."""
    window: int | None = None
    reported: tuple[Bounds | None, WindowState] | None = None
    normal: Bounds | None = None
    channels: Selector | None = None
    joined: tuple[tuple[str, ...], tuple[ChannelAccess, ...]] | None = None
    selector: SelectorWindow | None = None
    waiting: list[Later] = field(default_factory=list)


class NativeWindows(QObject):
    """The tracked windows; the X server is connected with the first one.

    Attributes:
        adopted: The windows that are inside windows of ours, by instance.
        embedded: Emitted with the instance of an adopted window; ``released`` before it is returned to the desktop, and
            ``gone`` afterwards.
    """

    embedded = Signal(str)
    released = Signal(str)
    gone = Signal(str)

    def __init__(self, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._shared = shared
        self._x11: X11 | None = None
        self._drags: ProgramDrags | None = None
        self._programs: dict[str, _Program] = {}
        self.adopted: dict[str, AdoptedWindow] = {}

    @property
    def x11(self) -> X11:
        """Return the connection; raise OSError on systems without an X server."""
        if self._x11 is None:
            self._x11 = X11(self._happened, self)
            self._drags = ProgramDrags(self._x11, self._dropped, self)
            self._x11.watch(self._x11.root, children=True)
        return self._x11

    def follow(self, instance: str, process: int, bounds: Bounds | None, state: WindowState | None) -> None:
        """Track the window of a program; apply bounds and state now or when it appears."""
        program = self._program(instance, process)
        if program is not None:
            program.bounds, program.state = bounds, state
            if program.window is not None:
                self._place(program)

    def forget(self, instance: str) -> None:
        """Stop tracking a program."""
        program = self._programs.pop(instance, None)
        if program is not None:
            program.settle.stop()
            self._fail(program, "the program has ended")
            self._release(instance, is_gone=program.window is None)
            self._remove_selector(program)

    def adopt(self, instance: str, process: int) -> Later:
        """Embed the window of a program when it exists; the result is its bounds."""
        answer = Later()
        found = self.adopted.get(instance)
        program = self._program(instance, process) if found is None else None
        if found is not None and found.is_embedded:
            answer.resolve(found.bounds)
        elif found is None and program is None:
            answer.fail("windows of programs can join groups on X11 only")
        else:
            self._programs[instance].waiting.append(answer)
            QTimer.singleShot(_APPEAR_MS, lambda: answer.fail(f"the program shows no window ({instance})"))
            if program is not None and program.window is not None:
                self._adopt(program)
        return answer

    def place_adopted(self, instance: str, bounds: Bounds) -> None:
        """Set the bounds of a window that is embedded as soon as it exists."""
        program = self._programs.get(instance)
        if program is not None and program.waiting:
            program.asked = contents(bounds)

    def _adopt(self, program: _Program) -> None:
        window = program.window
        if window is None or program.instance in self.adopted:
            return
        place = self.x11.bounds(window)
        place = place if program.normal is None or self._state(window) == "normal" else program.normal
        if place is None:
            return
        place = program.asked or place
        self._stop_drag(window)
        title = self.x11.text(window, "_NET_WM_NAME") or self.x11.text(window, "WM_NAME")
        request = WindowRequest(
            instance=program.instance,
            kind="exe",
            title=title,
            details={},
            bounds=around(place),
            chrome=Chrome(selector=program.channels),
        )
        adopted = AdoptedWindow(request, window, self.x11, self._shared, program.settle.start)
        self.adopted[program.instance] = adopted
        self._remove_selector(program)
        if adopted.caption is not None and program.joined is not None:
            adopted.caption.selector.set_joined(*program.joined)

        def embedded() -> None:
            waiting, program.waiting = program.waiting, []
            for answer in waiting:
                answer.resolve(adopted.bounds)
            program.settle.start()
            self.embedded.emit(program.instance)

        adopted.open(embedded)

    def _release(self, instance: str, *, is_gone: bool) -> None:
        adopted = self.adopted.get(instance)
        if adopted is not None:
            place = contents(adopted.bounds)
            self.released.emit(instance)
            del self.adopted[instance]
            adopted.close(place, is_gone=is_gone)
            self.gone.emit(instance)

    def _fail(self, program: _Program, reason: str) -> None:
        waiting, program.waiting = program.waiting, []
        for answer in waiting:
            answer.fail(reason)

    def show_selector(self, instance: str, process: int, selector: Selector) -> None:
        """Show the channel selector of a program at its window."""
        program = self._program(instance, process)
        if program is None:
            return
        self._remove_selector(program)
        program.channels = selector
        if instance not in self.adopted:
            program.selector = SelectorWindow(instance, selector, self._shared)
            self._show_selector(program)

    def hide_selector(self, instance: str) -> None:
        """Hide the channel selector of a program."""
        program = self._programs.get(instance)
        if program is not None:
            program.channels = None
            self._remove_selector(program)

    def set_channels(self) -> None:
        """Set the available channels."""
        for program in self._programs.values():
            if program.selector is not None:
                program.selector.set_channels()
        for adopted in self.adopted.values():
            adopted.set_channels()

    def set_joined(self, instance: str, channels: Sequence[str], access: Sequence[ChannelAccess]) -> None:
        """Show the channels that a program has joined."""
        program, adopted = self._programs.get(instance), self.adopted.get(instance)
        if program is None:
            return
        program.joined = (tuple(channels), tuple(access))
        if program.selector is not None:
            program.selector.button.set_joined(channels, access)
        elif adopted is not None and adopted.caption is not None:
            adopted.caption.selector.set_joined(*program.joined)

    def set_look(self) -> None:
        """Draw the selectors in other colours."""
        for program in self._programs.values():
            if program.selector is not None:
                program.selector.set_look()
        for adopted in self.adopted.values():
            adopted.set_look(self._shared.look)

    def claim_edge(self, window: QWidget, side: Side | None) -> None:
        """Reserve the part of the display that a window of the platform covers at an edge; None releases it."""
        claim_edge(self.x11, window, side)

    def close(self) -> None:
        """Stop tracking all windows."""
        for instance in [*self._programs]:
            self.forget(instance)
        if self._x11 is not None:
            self._x11.close()
            self._x11 = self._drags = None

    def _program(self, instance: str, process: int) -> _Program | None:
        found = self._programs.get(instance)
        if found is None:
            try:
                _ = self.x11
            except OSError as error:
                _log.info("the window of %s is not followed: %s", instance, error)
                return None
            settle = QTimer(self)
            settle.setSingleShot(True)
            settle.setInterval(_SETTLE_MS)
            found = self._programs[instance] = _Program(instance, process, settle)
            settle.timeout.connect(lambda: self._report(found))
            self._find()
        return found

    def _happened(self, event: XEvent) -> None:
        if event.window == self.x11.root:
            if event.atom == self.x11.atom("_NET_CLIENT_LIST"):
                self._find()
            return
        window = event.window if self._drags is None else self._drags.window_in(event.window)
        program = next((one for one in self._programs.values() if one.window == window), None)
        if program is None or (window != event.window and event.kind != CONFIGURE):
            return
        adopted = self.adopted.get(program.instance)
        if adopted is not None and event.kind in (PRESS, FOCUS_IN, FOCUS_OUT):
            self._input(adopted, event.kind)
            return
        if adopted is not None and event.kind == PROPERTY and event.atom == self.x11.atom("WM_STATE"):
            adopted.manager_let_go()
            return
        if event.kind == DESTROY:
            self._stop_drag(event.window)
            program.window = None
            self._release(program.instance, is_gone=True)
            if program.selector is not None:
                program.selector.hide()
            self._find()
        elif event.kind == CONFIGURE or (event.kind == PROPERTY and self._is_state(event.atom)):
            self._show_selector(program)
            self._follow_drag(event.kind, window)
        else:
            return
        program.settle.start()

    def _follow_drag(self, kind: int, window: int) -> None:
        if self._drags is not None and kind == CONFIGURE:
            self._drags.moved(window)

    def _stop_drag(self, window: int) -> None:
        if self._drags is not None:
            self._drags.forget(window)

    def _dropped(self, window: int, place: Bounds, alt: bool) -> None:  # noqa: FBT001 - called by the drag
        program = next((one for one in self._programs.values() if one.window == window), None)
        if program is not None and program.instance not in self.adopted:
            self._shared.platform.report(ProgramDropped(instance=program.instance, bounds=place, alt=alt))

    @staticmethod
    def _input(adopted: AdoptedWindow, kind: int) -> None:
        if kind == PRESS:
            adopted.pressed()
        else:
            adopted.focus_changed(focused=kind == FOCUS_IN)

    def _is_state(self, atom: int) -> bool:
        return atom in (self.x11.atom(one) for one in ("_NET_WM_STATE", "WM_STATE", "_NET_FRAME_EXTENTS"))

    def _find(self) -> None:
        """Search the windows of programs that have none yet."""
        waiting = [one for one in self._programs.values() if one.window is None]
        if not waiting:
            return
        taken = {one.window for one in self._programs.values()}
        for window in self.x11.values(self.x11.root, "_NET_CLIENT_LIST"):
            owner = self.x11.values(window, "_NET_WM_PID")[:1]
            if window in taken or not owner or not is_main(self.x11, window):
                continue
            for program in [one for one in waiting if one.window is None]:
                if belongs(owner[0], program.process):
                    program.window = window
                    self.x11.watch(window)
                    self._place(program)
                    if self._drags is not None:
                        self._drags.watch(window)
                    if program.waiting:
                        self._adopt(program)
                    break

    def _place(self, program: _Program) -> None:
        """Apply the requested bounds and state to a window, once."""
        window, x11 = program.window, self.x11
        if window is None:
            return
        bounds, state = program.bounds, program.state
        program.bounds = program.state = None
        adopted = self.adopted.get(program.instance)
        if adopted is not None:
            if bounds is not None:
                adopted.set_bounds(around(bounds))
            if state is not None:
                adopted.set_state(state)
            return
        if (bounds is not None or state == "normal") and self._state(window) != "normal":
            self._restore(window)
        if bounds is not None:
            place = (round(one) for one in (bounds.left, bounds.top, bounds.width, bounds.height))
            x11.ask_manager(window, "_NET_MOVERESIZE_WINDOW", _MOVE_RESIZE, *place)
            program.normal = program.asked = bounds
        if state == "maximized":
            x11.ask_manager(window, "_NET_WM_STATE", _ADD, *self._maximized, _FROM_PERSON)
        elif state == "minimized":
            x11.ask_manager(window, "WM_CHANGE_STATE", _ICONIC)
        self._show_selector(program)
        program.settle.start()

    def _restore(self, window: int) -> None:
        self.x11.ask_manager(window, "_NET_WM_STATE", _REMOVE, *self._maximized, _FROM_PERSON)
        self.x11.ask_manager(window, "_NET_ACTIVE_WINDOW", _FROM_PERSON)

    @property
    def _maximized(self) -> tuple[int, int]:
        return self.x11.atom("_NET_WM_STATE_MAXIMIZED_VERT"), self.x11.atom("_NET_WM_STATE_MAXIMIZED_HORZ")

    def _state(self, window: int) -> WindowState:
        if self.x11.values(window, "WM_STATE")[:1] == [_ICONIC]:
            return "minimized"
        states = self.x11.values(window, "_NET_WM_STATE")
        return "maximized" if all(one in states for one in self._maximized) else "normal"

    def _report(self, program: _Program) -> None:
        """Report the restored bounds and the state of a window."""
        now: tuple[Bounds | None, WindowState] = (None, "normal")
        program.asked = None
        adopted = self.adopted.get(program.instance)
        if adopted is not None:
            now = (contents(adopted.bounds), adopted.state)
        elif program.window is not None:
            state = self._state(program.window)
            if state == "normal" or program.normal is None:
                program.normal = self.x11.bounds(program.window)
            now = (program.normal, state)
        if now != program.reported:
            program.reported = now
            self._shared.platform.report(ProgramWindowChanged(instance=program.instance, bounds=now[0], state=now[1]))

    def _show_selector(self, program: _Program) -> None:
        selector, window = program.selector, program.window
        if selector is None or window is None or program.instance in self.adopted:
            return
        place = self.x11.bounds(window)
        if place is None or self._state(window) == "minimized":
            selector.hide()
            return
        top = (self.x11.values(window, "_NET_FRAME_EXTENTS") or [0, 0, 0, 0])[2]
        selector.show_at(window, place, top)

    def _remove_selector(self, program: _Program) -> None:
        if program.selector is not None:
            program.selector.hide()
            program.selector.deleteLater()
            program.selector = None
