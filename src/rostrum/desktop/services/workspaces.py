"""Windows of apps, arranged in the frames of apps of type workspaces."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from rostrum.base.errors import RostrumError
from rostrum.base.ids import new_id
from rostrum.base.retry import Sleep
from rostrum.base.shown_text import shown_text
from rostrum.desktop.background_tasks import BackgroundTasks, answer_within
from rostrum.desktop.errors import DesktopError, OperationTimedOut
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.launch.launcher import Placement
from rostrum.desktop.services.instances import Ended, Instance, Instances
from rostrum.desktop.services.open_workspaces import OpenWorkspaces
from rostrum.desktop.services.workspace_records import NewFrame, NewWorkspace, Workspace, WorkspaceEvent
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.gestures import takes_part
from rostrum.desktop.windows.workspace_tree import MOST_WINDOWS, BadArrangement, Item, Tree, read_items, read_state
from rostrum.settings.scope import AppType
from rostrum.settings.sections.window_management import WindowManagement
from rostrum.stores.apps.store import Definition

_log = logging.getLogger(__name__)
DRAW = "draw"
"""The operation that updates the workspaces of a frame."""
_SHOWN_IN_WORKSPACES = frozenset({AppType.WINDOW, AppType.CHILD_WINDOW})
_MOST_WORKSPACES = 50
_LONGEST_TITLE = 200
_WHERE_FRAMES_OPEN = ("left", "top", "width", "height")


class Workspaces(OpenWorkspaces):
    """Opens, arranges and closes workspaces. All operations have the time limit of the settings.

    Attributes:
        open_layout: Opens a saved workspace by its name in a ``frame``; None if not supported.
    """

    def __init__(
        self,
        settings: WindowManagement,
        host: WindowHost,
        instances: Instances,
        *,
        definitions: Callable[[], Mapping[str, Definition]],
        background: BackgroundTasks,
        ungroup: Callable[[str], Awaitable[None]] | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Use the settings, the port, the running apps and the definitions of all apps.

        ``ungroup`` removes a window from its group and tabs, before it is added to a workspace.
        """
        super().__init__(instances, definitions)
        self._seconds = settings.workspaces.operation_timeout / 1000
        self._alternate = settings.alternate_behavior
        self._host = host
        self._background = background
        self._ungroup = ungroup
        self._sleep = sleep
        self.open_layout: Callable[..., Awaitable[Any]] | None = None
        self._opening = 0
        instances.launched.connect(self._launched)
        instances.ended.connect(self._ended)
        instances.retitled.connect(self._retitled)

    # Frames and workspaces

    async def open_frame(self, wanted: NewFrame) -> str:
        """Open a frame without workspaces."""
        return str(await self._within("createFrame", self._open_frame(wanted)))

    async def open(self, new: NewWorkspace) -> Workspace:
        """Open a workspace with its windows."""
        workspace: Workspace = await self._within("createWorkspace", self._open(new))
        return workspace

    async def close(self, identity: str) -> None:
        """Close a frame, a workspace, or a part of one with all its windows."""
        await self._within("closeItem", self._close(identity))

    async def select(self, identity: str) -> Workspace:
        """Bring a workspace, or a window in its group, to the front."""
        workspace: Workspace = await self._within("focusItem", self._select(identity))
        return workspace

    async def rename(self, identity: str, title: str) -> None:
        """Set the title of a workspace."""
        if not title or len(title) > _LONGEST_TITLE:
            raise DesktopError(f"the title of a workspace must have 1 to {_LONGEST_TITLE} characters")
        workspace = self.workspace(identity)
        workspace.title = shown_text(title)
        await self._within("setItemTitle", self._draw(workspace.frame))

    @contextmanager
    def filling(self) -> Iterator[None]:
        """Open frames without workspaces while the block runs, because the caller fills them."""
        self._opening += 1
        try:
            yield
        finally:
            self._opening -= 1

    async def restore_frame(self, frame: str, workspaces: Any, selected: Any) -> None:
        """Restore the workspaces of a frame from a layout of the whole desktop."""
        for workspace in [*self.of(frame)]:
            await self._close_workspace(workspace, keeps_frame=True)
        opened: list[Workspace] = []
        for one in workspaces if isinstance(workspaces, list) else ():
            config = one.get("config") if isinstance(one, Mapping) else None
            config = config if isinstance(config, Mapping) else {}
            title, name = config.get("title") or config.get("name"), config.get("layoutName")
            new = NewWorkspace(
                state=one,
                title=title if isinstance(title, str) else "",
                layout=name if isinstance(name, str) else "",
                frame=NewFrame(frame=frame),
                is_complete=False,
            )
            opened.append(await self.open(new))
        if isinstance(selected, int) and 0 <= selected < len(opened):
            await self.select(opened[selected].id)

    # Parts of workspaces

    async def add(self, parent: str, definition: Mapping[str, Any]) -> Item:
        """Add a window, or a row, a column or a group with windows, to a workspace or a part of it."""
        added: Item = await self._within("addWindow", self._add(parent, definition))
        return added

    async def move(self, window: str, box: str) -> None:
        """Move a window into another part, which may be in another workspace."""
        await self._within("moveWindowTo", self._move(window, box))

    async def eject(self, window: str) -> str:
        """Move a window out of a workspace to its own native window; return the running app."""
        instance: str = await self._within("ejectWindow", self._eject(window))
        return instance

    async def maximize(self, identity: str, *, maximized: bool) -> None:
        """Maximize a window or a group in its workspace, or restore it."""
        workspace, item = self.part(identity)
        workspace.maximized = item.id if maximized else ""
        self._report("window" if item.kind == "window" else "container", "maximized" if maximized else "restored", item)
        await self._within("maximizeItem" if maximized else "restoreItem", self._draw(workspace.frame))

    async def bundle(self, identity: str, kind: Literal["row", "column"]) -> None:
        """Put the parts of a workspace, or of a row or column, into a row or a column around them."""
        workspace = self.find(identity)
        if workspace is None:
            raise DesktopError(f"there is no workspace and no part {identity[:100]!r}")
        with _refusing():
            workspace.tree.bundle(kind, workspace.tree.find(identity), new_id)
        await self._within("bundleItem", self._draw(workspace.frame))

    async def resize(self, identity: str, size: Mapping[str, float]) -> None:
        """Resize a part; adjacent parts share the rest."""
        workspace, item = self.part(identity)
        parent = workspace.tree.parent_of(item)
        if item.kind == "window" and parent is not None:
            item = parent
        item.config |= dict(size)
        await self._within("resizeItem", self._draw(workspace.frame))

    async def drop(self, instance: str, frame: str, *, alt: bool = False) -> bool:
        """Drop a dragged window on a frame; return whether it was added."""
        dropped = self._instances.get(instance)
        if dropped is None:
            raise DesktopError(f"there is no instance {instance!r}")
        allowed = dropped.definition.get("allowWorkspaceDrop") is not False
        if not allowed or not takes_part("drop in a workspace", self._alternate, alt=alt):
            return False
        selected = self.selected(frame)
        if selected is None:
            selected = await self.open(NewWorkspace(frame=NewFrame(frame=frame)))
        await self.add(selected.id, {"type": "window", "windowId": instance})
        return True

    async def rearrange(self, frame: str, workspace: str, state: Any, ids: Any) -> None:
        """Apply the arrangement that the user has made in the page, which shows it already."""
        found = next((one for one in self.of(frame) if one.id == workspace), None)
        if found is None:
            raise DesktopError(f"there is no workspace {workspace[:100]!r}")
        with _refusing():
            found.tree.rearrange(state, ids, new_id)
        found.maximized = ""
        for box in found.tree.all():
            if box.kind != "window":
                self._report("container", "childrenUpdate", box)

    # Implementation

    async def _within(self, operation: str, work: Awaitable[Any]) -> Any:
        try:
            return await answer_within(work, self._seconds, self._sleep)
        except TimeoutError:
            raise OperationTimedOut(operation, self._seconds) from None

    async def _draw(self, frame: str) -> None:
        if frame in self._frames:
            await self._host.change_workspaces(frame, DRAW, self.drawing(frame))

    def redraw(self) -> None:
        """Show everything again after a restart of the window process."""
        for frame in self._frames:
            self._redraw(frame)

    def _redraw(self, frame: str) -> None:
        self._background.begin(self._within(DRAW, self._draw(frame)))

    async def _open_frame(self, wanted: NewFrame) -> str:
        app = wanted.app or self._usual_app()
        if not self.can_show(app):
            raise DesktopError(f"{app[:100]!r} is no app of type workspaces")
        place = {side: wanted.bounds.get(side) for side in _WHERE_FRAMES_OPEN}
        numbers = {side: value for side, value in place.items() if isinstance(value, int | float)}
        bounds = Bounds(**numbers) if len(numbers) == len(_WHERE_FRAMES_OPEN) else None
        with self.filling():
            frame = await self._instances.start(app, placement=Placement(bounds=bounds))
        return frame.id

    def _usual_app(self) -> str:
        apps = {
            name: definition
            for name, definition in self._definitions().items()
            if str(definition.get("type")).lower() == AppType.WORKSPACES and not definition.get("disabled")
        }
        usual = [name for name, definition in apps.items() if (definition.get("details") or {}).get("default") is True]
        for name in (*usual, *apps):
            return name
        raise DesktopError("you have no app of type workspaces, which shows workspaces")

    async def _frame_for(self, wanted: NewFrame) -> str:
        if wanted.frame:
            self.of(wanted.frame)
            return wanted.frame
        fitting = [
            one
            for one in self._frames
            if not wanted.app or ((running := self._instances.get(one)) is not None and running.app == wanted.app)
        ]
        return await self._open_frame(wanted) if wanted.is_new or not fitting else fitting[-1]

    async def _open(self, new: NewWorkspace) -> Workspace:
        with _refusing():
            tree = Tree(read_state(new.state, new_id))
        replaced = self.workspace(new.replaces) if new.replaces else None
        frame = replaced.frame if replaced is not None else await self._frame_for(new.frame)
        workspaces = self.of(frame)
        if len(workspaces) >= _MOST_WORKSPACES:
            raise DesktopError(f"a frame can have up to {_MOST_WORKSPACES} workspaces")
        title = shown_text(new.title[:_LONGEST_TITLE]) or new.layout or f"Workspace {len(workspaces) + 1}"
        workspace = Workspace(id=new_id(), frame=frame, title=title, layout=new.layout, context=new.context, tree=tree)
        if replaced is not None:
            workspaces.insert(workspaces.index(replaced), workspace)
        else:
            workspaces.append(workspace)
        try:
            await self._start_windows(workspace, tree.windows(), is_complete=new.is_complete)
            if replaced is not None:
                await self._close_workspace(replaced, keeps_frame=True)
            self._selected[frame] = workspace.id
            self._use(frame)
            await self._draw(frame)
        except BaseException:
            if workspace in workspaces:
                workspaces.remove(workspace)
            self._background.begin(self._stop(tree.windows()))
            self._redraw(frame)
            raise
        self._report("workspace", "opened", workspace=workspace)
        self._report("workspace", "selected", workspace=workspace)
        for window in tree.windows():
            self._report("window", "added", window)
            self._report("window", "loaded", window)
        return workspace

    async def _start_windows(self, workspace: Workspace, windows: list[Item], *, is_complete: bool) -> None:
        """Start the apps of new windows in parallel; omit those that do not start, unless all are required."""
        outcomes = await asyncio.gather(*(self._start_window(one) for one in windows), return_exceptions=True)
        failed = [(one, why) for one, why in zip(windows, outcomes, strict=True) if isinstance(why, BaseException)]
        for window, why in failed:
            if is_complete or not isinstance(why, RostrumError):
                raise why
            _log.warning("the workspace %s opens without %s: %s", workspace.title, window.app, why)
            workspace.tree.remove(window)

    async def _start_window(self, window: Item) -> None:
        if window.instance:
            running = self._instances.get(window.instance)
            if running is None or running.type.lower() not in _SHOWN_IN_WORKSPACES:
                name, window.instance = window.instance, ""
                raise DesktopError(f"there is no window {name[:100]!r} that a workspace can show")
            before = self.find(window.instance)
            inside = (
                None
                if before is None
                else next(
                    (one for one in before.tree.windows() if one.instance == window.instance and one is not window),
                    None,
                )
            )
            if before is not None and inside is not None:
                raise DesktopError(f"the window {window.instance} is in the workspace {before.title} already")
            window.app = running.app
            if self._ungroup is not None:
                await self._ungroup(window.instance)
            return
        definition = self._definitions().get(window.app)
        if definition is not None and str(definition.get("type")).lower() not in _SHOWN_IN_WORKSPACES:
            raise DesktopError(f"{window.app} is no app of type window, and a workspace cannot show it")
        started = await self._instances.start(window.app, window.context or None, placement=Placement(hidden=True))
        window.instance = started.id

    async def _add(self, parent: str, definition: Mapping[str, Any]) -> Item:
        workspace = self.find(parent)
        if workspace is None:
            raise DesktopError(f"there is no workspace and no part {parent[:100]!r}")
        with _refusing():
            (added,) = read_items([definition], new_id)
            is_window = definition.get("type", "window") == "window"
            new = [*added.windows()]
            if len(workspace.tree.windows()) + len(new) > MOST_WINDOWS:
                raise BadArrangement(f"a workspace can have up to {MOST_WINDOWS} windows")
            item = new[0] if is_window else added
            # Started first, so that the workspace has no empty panels.
            await self._start_windows(workspace, new, is_complete=True)
            into = workspace.tree.find(parent)
            if into is not None and into.kind == "window":
                into = workspace.tree.parent_of(into)
            workspace.tree.add(item, into, new_id)
        self._selected[workspace.frame] = workspace.id
        await self._draw(workspace.frame)
        if not is_window:
            self._report("container", "added", item)
        for window in new:
            self._report("window", "added", window)
            self._report("window", "loaded", window)
        return item

    async def _move(self, window: str, box: str) -> None:
        workspace, item = self.part(window)
        target = self.find(box)
        if target is None or item.kind != "window":
            raise DesktopError(f"no window {window[:100]!r} can be moved into {box[:100]!r}")
        into = target.tree.find(box)
        parent = workspace.tree.parent_of(item)
        if into is parent:
            return
        with _refusing():
            workspace.tree.remove(item)
            # The part may have been removed with its only window.
            target.tree.add(item, None if into is None or target.tree.find(into.id) is None else into, new_id)
        for frame in dict.fromkeys((workspace.frame, target.frame)):
            await self._draw(frame)
        self._report("window", "containerChange", item)

    async def _eject(self, identity: str) -> str:
        workspace, item = self.part(identity)
        if item.kind != "window" or not item.instance:
            raise DesktopError(f"{identity[:100]!r} is no window that can leave its workspace")
        instance = item.instance
        self._take_out(workspace, item)
        await self._draw(workspace.frame)
        return instance

    async def _select(self, identity: str) -> Workspace:
        workspace = self.find(identity)
        if workspace is None:
            raise DesktopError(f"there is no workspace and no part {identity[:100]!r}")
        item = workspace.tree.find(identity)
        self._selected[workspace.frame] = workspace.id
        self._use(workspace.frame)
        if item is not None and item.kind == "window":
            parent = workspace.tree.parent_of(item)
            if parent is not None:
                parent.select(item)
            self._report("window", "selected", item)
        else:
            self._report("workspace", "selected", workspace=workspace)
        await self._draw(workspace.frame)
        return workspace

    async def _close(self, identity: str) -> None:
        if identity in self._frames:
            await self._instances.stop(identity)
            return
        workspace = self.find(identity)
        if workspace is None:
            raise DesktopError(f"there is no frame, no workspace and no part {identity[:100]!r}")
        item = workspace.tree.find(identity)
        if item is None:
            await self._close_workspace(workspace)
            return
        windows = [*item.windows()]
        if not windows:
            workspace.tree.remove(item)
        for window in windows:
            self._take_out(workspace, window)
        await self._stop(windows)
        await self._draw(workspace.frame)

    async def _close_workspace(self, workspace: Workspace, *, keeps_frame: bool = False) -> None:
        frame, windows = workspace.frame, workspace.tree.windows()
        workspaces = self.of(frame)
        at = workspaces.index(workspace)
        workspaces.remove(workspace)
        if self._selected.get(frame) == workspace.id and workspaces:
            self._selected[frame] = workspaces[max(0, at - 1)].id
        self._report_closed(workspace)
        await self._stop(windows)
        if workspaces or keeps_frame:
            await self._draw(frame)
        else:
            # A frame is closed with its last workspace.
            await self._instances.stop(frame)

    async def _stop(self, windows: list[Item]) -> None:
        await asyncio.gather(*(self._instances.stop(one.instance) for one in windows if one.instance))

    # Events of frames and windows

    def _launched(self, instance: Instance) -> None:
        if instance.type.lower() != AppType.WORKSPACES:
            return
        self._frames[instance.id] = []
        self._report_frame("opened", instance.id)
        if not self._opening:
            # It was started like any other app: it opens with the workspaces of its definition.
            self._background.begin(self._begin(instance))

    async def _begin(self, instance: Instance) -> None:
        details = instance.definition.get("details") or {}
        listed, frame = details.get("layouts"), NewFrame(frame=instance.id)
        for one in (*(listed if isinstance(listed, list) else ()), details.get("layout")):
            if not isinstance(one, Mapping):
                continue
            name, title = one.get("layoutName"), (one.get("config") or {}).get("title")
            try:
                if isinstance(name, str) and self.open_layout is not None:
                    await self.open_layout(name, frame=frame)
                elif one.get("children"):
                    await self.open(NewWorkspace(state=one, title=title or "", frame=frame, is_complete=False))
            except RostrumError as error:
                _log.warning("the frame %s opens without a workspace: %s", instance.app, error)
        if instance.id in self._frames and not self._frames[instance.id]:
            await self.open(NewWorkspace(frame=frame))

    def _ended(self, ended: Ended) -> None:
        instance = ended.instance.id
        workspaces = self._frames.pop(instance, None)
        if workspaces is not None:
            self._selected.pop(instance, None)
            for workspace in workspaces:
                self._report_closed(workspace)
                self._background.begin(self._stop(workspace.tree.windows()))
            self._report_frame("closed", instance)
            return
        around = self.find(instance)
        item = None if around is None else around.tree.find(instance)
        if around is not None and item is not None:
            self._take_out(around, item)
            self._redraw(around.frame)

    def _retitled(self, instance: Instance) -> None:
        workspace = self.find(instance.id)
        if workspace is not None and instance.id not in self._frames:
            self._redraw(workspace.frame)

    def _take_out(self, workspace: Workspace, item: Item) -> None:
        parent = workspace.tree.parent_of(item)
        if workspace.maximized in (item.id, "" if parent is None else parent.id):
            workspace.maximized = ""
        event = _removal(workspace, item)
        workspace.tree.remove(item)
        self.changed.emit(event)

    def _report_closed(self, workspace: Workspace) -> None:
        for window in workspace.tree.windows():
            self.changed.emit(_removal(workspace, window))
        self._report("workspace", "closed", workspace=workspace)

    def _use(self, frame: str) -> None:
        """Record that a frame was used last."""
        self._frames[frame] = self._frames.pop(frame)


@contextmanager
def _refusing() -> Iterator[None]:
    """Reject invalid arrangements."""
    try:
        yield
    except BadArrangement as error:
        raise DesktopError(str(error)) from error


def _removal(workspace: Workspace, item: Item) -> WorkspaceEvent:
    """Describe the removal of a window, while the window still has its parent."""
    parent = workspace.tree.parent_of(item)
    return WorkspaceEvent(
        kind="window",
        action="removed",
        frame=workspace.frame,
        workspace=workspace,
        item=item,
        parent="" if parent is None else parent.id,
    )
