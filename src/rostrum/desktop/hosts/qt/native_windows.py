"""NativeWindows: the windows of programs that the platform has started, followed on X11.

The program draws its window itself and the window manager decorates it. This process only finds the window, follows its
place and state, and shows a channel selector at it.
"""

import logging
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QHBoxLayout, QWidget

from rostrum.desktop.hosts.port import ChannelAccess
from rostrum.desktop.hosts.qt.channel_selector import ChannelSelector
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.qt.x11 import CARDINAL, CONFIGURE, DESTROY, PROPERTY, X11, XEvent
from rostrum.desktop.hosts.reports import ChannelChosen, ChannelRestricted, ProgramWindowChanged, WindowState
from rostrum.desktop.windows.chrome import Selector
from rostrum.desktop.windows.geometry import Bounds, Side

__all__ = ["NativeWindows"]

_log = logging.getLogger(__name__)

_SETTLE_MS = 80
"""The place and the state of a window change one after the other: they are read when both are there."""
_STATIC_GRAVITY = 10
_MOVE_RESIZE = _STATIC_GRAVITY | 0xF << 8 | 2 << 12
"""Place and size of the contents, asked for by a program that acts for a person."""
_FROM_PERSON = 2
_REMOVE, _ADD = 0, 1
_ICONIC = 3
_MOST_PARENTS = 32
_LEFT, _HEIGHT = 28, 24
"""Where a selector is at its window, and how high it is at most."""


@dataclass(slots=True)
class _Program:
    """One program: what is wanted for its window, and the window once there is one."""

    instance: str
    process: int
    settle: QTimer
    bounds: Bounds | None = None
    state: WindowState | None = None
    window: int | None = None
    reported: tuple[Bounds | None, WindowState] | None = None
    normal: Bounds | None = None
    selector: "_SelectorWindow | None" = None


class NativeWindows(QObject):
    """The followed windows; nothing is connected to the X server until there is one."""

    def __init__(self, shared: Shared, parent: QObject) -> None:
        """Follow nothing yet."""
        super().__init__(parent)
        self._shared = shared
        self._x11: X11 | None = None
        self._programs: dict[str, _Program] = {}

    @property
    def x11(self) -> X11:
        """Return the connection; raise OSError on systems without an X server."""
        if self._x11 is None:
            self._x11 = X11(self._happened, self)
            self._x11.watch(self._x11.root, children=True)
        return self._x11

    def follow(self, instance: str, process: int, bounds: Bounds | None, state: WindowState | None) -> None:
        """Follow the window of a program; put it to a place and into a state, now or when it appears."""
        program = self._program(instance, process)
        if program is not None:
            program.bounds, program.state = bounds, state
            if program.window is not None:
                self._place(program)

    def forget(self, instance: str) -> None:
        """Follow a program no more."""
        program = self._programs.pop(instance, None)
        if program is not None:
            program.settle.stop()
            self._remove_selector(program)

    def show_selector(self, instance: str, process: int, selector: Selector) -> None:
        """Show the channel selector of a program at its window."""
        program = self._program(instance, process)
        if program is None:
            return
        self._remove_selector(program)
        program.selector = _SelectorWindow(instance, selector, self._shared)
        self._show_selector(program)

    def hide_selector(self, instance: str) -> None:
        """Show the channel selector of a program no more."""
        program = self._programs.get(instance)
        if program is not None:
            self._remove_selector(program)

    def set_channels(self) -> None:
        """Offer the channels that there are now."""
        for program in self._programs.values():
            if program.selector is not None:
                program.selector.set_channels()

    def set_joined(self, instance: str, channels: Sequence[str], access: Sequence[ChannelAccess]) -> None:
        """Show the channels that a program has joined."""
        program = self._programs.get(instance)
        if program is not None and program.selector is not None:
            program.selector.button.set_joined(channels, access)

    def set_look(self) -> None:
        """Draw the selectors in other colours."""
        for program in self._programs.values():
            if program.selector is not None:
                program.selector.set_look()

    def claim_edge(self, window: QWidget, side: Side | None) -> None:
        """Keep the part of the display that a window of ours covers at an edge free of others; None gives it back."""
        number, x11 = int(window.winId()), self.x11
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

    def close(self) -> None:
        """Follow nothing any more."""
        for instance in [*self._programs]:
            self.forget(instance)
        if self._x11 is not None:
            self._x11.close()
            self._x11 = None

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
        program = next((one for one in self._programs.values() if one.window == event.window), None)
        if program is None:
            return
        if event.kind == DESTROY:
            program.window = None
            if program.selector is not None:
                program.selector.hide()
            self._find()
        elif event.kind == CONFIGURE or (event.kind == PROPERTY and self._is_state(event.atom)):
            self._show_selector(program)
        else:
            return
        program.settle.start()

    def _is_state(self, atom: int) -> bool:
        return atom in (self.x11.atom(one) for one in ("_NET_WM_STATE", "WM_STATE", "_NET_FRAME_EXTENTS"))

    def _find(self) -> None:
        """Look for the windows of programs that have none yet."""
        waiting = [one for one in self._programs.values() if one.window is None]
        if not waiting:
            return
        taken = {one.window for one in self._programs.values()}
        for window in self.x11.values(self.x11.root, "_NET_CLIENT_LIST"):
            owner = self.x11.values(window, "_NET_WM_PID")[:1]
            if window in taken or not owner or not self._is_main(window):
                continue
            for program in [one for one in waiting if one.window is None]:
                if _belongs(owner[0], program.process):
                    program.window = window
                    self.x11.watch(window)
                    self._place(program)
                    break

    def _is_main(self, window: int) -> bool:
        kinds = self.x11.values(window, "_NET_WM_WINDOW_TYPE")
        return not self.x11.values(window, "WM_TRANSIENT_FOR") and (
            not kinds or self.x11.atom("_NET_WM_WINDOW_TYPE_NORMAL") in kinds
        )

    def _place(self, program: _Program) -> None:
        """Put a window to the place and into the state that are wanted for it, once."""
        window, x11 = program.window, self.x11
        if window is None:
            return
        bounds, state = program.bounds, program.state
        program.bounds = program.state = None
        if (bounds is not None or state == "normal") and self._state(window) != "normal":
            self._restore(window)
        if bounds is not None:
            place = (round(one) for one in (bounds.left, bounds.top, bounds.width, bounds.height))
            x11.ask_manager(window, "_NET_MOVERESIZE_WINDOW", _MOVE_RESIZE, *place)
            program.normal = bounds
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
        """Report the place that a window has when it is restored, and its state."""
        now: tuple[Bounds | None, WindowState] = (None, "normal")
        if program.window is not None:
            state = self._state(program.window)
            if state == "normal" or program.normal is None:
                program.normal = self.x11.bounds(program.window)
            now = (program.normal, state)
        if now != program.reported:
            program.reported = now
            self._shared.platform.report(ProgramWindowChanged(instance=program.instance, bounds=now[0], state=now[1]))

    def _show_selector(self, program: _Program) -> None:
        selector, window = program.selector, program.window
        if selector is None or window is None:
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


