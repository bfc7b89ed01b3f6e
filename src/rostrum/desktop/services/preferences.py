"""Notifies subscribed apps of changed preferences."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.app_rights import AppRights
from rostrum.desktop.services.methods import REFUSED, method
from rostrum.gateway import CallFailed, LocalPeer
from rostrum.gateway.local.methods import LocalStream, Subscriber
from rostrum.stores.preferences.store import Data, PreferenceStore

STREAM = "Rostrum.Preferences.Changes"
PREFERENCES_OF_OTHERS = "use the preferences of other apps"


class PreferenceChanges:
    """Handles the subscribers of a stream that has a branch for each app.

    While an app has subscribers here, the store fetches newer data of the app (``newDataCheckInterval``).
    """

    def __init__(self, store: PreferenceStore, stream: LocalStream) -> None:
        """Follow the preferences of the apps to which the stream has subscribers."""
        self._store = store
        self._stream = stream
        self._following: dict[str, Callable[[], None]] = {}
        for changed in (stream.subscribed, stream.unsubscribed):
            changed.connect(lambda _: self._follow())

    def _follow(self) -> None:
        wanted = {subscriber.branch for subscriber in self._stream.subscribers.values()}
        for app in wanted - self._following.keys():
            self._following[app] = self._store.subscribe(app, partial(self._push, app))
        for app in self._following.keys() - wanted:
            self._following.pop(app)()

    def _push(self, app: str, data: Data) -> None:
        self._stream.push({"app": app, "data": dict(data)}, app)


class PreferenceMethods:
    """Preferences on the gateway."""

    def __init__(self, store: PreferenceStore, callers: Callers, rights: AppRights) -> None:
        self._store = store
        self._callers = callers
        self._rights = rights

    @method("Rostrum.Preferences.Get")
    async def get(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Return the preferences of an app."""
        return {"data": dict(await self._store.get(self._app(arguments, caller)))}

    @method("Rostrum.Preferences.Set")
    async def set_(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Replace the preferences of an app, or merge others into them."""
        change = self._store.update if arguments.get("merge") else self._store.set
        await change(self._app(arguments, caller), arguments.get("data") or {})
        return {}

    async def offer_changes(self, peer: LocalPeer) -> None:
        """Register the stream of changes."""
        PreferenceChanges(self._store, await peer.methods.stream(STREAM, self._subscribed_app))

    def _app(self, arguments: Mapping[str, Any], caller: Caller) -> str:
        app = text(arguments, "app")
        self._rights.require_app(caller, app, "preferences", PREFERENCES_OF_OTHERS)
        return app

    def _subscribed_app(self, subscriber: Subscriber) -> str:
        """Return the app whose preferences a subscriber requests; by default its own."""
        caller = self._callers.of(subscriber.peer)
        app = subscriber.arguments.get("app", caller.application)
        if not isinstance(app, str) or not app:
            raise CallFailed(REFUSED, "app must be the name of the app whose preferences are followed")
        try:
            self._rights.require_app(caller, app, "preferences", PREFERENCES_OF_OTHERS)
        except DesktopError as error:
            raise CallFailed(REFUSED, str(error)) from error
        return app
