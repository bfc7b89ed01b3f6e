"""T42.Prefs: preferences for the client libraries."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.app_rights import AppRights
from rostrum.desktop.services.interception import Interceptors
from rostrum.desktop.services.methods import Operation
from rostrum.desktop.services.preferences import PREFERENCES_OF_OTHERS
from rostrum.desktop.t42.commands import flag, mapping, optional_text, refusing
from rostrum.gateway import LocalPeer
from rostrum.stores.preferences.store import Data, PreferenceStore

_GET = "T42.Prefs.Get"
_SET = "T42.Prefs.Set"
_APP_METHOD = "T42.Prefs.Update"
_MOST_FOLLOWED = 100


async def offer(
    peer: LocalPeer,
    store: PreferenceStore,
    callers: Callers,
    calls: AppCalls,
    interceptors: Interceptors,
    *,
    rights: AppRights,
) -> None:
    """Register the methods, and notify the apps that subscribe to changed preferences."""
    following = _Following(store, calls)

    def check(caller: Caller, app: str | None) -> None:
        rights.require_app(caller, app, "preferences", PREFERENCES_OF_OTHERS)

    async def get(arguments: Mapping[str, Any], caller: Caller) -> Any:
        app = optional_text(arguments, "app")
        if app is None:
            named = [name for name in store.apps if name == caller.application or rights.has(caller, "preferences")]
            return {"all": [{"app": name, "data": dict(await store.get(name))} for name in named]}
        check(caller, app)
        data = await store.get(app)
        if flag(arguments, "subscribe"):
            following.follow(caller.peer, app)
        return {"app": app, "data": dict(data)}

    async def change(arguments: Mapping[str, Any], caller: Caller) -> Any:
        app = optional_text(arguments, "app")
        check(caller, app)
        if flag(arguments, "clear"):
            await store.clear(app)
            return {}
        if app is None:
            raise DesktopError("app must be the name of an app")
        wanted = {"app": app, "data": mapping(arguments, "data"), "merge": flag(arguments, "merge") is True}
        asked = Operation(area="Preferences", name="Set", arguments=wanted, caller=caller.peer)
        allowed = (await interceptors.passed(asked)).arguments
        save = store.update if allowed.get("merge") else store.set
        await save(optional_text(allowed, "app") or app, mapping(allowed, "data"))
        return {}

    await peer.methods.register(_GET, refusing(callers, get))
    await peer.methods.register(_SET, refusing(callers, change))
    callers.gone.connect(following.forget)


class _Following:
    """The peers that subscribe to preferences of apps, until they leave."""

    def __init__(self, store: PreferenceStore, calls: AppCalls) -> None:
        self._store = store
        self._calls = calls
        self._stops: dict[str, dict[str, Callable[[], None]]] = {}

    def follow(self, peer: str, app: str) -> None:
        stops = self._stops.setdefault(peer, {})
        if app in stops:
            return
        if len(stops) >= _MOST_FOLLOWED:
            raise DesktopError(f"an app can follow the preferences of {_MOST_FOLLOWED} apps")
        stops[app] = self._store.subscribe(app, partial(self._changed, peer, app))

    def forget(self, peer: str) -> None:
        for stop in self._stops.pop(peer, {}).values():
            stop()

    def _changed(self, peer: str, app: str, data: Data) -> None:
        self._calls.notify(self._calls.of_peer(peer, _APP_METHOD), {"app": app, "data": dict(data)})
