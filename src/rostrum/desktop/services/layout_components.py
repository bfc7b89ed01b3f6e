"""Converts running apps and their windows to components of a layout."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.services.channels import DELIMITER, Channels, Restriction
from rostrum.desktop.services.docking import Docking
from rostrum.desktop.services.instances import Instance, Instances
from rostrum.desktop.services.layout_groups import Grouping
from rostrum.desktop.services.layout_placeholders import Placeholders
from rostrum.desktop.services.layout_plan import Planned
from rostrum.desktop.services.layout_records import SaveOptions
from rostrum.desktop.services.native_windows import NativeWindows
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.services.workspaces import Workspaces
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.docking import docked_state
from rostrum.desktop.windows.geometry import Bounds, screen_of

_CUSTOM_TITLES = {TitledBy.CODE: "customTitle", TitledBy.PERSON: "userTitle"}
_VOLATILE = frozenset({"title", "zOrder", "displayId", "restoreSettings"})
_VOLATILE_OF_GROUPS = frozenset({"groupZOrder", "groupDisplayId"})
_TYPES = {"workspaces": "workspaceFrame", "webgroup": "window"}
_FRAME = "workspaceFrame"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningDesktop:
    """The running apps, and the services for their windows; None if the desktop lacks one."""

    instances: Instances
    host: WindowHost
    channels: Channels | None
    grouping: Grouping | None
    registry: WindowRegistry | None
    placeholders: Placeholders | None
    native: NativeWindows | None
    docking: Docking | None
    workspaces: Workspaces | None


class LayoutComponents:
    """Describes the running desktop as components of a layout."""

    def __init__(self, desktop: RunningDesktop) -> None:
        self._desktop = desktop

    def all(self) -> list[dict[str, Any]]:
        """Describe all running apps, and apps that are represented by placeholders."""
        running = [self.of(one) for one in self.kept() if one.launched and not is_left_out(one)]
        return running + self.not_started()

    def kept(self) -> list[Instance]:
        """Return the apps with their own component; those in workspaces are part of their frame."""
        workspaces = self._desktop.workspaces
        return [one for one in self._desktop.instances.all if workspaces is None or not workspaces.holds(one.id)]

    def not_started(self) -> list[dict[str, Any]]:
        """Describe the apps that are represented by placeholders."""
        return (
            [] if self._desktop.placeholders is None else self._desktop.placeholders.components(self._groups_of_missing)
        )

    def _groups_of_missing(self, planned: Planned) -> dict[str, Any]:
        return {} if self._desktop.grouping is None else self._desktop.grouping.state_of_missing(planned)

    def of(self, instance: Instance) -> dict[str, Any]:
        """Describe a running app."""
        kind = component_type(instance)
        state: dict[str, Any] = {"instanceId": instance.id}
        if instance.context:
            state["context"] = dict(instance.context)
        if kind != "node":
            state |= self._place(instance)
            state |= self._desktop.grouping.state(instance.id) if self._desktop.grouping else {}
            state |= self._window_state(instance.id, kind, state.get("restoreSettings", {}))
        workspaces = self._desktop.workspaces
        if kind == _FRAME and workspaces is not None and instance.id in workspaces.frames:
            state |= workspaces.frame_state(instance.id)
        if kind not in ("node", _FRAME):
            state |= self._title_and_channels(instance)
        return {"type": kind, "application": instance.app, "componentType": "application", "state": state}

    def _place(self, instance: Instance) -> dict[str, Any]:
        native = None if self._desktop.native is None else self._desktop.native.window(instance.id)
        bounds = self._desktop.host.bounds(instance.id) if native is None else native[0]
        state: dict[str, Any] = {} if native is None else {"windowState": native[1]}
        if bounds is not None:
            record = None if self._desktop.registry is None else self._desktop.registry.get(instance.id)
            # A collapsed window expands to its height again.
            height = None if record is None else record.expanded_height
            height = height or (self._desktop.grouping.expanded_height(instance.id) if self._desktop.grouping else None)
            state["bounds"] = written(bounds) | ({"height": height} if height else {})
            state["displayId"] = screen_of(bounds, self._desktop.host.screens()).number
        return state

    def _title_and_channels(self, instance: Instance) -> dict[str, Any]:
        state: dict[str, Any] = {"title": instance.title}
        custom = _CUSTOM_TITLES.get(instance.titled_by)
        state |= {custom: instance.title} if custom else {}
        channels = self._desktop.channels.of(instance.id) if self._desktop.channels else ()
        state |= {"channelId": DELIMITER.join(channels)} if channels else {}
        restrictions = self._desktop.channels.restrictions(instance.id) if self._desktop.channels else {}
        rights = [
            {"name": name, "read": one.read, "write": one.write}
            for name, one in restrictions.items()
            if one != Restriction()
        ]
        return state | ({"channelRestrictions": {"channels": rights}} if rights else {})

    def _window_state(self, instance: str, kind: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the state, zoom and stacking order of an open window, as layouts store them."""
        record = None if self._desktop.registry is None else self._desktop.registry.get(instance)
        if record is None or self._desktop.registry is None:
            return {}
        order = self._z_order(instance, self._desktop.registry)
        if kind == _FRAME:
            return {"windowState": record.state, "zOrder": order}
        state: dict[str, Any] = {"windowState": record.state, "zoomFactor": round(record.zoom * 100, 2)}
        state |= {"isCollapsed": True} if record.collapsed else {}
        state |= {"dockingPlacement": docked_state(record.docking)} if record.docking else {}
        state |= {"placement": dict(record.placement)} if record.placement else {}
        return state | {"restoreSettings": {**settings, "groupZOrder": order} | self._group_display(instance)}

    def _group_display(self, instance: str) -> dict[str, Any]:
        around = None if self._desktop.grouping is None else self._desktop.grouping.group_bounds(instance)
        return {} if around is None else {"groupDisplayId": screen_of(around, self._desktop.host.screens()).number}

    def _z_order(self, instance: str, registry: WindowRegistry) -> int:
        """Return the stacking position of a window's group among all groups and single windows; 0 for the lowest."""
        grouping = self._desktop.grouping
        stacked = [one if grouping is None else grouping.frame_of(one) for one in registry.stacked]
        highest_first = [*dict.fromkeys(reversed(stacked))]
        return len(highest_first) - 1 - highest_first.index(stacked[registry.stacked.index(instance)])


