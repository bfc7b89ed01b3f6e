"""Docks windows at an edge of their display, and keeps them there when the displays change."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import ClaimEdge
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import Dropped, Reports, ScreensChanged
from rostrum.desktop.services.window_control import WindowControl
from rostrum.desktop.services.window_registry import WindowRecord, WindowRegistry
from rostrum.desktop.windows.docking import (
    Docked,
    DockingConfig,
    dock_bounds,
    first_docked,
    read_docking_config,
    size_of,
)
from rostrum.desktop.windows.geometry import Bounds, Side, screen_of
from rostrum.desktop.windows.placement import first_place, place


class Docking:
    """Docks and undocks windows, and keeps docked and placed windows at their positions."""

    def __init__(
        self,
        registry: WindowRegistry,
        control: WindowControl,
        host: WindowHost,
        *,
        reports: Reports,
        background: BackgroundTasks,
    ) -> None:
        self._registry = registry
        self._control = control
        self._host = host
        self._background = background
        self._configs: dict[str, DockingConfig] = {}
        registry.opened.connect(self._opened)
        registry.closed.connect(self._closed)
        reports.listen(Dropped, self._dropped)
        reports.listen(ScreensChanged, lambda _: background.begin(self._put_back()))

    def _opened(self, record: WindowRecord) -> None:
        """Keep a window at the position of its definition, unless a layout has moved it."""
        screens = self._host.screens()
        try:
            if record.bounds != first_place(record.details, screens[0]):
                return
            docked = first_docked(record.details, record.bounds)
        except DesktopError:
            # The details of windows that code opens are not validated.
            return
        if docked is not None:
            self._registry.update(record.id, docking=replace(docked, before=None))
            if docked.claims:
                self._background.begin(self._host.act(record.id, ClaimEdge(side=docked.position)))
            return
        placement = record.details.get("placement")
        if isinstance(placement, Mapping):
            self._registry.update(record.id, placement={**placement})

    def _closed(self, record: WindowRecord) -> None:
        self._configs.pop(record.id, None)

    def config(self, window: str) -> DockingConfig:
        """Return the docking configuration of a window: the last one that was set, or that of its definition."""
        found = self._configs.get(window)
        if found is not None:
            return found
        written = self._registry.find(window).details.get("docking")
        return read_docking_config(written if isinstance(written, Mapping) else {})

    def set_config(self, window: str, config: DockingConfig) -> None:
        """Change the docking configuration of a window."""
        self._registry.find(window)
        self._configs[window] = config

    async def dock(self, window: str, position: Side, *, save_bounds: bool = False, **given: Any) -> Docked:
        """Dock a window; ``claims``, ``width`` and ``height`` override its configuration."""
        record, config = self._registry.find(window), self.config(window)
        if (window in self._configs or "docking" in record.details) and not config.enabled:
            raise DesktopError("Docking is disabled for this window. Set enabled in its docking configuration.")
        if config.enabled and position not in config.positions:
            raise DesktopError(f"The window may be docked at {', '.join(config.positions)} only.")
        before = record.docking.before if record.docking else record.bounds if save_bounds else None
        docked = Docked(
            position=position,
            size=size_of(
                position,
                config.width if given.get("width") is None else given["width"],
                config.height if given.get("height") is None else given["height"],
                record.bounds,
            ),
            claims=config.claims if given.get("claims") is None else given["claims"],
            before=before,
        )
        await self._put(record, docked)
        self._registry.update(window, docking=docked)
        return docked

    async def restore(self, window: str, docked: Docked | None) -> None:
        """Restore the docking of a window from a layout, or undock it."""
        record = self._registry.find(window)
        if docked is not None:
            await self._put(record, docked)
            self._registry.update(window, docking=docked)
        elif record.docking is not None:
            await self._release(window, record.docking)

    async def undock(self, window: str, *, restore: bool, to: Bounds | None = None) -> None:
        """Undock a window and move it to ``to``; with ``restore``, to the position saved when it was docked."""
        docked = self._registry.find(window).docking
        if docked is None:
            raise DesktopError("The window is not docked.")
        await self._release(window, docked)
        target = to or (docked.before if restore else None)
        if target is not None:
            await self._control.move(window, left=target.left, top=target.top, width=target.width, height=target.height)

    def _area(self, record: WindowRecord, docked: Docked) -> Bounds:
        screen = screen_of(record.bounds, self._host.screens())
        # A window that reserves its area is the reason why the work area is smaller.
        return screen.whole if docked.claims else screen.work_area

    async def _put(self, record: WindowRecord, docked: Docked) -> None:
        place_ = dock_bounds(docked, self._area(record, docked))
        await self._control.move(record.id, left=place_.left, top=place_.top, width=place_.width, height=place_.height)
        await self._host.act(record.id, ClaimEdge(side=docked.position if docked.claims else None))

    async def _release(self, window: str, docked: Docked) -> None:
        if docked.claims:
            await self._host.act(window, ClaimEdge(side=None))
        self._registry.update(window, docking=None)

    def _dropped(self, dropped: Dropped) -> None:
        record = self._registry.get(dropped.instance)
        if record is None:
            return
        if record.docking is not None and dropped.bounds != dock_bounds(
            record.docking, self._area(record, record.docking)
        ):
            self._background.begin(self._release(record.id, record.docking))
        if record.placement.get("snapped") is True:
            # The user has moved it, so it no longer keeps its position.
            self._registry.update(record.id, placement={**record.placement, "snapped": False})

    async def _put_back(self) -> None:
        """Move docked and placed windows to their positions on the changed displays."""
        for record in self._registry.all:
            if record.docking is not None:
                await self._put(record, record.docking)
            elif record.placement.get("snapped") is True:
                area = screen_of(record.bounds, self._host.screens()).work_area
                target = place(record.placement, record.bounds, area)
                await self._control.move(
                    record.id, left=target.left, top=target.top, width=target.width, height=target.height
                )
