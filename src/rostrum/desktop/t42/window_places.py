"""The commands of T42.Wnd.Execute for positions: placement, docking, popups, flydowns and jump lists."""

from collections.abc import Mapping
from typing import Any

from rostrum.desktop.arguments import number, text
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.modes import Feature, require
from rostrum.desktop.services.flydowns import MOST_ZONES, AskAboutZone, Flydown, ZoneAnswer, pixels
from rostrum.desktop.t42.commands import mapping
from rostrum.desktop.t42.window_commands import Call, Command, CommandServices
from rostrum.desktop.t42.window_info import docking_info
from rostrum.desktop.windows.docking import POSITIONS, read_docking_config
from rostrum.desktop.windows.flydowns import Zone
from rostrum.desktop.windows.geometry import Bounds, screen_of
from rostrum.desktop.windows.placement import place
from rostrum.desktop.windows.popups import LOCATIONS, Location, place_beside

_BOUNDS = ("left", "top", "width", "height")
_ANSWER = "T42.Wnd.OnEventWithResponse"
_USUAL = 200
"""The default width and height of a flydown."""


async def _center(to: CommandServices, call: Call) -> Any:
    area = _work_area(to, call, call.members().get("id"))
    bounds = place({"horizontalAlignment": "center", "verticalAlignment": "center"}, call.window.bounds, area)
    await to.control.move(call.id, left=bounds.left, top=bounds.top)


async def _place(to: CommandServices, call: Call) -> Any:
    settings = _with_usual_alignment(call.members())
    bounds = place(settings, call.window.bounds, _work_area(to, call, settings.get("display")))
    kept = {name: value for name, value in settings.items() if isinstance(value, (str, int, float, bool))}
    before = call.window.placement.get("restoreBounds")
    if before is None and settings.get("saveBounds") is not False:
        before = _written(call.window.bounds)
    await to.control.move(call.id, left=bounds.left, top=bounds.top, width=bounds.width, height=bounds.height)
    to.registry.update(call.id, placement={**kept, **({"restoreBounds": before} if before else {})})


