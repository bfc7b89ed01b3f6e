"""Layouts of type Workspace, which desktops and the browser platform share."""

from collections.abc import Mapping
from typing import Any, Protocol

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.layout_records import WORKSPACE
from rostrum.desktop.services.stored_layouts import StoredLayouts
from rostrum.desktop.services.workspace_records import NewFrame, NewWorkspace, Workspace
from rostrum.desktop.services.workspaces import Workspaces
from rostrum.stores.layouts.store import Layout, LayoutKey


class Contexts(Protocol):
    """The shared contexts of the gateway."""

    async def get(self, name: str) -> dict[str, Any]:
        """Return the data of a context; empty if there is none."""
        ...

    async def set(self, name: str, data: dict[str, Any]) -> None:
        """Replace the data of a context."""
        ...


def context_name(workspace: str) -> str:
    """Return the name of the shared context of a workspace, which the client libraries use."""
    return f"___workspace___{workspace}"


class WorkspaceLayouts:
    """Saves workspaces as layouts, and opens them."""

    def __init__(
        self, layouts: StoredLayouts, workspaces: Workspaces, instances: Instances, contexts: Contexts | None = None
    ) -> None:
        """Use the stored layouts and the open workspaces; ``contexts`` has the shared data of workspaces."""
        self._layouts = layouts
        self._workspaces = workspaces
        self._instances = instances
        self._contexts = contexts

    def all(self) -> list[Layout]:
        """Return the layouts of workspaces."""
        return self._layouts.export(WORKSPACE)

    async def open(
        self,
        name: str,
        *,
        frame: NewFrame | None = None,
        context: Mapping[str, Any] | None = None,
        title: str = "",
        replaces: str = "",
    ) -> Workspace:
        """Open a layout. Apps that do not start are omitted and logged."""
        layout = self._layouts.get(LayoutKey(WORKSPACE, name))
        component = component_of(layout)
        state = component["state"]
        config = state.get("config") if isinstance(state.get("config"), Mapping) else {}
        kept, app, written = state.get("context"), component.get("application"), config.get("title")
        wanted = frame or NewFrame()
        if not wanted.app and isinstance(app, str) and self._workspaces.can_show(app):
            wanted = NewFrame(frame=wanted.frame, is_new=wanted.is_new, app=app, bounds=wanted.bounds)
        return await self.open_new(
            NewWorkspace(
                state=state,
                title=title or (written if isinstance(written, str) else ""),
                layout=name,
                context={**(kept if isinstance(kept, Mapping) else {}), **(context or {})},
                frame=wanted,
                replaces=replaces,
                is_complete=False,
            )
        )

    async def open_new(self, new: NewWorkspace) -> Workspace:
        """Open a workspace, with its context for the apps in it."""
        workspace = await self._workspaces.open(new)
        if self._contexts is not None and new.context:
            await self._contexts.set(context_name(workspace.id), dict(new.context))
        return workspace

    async def save(
        self, name: str, workspace: Workspace, *, with_context: bool = False, metadata: Mapping[str, Any] | None = None
    ) -> Layout:
        """Save a workspace as it is now."""
        if not name:
            raise DesktopError("a layout must have a name")
        frame, state = self._instances.get(workspace.frame), workspace.tree.layout(contexts=True)
        shared: Mapping[str, Any] = workspace.context
        if with_context and self._contexts is not None:
            shared = await self._contexts.get(context_name(workspace.id))
        state = {"type": "workspace", **state, "config": {**state["config"], "title": workspace.title}}
        component = {
            "type": WORKSPACE,
            "componentType": "application",
            **({} if frame is None else {"application": frame.app}),
            "state": state | ({"context": dict(shared)} if with_context and shared else {}),
        }
        layout: dict[str, Any] = {"name": name, "type": WORKSPACE, "components": [component]}
        layout |= {"metadata": dict(metadata)} if metadata else {}
        await self._layouts.import_all([layout], replace=True)
        workspace.layout = name
        return layout

    async def remove(self, name: str) -> None:
        """Remove a layout."""
        if not await self._layouts.remove(LayoutKey(WORKSPACE, name)):
            raise DesktopError(f"there is no layout {name[:100]!r} of type {WORKSPACE}")

    async def import_all(self, layouts: list[Layout], *, replace: bool) -> None:
        """Import layouts."""
        if any(layout.get("type") != WORKSPACE for layout in layouts):
            raise DesktopError(f"every layout must be of type {WORKSPACE}")
        await self._layouts.import_all(layouts, replace=replace)


def component_of(layout: Layout) -> Mapping[str, Any]:
    """Return the component of a layout that is a workspace."""
    components: list[Any] = layout.get("components") or []
    for component in components:
        if not isinstance(component, Mapping) or component.get("type") != WORKSPACE:
            continue
        if isinstance(component.get("state"), Mapping):
            return component
    raise DesktopError(f"the layout {layout.get('name')} has no workspace")
