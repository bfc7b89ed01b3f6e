"""Common parts of preference stores: data in memory, listeners, and merging by name."""

from collections.abc import Callable, Mapping
from typing import Any

from rostrum.base.json_text import dump
from rostrum.stores.errors import StoreFailed
from rostrum.stores.preferences.store import Data

_LARGEST = 4 * 1024 * 1024
_LARGEST_TOGETHER = 32 * 1024 * 1024
_MOST_APPS = 2000


class Listeners:
    """Listeners for the preferences of apps."""

    def __init__(self) -> None:
        self._by_app: dict[str, list[Callable[[Data], None]]] = {}

    def add(self, app: str, listener: Callable[[Data], None]) -> Callable[[], None]:
        """Add a listener; call the returned function to remove it."""
        self._by_app.setdefault(app, []).append(listener)

        def remove() -> None:
            listeners = self._by_app.get(app, [])
            if listener in listeners:
                listeners.remove(listener)
            if not listeners:
                self._by_app.pop(app, None)

        return remove

    @property
    def apps(self) -> frozenset[str]:
        """Return the apps that have listeners."""
        return frozenset(self._by_app)

    def __bool__(self) -> bool:
        """Return whether there are listeners."""
        return bool(self._by_app)

    def report(self, before: Mapping[str, Data], after: Mapping[str, Data]) -> None:
        """Notify the listeners of apps whose data changed."""
        for app, listeners in tuple(self._by_app.items()):
            data = after.get(app, {})
            if before.get(app, {}) != data:
                for listener in tuple(listeners):
                    listener(data)


def check_room(known: Mapping[str, Data], app: str, data: Data) -> None:
    """Refuse data that would exceed the limits for all apps together: apps can invent names of apps."""
    before = known.get(app) or {}
    others = [one for name, one in known.items() if name != app and one]
    if data and not before and len(others) >= _MOST_APPS:
        raise StoreFailed(f"{_MOST_APPS:,} apps have preferences, which is the limit; remove those of some apps")
    size = _size(data)
    if size > _size(before) and size + sum(map(_size, others)) > _LARGEST_TOGETHER:
        raise StoreFailed(f"preferences of all apps together may have {_LARGEST_TOGETHER:,} bytes")


def _size(data: Data) -> int:
    return len(dump(dict(data)))


def checked(data: Any) -> dict[str, Any]:
    """Return data that can be stored; raise StoreFailed for anything else."""
    if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
        raise StoreFailed("preferences must be an object")
    try:
        size = len(dump(dict(data)))
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreFailed(f"preferences must be JSON: {error}") from error
    if size > _LARGEST:
        raise StoreFailed(f"preferences of one app may have {_LARGEST:,} bytes; these have {size:,}")
    return dict(data)
