"""Notifies subscribed apps of changed preferences."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Callers
from rostrum.desktop.services.methods import REFUSED, method
from rostrum.gateway import CallFailed, LocalPeer
from rostrum.gateway.local.methods import LocalStream, Subscriber
from rostrum.stores.preferences.store import Data, PreferenceStore

__all__ = ["STREAM", "PreferenceChanges", "PreferenceMethods"]

STREAM = "Rostrum.Preferences.Changes"


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

    def __init__(self, store: PreferenceStore, callers: Callers) -> None:
        self._store = store
        self._callers = callers

    @method("Rostrum.Preferences.Get")
    async def get(self, arguments: Mapping[str, Any]) -> Any:
        """Return the preferences of an app; apps may access those of other apps of the same user."""
        return {"data": dict(await self._store.get(text(arguments, "app")))}

    @method("Rostrum.Preferences.Set")
    async def set_(self, arguments: Mapping[str, Any]) -> Any:
        """Replace the preferences of an app, or merge others into them."""
        change = self._store.update if arguments.get("merge") else self._store.set
        await change(text(arguments, "app"), arguments.get("data") or {})
        return {}

    async def offer_changes(self, peer: LocalPeer) -> None:
        """Register the stream of changes."""
        PreferenceChanges(self._store, await peer.methods.stream(STREAM, self._subscribed_app))

    def _subscribed_app(self, subscriber: Subscriber) -> str:
        """Return the app whose preferences a subscriber requests; by default its own."""
        app = subscriber.arguments.get("app", self._callers.of(subscriber.peer).application)
        if not isinstance(app, str) or not app:
            raise CallFailed(REFUSED, "app must be the name of the app whose preferences are followed")
        return app
