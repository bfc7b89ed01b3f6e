"""Opens the windows of a layout at their positions, and retries apps that did not start."""

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rostrum.base.errors import RostrumError
from rostrum.desktop.errors import DesktopError, Prevented
from rostrum.desktop.hosts.actions import Focus, SetState, SetZoom
from rostrum.desktop.launch.launcher import Placement
from rostrum.desktop.services.channels import channel_names
from rostrum.desktop.services.instances import Instance
from rostrum.desktop.services.layout_components import RunningDesktop
from rostrum.desktop.services.layout_plan import Plan, Planned
from rostrum.desktop.services.layout_records import RestoreOptions

_log = logging.getLogger(__name__)
T = TypeVar("T")
_AT_ONCE = 20
"""Number of apps of a layout that are started in parallel."""


class LayoutRestore:
    """Executes plans: closes and starts apps, and moves their windows."""

    def __init__(self, desktop: RunningDesktop) -> None:
        self._desktop = desktop
        self._retrying: set[str] = set()

    async def run(self, plan: Plan, options: RestoreOptions) -> tuple[list[tuple[str, Planned]], list[str]]:
        """Execute a plan; return the instances that were started or kept, and the problems."""
        if self._desktop.placeholders is not None:
            await self._desktop.placeholders.close_all()
        closed = plan.close if options.close_running else ()
        _raise_first(await _together(self._desktop.instances.stop(one) for one in closed if one not in options.kept))
        if self._desktop.grouping is not None:
            await self._desktop.grouping.take_out(one.keep for one in plan.apps if one.keep is not None)
        notes = [*plan.notes]
        wanted = [replace(one, context={**one.context, **options.context}) for one in plan.apps]
        # In parallel: the pages of all windows load at the same time.
        outcomes = await _together(self._open(one, notes) for one in wanted)
        windows = [one for one in outcomes if isinstance(one, _Restored)]
        opened = [(one.window, one.planned) for one in windows if not one.is_placeholder]
        try:
            _raise_first(outcomes)
            if self._desktop.grouping is not None:
                notes += await self._desktop.grouping.restore(opened)
        finally:
            # New windows are opened hidden, so that users see them only at their final positions.
            await self._show(windows)
        await self._dock(opened)
        return opened, notes

    async def retry(self, placeholder: str) -> None:
        """Start the app of a placeholder in its place; raise RostrumError if that fails again."""
        if self._desktop.placeholders is None:
            raise DesktopError("the platform shows no placeholders")
        planned = self._desktop.placeholders.find(placeholder).planned
        if placeholder in self._retrying:
            raise DesktopError("the app is being started")
        self._retrying.add(placeholder)
        try:
            instance = await self._start(
                replace(planned, bounds=self._desktop.host.bounds(placeholder) or planned.bounds)
            )
            await self._describe(instance, planned)
            await self._desktop.placeholders.close(placeholder)
            await self._rejoin(instance, planned)
            await self._show([_Restored(instance, planned)])
            await self._dock([(instance, planned)])
        finally:
            self._retrying.discard(placeholder)

    async def _open(self, planned: Planned, notes: list[str]) -> "_Restored | None":
        """Start the app of a component, or keep its instance; open a placeholder if that fails."""
        reason = planned.problem
        if not reason:
            try:
                instance = await self._keep(planned) or await self._start(planned)
            except Prevented as error:
                # An intercepting app prevented this, which is not a problem.
                notes.append(f"{planned.app}: {error}")
                return None
            except RostrumError as error:
                notes.append(f"{planned.app}: {error}")
                reason = str(error)
            else:
                await self._describe(instance, planned)
                notes += await self._fill(instance, planned)
                return _Restored(instance, planned)
        if self._desktop.placeholders is None or planned.component.get("type") == "node":
            return None
        try:
            return _Restored(await self._desktop.placeholders.open(planned, reason), planned, is_placeholder=True)
        except RostrumError as error:
            notes.append(f"{planned.app}: the placeholder is not shown: {error}")
            return None

    async def _fill(self, instance: str, planned: Planned) -> list[str]:
        """Open the workspaces of a frame; return the problems."""
        workspaces, state = self._desktop.workspaces, planned.component.get("state") or {}
        if workspaces is None or instance not in workspaces.frames or not isinstance(state, Mapping):
            return []
        try:
            await workspaces.restore_frame(instance, state.get("workspaces"), state.get("selectedWorkspace"))
        except RostrumError as error:
            return [f"{planned.app}: {error}"]
        return []

    async def _rejoin(self, instance: str, planned: Planned) -> None:
        if self._desktop.grouping is not None:
            try:
                await self._desktop.grouping.rejoin(instance, planned)
            except RostrumError as error:
                _log.warning("%s is not in its group: %s", planned.app, error)

    async def _start(self, planned: Planned) -> str:
        placement = Placement(bounds=planned.bounds, state=planned.state, zoom=planned.zoom or 1, hidden=True)
        workspaces = self._desktop.workspaces
        is_filled = workspaces is not None and workspaces.can_show(planned.app)
        with workspaces.filling() if workspaces is not None and is_filled else nullcontext():
            started = await self._desktop.instances.start(
                planned.app, planned.context, load_page=planned.load_page, placement=placement
            )
        return started.id

    async def _keep(self, planned: Planned) -> str | None:
        """Move the window of an instance that stays; return the instance."""
        if planned.keep is None:
            return None
        native = self._desktop.native
        if native is not None and native.follows(planned.keep):
            # These are the bounds of its contents.
            await native.place(planned.keep, planned.bounds, planned.state)
        elif planned.bounds is not None:
            await self._desktop.host.move_window(planned.keep, planned.bounds)
        record = None if self._desktop.registry is None else self._desktop.registry.get(planned.keep)
        if record is not None and planned.state not in (None, "collapsed" if record.collapsed else record.state):
            await self._desktop.host.act(planned.keep, SetState(state=planned.state))
        if record is not None and planned.zoom not in (None, record.zoom):
            await self._desktop.host.act(planned.keep, SetZoom(factor=planned.zoom))
        return planned.keep

    async def _describe(self, instance: str, planned: Planned) -> None:
        """Apply the channels and the title of its component to an open window."""
        if self._desktop.channels:
            self._desktop.channels.restore_restrictions(instance, planned.restrictions)
            self._desktop.channels.restore(instance, channel_names(planned.channel))
        if planned.title:
            self._desktop.instances.retitle(instance, planned.title, planned.titled_by)
            await self._desktop.host.set_title(instance, planned.title)

    async def _dock(self, opened: Iterable[tuple[str, Planned]]) -> None:
        """Dock windows that were docked, and apply the placement of others."""
        for instance, planned in opened:
            record = None if self._desktop.registry is None else self._desktop.registry.get(instance)
            if self._desktop.registry is None or record is None:
                continue
            if planned.placement:
                self._desktop.registry.update(instance, placement=planned.placement)
            if self._desktop.docking is not None:
                await self._desktop.docking.restore(instance, planned.docking)

    async def _show(self, windows: Sequence["_Restored"]) -> None:
        """Show the new windows, the lowest first; windows that are hidden by their definition stay hidden."""
        grouping, highest = self._desktop.grouping, dict[str, int]()
        frames = {one.window: one.window if grouping is None else grouping.frame_of(one.window) for one in windows}
        for one in windows:
            frame = frames[one.window]
            highest[frame] = max(one.planned.z_order, highest.get(frame, one.planned.z_order))
        # A group appears with the first of its windows, at the highest stacking position of them.
        windows = sorted(windows, key=lambda one: (highest[frames[one.window]], one.planned.z_order))
        # Sent together, and executed in this order.
        await asyncio.gather(*(self._show_one(one) for one in windows))
        await self._raise_last(windows)

    async def _show_one(self, one: "_Restored") -> None:
        running, bounds = self._desktop.instances.get(one.window), self._desktop.host.bounds(one.window)
        is_new = one.is_placeholder or (running is not None and not _is_hidden(running) and one.planned.keep is None)
        # Programs show their windows themselves.
        is_program = self._desktop.native is not None and self._desktop.native.follows(one.window)
        if is_new and bounds is not None and not is_program:
            await self._desktop.host.show_window(one.window, bounds)

    async def _raise_last(self, windows: Sequence["_Restored"]) -> None:
        """Bring a window that stayed open to the front if it is the topmost one of the layout: new windows cover it."""
        last = windows[-1] if windows else None
        if last is None or self._desktop.registry is None or last.planned.keep is None:
            return
        record = self._desktop.registry.get(last.window)
        if record is not None and record.state != "minimized" and self._desktop.registry.stacked[-1] != record.id:
            await self._desktop.host.act(record.id, Focus())


@dataclass(frozen=True, slots=True)
class _Restored:
    """A window of a layout: of an app, or a placeholder."""

    window: str
    planned: Planned
    is_placeholder: bool = False


async def _together(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T | BaseException]:
    """Run calls in parallel, with a limit; return the result or exception of each."""
    free = asyncio.Semaphore(_AT_ONCE)

    async def run(call: Coroutine[Any, Any, T]) -> T:
        async with free:
            return await call

    return await asyncio.gather(*(run(one) for one in calls), return_exceptions=True)


def _raise_first(outcomes: Iterable[object]) -> None:
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome


def _is_hidden(instance: Instance) -> bool:
    return instance.definition.get("details", {}).get("hidden") is True
