"""Commands of T42.Wnd.Execute and T42.Group.Execute that group windows, or act on a whole group."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rostrum.desktop.arguments import bounds as whole_bounds
from rostrum.desktop.arguments import choice, number, text
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import WindowState
from rostrum.desktop.services.group_opener import PlannedFrame, PlannedGroup, PlannedWindow
from rostrum.desktop.services.window_opener import chosen_options
from rostrum.desktop.t42.commands import mapping
from rostrum.desktop.t42.window_commands import COMMANDS, Call, Command, CommandServices
from rostrum.desktop.t42.window_places import PLACE_COMMANDS
from rostrum.desktop.windows.geometry import Side

_SIDES: tuple[Side, ...] = ("right", "left", "top", "bottom")
_BOUNDS = ("left", "top", "width", "height")
_APART = 30
"""Offset in pixels at which a tab without its own position is opened."""
_MOST_WINDOWS = 50
"""Maximum number of windows that one command may open."""
_LARGEST_INDEX = 10_000
_LONGEST_TITLE = 1000
_STATES: tuple[WindowState, ...] = ("normal", "minimized", "maximized")


async def _snap(to: CommandServices, call: Call) -> Any:
    options = call.members()
    target, side = to.registry.find(text(options, "targetWindowId")), _side(options, "snappingEdge")
    align = options.get("autoAlign") is not False
    if target.id == call.id:
        raise DesktopError("A window cannot be snapped to itself.")
    await to.tabs.leave(call.id)
    await to.groups.join(call.id, _in_front(to, target.id), side, align=align)


async def _ungroup(to: CommandServices, call: Call) -> Any:
    options = call.members()
    wanted = _some_bounds(mapping(options, "bounds"))
    if to.group_control.id_of(call.id) == call.id:
        raise DesktopError("The window is in no group.")
    await to.tabs.leave(call.id)
    await to.groups.leave(call.id)
    await to.control.move(call.id, **wanted)
    if options.get("focus") is True:
        await to.control.focus(call.id)


async def _attach_tab(to: CommandServices, call: Call) -> Any:
    options = call.members()
    source = to.registry.find(text(options, "sourceWindowId"))
    target = to.registry.find(text(options, "targetWindowId")) if "targetWindowId" in options else call.window
    where = options.get("index")
    # The libraries send the index itself, or an object with the index and whether the tab is selected.
    given: Mapping[str, Any] = where if isinstance(where, Mapping) else {"index": where}
    index = given.get("index")
    if index is not None and (isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < _LARGEST_INDEX):
        raise DesktopError("index must be a whole number from 0 on.")
    before = _in_front(to, target.id)
    await to.tabs.join(source.id, target.id, index)
    if given.get("selected") is False:
        await to.tabs.select(before)


async def _detach_tab(to: CommandServices, call: Call) -> Any:
    options = call.members()
    place, beside = _some_bounds(mapping(options, "bounds")), options.get("relativeTo")
    target = to.registry.find(text(options, "relativeTo")) if beside is not None else None
    size = {name: number(options, name) for name in ("width", "height") if options.get(name) is not None}
    side = _side(options, "relativeDirection")
    if to.tabs.of(call.id) is None:
        raise DesktopError("The window is not a tab of another window.")
    if target is not None and target.id == call.id:
        raise DesktopError("relativeTo must be another window.")
    await to.tabs.leave(call.id)
    if options.get("hideTabHeader") is True:
        await _show_header(to, call.id, visible=False)
    if target is not None:
        if size:
            await to.control.move(call.id, **size)
        await to.groups.join(call.id, _in_front(to, target.id), side)
        return
    before = call.window.bounds
    apart = {"left": before.left + _APART, "top": before.top + _APART}
    await to.control.move(call.id, **(place or apart))


async def _pin(to: CommandServices, call: Call) -> Any:
    await to.tabs.pin(call.id, pinned=True)


async def _unpin(to: CommandServices, call: Call) -> Any:
    await to.tabs.pin(call.id, pinned=False)


async def _set_tab_header(to: CommandServices, call: Call) -> Any:
    await _show_header(to, call.id, visible=_flag(call.members(), "toShow"))


async def _show_header(to: CommandServices, window: str, *, visible: bool) -> None:
    if to.tabs.of(window) is None:
        # A window without other tabs now has a strip of one tab.
        await to.tabs.restore((window,), window)
    await to.tabs.show_header(window, visible=visible)


def _in_front(to: CommandServices, window: str) -> str:
    """Return the selected tab of a window's frame, which represents the frame in a group."""
    found = to.tabs.of(window)
    return window if found is None or found[1].selected is None else found[1].selected


