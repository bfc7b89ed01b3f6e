"""T42.Hotkeys: hotkeys for the client libraries."""

from collections.abc import Mapping
from typing import Any

from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.arguments import text
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.app_rights import AppRights
from rostrum.desktop.services.hotkeys import Hotkey, Hotkeys
from rostrum.desktop.t42.commands import commands, optional_text
from rostrum.gateway import LocalPeer

_METHOD = "T42.Hotkeys.Command"
_APP_METHOD = "T42.Hotkeys.Invoke"


async def offer(
    peer: LocalPeer,
    hotkeys: Hotkeys,
    callers: Callers,
    calls: AppCalls,
    background: BackgroundTasks,
    *,
    rights: AppRights,
) -> None:
    """Register the method, and call the app whose hotkey was pressed."""

    async def register(arguments: Mapping[str, Any], caller: Caller) -> Any:
        rights.require(caller, "hotkeys", "register hotkeys")
        keys = text(arguments, "hotkey")
        if not calls.of_peer(caller.peer, _APP_METHOD):
            raise DesktopError(f"register {_APP_METHOD} first; the platform calls it when the hotkey is pressed")
        description = optional_text(arguments, "description") or ""
        await hotkeys.register(caller.peer, keys, app=caller.application, description=description[:200])
        return {}

    async def unregister(arguments: Mapping[str, Any], caller: Caller) -> Any:
        await hotkeys.unregister(caller.peer, text(arguments, "hotkey"))
        return {}

    async def unregister_all(_: Mapping[str, Any], caller: Caller) -> Any:
        await hotkeys.unregister_all(caller.peer)
        return {}

    def pressed(hotkey: Hotkey) -> None:
        calls.notify(calls.of_peer(hotkey.owner, _APP_METHOD), {"key": hotkey.written})

    known = {"register": register, "unregister": unregister, "unregisterAll": unregister_all}
    await peer.methods.register(_METHOD, commands(callers, _METHOD, known, data=None))
    hotkeys.pressed.connect(pressed)
    callers.gone.connect(lambda gone: background.begin(hotkeys.unregister_all(gone)))
