"""Combines all app stores."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rostrum.base.problems import Problem
from rostrum.base.signal import Signal
from rostrum.stores.apps.store import Apps, AppStore, Definition
from rostrum.stores.errors import RequiredStoreFailed, StoreFailed

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KnownApp:
    """A definition and its store."""

    definition: Definition
    store: AppStore


class AppRegistry:
    """Searches all stores; if two stores have the same name, the first one counts.

    Attributes:
        changed: Emitted with the apps by name when they changed.
        refreshed: Emitted when the content of a store changed, even if the resulting apps are the same.
        failures: The stores that have never been read successfully, with the reason.
    """

    def __init__(self, stores: Sequence[AppStore]) -> None:
        self.stores = tuple(stores)
        self.changed: Signal[Mapping[str, KnownApp]] = Signal()
        self.refreshed: Signal[None] = Signal()
        self.failures: dict[str, str] = {}
        self._apps: Mapping[str, KnownApp] = {}

    @property
    def apps(self) -> Mapping[str, KnownApp]:
        return self._apps

    async def open(self, limit: float | None = None) -> None:
        """Open all stores in parallel; raise RequiredStoreFailed if a required one cannot be read.

        A store that is not open after ``limit`` seconds has failed.
        """
        results = await asyncio.gather(*(_opened(store, limit) for store in self.stores), return_exceptions=True)
        required: list[tuple[str, str]] = []
        for store, result in zip(self.stores, results, strict=True):
            if isinstance(result, StoreFailed):
                self.failures[store.name] = str(result)
                _log.log(logging.ERROR if store.required else logging.WARNING, "app store %s: %s", store.name, result)
                if store.required:
                    required.append((store.name, str(result)))
            elif isinstance(result, BaseException):
                raise result
        if required:
            await self.close()
            raise RequiredStoreFailed(required)
        for store in self.stores:
            store.changed.connect(partial(self._update, store.name))
            if store.apps.definitions:
                # The store has responded since.
                self.failures.pop(store.name, None)
        self._apps = self._collected()

    async def close(self) -> None:
        await asyncio.gather(*(store.close() for store in self.stores))

    def problems(self) -> tuple[Problem, ...]:
        """Return the problems of stores and definitions, including names that two stores have."""
        found = [Problem(path=name, message=f"cannot be read: {reason}") for name, reason in self.failures.items()]
        found += self.copies()
        seen: dict[str, str] = {}
        for store in self.stores:
            found += [Problem(path=f"{store.name}: {one.path}", message=one.message) for one in store.apps.problems]
            for name in store.apps.definitions:
                if name in seen:
                    message = f"{name} is in {seen[name]} too, which comes first and counts"
                    found.append(Problem(path=store.name, message=message))
                else:
                    seen[name] = store.name
        return tuple(found)

    def copies(self) -> tuple[Problem, ...]:
        """Name the stores that do not respond, so that copies of their lists are used."""
        return tuple(
            Problem(
                path=store.name, message=f"does not answer; the list saved {_duration(store.apps.age)} earlier is used"
            )
            for store in self.stores
            if store.apps.age is not None
        )

    def _update(self, store: str, _: Apps) -> None:
        self.failures.pop(store, None)
        before, self._apps = self._apps, self._collected()
        if {name: app.definition for name, app in before.items()} != {
            name: app.definition for name, app in self._apps.items()
        }:
            self.changed.emit(self._apps)
        self.refreshed.emit(None)

    def _collected(self) -> Mapping[str, KnownApp]:
        apps: dict[str, KnownApp] = {}
        for store in self.stores:
            for name, definition in store.apps.definitions.items():
                apps.setdefault(name, KnownApp(definition, store))
        return apps


def _duration(seconds: float) -> str:
    """Format a duration; longer durations need less precision."""
    for size, unit in ((24 * 3600, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"


async def _opened(store: AppStore, limit: float | None) -> None:
    try:
        async with asyncio.timeout(limit or None):
            await store.open()
    except TimeoutError:
        raise StoreFailed(f"not available within {limit:g} s (appStoresTimeout)") from None
