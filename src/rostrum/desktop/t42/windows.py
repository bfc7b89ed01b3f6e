"""T42.Wnd and T42.Group: windows for the client libraries."""

import logging
from collections.abc import Mapping
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.t42.calls import offer_method, shown
from rostrum.desktop.t42.commands import mapping
from rostrum.desktop.t42.desktop_commands import DESKTOP_COMMANDS
from rostrum.desktop.t42.group_commands import GROUP_COMMANDS, WINDOW_COMMANDS, GroupCall
from rostrum.desktop.t42.window_commands import COMMANDS, Call, CommandServices
from rostrum.desktop.t42.window_events import WindowEvents
from rostrum.desktop.t42.window_places import PLACE_COMMANDS
from rostrum.settings.unknown import close_to

_log = logging.getLogger(__name__)
_LONGEST_TOKEN = 200
_MOST_IDS = 10_000
_COMMANDS = {**COMMANDS, **PLACE_COMMANDS, **WINDOW_COMMANDS}


async def offer_windows(services: CommandServices, events: WindowEvents) -> None:
    """Register the methods on the gateway."""
    interface = _Windows(services, events)
    for name, handler in (
        ("T42.Wnd.Create", interface.create),
        ("T42.Wnd.Execute", interface.execute),
        ("T42.Wnd.GetInfo", interface.get_info),
        ("T42.Group.Execute", interface.execute_group),
    ):
        await offer_method(services.peer, services.callers, name, handler)


class _Windows:
    """Parses calls, and responds as the libraries expect: with the result, and an event with the token."""

    def __init__(self, services: CommandServices, events: WindowEvents) -> None:
        self._services = services
        self._events = events

    async def create(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        opener = self._services.opener
        return {"id": await opener.open(caller, text(arguments, "name"), text(arguments, "url"), arguments)}

    async def get_info(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        ids = arguments.get("ids")
        if not isinstance(ids, list) or len(ids) > _MOST_IDS:
            raise DesktopError(f"ids must be an array of at most {_MOST_IDS} window ids.")
        records = [self._services.registry.get(one) for one in ids if isinstance(one, str)]
        return {"windows": [{"id": one.id, "title": one.title} for one in records if one is not None]}

    async def execute(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        window = arguments.get("windowId")
        return await self._answered(arguments, caller, window if isinstance(window, str) else "", self._execute)

    async def execute_group(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        return await self._answered(arguments, caller, "", self._execute_group)

    async def _answered(self, arguments: Mapping[str, Any], caller: Caller, window: str, carry_out: Any) -> Any:
        """Execute a command. Errors are results with ``errorMsg``: the libraries wait for the event even then."""
        token = arguments.get("token")
        if token is not None and (not isinstance(token, str) or len(token) > _LONGEST_TOKEN):
            return {"errorMsg": f"token must be text of at most {_LONGEST_TOKEN} characters."}
        try:
            result = await carry_out(arguments, caller)
        except RostrumError as error:
            result = {"errorMsg": str(error)}
        except Exception:  # noqa: BLE001 - the caller waits for the event
            _log.exception("a command for a window failed")
            result = {"errorMsg": "The command failed. See the log of the desktop."}
        if token is not None:
            self._events.executed(caller.peer, window, token)
        return {} if result is None else result

    async def _execute(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        name = arguments.get("command")
        if isinstance(name, str) and name in DESKTOP_COMMANDS:
            return await DESKTOP_COMMANDS[name](self._services, arguments, caller)
        command = _COMMANDS.get(name) if isinstance(name, str) else None
        if command is None:
            raise _unknown("T42.Wnd.Execute", name, {*_COMMANDS, *DESKTOP_COMMANDS})
        window = self._services.registry.find(text(arguments, "windowId"))
        call = Call(window=window, options=arguments.get("options"), arguments=arguments, caller=caller)
        try:
            return await command(self._services, call)
        except RostrumError as error:
            raise DesktopError(f"{name}: {error}") from error

    async def _execute_group(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        name = arguments.get("command")
        command = GROUP_COMMANDS.get(name) if isinstance(name, str) else None
        if command is None:
            raise _unknown("T42.Group.Execute", name, GROUP_COMMANDS)
        # A group that is being created has no id yet.
        group = "" if name == "createGroups" else text(arguments, "groupId")
        try:
            options = mapping(arguments, "options")
            return await command(self._services, GroupCall(group=group, options=options, caller=caller))
        except RostrumError as error:
            raise DesktopError(f"{name}: {error}") from error


def _unknown(method: str, command: object, known: Any) -> DesktopError:
    close = close_to(command, known) if isinstance(command, str) and len(command) < _LONGEST_TOKEN else None
    return DesktopError(f"{method} has no command {shown(command)}." + (f" Did you mean {close}?" if close else ""))
