"""All apps that can be started, including those of the platform, with changes of the list."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.base.addresses import without_credentials
from rostrum.base.signal import Signal
from rostrum.desktop.errors import UnknownApp
from rostrum.desktop.services.apps import Apps
from rostrum.stores.apps.registry import KnownApp
from rostrum.stores.apps.store import Definition

_SECRET = frozenset({"headers", "extraHeaders", "postData", "env"})
"""Members of a definition that may contain credentials, for the platform only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogChange:
    """The names of apps that were added, removed and changed."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()


class AppCatalog:
    """The apps of all stores by name; those of systemAppStores have precedence.

    Attributes:
        changed: Emitted after each change of the list, with the names that differ.
    """

    def __init__(self, apps: Apps) -> None:
        self.changed: Signal[CatalogChange] = Signal()
        self._apps = apps
        self._registries = (apps.users, apps.system)
        self._known = self._collected()
        for registry in self._registries:
            registry.changed.connect(lambda _: self._refresh())

    @property
    def all(self) -> Mapping[str, KnownApp]:
        """Return every app by name."""
        return self._known

    def get(self, name: str) -> Definition | None:
        """Return the definition of an app."""
        known = self._known.get(name)
        return known.definition if known else None

    def find(self, name: str) -> Definition:
        """Return the definition of an app; raise UnknownApp if there is none with this name."""
        definition = self.get(name)
        if definition is None:
            raise UnknownApp(name, self._known)
        return definition

    def is_in_memory(self, name: str) -> bool:
        """Return whether an app was defined by another app while the platform runs."""
        return name in self._known and self._apps.is_in_memory(name)

    def _refresh(self) -> None:
        before, self._known = self._known, self._collected()
        after = self._known
        change = CatalogChange(
            added=tuple(name for name in after if name not in before),
            removed=tuple(name for name in before if name not in after),
            updated=tuple(
                name for name in after if name in before and before[name].definition != after[name].definition
            ),
        )
        if change != CatalogChange():
            self.changed.emit(change)

    def _collected(self) -> Mapping[str, KnownApp]:
        return {
            name: known
            for registry in self._registries
            for name, known in registry.apps.items()
            if not known.definition.get("disabled")
        }


def shown_definition(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return a definition for other apps, without members that may contain credentials."""
    return {name: _shown(value) for name, value in definition.items() if name not in _SECRET}


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return without_credentials(value)
    if isinstance(value, Mapping):
        return shown_definition(value)
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [_shown(one) for one in value]
    return value
