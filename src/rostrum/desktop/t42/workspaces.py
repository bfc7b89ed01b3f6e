"""T42.Workspaces: frames and workspaces for the library @interopio/workspaces-api."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import WindowState
from rostrum.desktop.services.window_control import WindowControl
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.services.workspace_layouts import WorkspaceLayouts
from rostrum.desktop.services.workspace_records import NewFrame, NewWorkspace, WorkspaceEvent
from rostrum.desktop.services.workspaces import Workspaces
from rostrum.desktop.t42.commands import flag, mapping, optional_text, refusing
from rostrum.desktop.t42.workspace_info import Described
from rostrum.gateway import CallFailed, LocalPeer
from rostrum.gateway.local.methods import LocalStream, Subscriber
from rostrum.stores.layouts.store import Layout

_METHOD = "T42.Workspaces.Control"
_STREAM = "T42.Workspaces.Stream."
_STREAMS = ("frame", "workspace", "container", "window")
_MOST_LAYOUTS = 1000
UNSUPPORTED = (
    "changeFrameVisibility",
    "getFrameVisibility",
    "getTaskbarIcon",
    "getWorkspaceIcon",
    "hibernateWorkspace",
    "hideLoadingAnimation",
    "lockContainer",
    "lockWindow",
    "lockWorkspace",
    "pinWorkspace",
    "registerShortcut",
    "resumeWorkspace",
    "setFrameOnTop",
    "setLoadingStrategy",
    "setMaximizationBoundary",
    "setTaskbarIcon",
    "setWindowDragMode",
    "setWorkspaceIcon",
    "showFrameDialog",
    "showLoadingAnimation",
    "showPopup",
    "subscribeToFrameClosing",
    "unpinWorkspace",
    "unregisterShortcut",
)
"""Operations of the library that the platform does not support."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceServices:
    """The services that the operations use."""

    workspaces: Workspaces
    layouts: WorkspaceLayouts
    registry: WindowRegistry
    control: WindowControl


async def offer(peer: LocalPeer, services: WorkspaceServices, callers: Callers) -> None:
    """Register the method with all operations, and the four streams of events."""
    described = Described(services.workspaces, services.registry)
    operations = _Operations(services, described)
    await peer.methods.register(_METHOD, refusing(callers, operations.handle))
    streams = {kind: await peer.methods.stream(_STREAM + kind.capitalize(), _branch) for kind in _STREAMS}
    events = _Events(described, streams)
    services.workspaces.changed.connect(events.push)


def _branch(subscriber: Subscriber) -> str:
    """Return the branch that a subscription names: ``global``, or a kind and an id such as ``workspace_1``."""
    branch = subscriber.arguments.get("branch")
    if not isinstance(branch, str) or not branch:
        raise CallFailed(None, "branch must be text")
    return branch


class _Events:
    def __init__(self, described: Described, streams: Mapping[str, LocalStream]) -> None:
        self._described = described
        self._streams = streams

    def push(self, event: WorkspaceEvent) -> None:
        stream = self._streams[event.kind]
        wanted = {"global", f"frame_{event.frame}"}
        wanted |= set() if event.workspace is None else {f"workspace_{event.workspace.id}"}
        wanted |= set() if event.item is None else {f"{event.kind}_{event.item.id}"}
        wanted |= {f"container_{event.parent}"} if event.parent else set()
        payload: Any = None
        for branch in sorted({one.branch for one in stream.subscribers.values()} & wanted):
            payload = payload or {"action": event.action, "payload": self._described.event(event)}
            stream.push(payload, branch)