class _SelectorWindow(QWidget):
    """A window with nothing but a channel selector; the window manager keeps it above the window of the program."""

    def __init__(self, instance: str, selector: Selector, shared: Shared) -> None:
        kind = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowDoesNotAcceptFocus
        super().__init__(None, kind)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setWindowTitle("Channel selector")
        self._shared = shared
        self._foreign: QWindow | None = None
        self._above = 0
        self.button = ChannelSelector(shared.look, self)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.button)
        self.button.set_selector(selector)
        self.set_look()
        self.set_channels()
        if selector.channel:
            self.button.set_joined((selector.channel,))
        report = shared.platform.report
        self.button.channels_chosen.connect(
            lambda names: report(ChannelChosen(instance=instance, channels=tuple(names)))
        )
        self.button.access_chosen.connect(
            lambda name, read, write: report(ChannelRestricted(instance=instance, channel=name, read=read, write=write))
        )

    def set_channels(self) -> None:
        self.button.set_channels([(one.name, one.color) for one in self._shared.channels])

    def set_look(self) -> None:
        self.setStyleSheet(f"background: {self._shared.look.surface};")
        self.button.set_look(self._shared.look, self._shared.look.text)

    def show_at(self, window: int, place: Bounds, title_height: int) -> None:
        """Show it in the title bar of a window, or at the top of its contents when the window has no title bar."""
        height = min(_HEIGHT, title_height) if title_height >= _HEIGHT / 2 else _HEIGHT
        top = place.top - (title_height + height) / 2 if title_height >= _HEIGHT / 2 else place.top
        self.button.setFixedHeight(round(height))
        self.setGeometry(round(place.left) + _LEFT, round(top), self.button.width(), round(height))
        if self._above != window:
            self._above = window
            self._foreign = QWindow.fromWinId(window)
            self.winId()
            self.windowHandle().setTransientParent(self._foreign)
        if not self.isVisible():
            # The window manager minimizes it together with the window of the program. Shown as minimized, it would
            # minimize that window again.
            self.setWindowState(Qt.WindowState.WindowNoState)
            self.show()


def _belongs(owner: int, process: int) -> bool:
    """Say whether a process is another one, or was started by it; programs are started in sessions of their own."""
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
        # The name of the program is in brackets and may contain blanks.
        owner = int(stat.rpartition(")")[2].split()[1])
        if owner == process:
            return True
        if owner <= 1:
            return False
    return False
