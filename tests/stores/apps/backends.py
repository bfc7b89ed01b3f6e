"""Every kind of app store with a back end that tests can fill, break and correct."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import httpx

from rostrum.client.changes import Connection
from rostrum.client.credentials import NOBODY
from rostrum.settings.parse import parse_system
from rostrum.settings.sections.stores import AppDefinitionOverrides, RestStore
from rostrum.stores.apps.path_store import PathAppStore
from rostrum.stores.apps.remote_store import Timing
from rostrum.stores.apps.rest_store import RestAppStore
from rostrum.stores.apps.store import AppStore
from rostrum.stores.manager_stores import ManagerAppStore
from tests.conftest import ADMIN
from tests.plain_http import NO_TLS
from tests.real_manager import USER, Manager
from tests.sources.server import Request, response, running
from tests.stores.reopening import connected

Apps = Mapping[str, Any]


def app(name: str, **members: Any) -> dict[str, Any]:
    return {"name": name, "type": "window", "details": {"url": "https://example.com/"}, **members}


class Backend(Protocol):
    """Where a store's definitions really are."""

    @property
    def store(self) -> AppStore: ...

    async def put(self, *definitions: Any) -> None: ...

    async def break_down(self) -> None: ...


def overrides_of(members: Any) -> AppDefinitionOverrides | None:
    return None if members is None else AppDefinitionOverrides.model_validate(members)


class PathBackend:
    def __init__(self, folder: Path, overrides: Any) -> None:
        self.folder = folder / "apps"
        self.folder.mkdir()
        self.store = PathAppStore(self.folder, overrides=overrides_of(overrides))

    async def put(self, *definitions: Any) -> None:
        beside = self.folder / ".apps.tmp"
        beside.write_text("// all of them\n" + json.dumps(definitions))
        beside.replace(self.folder / "apps.json")

    async def break_down(self) -> None:
        for file in self.folder.iterdir():
            file.unlink()
        self.folder.rmdir()


class RestBackend:
    def __init__(self, url: str, folder: Path, overrides: Any, **details: Any) -> None:
        self.answer: bytes | None = None
        fast = {"pollInterval": 20, "startRetries": 1, "startRetryInterval": 1, "readCacheAfter": 60_000}
        self.store = RestAppStore(rest_settings(url, overrides, **{**fast, **details}), NOBODY, folder / "cache")

    async def put(self, *definitions: Any) -> None:
        self.answer = json.dumps({"applications": definitions}).encode()

    async def break_down(self) -> None:
        self.answer = None


class ManagerBackend:
    def __init__(self, manager: Manager, connection: Connection, folder: Path, overrides: Any) -> None:
        self.manager = manager
        self.service = connection.client.service
        self.store = ManagerAppStore(
            connection,
            folder / "cache",
            user=USER[0],
            overrides=overrides_of(overrides),
            timing=Timing(poll_interval=0.2, start_retries=1, start_retry_interval=0.01),
        )

    async def put(self, *definitions: Any) -> None:
        async with httpx.AsyncClient(base_url=self.manager.address, auth=ADMIN, timeout=30, verify=NO_TLS) as admin:
            wanted = {one["name"] for one in definitions}
            for known in (await admin.get("/admin/apps", params={"limit": 100})).json()["items"]:
                if known["definition"]["name"] not in wanted:
                    await admin.delete(f"/admin/apps/{known['definition']['name']}")
            for one in definitions:
                body = {"definition": one, "public": True}
                known = await admin.put(f"/admin/apps/{one['name']}", json=body)
                if known.status_code == 404:
                    known = await admin.post("/admin/apps", json=body)
                assert known.status_code in (200, 201), known.text

    async def break_down(self) -> None:
        self.service.address = self.manager.address.replace("/api", "/nowhere")


def rest_settings(url: str, overrides: Any = None, *, required: bool = True, **details: Any) -> RestStore:
    """Read the settings of a REST store as a system.json has them."""
    store = {"type": "rest", "isRequired": required, "details": {"url": url, **details}}
    document = {"appStores": [{**store, **({"appDefinitionOverrides": overrides} if overrides else {})}]}
    parsed = parse_system(document)
    assert not parsed.problems, parsed.problems
    assert parsed.settings.app_stores is not None
    (settings,) = parsed.settings.app_stores
    assert isinstance(settings, RestStore)
    return settings


@asynccontextmanager
async def path_backend(folder: Path, overrides: Any = None) -> AsyncIterator[Backend]:
    yield PathBackend(folder, overrides)


@asynccontextmanager
async def rest_backend(folder: Path, overrides: Any = None) -> AsyncIterator[Backend]:
    backends: list[RestBackend] = []

    async def behave(_: Request) -> bytes:
        answer = backends[0].answer
        return response(503) if answer is None else response(200, answer, "Content-Type: application/json")

    async with running(behave) as server:
        backends.append(RestBackend(server.url, folder, overrides))
        yield backends[0]


def manager_backend(manager: Manager) -> Callable[..., Any]:
    @asynccontextmanager
    async def make(folder: Path, overrides: Any = None) -> AsyncIterator[Backend]:
        async with connected(manager) as connection:
            yield ManagerBackend(manager, connection, folder, overrides)

    return make
