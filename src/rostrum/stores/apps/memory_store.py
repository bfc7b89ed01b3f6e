"""The in-memory store: definitions that permitted apps add while the platform runs."""

from collections.abc import Iterable
from typing import Any

from rostrum.base.errors import Invalid
from rostrum.contracts.far_reaching import far_reaching_members
from rostrum.settings.sections.stores import AppDefinitionOverrides
from rostrum.stores.apps.read import read_apps
from rostrum.stores.apps.store import Apps, Content, Definition
from rostrum.stores.errors import StoreFailed

_EVERYONE = "*"
_MOST_LISTED = 5
_MOST = 10_000


class MemoryAppStore(Content):
    """Empty at each start; only permitted apps may change it."""

    def __init__(
        self, allowed: Iterable[str] = (_EVERYONE,), *, overrides: AppDefinitionOverrides | None = None
    ) -> None:
        super().__init__("in-memory", required=False)
        self._allowed = frozenset(allowed)
        self._overrides = overrides

    async def open(self) -> None: ...

    async def refresh(self) -> None: ...

    async def close(self) -> None:
        self.apps = Apps()

    def add(self, by: str, entries: list[Any], *, programs: bool = True, replace: bool = False) -> tuple[str, ...]:
        """Add or change definitions, all or none, and return their names.

        ``replace`` removes all other definitions. Without ``programs``, only pages that reach nothing else are valid.
        """
        self._check(by)
        new = read_apps(((f"[{index}]", entry) for index, entry in enumerate(entries)), self._overrides)
        if new.problems:
            # Apps receive only this text; the first problems are enough to correct the definitions.
            listed = "; ".join(str(problem) for problem in new.problems[:_MOST_LISTED])
            raise Invalid(f"the definitions are invalid: {listed}", list(new.problems))
        for name, one in () if programs else new.definitions.items():
            path = next(far_reaching_members(one), None)
            if path is not None:
                what = "is a program" if path == "type" else f"reaches further than its page ({path})"
                raise StoreFailed(f"{by} may define pages only, because its store is not trusted; {name} {what}")
        merged = {**({} if replace else self.apps.definitions), **new.definitions}
        if len(merged) > _MOST:
            raise StoreFailed(f"the store holds at most {_MOST:,} apps")
        self.put(Apps(definitions=merged))
        return tuple(new.definitions)

    def export(self, by: str) -> tuple[Definition, ...]:
        self._check(by)
        return tuple(self.apps.definitions.values())

    def remove(self, by: str, names: Iterable[str]) -> tuple[str, ...]:
        """Remove definitions by name; return the names that existed."""
        self._check(by)
        gone = set(names) & self.apps.definitions.keys()
        kept = {name: one for name, one in self.apps.definitions.items() if name not in gone}
        self.put(Apps(definitions=kept))
        return tuple(sorted(gone))

    def clear(self, by: str) -> tuple[str, ...]:
        """Remove all definitions; return their names."""
        return self.remove(by, tuple(self.apps.definitions))

    def _check(self, by: str) -> None:
        if _EVERYONE not in self._allowed and by not in self._allowed:
            raise StoreFailed(f"{by} may not define apps: allowedApps of the in-memory store does not name it")