class _Operations:
    def __init__(self, services: WorkspaceServices, described: Described) -> None:
        self._workspaces = services.workspaces
        self._layouts = services.layouts
        self._control = services.control
        self._registry = services.registry
        self._described = described

    async def handle(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        name = arguments.get("operation")
        operation = OPERATIONS.get(name) if isinstance(name, str) else None
        if operation is None:
            if name in UNSUPPORTED:
                raise DesktopError(f"the operation {name} of workspaces is not supported")
            raise DesktopError(f"{_METHOD} has no operation {str(name)[:100]!r}")
        return await operation(self, mapping(arguments, "operationArguments"), caller)

    # Summaries and snapshots

    async def ping(self, _: Mapping[str, Any], __: Caller) -> Any:
        return {"live": True}

    async def check(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        return {"isSupported": text(arguments, "operation") in OPERATIONS}

    async def platform_frame(self, _: Mapping[str, Any], __: Caller) -> Any:
        return {}

    async def is_inside(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        return {"inWorkspace": self._workspaces.holds(text(arguments, "itemId"))}

    async def frames(self, _: Mapping[str, Any], __: Caller) -> Any:
        return {"summaries": [self._described.frame(one) for one in self._workspaces.frames]}

    async def frame_summary(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        return self._described.frame(self._frame_of(text(arguments, "itemId")))

    async def frame_snapshot(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        frame = self._frame_of(text(arguments, "itemId"))
        workspaces = [self._described.snapshot(one) for one in self._workspaces.of(frame)]
        return {"id": frame, "config": {}, "workspaces": workspaces}

    async def summaries(self, _: Mapping[str, Any], __: Caller) -> Any:
        return {"summaries": [self._described.workspace(one) for one in self._workspaces.all]}

    async def snapshot(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        identity = text(arguments, "itemId")
        workspace = self._workspaces.find(identity)
        if workspace is None:
            raise DesktopError(f"there is no workspace {identity[:100]!r}, and none with such a part or window")
        return self._described.snapshot(workspace)

    # Frames and workspaces

    async def create_frame(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        bounds = mapping(mapping(arguments, "frameConfig"), "bounds")
        wanted = NewFrame(is_new=True, app=optional_text(arguments, "applicationName") or "", bounds=bounds)
        return self._described.frame(await self._workspaces.open_frame(wanted))

    async def init_frame(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        frame, listed = text(arguments, "frameId"), arguments.get("workspaces")
        for one in listed if isinstance(listed, list) else ():
            if not isinstance(one, Mapping):
                raise DesktopError("each workspace must be an object")
            if isinstance(one.get("name"), str):
                await self._layouts.open(one["name"], frame=NewFrame(frame=frame))
            else:
                await self._layouts.open_new(_new_workspace(one, NewFrame(frame=frame)))
        return {}

    async def create(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        given = mapping(arguments, "frame")
        frame = _frame(given, optional_text(given, "reuseFrameId"), optional_text(given, "applicationName"))
        workspace = await self._layouts.open_new(_new_workspace(arguments, frame))
        if flag(mapping(arguments, "saveConfig"), "saveLayout"):
            await self._layouts.save(workspace.title, workspace)
        return self._described.snapshot(workspace)

    async def open(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        options = mapping(arguments, "restoreOptions")
        app = optional_text(options, "app") or optional_text(options, "applicationName")
        frame = _frame(options, optional_text(options, "frameId"), app)
        workspace = await self._layouts.open(
            text(arguments, "name"),
            frame=frame,
            context=mapping(options, "context"),
            title=optional_text(options, "title") or "",
            replaces=optional_text(options, "reuseWorkspaceId") or "",
        )
        return self._described.snapshot(workspace)

    async def close(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        await self._workspaces.close(text(arguments, "itemId"))
        return {}

    async def focus(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        identity = text(arguments, "itemId")
        frame = identity
        if identity not in self._workspaces.frames:
            frame = (await self._workspaces.select(identity)).frame
        await self._control.focus(frame)
        return {}

    async def set_title(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        identity, title = text(arguments, "itemId"), text(arguments, "title")
        if any(one.id == identity for one in self._workspaces.all):
            await self._workspaces.rename(identity, title)
        else:
            await self._control.set_title(self._window(identity), title)
        return {}

    async def set_frame_state(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        states: tuple[WindowState, ...] = ("normal", "minimized", "maximized")
        state = next((one for one in states if one == arguments.get("requestedState")), None)
        if state is None:
            raise DesktopError("requestedState must be normal, minimized or maximized")
        await self._control.set_state(self._frame_of(text(arguments, "frameId")), state)
        return {}

    async def frame_state(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        return {"state": self._registry.find(self._frame_of(text(arguments, "itemId"))).state}

    async def frame_bounds(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        return {"bounds": self._described.bounds(self._frame_of(text(arguments, "itemId")))}

    async def move_frame(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        frame = self._frame_of(text(arguments, "itemId"))
        await self._control.move(frame, **self._wanted(frame, arguments, ("left", "top")))
        return {}

    # Parts of workspaces

    async def add(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        added = await self._workspaces.add(text(arguments, "parentId"), mapping(arguments, "definition"))
        return {"itemId": added.id} | ({"windowId": added.instance} if added.instance else {})

    async def move(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        await self._workspaces.move(text(arguments, "itemId"), text(arguments, "containerId"))
        return {}

    async def eject(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        return {"windowId": await self._workspaces.eject(text(arguments, "itemId"))}

    async def load(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        # All windows of a workspace are loaded when the workspace is opened.
        return {"windowId": self._window(text(arguments, "itemId"))}

    async def maximize(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        return await self._set_maximized(text(arguments, "itemId"), maximized=True)

    async def restore(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        return await self._set_maximized(text(arguments, "itemId"), maximized=False)

    async def _set_maximized(self, identity: str, *, maximized: bool) -> Any:
        if identity in self._workspaces.frames:
            await self._control.set_state(identity, "maximized" if maximized else "normal")
        else:
            await self._workspaces.maximize(identity, maximized=maximized)
        return {}

    async def bundle(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        kind = text(arguments, "type")
        if kind not in ("row", "column"):
            raise DesktopError("type must be row or column")
        identity = optional_text(arguments, "workspaceId") or text(arguments, "itemId")
        await self._workspaces.bundle(identity, "row" if kind == "row" else "column")
        return {}

    async def resize(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        identity = text(arguments, "itemId")
        if identity in self._workspaces.frames:
            await self._control.move(identity, **self._wanted(identity, arguments, ("width", "height")))
        elif flag(arguments, "relative"):
            raise DesktopError("a part of a workspace is resized to a width and a height, not by a difference")
        else:
            await self._workspaces.resize(identity, _numbers(arguments, ("width", "height")))
        return {}

    # Layouts

    async def layout_names(self, _: Mapping[str, Any], __: Caller) -> Any:
        return {"summaries": [{"name": one["name"]} for one in self._layouts.all()]}

    async def export(self, _: Mapping[str, Any], __: Caller) -> Any:
        return {"layouts": [_as_library_wants(one) for one in self._layouts.all()]}

    async def save(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        workspace = self._workspaces.workspace(text(arguments, "workspaceId"))
        with_context = flag(arguments, "saveContext") is True
        saved = await self._layouts.save(
            text(arguments, "name"), workspace, with_context=with_context, metadata=mapping(arguments, "metadata")
        )
        return _as_library_wants(saved)

    async def delete_layout(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        await self._layouts.remove(text(arguments, "name"))
        return {}

    async def import_layouts(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        listed = [arguments["layout"]] if "layout" in arguments else arguments.get("layouts")
        if not isinstance(listed, list) or not all(isinstance(one, Mapping) for one in listed):
            raise DesktopError("layouts must be an array of layouts")
        if len(listed) > _MOST_LAYOUTS:
            raise DesktopError(f"at most {_MOST_LAYOUTS} layouts can be imported at once")
        await self._layouts.import_all(listed, replace=arguments.get("mode") != "merge")
        return {}

    def _frame_of(self, identity: str) -> str:
        """Return a frame by its id, or by that of something in it."""
        if identity in self._workspaces.frames:
            return identity
        workspace = self._workspaces.find(identity)
        if workspace is None:
            raise DesktopError(f"there is no frame {identity[:100]!r}, and none with such a part or window")
        return workspace.frame

    def _window(self, identity: str) -> str:
        _, item = self._workspaces.part(identity)
        if not item.instance:
            raise DesktopError(f"{identity[:100]!r} is no window of a workspace")
        return item.instance

    def _wanted(self, frame: str, arguments: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, float]:
        given = _numbers(arguments, names)
        if not flag(arguments, "relative"):
            return given
        now = self._described.bounds(frame)
        return {name: now[name] + value for name, value in given.items()}


OPERATIONS: Mapping[str, Callable[[_Operations, Mapping[str, Any], Caller], Awaitable[Any]]] = {
    "addContainer": _Operations.add,
    "addWindow": _Operations.add,
    "bundleItem": _Operations.bundle,
    "bundleWorkspace": _Operations.bundle,
    "changeFrameState": _Operations.set_frame_state,
    "closeItem": _Operations.close,
    "closeWorkspace": _Operations.close,
    "createFrame": _Operations.create_frame,
    "createWorkspace": _Operations.create,
    "deleteLayout": _Operations.delete_layout,
    "ejectWindow": _Operations.eject,
    "exportAllLayouts": _Operations.export,
    "focusItem": _Operations.focus,
    "forceLoadWindow": _Operations.load,
    "getAllFramesSummaries": _Operations.frames,
    "getAllLayoutsSummaries": _Operations.layout_names,
    "getAllWorkspacesSummaries": _Operations.summaries,
    "getFrameBounds": _Operations.frame_bounds,
    "getFrameSnapshot": _Operations.frame_snapshot,
    "getFrameState": _Operations.frame_state,
    "getFrameSummary": _Operations.frame_summary,
    "getPlatformFrameId": _Operations.platform_frame,
    "getWorkspaceSnapshot": _Operations.snapshot,
    "importLayout": _Operations.import_layouts,
    "importLayouts": _Operations.import_layouts,
    "initFrame": _Operations.init_frame,
    "isWindowInWorkspace": _Operations.is_inside,
    "maximizeItem": _Operations.maximize,
    "moveFrame": _Operations.move_frame,
    "moveWindowTo": _Operations.move,
    "openWorkspace": _Operations.open,
    "operationCheck": _Operations.check,
    "ping": _Operations.ping,
    "resizeItem": _Operations.resize,
    "restoreItem": _Operations.restore,
    "saveLayout": _Operations.save,
    "setItemTitle": _Operations.set_title,
}
"""Operations of the library that the platform supports."""


def _frame(options: Mapping[str, Any], frame: str | None, app: str | None) -> NewFrame:
    """Read the frame of a new workspace: an existing one, or a new one with its bounds."""
    new = options.get("newFrame")
    return NewFrame(
        frame=frame or "",
        is_new=new is True or isinstance(new, Mapping),
        app=app or "",
        bounds=mapping(new, "bounds") if isinstance(new, Mapping) else {},
    )


def _new_workspace(definition: Mapping[str, Any], frame: NewFrame) -> NewWorkspace:
    config = mapping(definition, "config")
    return NewWorkspace(
        state={"children": definition.get("children") or []},
        title=optional_text(config, "title") or "",
        context=mapping(definition, "context"),
        frame=frame,
        replaces=optional_text(config, "reuseWorkspaceId") or "",
    )


def _numbers(arguments: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, float]:
    given = {name: arguments[name] for name in names if arguments.get(name) is not None}
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in given.values()):
        raise DesktopError(f"{' and '.join(names)} must be numbers")
    return given


def _as_library_wants(layout: Layout) -> dict[str, Any]:
    """Return a layout with the members that the library requires, and without those that have no value."""
    kept = {name: value for name, value in layout.items() if value is not None}
    components = []
    for component in kept.get("components") or ():
        state = component.get("state") or {}
        components.append({**component, "state": {"config": {}, "context": {}, **state}})
    return {**kept, "components": components}