def _with_usual_alignment(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Stretch a window in the direction that has no alignment, if the other one has one."""
    both = ("horizontalAlignment", "verticalAlignment")
    if all(settings.get(one) is None for one in both):
        return settings
    return {**settings, **{one: "stretch" for one in both if settings.get(one) is None}}


async def _clear_placement(to: CommandServices, call: Call) -> Any:
    options = call.members()
    bounds = _some_bounds(mapping(options, "newBounds"))
    if not bounds and options.get("restoreBounds") is True:
        bounds = dict(call.window.placement.get("restoreBounds") or {})
    to.registry.update(call.id, placement={})
    await to.control.move(call.id, **bounds)


async def _dock(to: CommandServices, call: Call) -> Any:
    options = call.members()
    position = next((one for one in POSITIONS if one == options.get("position")), None)
    if position is None:
        raise DesktopError(f"position must be one of {', '.join(POSITIONS)}.")
    asked = read_docking_config({**options, "allowedPositions": [position]})
    docked = await to.docking.dock(
        call.id,
        position,
        save_bounds=options.get("saveBounds") is True,
        claims=asked.claims if "claimScreenArea" in options else None,
        width=asked.width,
        height=asked.height,
    )
    return docking_info(docked)


async def _undock(to: CommandServices, call: Call) -> Any:
    options = call.members()
    written = mapping(options, "newBounds")
    target = Bounds(*(number(written, name) for name in _BOUNDS)) if written else None
    await to.docking.undock(call.id, restore=options.get("restoreBounds") is True, to=target)


async def _set_docking_config(to: CommandServices, call: Call) -> Any:
    to.docking.set_config(call.id, read_docking_config(call.members()))


async def _get_docking_config(to: CommandServices, call: Call) -> Any:
    config = to.docking.config(call.id)
    sizes = {"width": config.width, "height": config.height}
    return {
        "enabled": config.enabled,
        "claimScreenArea": config.claims,
        "allowedPositions": [*config.positions],
        **{name: value for name, value in sizes.items() if value is not None},
    }


async def _get_docking(_: CommandServices, call: Call) -> Any:
    return docking_info(call.window.docking)


async def _show_popup(to: CommandServices, call: Call) -> Any:
    options = call.members()
    popup = to.registry.find(text(options, "popupId"))
    if popup.id == call.id:
        raise DesktopError("popupId must be the id of another window.")
    location = _location(options)
    size = mapping(options, "popupBounds")
    width, height = (
        _size(size, name) if name in size else usual
        for name, usual in (("width", popup.bounds.width), ("height", popup.bounds.height))
    )
    anchor = _area(mapping(options, "targetBounds"), call.window.bounds)
    offset = (_offset(options, "horizontalOffset"), _offset(options, "verticalOffset"))
    bounds = place_beside(anchor, location, (width, height), to.host.screens(), offset)
    await to.popups.show(popup.id, bounds, focus=options.get("focus") is not False)


async def _set_flydown(to: CommandServices, call: Call) -> Any:
    options = call.members()
    zones = options.get("zones")
    if not isinstance(zones, list) or not 0 < len(zones) <= MOST_ZONES:
        raise DesktopError(f"zones must be an array of 1 to {MOST_ZONES} zones.")
    active = mapping(options, "flydownActiveArea")
    flydown = Flydown(
        owner=call.id,
        zones=tuple(_zone(one) for one in zones),
        active=_rectangle(active) if active else None,
        offset=(_offset(options, "horizontalOffset"), _offset(options, "verticalOffset")),
        ask=_ask_about_zone(to, call),
    )
    await to.flydowns.set(flydown)


def _ask_about_zone(to: CommandServices, call: Call) -> AskAboutZone:
    peer, owner = call.caller.peer, call.id

    async def ask(zone: Zone, bounds: Bounds) -> ZoneAnswer:
        data = {
            "windowId": owner,
            "flydownId": zone.id,
            "flydownWindowId": zone.window,
            "flydownWindowBounds": _written(bounds),
            "cancel": False,
        }
        method = to.callers.method(peer, _ANSWER)
        question = {"type": "ShowFlydownBoundsRequested", "windowId": owner, "data": data}
        answer = await to.peer.methods.call(method, question)
        found = answer if isinstance(answer, Mapping) else {}
        size = found.get("flydownWindowBounds")
        size = size if isinstance(size, Mapping) else {}
        return ZoneAnswer(
            show=found.get("cancel") is not True,
            width=pixels(size.get("width")),
            height=pixels(size.get("height")),
        )

    return ask


def _zone(written: Any) -> Zone:
    if not isinstance(written, Mapping):
        raise DesktopError("A zone must be an object of id, windowId and bounds.")
    size = written.get("flydownBounds")
    size = size if isinstance(size, Mapping) else {}
    return Zone(
        id=text(written, "id"),
        bounds=_rectangle(mapping(written, "bounds")),
        window=text(written, "windowId"),
        location=_location(written),
        width=pixels(size.get("width")) or _USUAL,
        height=pixels(size.get("height")) or _USUAL,
    )


async def _clear_flydown(to: CommandServices, call: Call) -> Any:
    require(to.mode, Feature.FLYDOWN_WINDOWS)
    await to.flydowns.remove(call.id)


async def _get_jump_list(_: CommandServices, __: Call) -> Any:
    return {"enabled": False, "categories": []}


async def _update_jump_list(to: CommandServices, _: Call) -> Any:
    require(to.mode, Feature.JUMP_LISTS)
    raise DesktopError("Jump lists are a part of the Windows taskbar. This system has none.")


PLACE_COMMANDS: Mapping[str, Command] = {
    "center": _center,
    "place": _place,
    "clearPlacement": _clear_placement,
    "dock": _dock,
    "undock": _undock,
    "setDockingConfig": _set_docking_config,
    "getDockingConfig": _get_docking_config,
    "getDockingPlacement": _get_docking,
    "showPopupWindow": _show_popup,
    "setFlydownArea": _set_flydown,
    "clearFlydownWindowArea": _clear_flydown,
    "getJumplist": _get_jump_list,
    "updateJumplist": _update_jump_list,
}
"""The handlers of these commands."""


def _location(options: Mapping[str, Any]) -> Location:
    written = options.get("targetLocation") or "bottom"
    found = next((one for one in LOCATIONS if one == written), None)
    if found is None:
        raise DesktopError("targetLocation must be left, right, top, bottom or none.")
    return found


def _size(options: Mapping[str, Any], name: str) -> float:
    value = number(options, name)
    if value < 1:
        raise DesktopError(f"{name} must be at least 1 pixel.")
    return value


def _offset(options: Mapping[str, Any], name: str) -> float:
    return 0 if options.get(name) is None else number(options, name)


def _rectangle(written: Mapping[str, Any]) -> Bounds:
    left, top = (_offset(written, name) for name in ("left", "top"))
    return Bounds(left, top, _size(written, "width"), _size(written, "height"))


def _some_bounds(written: Mapping[str, Any]) -> dict[str, float]:
    return {name: number(written, name) for name in _BOUNDS if written.get(name) is not None}


def _written(bounds: Bounds) -> dict[str, float]:
    return {name: getattr(bounds, name) for name in _BOUNDS}


def _area(inside: Mapping[str, Any], window: Bounds) -> Bounds:
    """Return the bounds of a part of a window on the desktop; of the whole window if no part is given."""
    if not inside:
        return window
    found = _some_bounds(inside)
    return Bounds(
        window.left + found.get("left", 0),
        window.top + found.get("top", 0),
        found.get("width", window.width),
        found.get("height", window.height),
    )


def _work_area(to: CommandServices, call: Call, display: object) -> Bounds:
    """Return the work area of a display, by its number from 1; by default, of the display of the window."""
    screens = to.host.screens()
    if isinstance(display, int) and not isinstance(display, bool) and 0 < display <= len(screens):
        return screens[display - 1].work_area
    return screen_of(call.window.bounds, screens).work_area