def written(bounds: Bounds) -> dict[str, Any]:
    """Return bounds in the format of layouts."""
    return {"left": bounds.left, "top": bounds.top, "width": bounds.width, "height": bounds.height}


def component_type(instance: Instance) -> str:
    """Return the component type of an app in layouts."""
    return _TYPES.get(instance.type.lower(), instance.type)


def is_left_out(instance: Instance) -> bool:
    """Return whether layouts exclude an app."""
    return bool(instance.definition.get("ignoreFromLayouts"))


def is_chosen(instance: Instance, options: SaveOptions) -> bool:
    """Return whether a layout that is saved with these options includes an app."""
    wanted = options.instances is None or instance.id in options.instances
    return wanted and instance.id not in options.ignored and not is_left_out(instance)


def with_context(
    component: Mapping[str, Any], contexts: Mapping[str, Mapping[str, Any]], options: SaveOptions
) -> dict[str, Any]:
    """Return a component with the context that its app returned, or without one."""
    state = dict(component.get("state") or {})
    context = contexts.get(str(state.get("instanceId")))
    if options.without_contexts:
        state.pop("context", None)
    elif context is not None:
        state["context"] = dict(context)
    return {**component, "state": state}


def comparable(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return components without members that change by themselves: title, stacking order and display."""
    return [{**one, "state": _comparable_state(one["state"])} for one in components]


def _comparable_state(state: Mapping[str, Any]) -> dict[str, Any]:
    kept = state.get("restoreSettings", {})
    settings = {name: value for name, value in kept.items() if name not in _VOLATILE_OF_GROUPS}
    return {name: value for name, value in state.items() if name not in _VOLATILE} | settings
