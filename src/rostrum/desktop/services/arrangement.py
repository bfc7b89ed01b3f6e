"""Arranges all windows on one display, and restores their positions."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from rostrum.base.signal import Signal
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.window_control import WindowControl
from rostrum.desktop.services.window_registry import WindowChange, WindowRecord, WindowRegistry
from rostrum.desktop.windows.geometry import Bounds, Screen
from rostrum.desktop.windows.placement import grid

_KINDS = frozenset({"window", "workspaces", "webgroup"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrangementChanged:
    """Whether windows are arranged on a display."""

    arranged: bool
    screen: Screen


class WindowArrangement:
    """Arranges the windows of apps in a grid; a second call restores their positions.

    Attributes:
        changed: Emitted when windows were arranged or restored, and when the user or an app moved one of them.
    """

    def __init__(self, registry: WindowRegistry, control: WindowControl, takes_part: Callable[[str], bool]) -> None:
        self.changed: Signal[ArrangementChanged] = Signal()
        self._registry = registry
        self._control = control
        self._takes_part = takes_part
        self._lock = asyncio.Lock()
        self._screen: Screen | None = None
        self._before: dict[str, WindowRecord] = {}
        self._placed: dict[str, Bounds] = {}
        registry.changed.connect(self._window_changed)
        registry.closed.connect(lambda closed: self._forget(closed.id))

    async def toggle(self, screen: Screen) -> None:
        """Arrange the windows on a display; if they are already arranged there, restore their positions."""
        async with self._lock:
            if self._screen is not None and self._screen.id == screen.id:
                await self._restore()
            else:
                await self._arrange(screen)

    async def _arrange(self, screen: Screen) -> None:
        windows = [one for one in self._registry.all if _is_shown(one) and self._takes_part(one.id)]
        if not windows:
            raise DesktopError("There is no window that can be arranged.")
        before = {**{one.id: one for one in windows}, **self._before}
        self._screen, self._placed = None, {}
        places = grid(screen.work_area, len(windows))
        await asyncio.gather(
            *(self._move(one.id, place) for one, place in zip(windows, places, strict=True)), return_exceptions=True
        )
        self._before = before
        # Size limits or the window manager may have changed the bounds.
        self._placed = {one.id: found.bounds for one in windows if (found := self._registry.get(one.id)) is not None}
        self._screen = screen
        self.changed.emit(ArrangementChanged(arranged=True, screen=screen))

    async def _restore(self) -> None:
        before, screen = self._before, self._end()
        for window, record in before.items():
            if self._registry.get(window) is None:
                continue
            await self._move(window, record.bounds)
            if record.state != "normal":
                await self._control.set_state(window, record.state)
        if screen is not None:
            self.changed.emit(ArrangementChanged(arranged=False, screen=screen))

    async def _move(self, window: str, bounds: Bounds) -> None:
        await self._control.move(window, left=bounds.left, top=bounds.top, width=bounds.width, height=bounds.height)

    def _window_changed(self, change: WindowChange) -> None:
        placed = self._placed.get(change.after.id)
        if placed is not None and (change.after.bounds != placed or not _is_shown(change.after)):
            screen = self._end()
            if screen is not None:
                self.changed.emit(ArrangementChanged(arranged=False, screen=screen))

    def _forget(self, window: str) -> None:
        self._before.pop(window, None)
        self._placed.pop(window, None)

    def _end(self) -> Screen | None:
        screen, self._screen = self._screen, None
        self._before, self._placed = {}, {}
        return screen


def _is_shown(record: WindowRecord) -> bool:
    return record.visible and record.state != "minimized" and record.kind.lower() in _KINDS
