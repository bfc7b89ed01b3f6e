"""Search over apps, layouts, workspaces and actions."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rostrum.desktop.arguments import text
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.methods import method
from rostrum.settings.sections.user_interface import SearchProvider
from rostrum.stores.layouts.store import LayoutKey

_MOST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A search result."""

    type: str
    id: str
    title: str
    description: str = ""


class Search:
    """Searches for the text that users enter; the best result is first."""

    def __init__(
        self,
        settings: SearchProvider,
        apps: Callable[[], Mapping[str, Mapping[str, Any]]],
        layouts: Callable[[], Iterable[LayoutKey]],
        actions: Callable[[], Mapping[str, str]],
    ) -> None:
        """Search apps, layouts and actions; ``actions`` maps IDs to titles."""
        self._settings = settings
        self._sources: dict[str, Callable[[], Iterator[tuple[Found, str]]]] = {
            "application": lambda: _apps(apps()),
            "layout": lambda: _layouts(layouts(), "layout"),
            "workspace": lambda: _layouts(layouts(), "workspace"),
            "action": lambda: _actions(actions()),
        }

    @property
    def types(self) -> tuple[str, ...]:
        """Return the types of results; empty if the search is disabled."""
        return tuple(self._settings.types) if self._settings.enabled else ()

    def find(self, text: str, types: Iterable[str] | None = None, limit: int = 20) -> list[Found]:
        """Find items that contain all words; titles that are equal to the text or begin with it are first."""
        if not self._settings.enabled:
            raise DesktopError("the search is disabled (searchProvider.enabled)")
        words = text.casefold().split()
        if not words:
            return []
        wanted = set(types) if types is not None else set(self._settings.types)
        found: list[tuple[int, str, Found]] = []
        for kind in self._settings.types:
            if kind in wanted:
                found += [
                    (_rank(one, text.casefold().strip()), one.title.casefold(), one)
                    for one, about in self._sources[kind]()
                    if all(word in about for word in words)
                ]
        found.sort(key=lambda entry: entry[:2])
        return [one for *_, one in found[: max(0, min(limit, _MOST))]]


def _rank(found: Found, text: str) -> int:
    title = found.title.casefold()
    return 0 if title == text else 1 if title.startswith(text) else 2 if text in title else 3


def _apps(apps: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[Found, str]]:
    for name, definition in apps.items():
        if definition.get("hidden") or definition.get("disabled"):
            continue
        title = str(definition.get("title") or name)
        caption = str(definition.get("caption") or "")
        keywords = definition.get("keywords") or []
        about = " ".join([name, title, caption, *(str(word) for word in keywords)]).casefold()
        yield Found(type="application", id=name, title=title, description=caption), about


def _layouts(keys: Iterable[LayoutKey], kind: str) -> Iterator[tuple[Found, str]]:
    wanted = "Workspace" if kind == "workspace" else "Global"
    for key in keys:
        if key.type == wanted:
            yield Found(type=kind, id=key.name, title=key.name), key.name.casefold()


def _actions(actions: Mapping[str, str]) -> Iterator[tuple[Found, str]]:
    for identity, title in actions.items():
        yield Found(type="action", id=identity, title=title), title.casefold()


class SearchMethods:
    """The search on the gateway."""

    def __init__(self, search: Search) -> None:
        self._search = search

    @method("Rostrum.Search.Find")
    async def find(self, arguments: Mapping[str, Any]) -> Any:
        """Find apps, layouts, workspaces and actions."""
        limit = arguments.get("limit")
        found = self._search.find(
            text(arguments, "text"), arguments.get("types"), limit if isinstance(limit, int) else 20
        )
        return {"results": [asdict(one) for one in found]}
