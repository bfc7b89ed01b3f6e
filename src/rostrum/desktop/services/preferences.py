"""PreferenceChanges: apps that subscribe to preferences are notified of changes, from wherever they come."""

from collections.abc import Callable
from functools import partial

from rostrum.gateway.local.methods import LocalStream
from rostrum.stores.preferences.store import Data, PreferenceStore

__all__ = ["STREAM", "PreferenceChanges"]

STREAM = "Rostrum.Preferences.Changes"


class PreferenceChanges:
    """Follows the subscribers of a stream that has a branch for each app.

    While an app has a subscriber here, the store looks for newer data of the app (``newDataCheckInterval``).
    """

    def __init__(self, store: PreferenceStore, stream: LocalStream) -> None:
        """Follow a stream from now on."""
        self._store = store
        self._stream = stream
        self._following: dict[str, Callable[[], None]] = {}
        stream.changed.connect(lambda _: self._follow())

    def _follow(self) -> None:
        wanted = set(self._stream.subscribers.values())
        for app in wanted - self._following.keys():
            self._following[app] = self._store.subscribe(app, partial(self._push, app))
        for app in self._following.keys() - wanted:
            self._following.pop(app)()

    def _push(self, app: str, data: Data) -> None:
        self._stream.push({"app": app, "data": dict(data)}, app)
