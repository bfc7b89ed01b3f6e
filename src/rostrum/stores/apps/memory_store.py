"""The in-memory store: definitions that allowed apps give while the platform runs."""

from collections.abc import Iterable
from typing import Any

from rostrum.base.errors import Invalid
from rostrum.contracts.addresses import PAGE_TYPES
from rostrum.settings.sections.app_stores import AppDefinitionOverrides
from rostrum.stores.apps.base import Content
from rostrum.stores.apps.read import read_apps
from rostrum.stores.apps.store import Apps
from rostrum.stores.errors import StoreFailed

__all__ = ["MemoryAppStore"]

_EVERYONE = "*"
_MOST = 10_000


class MemoryAppStore(Content):
    """Empty at each start; only allowed apps may change it."""

    def __init__(
        self, allowed: Iterable[str] = (_EVERYONE,), *, overrides: AppDefinitionOverrides | None = None
    ) -> None:
        """Take the names of the apps that may define others."""
        super().__init__("in-memory", required=False)
        self._allowed = frozenset(allowed)
        self._overrides = overrides

    async def open(self) -> None:
        """Have nothing to read."""

    async def refresh(self) -> None:
        """Have nothing to read."""

    async def close(self) -> None:
        """Forget everything."""
        self.apps = Apps()

    def add(self, by: str, entries: list[Any], *, programs: bool = True) -> None:
        """Add or replace definitions, all or none; without ``programs`` pages only."""
        self._check(by)
        new = read_apps(((f"[{index}]", entry) for index, entry in enumerate(entries)), self._overrides)
        if new.problems:
            raise Invalid("the definitions are wrong", list(new.problems))
        other = [name for name, one in new.definitions.items() if str(one["type"]).lower() not in PAGE_TYPES]
        if other and not programs:
            raise StoreFailed(f"{by} may define pages only, because its store is not trusted; {other[0]} is a program")
        merged = {**self.apps.definitions, **new.definitions}
        if len(merged) > _MOST:
            raise StoreFailed(f"the store holds at most {_MOST:,} apps")
        self.put(Apps(definitions=merged))

    def remove(self, by: str, names: Iterable[str]) -> None:
        """Remove definitions by name."""
        self._check(by)
        gone = set(names)
        self.put(Apps(definitions={name: one for name, one in self.apps.definitions.items() if name not in gone}))

    def _check(self, by: str) -> None:
        if _EVERYONE not in self._allowed and by not in self._allowed:
            raise StoreFailed(f"{by} may not define apps: allowedApps of the in-memory store does not name it")
