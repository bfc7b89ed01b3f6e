"""The open frames and workspaces, and their events."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from rostrum.base.signal import Signal
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.workspace_records import Workspace, WorkspaceEvent
from rostrum.desktop.windows.workspace_tree import Item
from rostrum.settings.scope import AppType
from rostrum.stores.apps.store import Definition


class OpenWorkspaces:
    """The open frames and workspaces.

    Attributes:
        changed: Emitted with all events of frames, workspaces and their windows.
    """

    def __init__(self, instances: Instances, definitions: Callable[[], Mapping[str, Definition]]) -> None:
        self.changed: Signal[WorkspaceEvent] = Signal()
        self._instances = instances
        self._definitions = definitions
        self._frames: dict[str, list[Workspace]] = {}
        self._selected: dict[str, str] = {}

    @property
    def frames(self) -> tuple[str, ...]:
        """Return the open frames; the last used one is last."""
        return tuple(self._frames)

    @property
    def all(self) -> list[Workspace]:
        """Return every workspace."""
        return [workspace for workspaces in self._frames.values() for workspace in workspaces]

    def of(self, frame: str) -> list[Workspace]:
        """Return the workspaces of a frame."""
        if frame not in self._frames:
            raise DesktopError(f"there is no workspaces frame {frame!r}")
        return self._frames[frame]

    def selected(self, frame: str) -> Workspace | None:
        """Return the selected workspace."""
        workspaces = self.of(frame)
        chosen = self._selected.get(frame)
        return next((one for one in workspaces if one.id == chosen), workspaces[0] if workspaces else None)

    def find(self, identity: str) -> Workspace | None:
        """Return a workspace by its id, or by that of a part or a running app in it."""
        for workspace in self.all:
            if workspace.id == identity or workspace.tree.find(identity) is not None:
                return workspace
        return None

    def holds(self, instance: str) -> bool:
        """Return whether a running app is in a workspace."""
        return any(window.instance == instance for window in self._windows())

    def can_show(self, app: str) -> bool:
        """Return whether frames can be opened with an app."""
        definition = self._definitions().get(app)
        return definition is not None and str(definition.get("type")).lower() == AppType.WORKSPACES

    def part(self, identity: str) -> tuple[Workspace, Item]:
        """Return a part of a workspace, and the workspace; raise DesktopError if there is none."""
        workspace = self.find(identity)
        item = None if workspace is None else workspace.tree.find(identity)
        if workspace is None or item is None:
            raise DesktopError(f"no workspace has a part {identity[:100]!r}")
        return workspace, item

    def workspace(self, identity: str) -> Workspace:
        """Return a workspace by its id; raise DesktopError if there is none."""
        found = next((one for one in self.all if one.id == identity), None)
        if found is None:
            raise DesktopError(f"there is no workspace {identity[:100]!r}")
        return found

    def drawing(self, frame: str) -> dict[str, Any]:
        """Return the drawing of a frame: the state of each workspace, and the running apps in window order."""
        selected = self.selected(frame)
        return {
            "selected": "" if selected is None else selected.id,
            "workspaces": [
                {
                    "id": workspace.id,
                    "title": workspace.title,
                    "maximized": workspace.maximized,
                    "state": workspace.tree.layout(),
                    "ids": [window.id for window in workspace.tree.windows()],
                    "windows": {window.id: window.instance for window in workspace.tree.windows() if window.instance},
                    "titles": {window.id: self.title_of(window) for window in workspace.tree.windows()},
                }
                for workspace in self.of(frame)
            ],
        }

    def title_of(self, window: Item) -> str:
        """Return the title of a window."""
        running = self._instances.get(window.instance) if window.instance else None
        return running.title if running is not None else str(window.config.get("title") or window.app)

    def frame_state(self, frame: str) -> dict[str, Any]:
        """Return the data of a frame for layouts of the whole desktop."""
        workspaces, selected = self.of(frame), self.selected(frame)
        states = []
        for one in workspaces:
            state = one.tree.layout(contexts=True)
            config = {**state["config"], "title": one.title} | ({"layoutName": one.layout} if one.layout else {})
            states.append({**state, "type": "workspace", "config": config})
        return {"workspaces": states} | ({} if selected is None else {"selectedWorkspace": workspaces.index(selected)})

    def _windows(self) -> Iterator[Item]:
        for workspace in self.all:
            yield from workspace.tree.windows()

    def _report_frame(self, action: str, frame: str) -> None:
        self.changed.emit(WorkspaceEvent(kind="frame", action=action, frame=frame))

    def _report(
        self,
        kind: Literal["workspace", "container", "window"],
        action: str,
        item: Item | None = None,
        *,
        workspace: Workspace | None = None,
    ) -> None:
        found = workspace or (None if item is None else self.find(item.id))
        if found is None:
            return
        parent = None if item is None else found.tree.parent_of(item)
        self.changed.emit(
            WorkspaceEvent(
                kind=kind,
                action=action,
                frame=found.frame,
                workspace=found,
                item=item,
                parent=found.id if parent is None else parent.id,
            )
        )
