"""The calls that the page of a workspaces frame may make, limited to its own frame."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from rostrum.desktop.arguments import text
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import PageCall
from rostrum.desktop.services.workspace_layouts import WorkspaceLayouts
from rostrum.desktop.services.workspace_records import NewFrame, NewWorkspace, Workspace
from rostrum.desktop.services.workspaces import Workspaces
from rostrum.settings.scope import AppType
from rostrum.stores.apps.store import Definition


class WorkspacePage:
    """Responds to the pages of frames.

    Attributes:
        methods: The methods that they may call.
    """

    def __init__(
        self,
        workspaces: Workspaces,
        layouts: WorkspaceLayouts,
        definitions: Callable[[], Mapping[str, Definition]],
    ) -> None:
        self._workspaces = workspaces
        self._layouts = layouts
        self._definitions = definitions
        self.methods: dict[str, Callable[[PageCall], Awaitable[Any]]] = {
            "Workspaces.Add": self._add,
            "Workspaces.Choices": self._choices,
            "Workspaces.Close": self._close,
            "Workspaces.Eject": self._eject,
            "Workspaces.New": self._new,
            "Workspaces.Open": self._open,
            "Workspaces.Rearranged": self._rearranged,
            "Workspaces.Save": self._save,
            "Workspaces.Select": self._select,
        }

    async def _choices(self, _: PageCall) -> Any:
        apps = [
            {"name": name, "title": str(definition.get("title") or name)}
            for name, definition in self._definitions().items()
            if str(definition.get("type")).lower() == AppType.WINDOW
            and not definition.get("hidden")
            and not definition.get("disabled")
        ]
        return {
            "apps": sorted(apps, key=lambda one: one["title"].casefold()),
            "layouts": sorted(str(one["name"]) for one in self._layouts.all()),
        }

    async def _rearranged(self, call: PageCall) -> Any:
        given = call.arguments
        await self._workspaces.rearrange(call.instance, text(given, "workspace"), given.get("state"), given.get("ids"))
        return {}

    async def _select(self, call: PageCall) -> Any:
        await self._workspaces.select(self._own(call, "workspace").id)
        return {}

    async def _close(self, call: PageCall) -> Any:
        self._own(call, "item")
        await self._workspaces.close(text(call.arguments, "item"))
        return {}

    async def _eject(self, call: PageCall) -> Any:
        self._own(call, "item")
        await self._workspaces.eject(text(call.arguments, "item"))
        return {}

    async def _new(self, call: PageCall) -> Any:
        await self._workspaces.open(NewWorkspace(frame=NewFrame(frame=call.instance)))
        return {}

    async def _add(self, call: PageCall) -> Any:
        app, shown = text(call.arguments, "app"), self._workspaces.selected(call.instance)
        if shown is None:
            shown = await self._workspaces.open(NewWorkspace(frame=NewFrame(frame=call.instance)))
        await self._workspaces.add(shown.id, {"type": "window", "appName": app})
        return {}

    async def _open(self, call: PageCall) -> Any:
        await self._layouts.open(text(call.arguments, "name"), frame=NewFrame(frame=call.instance))
        return {}

    async def _save(self, call: PageCall) -> Any:
        workspace, name = self._own(call, "workspace"), text(call.arguments, "name")
        await self._layouts.save(name, workspace)
        await self._workspaces.rename(workspace.id, name)
        return {}

    def _own(self, call: PageCall, name: str) -> Workspace:
        """Return the workspace of a call; pages cannot change other frames."""
        found = self._workspaces.find(text(call.arguments, name))
        if found is None or found.frame != call.instance:
            raise DesktopError("this frame has no such workspace or window")
        return found
