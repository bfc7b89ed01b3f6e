"""Applies user actions on windows of groups to the model."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from rostrum.base.errors import RostrumError
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.hosts.reports import (
    BorderDoubleClicked,
    Dropped,
    GroupPageFailed,
    GroupRetitled,
    Moved,
    ProgramDropped,
    ProgramWindowChanged,
    Reports,
    TornOut,
)
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.window_registry import WindowRecord, WindowRegistry
from rostrum.desktop.services.workspaces import Workspaces
from rostrum.settings.scope import AppType

_log = logging.getLogger(__name__)
Happened = TypeVar("Happened")


class GroupGestures:
    """Handles the reports of the window host. The platform decides; rejected actions are reverted on the screen."""

    def __init__(
        self,
        groups: WindowGroups,
        tabs: TabGroups,
        registry: WindowRegistry,
        reports: Reports,
        background: BackgroundTasks,
        *,
        workspaces: Workspaces,
    ) -> None:
        self._groups = groups
        self._tabs = tabs
        self._registry = registry
        self._workspaces = workspaces
        # Actions are handled one after the other: each starts from the result of the previous one.
        self._turn = asyncio.Lock()
        self._kept: set[str] = set()
        reports.listen(Moved, self._moved)
        self._torn_out_now: set[str] = set()
        reports.listen(TornOut, lambda report: self._torn_out_now.add(report.instance))
        reports.listen(TornOut, lambda report: background.begin(self._in_turn(self._torn_out, report)))
        reports.listen(GroupRetitled, lambda report: background.begin(self._in_turn(self._retitled, report)))
        reports.listen(BorderDoubleClicked, lambda report: background.begin(self._in_turn(self._align, report)))
        reports.listen(GroupPageFailed, self._page_failed)
        reports.listen(Dropped, lambda report: background.begin(self._in_turn(self._dropped, report)))
        reports.listen(ProgramWindowChanged, lambda report: background.begin(self._in_turn(self._program_gone, report)))
        reports.listen(ProgramDropped, lambda report: background.begin(self._in_turn(self._program_dropped, report)))
        registry.closed.connect(lambda record: background.begin(self._in_turn(self._closed, record)))

    async def _in_turn(self, handle: Callable[[Happened], Awaitable[None]], what: Happened) -> None:
        async with self._turn:
            await handle(what)

    def _moved(self, report: Moved) -> None:
        # The bounds of a torn-out window are not valid in its group, even if it must return.
        if report.at_rest and report.instance not in self._torn_out_now:
            self._groups.follow(report.instance, report.bounds)

    async def _torn_out(self, report: TornOut) -> None:
        try:
            await self._take_out(report)
        finally:
            self._torn_out_now.discard(report.instance)
            await self._groups.accept_torn_out(report.instance)

    async def _take_out(self, report: TornOut) -> None:
        record = self._registry.get(report.instance)
        if record is None and not self._groups.knows(report.instance):
            return
        if record is not None and (record.locked or record.details.get("allowExtract") is False):
            # The host has already taken it out on the screen, so it must be drawn in its group again.
            _log.info("the window %s stays in its group: it is locked, or allowExtract is false", record.title)
            if report.dropped:
                self._kept.add(report.instance)
            await self._tabs.put_back(report.instance)
            await self._groups.redraw(report.instance)
            return
        if self._tabs.of(report.instance) is not None:
            await self._tabs.tear_out(report.instance, report.bounds)
        await self._groups.leave(report.instance)

    async def _retitled(self, report: GroupRetitled) -> None:
        try:
            await self._groups.rename(report.group, report.title)
        except RostrumError as error:
            _log.info("the title of the group stays: %s", error)

    async def _align(self, report: BorderDoubleClicked) -> None:
        try:
            await self._groups.align_border(report.group, report.side)
        except RostrumError as error:
            _log.info("the windows of the group are not aligned: %s", error)

    def _page_failed(self, report: GroupPageFailed) -> None:
        _log.error(
            "the web group app %s does not draw the group: %s; the built-in frame is shown instead",
            report.app,
            report.reason,
        )

    async def _dropped(self, report: Dropped) -> None:
        if report.instance in self._kept:
            # It was put back, so its bounds on the screen do not count.
            self._kept.discard(report.instance)
            return
        if not self._groups.knows(report.instance) or self._groups.of(report.instance) is not None:
            # The window was closed, or a window of a group was dragged with its group, which Moved reports.
            return
        try:
            if not await self._became_tab(report) and not await self._entered_workspace(report):
                await self._groups.drag_ended(report.instance, report.bounds, alt=report.alt)
        except RostrumError as error:
            _log.info("the window is not grouped: %s", error)

    async def _program_dropped(self, report: ProgramDropped) -> None:
        try:
            await self._groups.program_dropped(report.instance, report.bounds, alt=report.alt)
        except RostrumError as error:
            _log.info("the window of the program is not grouped: %s", error)

    async def _became_tab(self, report: Dropped) -> bool:
        if report.over is None or report.tab is None:
            return False
        return await self._tabs.drop(report.instance, report.over, index=report.tab, alt=report.alt)

    async def _entered_workspace(self, report: Dropped) -> bool:
        below = None if report.over is None else self._registry.get(report.over)
        if below is None or below.kind.lower() != AppType.WORKSPACES:
            return False
        return await self._workspaces.drop(report.instance, below.id, alt=report.alt)

    async def _program_gone(self, report: ProgramWindowChanged) -> None:
        if report.bounds is None:
            await self._tabs.leave(report.instance)
            await self._groups.leave(report.instance)

    async def _closed(self, record: WindowRecord) -> None:
        self._kept.discard(record.id)
        await self._tabs.leave(record.id)
        await self._groups.forget(record.id)
