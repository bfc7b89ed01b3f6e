"""The start-up matrix of stores: every kind of trouble, required or not, with or without a copy, until it is over."""

import asyncio
import itertools
import json
import shutil
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.client.changes import Connection, ManagerChanges
from rostrum.client.credentials import NOBODY
from rostrum.client.layout_calls import RestLayoutCalls
from rostrum.client.manager_client import ManagerClient
from rostrum.client.preference_calls import RestPreferenceCalls
from rostrum.client.service import Service
from rostrum.stores.apps.memory_store import MemoryAppStore
from rostrum.stores.apps.path_store import PathAppStore
from rostrum.stores.apps.registry import AppRegistry
from rostrum.stores.apps.remote_store import Timing
from rostrum.stores.apps.rest_store import RestAppStore
from rostrum.stores.apps.store import AppStore
from rostrum.stores.errors import RequiredStoreFailed
from rostrum.stores.layouts.file_store import FileLayoutStore
from rostrum.stores.layouts.remote_store import RemoteLayoutStore
from rostrum.stores.manager_stores import ManagerAppStore, ManagerLayoutStore, ManagerPreferenceStore
from rostrum.stores.preferences.file_store import FilePreferenceStore
from rostrum.stores.preferences.remote_store import RemotePreferenceStore
from tests.sources.server import Request, read_request, response
from tests.stores.apps.backends import app, rest_settings
from tests.stores.layouts.test_layout_stores import MORNING, layout
from tests.stores.rest_service import RestService

TROUBLES = ("slow", "401", "500", "bad JSON", "not JSON", "down")
ANSWERS = {
    "401": response(401),
    "500": response(500),
    "bad JSON": response(200, b'{"applications": [', "Content-Type: application/json"),
    "not JSON": response(200, b"<html>Sign in</html>", "Content-Type: text/html"),
}
NOW = {"clock", "news"}
"""What the other side has in the end; a copy of an earlier time knows the clock only."""


class Place:
    """A service of apps, layouts and preferences on loopback that is in trouble until it is corrected."""

    def __init__(self) -> None:
        self.trouble = "ok"
        # Bound all the time but never listening: while the place is down, nobody else may get its address.
        self._reserved = socket.socket()
        self._reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        self._reserved.bind(("127.0.0.1", 0))
        self.port: int = self._reserved.getsockname()[1]
        self.kept = RestService()
        self.kept.layouts[("Global", "Morning")] = layout()
        self.kept.preferences["clock"] = {"zone": "Oslo"}
        self._apps = ["clock"]
        self._listener: asyncio.Server | None = None
        self._over = asyncio.Event()
        self._services: list[Service] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def listen(self) -> None:
        self._listener = await asyncio.start_server(self._talk, "127.0.0.1", self.port, reuse_port=True)

    async def leave(self) -> None:
        if self._listener is not None:
            self._over.set()
            self._listener.close()
            await self._listener.wait_closed()
            self._listener = None

    def service(self, trouble: str) -> Service:
        """Reach this place; short of patience only where nothing comes anyway."""
        self._services.append(Service(self.address, timeout=patience(trouble)))
        return self._services[-1]

    async def release(self) -> None:
        for service in self._services:
            await service.close()
        self._reserved.close()

    async def get_into(self, trouble: str) -> None:
        self.trouble = trouble
        if trouble == "down":
            await self.leave()

    async def mend(self) -> None:
        """End the trouble; there is more to see than before."""
        self._apps = sorted(NOW)
        was, self.trouble = self.trouble, "ok"
        if was == "down":
            await self.listen()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(await self._answer(await read_request(reader)))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(self, request: Request) -> bytes:
        if self.trouble == "slow":
            await self._over.wait()
        if self.trouble in ANSWERS:
            return ANSWERS[self.trouble]
        if request.path == "/apps":
            body = json.dumps({"applications": [app(name) for name in self._apps]}).encode()
            return response(200, body, "Content-Type: application/json")
        return await self.kept.answer(request)


@asynccontextmanager
async def place() -> AsyncIterator[Place]:
    """A place that is well at first, so that its address is known and copies can be made."""
    made = Place()
    await made.listen()
    try:
        yield made
    finally:
        await made.leave()
        await made.release()


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(12_000):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not become true")


def patience(trouble: str) -> float:
    """Seconds for one request: short only where nothing comes anyway, so that a busy machine changes nothing."""
    return 0.1 if trouble == "slow" else 60


