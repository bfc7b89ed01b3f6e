"""Commands of T42.Wnd.Execute that concern all windows, so that callers name no window."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.arrangement import ArrangementChanged
from rostrum.desktop.t42.commands import mapping
from rostrum.desktop.t42.window_commands import CommandServices
from rostrum.desktop.windows.geometry import Screen, screen_of

DesktopCommand = Callable[[CommandServices, Mapping[str, Any], Caller], Awaitable[Any]]


async def _auto_arrange(to: CommandServices, arguments: Mapping[str, Any], caller: Caller) -> Any:
    await to.arrangement.toggle(_display(to, mapping(arguments, "options").get("displayId"), caller))


def _display(to: CommandServices, wanted: object, caller: Caller) -> Screen:
    """Return the display with a number; without one, the display of the caller's window, or the primary one."""
    screens = to.host.screens()
    if wanted is None:
        window = to.registry.get(caller.instance or "")
        return screens[0] if window is None else screen_of(window.bounds, screens)
    found = next((one for one in screens if one.number == wanted), None)
    if found is None or isinstance(wanted, bool):
        raise DesktopError(f"There is no display {str(wanted)[:100]}.")
    return found


def arrangement_event(change: ArrangementChanged) -> dict[str, Any]:
    """Describe that windows were arranged or restored, in the format of the client libraries."""
    data = {"areWindowsArranged": change.arranged, "displayId": change.screen.number}
    return {"type": "OnWindowsAutoArrangeChanged", "data": data}


DESKTOP_COMMANDS: Mapping[str, DesktopCommand] = {"autoArrange": _auto_arrange}
