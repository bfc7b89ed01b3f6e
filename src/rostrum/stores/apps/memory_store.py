"""The in-memory store: definitions that permitted apps add while the platform runs; each belongs to its app."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from rostrum.base.errors import Invalid
from rostrum.base.ids import collision_key, problem_of_spaces
from rostrum.contracts.far_reaching import far_reaching_members
from rostrum.contracts.fdc3_import import to_definition
from rostrum.contracts.own_page import own_page
from rostrum.settings.sections.stores import AppDefinitionOverrides
from rostrum.stores.apps.read import read_apps
from rostrum.stores.apps.store import Apps, Content, Definition
from rostrum.stores.errors import StoreFailed

_EVERYONE = "*"
_MOST_LISTED = 5
_MOST = 10_000
_key = lru_cache(maxsize=50_000)(collision_key)


class MemoryAppStore(Content):
    """Empty at each start; only permitted apps may change it.

    Attributes:
        known: Returns the names of all apps; pages define no app of a name that looks like one of these.
    """

    def __init__(
        self,
        allowed: Iterable[str] = (_EVERYONE,),
        *,
        overrides: AppDefinitionOverrides | None = None,
        named: Iterable[str] = (),
    ) -> None:
        """Let these apps define others; pages define no app of a name in ``named``, to which settings give rights."""
        super().__init__("in-memory", required=False)
        self._allowed = frozenset(allowed)
        self._overrides = overrides
        self._named = frozenset(named)
        self._owners: dict[str, str] = {}
        self.known: Callable[[], Iterable[str]] = tuple

    async def open(self) -> None: ...

    async def refresh(self) -> None: ...

    async def close(self) -> None:
        self.apps, self._owners = Apps(), {}

    def add(self, by: str, entries: list[Any], *, programs: bool = True, replace: bool = False) -> tuple[str, ...]:
        """Add or change definitions of an app, all or none, and return their names.

        ``replace`` removes its other definitions. Without ``programs``, only pages that reach nothing else are valid.
        """
        self._check(by)
        new = read_apps(((f"[{index}]", entry) for index, entry in enumerate(entries)), self._overrides)
        if new.problems:
            # Apps receive only this text; the first problems are enough to correct the definitions.
            listed = "; ".join(str(problem) for problem in new.problems[:_MOST_LISTED])
            raise Invalid(f"the definitions are invalid: {listed}", list(new.problems))
        for name in new.definitions:
            if self._owners.get(name, by) != by:
                raise StoreFailed(f"{by} may not change {name}, because another app has defined it")
        definitions = new.definitions if programs else self._pages(by, entries)
        kept = {name: one for name, one in self.apps.definitions.items() if not (replace and self._owners[name] == by)}
        merged = {**kept, **definitions}
        if len(merged) > _MOST:
            raise StoreFailed(f"the store holds at most {_MOST:,} apps")
        self._put(merged, by)
        return tuple(definitions)

    def _pages(self, by: str, entries: list[Any]) -> Mapping[str, Definition]:
        """Return definitions of pages, with the members that every page may have."""
        limited = []
        similar = self._similar(by)
        for entry in entries:
            written = to_definition(entry)
            name = str(written["name"])
            problem = problem_of_spaces(name)
            if problem is not None:
                raise StoreFailed(f"{by} may not define {name!a}: the name {problem}")
            if similar.get(_key(name), name) != name:
                raise StoreFailed(f"{by} may not define {name}: the name looks like {similar[_key(name)]}")
            path = next(far_reaching_members(written), None)
            if path is not None:
                what = "is a program" if path == "type" else f"reaches further than its page ({path})"
                raise StoreFailed(f"{by} may define pages only, because it is a page; {written['name']} {what}")
            if written["name"] in self._named:
                raise StoreFailed(
                    f"{by} may not define {written['name']}, because the settings give rights to this name"
                )
            limited.append(own_page(written)[0])
        return read_apps((("", one) for one in limited), self._overrides).definitions

    def _similar(self, by: str) -> Mapping[str, str]:
        """Return the names that an app may not imitate, by the key that is equal for names that look alike."""
        others = [name for name in (*self.known(), *self._named) if self._owners.get(name) != by]
        return {_key(name): name for name in others}

    def owner(self, name: str) -> str | None:
        """Return the app that has added a definition."""
        return self._owners.get(name)

    def export(self, by: str) -> tuple[Definition, ...]:
        """Return the definitions of an app."""
        self._check(by)
        return tuple(one for name, one in self.apps.definitions.items() if self._owners[name] == by)

    def remove(self, by: str, names: Iterable[str]) -> tuple[str, ...]:
        """Remove definitions of an app by name; return the names that existed."""
        self._check(by)
        gone = {name for name in names if self._owners.get(name) == by}
        self._put({name: one for name, one in self.apps.definitions.items() if name not in gone}, by)
        return tuple(sorted(gone))

    def clear(self, by: str) -> tuple[str, ...]:
        """Remove all definitions of an app; return their names."""
        return self.remove(by, tuple(self._owners))

    def _put(self, definitions: Mapping[str, Definition], by: str) -> None:
        self._owners = {name: self._owners.get(name, by) for name in definitions}
        self.put(Apps(definitions=definitions))

    def _check(self, by: str) -> None:
        if _EVERYONE not in self._allowed and by not in self._allowed:
            raise StoreFailed(f"{by} may not define apps: allowedApps of the in-memory store does not name it")
