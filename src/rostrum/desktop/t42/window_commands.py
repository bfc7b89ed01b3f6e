"""The commands of T42.Wnd.Execute for one window."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rostrum.base.shown_text import shown_text
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import (
    Capture,
    Download,
    Flash,
    FrameButton,
    GoBack,
    GoForward,
    HideLoader,
    PrintPage,
    PrintToPdf,
    RunScript,
    SetButtons,
    SetFrameColor,
    SetIcon,
    SetLocked,
    SetModal,
    SetOnTop,
    SetStandardButtons,
    SetTabTooltip,
    ShowDevTools,
    ShowLoader,
    StartDrag,
)
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.services.app_rights import AppRights
from rostrum.desktop.services.arrangement import WindowArrangement
from rostrum.desktop.services.docking import Docking
from rostrum.desktop.services.flydowns import Flydowns
from rostrum.desktop.services.group_control import GroupControl
from rostrum.desktop.services.group_hibernation import GroupHibernation
from rostrum.desktop.services.group_opener import GroupOpener
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.popups import Popups
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.window_control import ZOOM_STEPS, WindowControl
from rostrum.desktop.services.window_opener import WindowOpener
from rostrum.desktop.services.window_questions import Asked, WindowQuestions
from rostrum.desktop.services.window_registry import WindowRecord, WindowRegistry
from rostrum.desktop.t42.calls import Rights, shown
from rostrum.desktop.t42.commands import mapping
from rostrum.desktop.t42.dialogs import WindowDialogs
from rostrum.desktop.t42.window_info import limits_info
from rostrum.gateway import LocalPeer
from rostrum.settings.scope import Mode

_LONGEST_IMAGE = 2_000_000
_LONGEST_CODE = 1_000_000
_LONGEST_TOOLTIP = 1000
_MOST_BUTTONS = 32
_BOUNDS = ("left", "top", "width", "height")
_LIMITS = {"minWidth": "min_width", "minHeight": "min_height", "maxWidth": "max_width", "maxHeight": "max_height"}
_PDF_OPTIONS = frozenset({"landscape", "pageSize", "printBackground", "scaleFactor", "marginsType", "pageRanges"})
_DOWNLOAD_OPTIONS = {"name": "fileName", "silent": "silent"}
"""The options of a download that a caller may set, with their names in the window host."""
_ANSWER = "T42.Wnd.OnEventWithResponse"
"""The method of an app that is called before a window changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandServices:
    """The services that commands use."""

    registry: WindowRegistry
    control: WindowControl
    opener: WindowOpener
    groups: WindowGroups
    tabs: TabGroups
    group_control: GroupControl
    group_opener: GroupOpener
    group_hibernation: GroupHibernation
    questions: WindowQuestions
    host: WindowHost
    rights: Rights
    app_rights: AppRights
    callers: Callers
    peer: LocalPeer
    dialogs: WindowDialogs
    docking: Docking
    flydowns: Flydowns
    popups: Popups
    mode: Mode
    arrangement: WindowArrangement


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A command for one window, with its verified caller."""

    window: WindowRecord
    options: Any
    arguments: Mapping[str, Any]
    caller: Caller

    @property
    def id(self) -> str:
        """Return the id of the window."""
        return self.window.id

    def members(self) -> Mapping[str, Any]:
        """Return the options, which must be an object or missing."""
        return mapping({"options": self.options}, "options")


Command = Callable[[CommandServices, Call], Awaitable[Any]]


async def _close(to: CommandServices, call: Call) -> Any:
    ask = call.members().get("allowPrevent") is not False
    return {"closed": await to.control.close(call.id, ask=ask)}


async def _move(to: CommandServices, call: Call) -> Any:
    await to.control.move(call.id, **_bounds(mapping(call.members(), "bounds")))


def _set_state(state: Any) -> Command:
    async def command(to: CommandServices, call: Call) -> Any:
        await to.control.set_state(call.id, state)

    return command


async def _maximize_restore(to: CommandServices, call: Call) -> Any:
    await to.control.set_state(call.id, "normal" if call.window.state == "maximized" else "maximized")


async def _toggle_collapse(to: CommandServices, call: Call) -> Any:
    await to.control.set_state(call.id, "normal" if call.window.collapsed else "collapsed")


async def _focus(to: CommandServices, call: Call) -> Any:
    await to.control.focus(call.id)


async def _show(to: CommandServices, call: Call) -> Any:
    await to.control.show(call.id)


async def _hide(to: CommandServices, call: Call) -> Any:
    await to.control.hide(call.id)


async def _set_title(to: CommandServices, call: Call) -> Any:
    await to.control.set_title(call.id, text(call.members(), "title"))


async def _set_tab_title(to: CommandServices, call: Call) -> Any:
    await to.control.set_title(call.id, text(call.members(), "tabTitle"))


async def _set_tooltip(to: CommandServices, call: Call) -> Any:
    tooltip = shown_text(text(call.members(), "tabTooltip"))
    if len(tooltip) > _LONGEST_TOOLTIP:
        raise DesktopError(f"tabTooltip must have at most {_LONGEST_TOOLTIP} characters.")
    await to.control.act(call.id, SetTabTooltip(text=tooltip))
    to.registry.update(call.id, tab_tooltip=tooltip)


async def _get_tooltip(_: CommandServices, call: Call) -> Any:
    return {"tabTooltip": call.window.tab_tooltip}


async def _navigate(to: CommandServices, call: Call) -> Any:
    to.app_rights.require_window(call.caller, call.window, "navigation", "load pages in")
    options = call.members()
    given = mapping(options, "urlLoadOptions")
    # The user agent is shared by all windows, so callers cannot set it.
    chosen = {name: given[name] for name in ("extraHeaders", "httpReferrer", "queryString") if name in given}
    await to.control.navigate(call.id, text(options, "url"), chosen)


async def _refresh(to: CommandServices, call: Call) -> Any:
    await to.control.reload(call.id, ignore_cache=call.members().get("ignoreCache") is True)


async def _go_back(to: CommandServices, call: Call) -> Any:
    to.app_rights.require_window(call.caller, call.window, "navigation", "load pages in")
    await to.control.act(call.id, GoBack())


async def _go_forward(to: CommandServices, call: Call) -> Any:
    to.app_rights.require_window(call.caller, call.window, "navigation", "load pages in")
    await to.control.act(call.id, GoForward())


async def _update_context(to: CommandServices, call: Call) -> Any:
    context = call.arguments.get("context")
    if not isinstance(context, Mapping):
        raise DesktopError("context must be an object.")
    to.control.set_context(call.id, context, replace_all=call.arguments.get("replace") is True)


async def _get_context(_: CommandServices, call: Call) -> Any:
    return {"context": call.window.context}


async def _set_limits(to: CommandServices, call: Call) -> Any:
    options, limits = call.members(), call.window.limits
    given = {_LIMITS[name]: _size(options, name) for name in _LIMITS if options.get(name) is not None}
    await to.control.set_limits(call.id, replace(limits, **given))


async def _get_limits(_: CommandServices, call: Call) -> Any:
    return limits_info(call.window)


async def _set_on_top(to: CommandServices, call: Call) -> Any:
    on_top = call.members().get("onTop")
    if on_top not in (True, False, "always"):
        raise DesktopError("onTop must be true, false or always.")
    await to.control.act(call.id, SetOnTop(on_top=bool(on_top), in_groups=on_top == "always"))
    to.registry.update(call.id, on_top=on_top)


async def _set_sticky(to: CommandServices, call: Call) -> Any:
    await to.groups.set_sticky(call.id, sticky=_flag(call.members(), "isSticky"))


async def _set_modal(to: CommandServices, call: Call) -> Any:
    await to.control.act(call.id, SetModal(modal=_flag(call.members(), "isModal")))


async def _set_workspace_drop(to: CommandServices, call: Call) -> Any:
    to.registry.update(call.id, allow_workspace_drop=_flag(call.members(), "allowWorkspaceDrop"))


async def _zoom_in(to: CommandServices, call: Call) -> Any:
    larger = [step for step in ZOOM_STEPS if step > call.window.zoom + 0.001]
    await to.control.set_zoom(call.id, larger[0] if larger else ZOOM_STEPS[-1])


async def _zoom_out(to: CommandServices, call: Call) -> Any:
    smaller = [step for step in ZOOM_STEPS if step < call.window.zoom - 0.001]
    await to.control.set_zoom(call.id, smaller[-1] if smaller else ZOOM_STEPS[0])


async def _set_zoom(to: CommandServices, call: Call) -> Any:
    percent = call.members().get("zoomFactor")
    if isinstance(percent, bool) or not isinstance(percent, (int, float)):
        raise DesktopError("zoomFactor must be a number of percent.")
    await to.control.set_zoom(call.id, percent / 100)


async def _add_button(to: CommandServices, call: Call) -> Any:
    options = call.members()
    order = options.get("order")
    button = FrameButton(
        id=_short(options, "buttonId"),
        tooltip=shown_text(str(options.get("tooltip") or ""))[:_LONGEST_TOOLTIP],
        order=order if isinstance(order, int) and not isinstance(order, bool) and abs(order) < 1_000_000 else 0,
        image=_image(options, "imageBase64"),
    )
    kept = tuple(one for one in call.window.buttons if one.id != button.id)
    if len(kept) >= _MOST_BUTTONS:
        raise DesktopError(f"A window has at most {_MOST_BUTTONS} added buttons.")
    await _set_buttons(to, call, (*kept, button))


async def _remove_button(to: CommandServices, call: Call) -> Any:
    # The libraries send the id itself as the options.
    button = call.options if isinstance(call.options, str) else text(call.members(), "buttonId")
    kept = tuple(one for one in call.window.buttons if one.id != button)
    if len(kept) == len(call.window.buttons):
        raise DesktopError(f"The window has no button {shown(button)}.")
    await _set_buttons(to, call, kept)


async def _set_buttons(to: CommandServices, call: Call, buttons: tuple[FrameButton, ...]) -> None:
    await to.control.act(call.id, SetButtons(buttons=buttons))
    to.registry.update(call.id, buttons=buttons)


async def _reset_buttons(to: CommandServices, call: Call) -> Any:
    options = call.members()
    wanted = {name: _flag(options, name) for name in call.window.standard_buttons if options.get(name) is not None}
    for name in ("allowCollapse", "allowLockUnlock"):
        if wanted.get(name):
            raise DesktopError(f"{name}: The caption bar has no such button.")
    buttons = {**call.window.standard_buttons, **wanted}
    action = SetStandardButtons(
        minimize=buttons["allowMinimize"], maximize=buttons["allowMaximize"], close=buttons["allowClose"]
    )
    await to.control.act(call.id, action)
    to.registry.update(call.id, standard_buttons=buttons)


async def _get_buttons(_: CommandServices, call: Call) -> Any:
    return dict(call.window.standard_buttons)


async def _set_icon(to: CommandServices, call: Call) -> Any:
    icon = _image(call.members(), "dataURL")
    if not icon.startswith("data:image/"):
        raise DesktopError("dataURL must be a data address of an image.")
    await to.control.act(call.id, SetIcon(data=icon))
    to.registry.update(call.id, icon=icon)


async def _get_icon(_: CommandServices, call: Call) -> Any:
    return {"icon": call.window.icon}


async def _set_frame_color(to: CommandServices, call: Call) -> Any:
    color = _short(call.members(), "frameColor")
    await to.control.act(call.id, SetFrameColor(color=color))
    to.registry.update(call.id, frame_color=color)


async def _flash(to: CommandServices, call: Call) -> Any:
    await to.control.act(call.id, Flash(flash=call.members().get("shouldFlash") is not False))


async def _flash_tab(to: CommandServices, call: Call) -> Any:
    await to.control.act(call.id, Flash(flash=call.members().get("shouldFlash") is not False, tab=True))


async def _lock(to: CommandServices, call: Call) -> Any:
    locked = _flag(call.members(), "lock")
    await to.control.act(call.id, SetLocked(locked=locked))
    to.registry.update(call.id, locked=locked)


async def _show_loader(to: CommandServices, call: Call) -> Any:
    await to.control.act(call.id, ShowLoader(options=call.members()))


async def _hide_loader(to: CommandServices, call: Call) -> Any:
    await to.control.act(call.id, HideLoader())


async def _capture(to: CommandServices, call: Call) -> Any:
    to.rights.require(call.caller, "allowCapture", "take pictures of windows")
    return {"data": await to.control.act(call.id, Capture())}


async def _print(to: CommandServices, call: Call) -> Any:
    to.app_rights.require_window(call.caller, call.window, "printing", "print")
    await to.control.act(call.id, PrintPage(options=call.members()))


async def _print_to_pdf(to: CommandServices, call: Call) -> Any:
    to.app_rights.require_window(call.caller, call.window, "printing", "print")
    # The platform chooses the file: a caller must not write to arbitrary paths.
    options = {name: value for name, value in call.members().items() if name in _PDF_OPTIONS}
    return {"filePath": await to.control.act(call.id, PrintToPdf(options=options))}


async def _download(to: CommandServices, call: Call) -> Any:
    to.app_rights.require_window(call.caller, call.window, "downloads", "download files through")
    options = call.members()
    url = text(options, "url")
    if not url.startswith(("https://", "http://", "data:", "blob:")):
        raise DesktopError("url must be an address of a file: https, http, data or blob.")
    given = mapping(options, "options")
    given = {own: given[name] for name, own in _DOWNLOAD_OPTIONS.items() if name in given}
    answer = await to.control.act(call.id, Download(url=url, options=given))
    found = answer if isinstance(answer, Mapping) else {}
    return {"fullPath": found.get("path"), "fileSize": found.get("size")}


async def _show_dev_tools(to: CommandServices, call: Call) -> Any:
    to.app_rights.require_window(call.caller, call.window, "dev_tools", "open developer tools for")
    if call.window.details.get("devToolsEnable") is False:
        raise DesktopError("The definition of the window's app sets devToolsEnable to false.")
    await to.control.act(call.id, ShowDevTools())


async def _execute_code(to: CommandServices, call: Call) -> Any:
    to.rights.require(call.caller, "allowScriptExecution", "execute code in windows")
    code = text(call.members(), "code")
    if len(code) > _LONGEST_CODE:
        raise DesktopError(f"code must have at most {_LONGEST_CODE} characters.")
    return {"result": await to.control.act(call.id, RunScript(code=code))}


async def _clone(to: CommandServices, call: Call) -> Any:
    return {"id": await to.opener.clone(call.id, call.members())}


async def _drag_move(to: CommandServices, call: Call) -> Any:
    await to.control.act(call.id, StartDrag())


async def _get_configuration(_: CommandServices, call: Call) -> Any:
    names = ("hasMoveAreas", "hasSizeAreas", "sizeAreaThickness", "buttonsVisibility", "showInTaskbar", "search")
    areas = ("Thickness", "LeftMargin", "TopMargin", "RightMargin", "BottomMargin")
    shown_names = (*names, *(f"moveArea{one}" for one in areas))
    return {name: call.window.details[name] for name in shown_names if name in call.window.details}


async def _show_dialog(to: CommandServices, call: Call) -> Any:
    to.app_rights.require_window(call.caller, call.window, "dialogs", "show dialogs in")
    to.dialogs.show(call.window, call.members(), call.caller.peer)


def _ask(what: Asked) -> Command:
    async def command(to: CommandServices, call: Call) -> Any:
        peer, window = call.caller.peer, call.id
        if call.members().get("unsubscribe") is True:
            to.questions.remove(what, window, peer)
            return
        method = to.callers.method(peer, _ANSWER)

        async def ask(details: Mapping[str, Any]) -> bool:
            data = {"callbackId": f"{window}-{what}", "args": details}
            answer = await to.peer.methods.call(method, {"type": str(what), "windowId": window, "data": data})
            return not (isinstance(answer, Mapping) and answer.get("prevented") is True)

        to.questions.add(what, window, peer, ask)

    return command


def _refuse(reason: str) -> Command:
    async def command(_: CommandServices, __: Call) -> Any:
        raise DesktopError(reason)

    return command


_NO_FRAME = _refuse("The frame of an open window cannot be changed. Set it in the app definition.")

COMMANDS: Mapping[str, Command] = {
    "close": _close,
    "moveResize": _move,
    "maximize": _set_state("maximized"),
    "minimize": _set_state("minimized"),
    "restore": _set_state("normal"),
    "maximizeRestore": _maximize_restore,
    "collapse": _set_state("collapsed"),
    "expand": _set_state("normal"),
    "toggleCollapse": _toggle_collapse,
    "focus": _focus,
    "activate": _focus,
    "show": _show,
    "hide": _hide,
    "setTitle": _set_title,
    "setTabTitle": _set_tab_title,
    "setTabTooltip": _set_tooltip,
    "getTabTooltip": _get_tooltip,
    "navigate": _navigate,
    "refresh": _refresh,
    "goBack": _go_back,
    "goForward": _go_forward,
    "updateContext": _update_context,
    "getContext": _get_context,
    "setSizeConstraints": _set_limits,
    "getSizeConstraints": _get_limits,
    "setOnTop": _set_on_top,
    "setSticky": _set_sticky,
    "setModalState": _set_modal,
    "setAllowWorkspaceDrop": _set_workspace_drop,
    "zoomIn": _zoom_in,
    "zoomOut": _zoom_out,
    "setZoomFactor": _set_zoom,
    "addButton": _add_button,
    "removeButton": _remove_button,
    "resetButtons": _reset_buttons,
    "getButtons": _get_buttons,
    "setIcon": _set_icon,
    "getIcon": _get_icon,
    "setFrameColor": _set_frame_color,
    "flash": _flash,
    "flashTab": _flash_tab,
    "lockUnlock": _lock,
    "showLoadingAnimation": _show_loader,
    "hideLoadingAnimation": _hide_loader,
    "captureScreenshot": _capture,
    "print": _print,
    "printToPDF": _print_to_pdf,
    "downloadURL": _download,
    "showDevTools": _show_dev_tools,
    "executeCode": _execute_code,
    "clone": _clone,
    "dragMove": _drag_move,
    "getWindowConfiguration": _get_configuration,
    "showDialog": _show_dialog,
    **{str(what): _ask(what) for what in Asked},
    **dict.fromkeys(("configure", "configureWindow"), _NO_FRAME),
    "startDrag": _refuse("Files cannot be dragged out of a window by this command."),
}
"""The handlers of commands; those for groups and tabs are in ``group_commands``, positions in ``window_places``."""


def _flag(options: Mapping[str, Any], name: str) -> bool:
    value = options.get(name)
    if not isinstance(value, bool):
        raise DesktopError(f"{name} must be true or false.")
    return value


def _short(options: Mapping[str, Any], name: str) -> str:
    value = text(options, name)
    if len(value) > _LONGEST_TOOLTIP:
        raise DesktopError(f"{name} must have at most {_LONGEST_TOOLTIP} characters.")
    return value


def _image(options: Mapping[str, Any], name: str) -> str:
    value = text(options, name)
    if len(value) > _LONGEST_IMAGE:
        raise DesktopError(f"{name} must have at most {_LONGEST_IMAGE} characters.")
    return value


def _number(options: Mapping[str, Any], name: str) -> float:
    value = options.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 1_000_000:
        raise DesktopError(f"{name} must be a number of pixels.")
    return float(value)


def _size(options: Mapping[str, Any], name: str) -> float:
    value = _number(options, name)
    if value < 1:
        raise DesktopError(f"{name} must be at least 1 pixel.")
    return value


def _bounds(written: Mapping[str, Any]) -> dict[str, float]:
    return {name: _number(written, name) for name in _BOUNDS if written.get(name) is not None}
