"""Opens a group of apps: one that an app describes, or a hibernated one."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import WindowState
from rostrum.desktop.launch.launcher import Placement
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.geometry import Bounds

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedWindow:
    """An app that is started for a window of a group.

    Attributes:
        details: Members of the details in its definition that are replaced for this window.
        window: An open window to use instead of a new one, if it is still open and in no other group.
        title: Its title; None uses the definition.
        channels: The channels that it joins.
    """

    app: str
    context: Mapping[str, Any] = field(default_factory=dict, repr=False)
    details: Mapping[str, Any] = field(default_factory=dict, repr=False)
    window: str | None = None
    title: str | None = None
    titled_by: TitledBy = TitledBy.CODE
    channels: tuple[str, ...] = ()
    zoom: float = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFrame:
    """One place of a group: a window, or several as tabs."""

    bounds: Bounds
    windows: tuple[PlannedWindow, ...]
    selected: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedGroup:
    """A group to open.

    Attributes:
        id: Its id; None creates a new one. A group of a single window has the id of the window.
        header_visible: Whether it has a bar above it; None uses the settings.
    """

    frames: tuple[PlannedFrame, ...]
    id: str | None = None
    title: str | None = None
    header_visible: bool | None = None
    state: WindowState = "normal"


class GroupOpener:
    """Opens all windows of a group hidden, arranges them, and then shows them."""

    def __init__(
        self,
        groups: WindowGroups,
        tabs: TabGroups,
        instances: Instances,
        host: WindowHost,
        *,
        join_channels: Callable[[str, tuple[str, ...]], None],
    ) -> None:
        self._groups = groups
        self._tabs = tabs
        self._instances = instances
        self._host = host
        self._join_channels = join_channels

    async def open(self, plan: PlannedGroup) -> tuple[str, ...]:
        """Open a group; return its windows. If one of them cannot be opened, all new ones are closed."""
        started: list[str] = []
        frames: list[tuple[str, ...]] = []
        try:
            for frame in plan.frames:
                opened = [await self._window(one, frame, started) for one in frame.windows]
                frames.append(tuple(opened))
            for frame, windows in zip(plan.frames, frames, strict=True):
                if len(windows) > 1:
                    await self._tabs.restore(windows, windows[frame.selected])
            shown = [windows[frame.selected] for frame, windows in zip(plan.frames, frames, strict=True)]
            await self._groups.restore(shown, plan.title, identity=plan.id, header_visible=plan.header_visible)
        except RostrumError:
            for window in started:
                await self._instances.stop(window)
            raise
        for frame, windows in zip(plan.frames, frames, strict=True):
            for window in windows:
                await self._host.show_window(window, frame.bounds)
        return tuple(window for windows in frames for window in windows)

    async def _window(self, planned: PlannedWindow, frame: PlannedFrame, started: list[str]) -> str:
        if planned.window is not None and self._is_free(planned.window):
            await self._host.move_window(planned.window, frame.bounds)
            return planned.window
        rules, is_shown = self._tabs.rules, frame.windows[frame.selected] is planned
        instance = await self._instances.start(
            planned.app,
            planned.context,
            details=planned.details,
            load_page=is_shown or rules.loading == "direct",
            placement=Placement(bounds=frame.bounds, zoom=planned.zoom, hidden=True),
        )
        started.append(instance.id)
        if self._host.bounds(instance.id) is None:
            raise DesktopError(f"{planned.app} has no window, so it cannot be in a group.")
        if planned.channels:
            self._join_channels(instance.id, planned.channels)
        if planned.title is not None and self._instances.retitle(instance.id, planned.title, planned.titled_by):
            await self._host.set_title(instance.id, planned.title)
        return instance.id

    def _is_free(self, window: str) -> bool:
        is_open = self._host.bounds(window) is not None
        return is_open and self._groups.of(window) is None and self._tabs.of(window) is None
