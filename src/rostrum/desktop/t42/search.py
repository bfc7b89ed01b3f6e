"""T42.Search: the platform's search as a provider for the search library of apps."""

import asyncio
from collections.abc import Mapping
from typing import Any

from rostrum.base.ids import new_id
from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.arguments import text
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.search import Found, Search
from rostrum.desktop.t42.commands import Command, mapping, refusing
from rostrum.gateway import LocalPeer

_METHOD = "T42.Search.Provider"
_APP_METHOD = "T42.Search.Client"
_TITLES = {"application": "Apps", "layout": "Layouts", "workspace": "Workspaces", "action": "Actions"}
_START = 0.1
"""Delay in seconds of the results: the library must have received the id of the query first."""
_MOST_QUERIES = 100
_MOST_RESULTS = 100


async def offer(
    peer: LocalPeer, search: Search, callers: Callers, calls: AppCalls, background: BackgroundTasks
) -> None:
    """Register the provider, unless the search is disabled."""
    if not search.types:
        return
    provider = _Provider(str(peer.identity.get("instance") or peer.id), search, calls, background)
    await peer.methods.register(_METHOD, refusing(callers, provider.handle))


class _Provider:
    def __init__(self, identity: str, search: Search, calls: AppCalls, background: BackgroundTasks) -> None:
        self._search = search
        self._calls = calls
        self._background = background
        self._queries: dict[str, str] = {}
        types = [{"name": name, "displayName": _TITLES[name]} for name in search.types]
        self._described = {"id": "rostrum", "interopId": identity, "name": "Rostrum", "types": types}
        self._operations: dict[str, Command] = {"info": self._info, "search": self._find, "cancel": self._cancel}

    async def handle(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        name = arguments.get("operation")
        operation = self._operations.get(name) if isinstance(name, str) else None
        if operation is None:
            raise DesktopError(f"{_METHOD} has no operation {str(name)[:100]!r}; it has: {', '.join(self._operations)}")
        return await operation(arguments, caller)

    async def _info(self, _: Mapping[str, Any], __: Caller) -> Any:
        return {"supportedTypes": [*self._search.types], "providers": [self._described], "apiVersion": "1"}

    async def _find(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        if len(self._queries) >= _MOST_QUERIES:
            raise DesktopError(f"{_MOST_QUERIES} queries are under way; wait for their results")
        found = self._search.find(text(arguments, "search"), _types(arguments), _limit(arguments))
        query = new_id()
        self._queries[query] = caller.peer
        self._background.begin(self._send(query, caller.peer, found))
        return {"id": query}

    async def _cancel(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        query = text(arguments, "id")
        if self._queries.get(query) == caller.peer:
            del self._queries[query]
        return {}

    async def _send(self, query: str, peer: str, found: list[Found]) -> None:
        await asyncio.sleep(_START)
        for client in self._calls.of_peer(peer, _APP_METHOD):
            items = [_item(one) for one in found]
            if items and query in self._queries:
                batch = {"items": items, "provider": self._described, "queryId": query, "status": "in-progress"}
                await self._calls.ask(client, batch)
            if query in self._queries:
                await self._calls.ask(client, {"items": [], "queryId": query, "status": "done"})
        self._queries.pop(query, None)


def _types(arguments: Mapping[str, Any]) -> list[str] | None:
    """Return the types of results; newer libraries send objects, older ones texts."""
    listed = arguments.get("types")
    if listed is None:
        return None
    if not isinstance(listed, list):
        raise DesktopError("types must be an array")
    return [str(one.get("name")) if isinstance(one, Mapping) else str(one) for one in listed]


def _limit(arguments: Mapping[str, Any]) -> int:
    limit = mapping(arguments, "providerLimits").get("maxResults", arguments.get("limit"))
    return int(limit) if isinstance(limit, (int, float)) and 0 <= limit <= _MOST_RESULTS else _MOST_RESULTS


def _item(found: Found) -> dict[str, Any]:
    """Describe a result, with the method that the library calls when the user selects it."""
    actions: Mapping[str, tuple[str, dict[str, Any]]] = {
        "application": ("T42.ACS.StartApplication", {"Name": found.id}),
        "layout": ("T42.ACS.RestoreLayout", {"name": found.id, "type": "Global"}),
        "workspace": ("T42.ACS.RestoreLayout", {"name": found.id, "type": "Workspace"}),
        "action": ("T42.ACS.Restart" if found.id == "restart" else "T42.ACS.Shutdown", {}),
    }
    item: dict[str, Any] = {
        "type": {"name": found.type, "displayName": _TITLES[found.type]},
        "id": found.id,
        "displayName": found.title,
    }
    item |= {"description": found.description} if found.description else {}
    action = actions.get(found.type)
    return item if action is None else item | {"action": {"method": action[0], "params": action[1]}}