async def _get_group_title(to: CommandServices, call: Call) -> Any:
    return {"title": to.group_control.title(to.group_control.id_of(call.id))}


async def _set_group_title(to: CommandServices, call: Call) -> Any:
    await to.group_control.set_title(to.group_control.id_of(call.id), text(call.members(), "title"))


def _set_group_state(state: Any) -> Command:
    async def command(to: CommandServices, call: Call) -> Any:
        await to.group_control.set_state(to.group_control.id_of(call.id), state)

    return command


async def _set_group_header(to: CommandServices, call: Call) -> Any:
    visible = _flag(call.members(), "toShow")
    await to.group_control.set_header_visible(to.group_control.id_of(call.id), visible=visible)


async def _capture_group(to: CommandServices, call: Call) -> Any:
    to.rights.require(call.caller, "allowCapture", "take pictures of windows")
    return {"data": await to.group_control.capture(to.group_control.id_of(call.id))}


WINDOW_COMMANDS: Mapping[str, Command] = {
    "snap": _snap,
    "ungroup": _ungroup,
    "attachTab": _attach_tab,
    "detachTab": _detach_tab,
    "pinTab": _pin,
    "unpinTab": _unpin,
    "setTabHeaderVisible": _set_tab_header,
    "getGroupTitle": _get_group_title,
    "setGroupTitle": _set_group_title,
    "maximizeGroup": _set_group_state("maximized"),
    "restoreGroup": _set_group_state("normal"),
    "setGroupHeaderVisibility": _set_group_header,
    "captureGroupScreenshot": _capture_group,
}
"""Commands for one window that concern its group or its tabs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCall:
    """One command for a group, by a verified caller."""

    group: str
    options: Mapping[str, Any]
    caller: Caller


GroupCommand = Callable[[CommandServices, GroupCall], Awaitable[Any]]


async def _create(to: CommandServices, call: GroupCall) -> Any:
    plans = _planned_groups(call.options)
    opened: list[str] = []
    groups: list[str] = []
    try:
        for plan in plans:
            windows = await to.group_opener.open(plan)
            opened += windows
            group = to.group_control.id_of(windows[0])
            if plan.state != "normal":
                await to.group_control.set_state(group, plan.state)
            groups.append(group)
    except DesktopError:
        for window in opened:
            await to.control.close_at_once(window)
        raise
    return {"groupIds": groups}


async def _close(to: CommandServices, call: GroupCall) -> Any:
    ask = call.options.get("allowPrevent") is not False
    return {"closed": await to.group_control.close(call.group, ask=ask)}


async def _reload(to: CommandServices, call: GroupCall) -> Any:
    await to.group_control.reload(call.group)


async def _show(to: CommandServices, call: GroupCall) -> Any:
    await to.group_control.show(call.group, activate=call.options.get("activate") is True)


async def _hide(to: CommandServices, call: GroupCall) -> Any:
    await to.group_control.hide(call.group)


async def _hibernate(to: CommandServices, call: GroupCall) -> Any:
    await to.group_hibernation.hibernate(call.group)


async def _resume(to: CommandServices, call: GroupCall) -> Any:
    await to.group_hibernation.resume(call.group, activate=call.options.get("activate") is not False)


def _as_for_a_window(command: str) -> GroupCommand:
    commands = {**COMMANDS, **PLACE_COMMANDS}

    async def for_group(to: CommandServices, call: GroupCall) -> Any:
        first = to.registry.find(to.group_control.members(call.group)[0])
        whole = replace(first, id=call.group, bounds=to.group_control.bounds(call.group))
        arguments = {"command": command, "options": call.options}
        return await commands[command](
            to, Call(window=whole, options=call.options, arguments=arguments, caller=call.caller)
        )

    return for_group


GROUP_COMMANDS: Mapping[str, GroupCommand] = {
    "createGroups": _create,
    "closeGroup": _close,
    "reloadGroup": _reload,
    "showGroup": _show,
    "hideGroup": _hide,
    "hibernateGroup": _hibernate,
    "resumeGroup": _resume,
    "showGroupPopup": _as_for_a_window("showPopupWindow"),
    "OnClosing": _as_for_a_window("OnClosing"),
}
"""The commands of T42.Group.Execute."""


def _planned_groups(options: Mapping[str, Any]) -> list[PlannedGroup]:
    """Validate everything before anything is opened."""
    plans = [_planned_group(one, f"groups[{place}]") for place, one in enumerate(_entries(options, "groups"))]
    windows = sum(len(frame.windows) for plan in plans for frame in plan.frames)
    if windows > _MOST_WINDOWS:
        raise DesktopError(f"groups has {windows} applications. At most {_MOST_WINDOWS} are opened at once.")
    return plans


def _planned_group(written: Mapping[str, Any], where: str) -> PlannedGroup:
    title = written.get("title")
    if title is not None and (not isinstance(title, str) or len(title) > _LONGEST_TITLE):
        raise DesktopError(f"{where}.title must be text of at most {_LONGEST_TITLE} characters.")
    state = choice({"state": written.get("state") or "normal"}, "state", _STATES)
    frames = [_planned_frame(one, f"{where}.frames[{place}]") for place, one in enumerate(_entries(written, "frames"))]
    for place, frame in enumerate(frames):
        if any(frame.bounds.overlaps(other.bounds) for other in frames[:place]):
            raise DesktopError(f"{where}.frames[{place}].bounds overlaps another frame of the group.")
    return PlannedGroup(frames=tuple(frames), title=title, state=state)


def _planned_frame(written: Mapping[str, Any], where: str) -> PlannedFrame:
    try:
        place = whole_bounds(mapping(written, "bounds"))
    except DesktopError as error:
        raise DesktopError(f"{where}.bounds: {error}") from error
    if place.width < 1 or place.height < 1:
        raise DesktopError(f"{where}.bounds must be at least 1 pixel wide and high.")
    windows, selected = [], 0
    for index, one in enumerate(_entries(written, "applications")):
        context = one.get("context")
        if context is not None and not isinstance(context, Mapping):
            raise DesktopError(f"{where}.applications[{index}].context must be an object.")
        mode = {} if written.get("mode") is None else {"mode": written["mode"]}
        chosen = chosen_options({**mode, **{name: value for name, value in one.items() if name not in _BOUNDS}})
        title = chosen.pop("title", None)
        selected = index if one.get("tabSelected") is True else selected
        windows.append(PlannedWindow(app=text(one, "name"), context=context or {}, details=chosen, title=title))
    return PlannedFrame(bounds=place, windows=tuple(windows), selected=selected)


def _entries(written: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = written.get(name)
    if not isinstance(value, list) or not value or not all(isinstance(one, Mapping) for one in value):
        raise DesktopError(f"{name} must be an array of objects, with one entry at least.")
    if len(value) > _MOST_WINDOWS:
        raise DesktopError(f"{name} must have at most {_MOST_WINDOWS} entries.")
    return value


def _side(options: Mapping[str, Any], name: str) -> Side:
    return choice({name: options.get(name) or "right"}, name, _SIDES)


def _flag(options: Mapping[str, Any], name: str) -> bool:
    value = options.get(name)
    if not isinstance(value, bool):
        raise DesktopError(f"{name} must be true or false.")
    return value


def _some_bounds(written: Mapping[str, Any]) -> dict[str, float]:
    return {name: number(written, name) for name in _BOUNDS if written.get(name) is not None}