def connection(made: Place, trouble: str) -> Connection:
    client = ManagerClient(made.service(trouble))
    return Connection(client, ManagerChanges(client))


def app_store(kind: str, made: Place, folder: Path, trouble: str, *, required: bool, copy: bool) -> AppStore:
    if kind == "rest":
        details = {"pollInterval": 5, "startRetries": 1, "startRetryInterval": 1, "enablePersistentCache": copy}
        settings = rest_settings(
            f"{made.address}/apps", required=required, requestTimeout=patience(trouble) * 1000, **details
        )
        return RestAppStore(settings, NOBODY, folder, clock=SettableClock())
    timing = Timing(poll_interval=0.005, start_retries=1, start_retry_interval=0.001)
    folder = folder if copy else folder / "another"
    return ManagerAppStore(connection(made, trouble), folder, user="ann", required=required, timing=timing)


@pytest.mark.usual(13)
@pytest.mark.rule("R-2.12-2")
@pytest.mark.parametrize(
    ("kind", "trouble", "required", "copy"),
    [*itertools.product(("rest", "server"), ("ok", *TROUBLES), (False, True), (False, True))],
)
async def test_a_failing_remote_app_store_stops_the_start_only_when_required_and_not_cached(
    tmp_path: Path, kind: str, trouble: str, required: bool, copy: bool
) -> None:
    async with place() as made:
        if copy:
            earlier = AppRegistry([app_store(kind, made, tmp_path, "ok", required=True, copy=True)])
            await earlier.open()
            await earlier.close()
        await made.get_into(trouble)
        store = app_store(kind, made, tmp_path, trouble, required=required, copy=copy)
        registry = AppRegistry([store])
        try:
            if trouble != "ok" and required and not copy:
                with pytest.raises(RequiredStoreFailed, match=f"a required app store cannot be retrieved: {kind} "):
                    await registry.open()
                return
            await registry.open()
            assert set(registry.apps) == ({"clock"} if copy or trouble == "ok" else set())
            assert (store.apps.age is not None) is (copy and trouble != "ok")
            assert set(registry.failures) == ({store.name} if trouble != "ok" and not copy else set())
            await made.mend()
            await until(lambda: set(registry.apps) == NOW)
            assert (store.apps.age, registry.failures) == (None, {})
        finally:
            await registry.close()


PATH_TROUBLES: dict[str, Callable[[Path], Any]] = {
    "ok": lambda folder: None,
    "down": shutil.rmtree,
    "bad JSON": lambda folder: (folder / "broken.json").write_text('{"name": '),
    "not JSON": lambda folder: (folder / "broken.json").write_text("<html>"),
    "a folder in place of a file": lambda folder: (folder / "broken.json").mkdir(),
}


@pytest.mark.rule("R-2.12-2")
@pytest.mark.parametrize(("trouble", "required"), [*itertools.product(PATH_TROUBLES, (False, True))])
async def test_a_failing_local_app_store_stops_the_start_only_when_required(
    tmp_path: Path, trouble: str, required: bool
) -> None:
    folder = tmp_path / "apps"
    folder.mkdir()
    (folder / "clock.json").write_text(json.dumps(app("clock")))
    PATH_TROUBLES[trouble](folder)
    registry = AppRegistry([PathAppStore(folder, required=required, look_again=0.05)])
    try:
        if trouble == "down" and required:
            with pytest.raises(RequiredStoreFailed, match="a required app store cannot be retrieved: path "):
                await registry.open()
            return
        await registry.open()
        assert set(registry.apps) == (set() if trouble == "down" else {"clock"})
        assert bool(registry.failures) is (trouble == "down")
        assert bool(registry.problems()) is (trouble != "ok")
        folder.mkdir(exist_ok=True)
        for name in NOW:
            (folder / f"{name}.json").write_text(json.dumps(app(name)))
        await until(lambda: set(registry.apps) == NOW)
        assert registry.failures == {}
    finally:
        await registry.close()


async def test_a_replaced_folder_is_still_watched(tmp_path: Path) -> None:
    folder = tmp_path / "apps"
    folder.mkdir()
    (folder / "clock.json").write_text(json.dumps(app("clock")))
    registry = AppRegistry([PathAppStore(folder, look_again=0.05)])
    await registry.open()
    try:
        folder.rename(tmp_path / "old")
        folder.mkdir()
        (folder / "news.json").write_text(json.dumps(app("news")))
        await until(lambda: set(registry.apps) == {"news"})
        (folder / "clock.json").write_text(json.dumps(app("clock")))
        await until(lambda: set(registry.apps) == NOW)
    finally:
        await registry.close()


