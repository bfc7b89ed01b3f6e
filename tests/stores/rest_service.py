"""A service that keeps layouts and preferences as the public REST contract says, and can be switched off."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.sources.server import Request, Server, response, running


class RestService:
    """Keeps everything in memory.

    Attributes:
        paths: Where the layouts, the default and the preferences are; other addresses are not there.
        also: Addresses that answer as another one does.

    """

    def __init__(self) -> None:
        self.paths = {
            "layouts": "/layouts",
            "default": "/layouts/default",
            "preferences": "/prefs",
            "every preference": "/prefs/all",
        }
        self.also: dict[str, str] = {}
        self.layouts: dict[tuple[str, str], Any] = {}
        self.default: Any = {}
        self.preferences: dict[str, Any] = {}
        self.away = False
        self.refusing = False
        self.server: Server

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    async def answer(self, request: Request) -> bytes:
        if self.away:
            return response(503)
        if self.refusing and request.method != "GET":
            return response(400)
        parts = urlsplit(request.path)
        body = json.loads(request.body) if request.body else {}
        asked = self.also.get(parts.path, parts.path)
        handlers = {
            "layouts": self._layouts,
            "default": self._default,
            "preferences": self._preferences,
            "every preference": self._every_preference,
        }
        handler = next((handlers[what] for what, path in self.paths.items() if path == asked), None)
        if handler is None:
            return response(404)
        answered = handler(request.method, body, parse_qs(parts.query))
        return response(
            200, b"" if answered is None else json.dumps(answered).encode(), "Content-Type: application/json"
        )

    def _layouts(self, method: str, body: Any, *_: Any) -> Any:
        if method == "GET":
            return {"layouts": [*self.layouts.values()]}
        if method == "DELETE":
            self.layouts.pop((body["type"], body["name"]), None)
        else:
            layout = body["layout"]
            if method == "PUT":
                self.layouts.pop((layout["type"], layout["name"]))
                layout = {**layout, "name": body["newName"]}
            self.layouts[(layout["type"], layout["name"])] = layout
        return None

    def _default(self, method: str, body: Any, *_: Any) -> Any:
        if method == "GET":
            return self.default
        self.default = body
        return None

    def _every_preference(self, *_: Any) -> Any:
        """Answer as the manager does; REST services need not."""
        return [{"app": app, "data": data} for app, data in self.preferences.items()]

    def _preferences(self, method: str, body: Any, query: Any) -> Any:
        if method == "POST":
            self.preferences[body["app"]] = body["data"]
        elif method == "DELETE":
            self.preferences = {
                app: data for app, data in self.preferences.items() if "app" in body and app != body["app"]
            }
        elif "app" in query:
            (app,) = query["app"]
            return {"app": app, "data": self.preferences[app]} if app in self.preferences else {}
        return None


@asynccontextmanager
async def rest_service() -> AsyncIterator[RestService]:
    service = RestService()
    async with running(service.answer) as server:
        service.server = server
        yield service
