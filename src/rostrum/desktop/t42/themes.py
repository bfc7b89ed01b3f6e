"""T42.Themes: themes for the client libraries."""

from collections.abc import Mapping
from typing import Any

from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.services.interception import Interceptors
from rostrum.desktop.services.methods import Operation
from rostrum.desktop.services.themes import CONTEXT, ThemeService
from rostrum.desktop.t42.commands import refusing
from rostrum.gateway import LocalPeer

_CONFIGURATION = "T42.Themes.Configuration"
_GET = "T42.Themes.Get"
_SET = "T42.Themes.Set"


async def offer(peer: LocalPeer, themes: ThemeService, callers: Callers, interceptors: Interceptors) -> None:
    """Register the methods; changes are published in the shared context of the themes."""

    async def configuration(_: Mapping[str, Any], __: Caller) -> Any:
        return {"sharedContextName": CONTEXT, "getThemesMethodName": _GET, "setThemesMethodName": _SET}

    async def get(_: Mapping[str, Any], __: Caller) -> Any:
        return themes.listed()

    async def select(arguments: Mapping[str, Any], caller: Caller) -> Any:
        wanted = {"name": text(arguments, "theme")}
        asked = Operation(area="Themes", name="Select", arguments=wanted, caller=caller.peer)
        await themes.select(text((await interceptors.passed(asked)).arguments, "name"))
        return {}

    for name, method in ((_CONFIGURATION, configuration), (_GET, get), (_SET, select)):
        await peer.methods.register(name, refusing(callers, method))
