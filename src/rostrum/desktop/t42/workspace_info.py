"""Descriptions of frames, workspaces and their parts for the library @interopio/workspaces-api."""

from typing import Any

from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.services.workspace_records import Workspace, WorkspaceEvent
from rostrum.desktop.services.workspaces import Workspaces
from rostrum.desktop.windows.workspace_tree import Item


class Described:
    """Describes objects in the formats that the library validates."""

    def __init__(self, workspaces: Workspaces, registry: WindowRegistry) -> None:
        self._workspaces = workspaces
        self._registry = registry

    def frame(self, frame: str) -> dict[str, Any]:
        """Describe a frame."""
        record = self._registry.get(frame)
        return {
            "id": frame,
            "isFocused": record is not None and record.focused,
            "isInitialized": frame in self._workspaces.frames and bool(self._workspaces.of(frame)),
            "initializationContext": {"context": {} if record is None else dict(record.context)},
        }

    def bounds(self, frame: str) -> dict[str, float]:
        """Return the bounds of a frame."""
        place = self._registry.find(frame).bounds
        return {"left": place.left, "top": place.top, "width": place.width, "height": place.height}

    def workspace(self, workspace: Workspace) -> dict[str, Any]:
        """Describe a workspace without its parts."""
        open_now = workspace.frame in self._workspaces.frames
        beside = self._workspaces.of(workspace.frame) if open_now else []
        config: dict[str, Any] = {
            "frameId": workspace.frame,
            "title": workspace.title,
            "name": workspace.title,
            "positionIndex": beside.index(workspace) if workspace in beside else 0,
            "isHibernated": False,
            "isSelected": open_now and self._workspaces.selected(workspace.frame) is workspace,
        }
        return {"id": workspace.id, "config": config | ({"layoutName": workspace.layout} if workspace.layout else {})}

    def snapshot(self, workspace: Workspace) -> dict[str, Any]:
        """Describe a workspace with its parts."""
        children = [self._item(workspace, one, at, None) for at, one in enumerate(workspace.tree.items)]
        return {
            **self.workspace(workspace),
            "children": children,
            "frameSummary": self.frame(workspace.frame),
            "context": dict(workspace.context),
        }

    def event(self, event: WorkspaceEvent) -> dict[str, Any]:
        """Describe an event."""
        if event.kind == "frame" or event.workspace is None:
            return {"frameSummary": self.frame(event.frame)}
        if event.item is None:
            summary = {"workspaceSummary": self.workspace(event.workspace), "frameSummary": self.frame(event.frame)}
            is_gone = event.action == "closed"
            return summary if is_gone else summary | {"workspaceSnapshot": self.snapshot(event.workspace)}
        config = self._config(event.workspace, event.item, 0, event.workspace.tree.parent_of(event.item))
        if event.kind == "container":
            return {"containerSummary": {"itemId": event.item.id, "config": config}}
        parent = event.parent or event.workspace.id
        return {"windowSummary": {"itemId": event.item.id, "parentId": parent, "config": config}}

    def _item(self, workspace: Workspace, item: Item, at: int, parent: Item | None) -> dict[str, Any]:
        described = {"id": item.id, "type": item.kind, "config": self._config(workspace, item, at, parent)}
        if item.kind == "window":
            return described
        children = [self._item(workspace, one, index, item) for index, one in enumerate(item.children)]
        return described | {"children": children}

    def _config(self, workspace: Workspace, item: Item, at: int, parent: Item | None) -> dict[str, Any]:
        config: dict[str, Any] = {
            "frameId": workspace.frame,
            "workspaceId": workspace.id,
            "positionIndex": at,
            "isMaximized": workspace.maximized == item.id,
        }
        sizes = {f"{side}InPx": value for side in ("width", "height") if (value := item.config.get(side))}
        if item.kind != "window":
            return config | sizes
        record = self._registry.get(item.instance) if item.instance else None
        config |= {
            "appName": item.app,
            "title": self._workspaces.title_of(item),
            "isFocused": record is not None and record.focused,
            "isSelected": parent is None or parent.selected is item,
        }
        return config | ({"windowId": item.instance} if item.instance else {})