@pytest.mark.parametrize("required", [False, True])
async def test_an_app_store_in_memory_is_never_in_trouble(required: bool) -> None:
    registry = AppRegistry([MemoryAppStore(["*"])])
    await registry.open()
    assert (registry.apps, registry.failures) == ({}, {})
    await registry.close()


def layout_store(kind: str, made: Place, folder: Path, trouble: str) -> Any:
    if kind == "server":
        return ManagerLayoutStore(connection(made, trouble), folder, "ann")
    return RemoteLayoutStore("rest", RestLayoutCalls(made.service(trouble)), folder, interval=0.005)


def preference_store(kind: str, made: Place, folder: Path, trouble: str) -> Any:
    if kind == "server":
        return ManagerPreferenceStore(connection(made, trouble), folder, "ann")
    calls = RestPreferenceCalls(made.service(trouble))
    return RemotePreferenceStore("rest", calls, folder, interval=0.005, retries=1, backoff_factor=1)


def hear_back(store: Any) -> None:
    """The stream of the manager's events is there again; REST services have none and are polled."""
    told = store._poller._feed
    if told is not None:
        told.changes.back.emit(None)


@pytest.mark.usual(5)
@pytest.mark.parametrize(
    ("kind", "trouble", "copy"), [*itertools.product(("rest", "server"), ("ok", *TROUBLES), (False, True))]
)
async def test_layouts_and_preferences_of_a_service(tmp_path: Path, kind: str, trouble: str, copy: bool) -> None:
    async with place() as made:
        folders = (tmp_path / "layouts", tmp_path / "prefs")
        if copy:
            for store in (layout_store(kind, made, folders[0], "ok"), preference_store(kind, made, folders[1], "ok")):
                await store.open()
                if isinstance(store, RemotePreferenceStore):
                    await store.get("clock")
                await store.close()
        await made.get_into(trouble)
        layouts = layout_store(kind, made, folders[0], trouble)
        preferences = preference_store(kind, made, folders[1], trouble)
        for store in (layouts, preferences):
            await store.open()
        try:
            # No trouble stops the start; what was there the last time must do.
            there = copy or trouble == "ok"
            assert set(layouts.layouts()) == ({MORNING} if there else set())
            assert await preferences.get("clock") == ({"zone": "Oslo"} if there else {})
            await layouts.save(layout("Evening"))
            await preferences.set("news", {"size": 2})
            waiting = 0 if trouble == "ok" else 1
            assert (layouts.waiting, preferences.waiting) == (waiting, waiting)
            await made.mend()
            for store in (layouts, preferences):
                hear_back(store)
            await until(lambda: not layouts.waiting and not preferences.waiting)
            assert set(made.kept.layouts) == {("Global", "Morning"), ("Global", "Evening")}
            assert made.kept.preferences == {"clock": {"zone": "Oslo"}, "news": {"size": 2}}
            await until(lambda: MORNING in layouts.layouts())
            assert (layouts.problems, preferences.problems) == ([], [])
        finally:
            for store in (layouts, preferences):
                await store.close()


@pytest.mark.parametrize("content", [b'{"version": 1, "data": {', b"<html>", b""])
async def test_layouts_and_preferences_in_damaged_files_are_set_aside(tmp_path: Path, content: bytes) -> None:
    first = (FileLayoutStore(tmp_path / "layouts"), FilePreferenceStore(tmp_path / "prefs"))
    for store in first:
        await store.open()
    await first[0].save(layout())
    await first[1].set("clock", {"zone": "Oslo"})
    damaged = [file for folder in ("layouts", "prefs") for file in (tmp_path / folder).rglob("*.json")]
    for file in damaged:
        file.write_bytes(content)
    layouts, preferences = FileLayoutStore(tmp_path / "layouts"), FilePreferenceStore(tmp_path / "prefs")
    for again in (layouts, preferences):
        await again.open()
    assert layouts.layouts() == {}
    assert await preferences.get("clock") == {}
    await layouts.save(layout())
    await preferences.set("clock", {"zone": "Bergen"})
    for file in damaged:
        assert file.with_name(f"{file.name}.damaged-1").read_bytes() == content
