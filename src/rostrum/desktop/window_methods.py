"""The services around windows as methods on the gateway."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rostrum.desktop.arguments import choice, number, text
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.flydowns import Flydown
from rostrum.desktop.services.guards import Guarded
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.flydowns import Zone
from rostrum.desktop.windows.geometry import Bounds, Side
from rostrum.desktop.windows.groups import WindowGroup
from rostrum.desktop.windows.popups import Popup

if TYPE_CHECKING:
    from rostrum.desktop.platform import Platform

__all__ = ["WINDOW_IDENTITY_METHODS", "WINDOW_METHODS"]

_SIDES: tuple[Side, ...] = ("right", "left", "top", "bottom")
_MOST_ZONES = 64
_LONGEST_TITLE = 1000
_GUARDED: tuple[Guarded, ...] = ("close", "shutdown")


async def _list_groups(platform: "Platform", _: Mapping[str, Any]) -> Any:
    return {"groups": [_group(one) for one in platform.windows.groups.all]}


async def _join_group(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    side = choice(arguments, "side", _SIDES)
    return _group(await platform.windows.groups.join(text(arguments, "instance"), text(arguments, "to"), side))


async def _leave_group(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.windows.groups.leave(text(arguments, "instance"))
    return {}


async def _rename_group(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.windows.groups.rename(text(arguments, "group"), text(arguments, "title"))
    return {}


async def _join_tabs(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.windows.tabs.join(text(arguments, "instance"), text(arguments, "to"))
    return {}


async def _select_tab(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.windows.tabs.select(text(arguments, "instance"))
    return {}


async def _leave_tabs(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.windows.tabs.leave(text(arguments, "instance"))
    return {}


async def _stick(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    sticky = arguments.get("sticky", True)
    await platform.windows.groups.set_sticky(text(arguments, "instance"), sticky=sticky is True)
    return {}


async def _set_title(platform: "Platform", arguments: Mapping[str, Any], caller: Caller) -> Any:
    instance = text(arguments, "instance") if "instance" in arguments else caller.instance
    if instance is None or platform.instances.get(instance) is None:
        raise DesktopError(f"there is no instance {instance!r}" if instance else "instance must be a text")
    title = text(arguments, "title")
    if len(title) > _LONGEST_TITLE:
        raise DesktopError(f"title must have at most {_LONGEST_TITLE} characters")
    await platform.windows.retitle(instance, title, TitledBy.CODE)
    return {}


async def _open_popup(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    url = text(arguments, "url")
    if not url.startswith(("https://", "http://")):
        raise DesktopError("url must be the address of a page")
    anchor = arguments.get("anchor")
    if not isinstance(anchor, Mapping):
        raise DesktopError("anchor must be an object of left, top, width and height")
    popup = Popup(
        kind=choice(arguments, "kind", ("external", "custom")),
        anchor=_bounds(anchor),
        width=max(1, number(arguments, "width")),
        height=max(1, number(arguments, "height")),
    )
    return {"popup": await platform.windows.open_popup(text(arguments, "instance"), popup, url)}


async def _close_popup(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.windows.close_popup(text(arguments, "popup"))
    return {}


async def _set_flydown(platform: "Platform", arguments: Mapping[str, Any], caller: Caller) -> Any:
    zones = arguments.get("zones")
    if not isinstance(zones, list) or not 0 < len(zones) <= _MOST_ZONES:
        raise DesktopError(f"zones must be an array of 1 to {_MOST_ZONES} objects of id, left, top, width and height")
    flydown = Flydown(
        owner=text(arguments, "instance"),
        window=text(arguments, "window"),
        zones=tuple(_zone(one) for one in zones),
        width=max(1, number(arguments, "width")),
        height=max(1, number(arguments, "height")),
        method=platform.callers.method(caller.peer, text(arguments, "method")) if "method" in arguments else None,
    )
    await platform.windows.flydowns.set(flydown)
    return {}


async def _remove_flydown(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.windows.flydowns.remove(text(arguments, "instance"))
    return {}


def _zone(written: Any) -> Zone:
    if not isinstance(written, Mapping):
        raise DesktopError("a zone must be an object of id, left, top, width and height")
    return Zone(text(written, "id"), _bounds(written))


def _bounds(written: Mapping[str, Any]) -> Bounds:
    return Bounds(*(number(written, name) for name in ("left", "top", "width", "height")))


async def _prevent(platform: "Platform", arguments: Mapping[str, Any], caller: Caller) -> Any:
    what, instance = choice(arguments, "what", _GUARDED), caller.instance
    if instance is None or platform.instances.get(instance) is None:
        raise DesktopError("only a running app that the platform has started may hold up its closing or the shutdown")
    if arguments.get("instance") not in (None, instance):
        raise DesktopError("instance must be the calling app's own instance, or be left out")
    if arguments.get("prevent") is False:
        platform.windows.guards.let_go(what, instance)
    else:
        platform.windows.guards.hold(what, instance, str(arguments.get("reason") or ""))
    return {}


async def _focus(platform: "Platform", _: Mapping[str, Any]) -> Any:
    await platform.host.bring_to_front()
    return {}


async def _exit(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    restart = arguments.get("restart") is True
    if arguments.get("force") is True:
        platform.ask_to_stop(restart=restart)
        return {"leaving": True}
    return {"leaving": await platform.leave(restart=restart)}


async def _tray_menu(platform: "Platform", _: Mapping[str, Any]) -> Any:
    return {"entries": [asdict(entry) for entry in platform.windows.tray.menu]}


async def _choose_in_tray(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    await platform.windows.tray.choose(text(arguments, "entry"))
    return {}


async def _change_workspaces(platform: "Platform", arguments: Mapping[str, Any]) -> Any:
    given = arguments.get("arguments", {})
    if not isinstance(given, Mapping):
        raise DesktopError("arguments must be an object")
    frame, operation = text(arguments, "frame"), text(arguments, "operation")
    return {"result": await platform.windows.workspaces.run(frame, operation, given)}


def _group(group: WindowGroup) -> dict[str, Any]:
    windows = [{"instance": instance, "bounds": asdict(bounds)} for instance, bounds in group.windows.items()]
    return {"id": group.id, "type": group.type, "title": group.title, "windows": windows}


WINDOW_METHODS = {
    "Rostrum.Groups.List": _list_groups,
    "Rostrum.Groups.Join": _join_group,
    "Rostrum.Groups.Leave": _leave_group,
    "Rostrum.Groups.Rename": _rename_group,
    "Rostrum.Tabs.Join": _join_tabs,
    "Rostrum.Tabs.Select": _select_tab,
    "Rostrum.Tabs.Leave": _leave_tabs,
    "Rostrum.Windows.Stick": _stick,
    "Rostrum.Popups.Open": _open_popup,
    "Rostrum.Popups.Close": _close_popup,
    "Rostrum.Flydowns.Remove": _remove_flydown,
    "Rostrum.Workspaces.Change": _change_workspaces,
    "Rostrum.Tray.Menu": _tray_menu,
    "Rostrum.Tray.Choose": _choose_in_tray,
    "Rostrum.Platform.Focus": _focus,
    "Rostrum.Platform.Exit": _exit,
}

WINDOW_IDENTITY_METHODS = {
    "Rostrum.Flydowns.Set": _set_flydown,
    "Rostrum.Instances.Prevent": _prevent,
    "Rostrum.Windows.SetTitle": _set_title,
}
