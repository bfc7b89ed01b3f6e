"""From settings to stores."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rostrum.client.changes import Connection, ManagerChanges
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from rostrum.settings.parse import parse_system
from rostrum.stores.errors import StoreFailed
from rostrum.stores.open import StoreLocation, Stores, make_stores
from tests.sources.server import down, running, serving


def manager() -> Connection:
    client = ManagerClient(Service("http://127.0.0.1:9/api"))
    return Connection(client, ManagerChanges(client))


def made(
    tmp_path: Path, document: Any, connection: Connection | None = None, *, user: str = "ann", **variables: str
) -> Stores:
    place = StoreLocation(
        root=tmp_path, user_data=tmp_path / "data", cache=tmp_path / "cache", variables=variables, user=user
    )
    parsed = parse_system(document)
    assert not parsed.errors
    return make_stores(parsed.settings, place, connection)


def kinds(stores: Stores) -> list[str]:
    return [store.name.split()[0] for store in stores.apps.stores]


@pytest.mark.rule("R-2.12-5", "R-2.12-13")
async def test_each_kind_of_app_store_is_made_in_order(tmp_path: Path) -> None:
    document = {
        "appStores": [
            {"type": "path", "details": {"path": "%APPS%/x", "trusted": True}, "isRequired": False},
            {"type": "path", "details": {"path": str(tmp_path / "absolute")}},
            {"type": "rest", "details": {"url": "https://apps.example/${WHO}"}},
            {"type": "in-memory"},
            {"type": "server"},
        ],
        "systemAppStores": [{"type": "path", "details": {"path": "system"}}],
    }
    stores = made(tmp_path, document, manager(), APPS="mine", WHO="ann")
    # What apps define has no precedence over any other store.
    assert kinds(stores) == ["path", "path", "rest", "server", "in-memory"]
    path, absolute, rest, *_ = stores.apps.stores
    assert (path.name, path.trusted, path.required) == (f"path {tmp_path / 'mine' / 'x'}", True, False)
    assert absolute.name == f"path {tmp_path / 'absolute'}"
    assert rest.name == "rest https://apps.example/ann"
    assert [store.name for store in stores.system_apps.stores] == [f"path {tmp_path / 'system'}"]


@pytest.mark.rule("R-2.4-1")
async def test_the_manager_is_one_more_app_store_and_keeps_layouts_and_preferences(tmp_path: Path) -> None:
    document = {"appStores": [{"type": "path", "details": {"path": "x"}}], "server": {"enabled": True, "url": "x"}}
    stores = made(tmp_path, document, manager())
    assert kinds(stores) == ["path", "server"]
    assert (stores.layouts.name.split()[0], stores.preferences.name.split()[0]) == ("server", "server")


@pytest.mark.rule("R-2.4-2")
async def test_with_an_empty_list_the_manager_is_the_only_app_store(tmp_path: Path) -> None:
    assert kinds(made(tmp_path, {"appStores": []}, manager())) == ["server"]


@pytest.mark.rule("R-2.13-4", "R-2.14-1")
async def test_without_the_manager_layouts_and_preferences_are_files_of_the_pair(tmp_path: Path) -> None:
    stores = made(tmp_path, {})
    assert kinds(stores) == []
    assert stores.layouts.name == f"file {tmp_path / 'data' / 'layouts'}"
    assert stores.preferences.name == f"file {tmp_path / 'data' / 'prefs'}"


async def test_file_stores_can_be_configured_although_there_is_a_manager(tmp_path: Path) -> None:
    document = {"layouts": {"store": {"type": "file"}}, "applicationPreferences": {"store": {"type": "file"}}}
    stores = made(tmp_path, document, manager())
    assert (stores.layouts.name.split()[0], stores.preferences.name.split()[0]) == ("file", "file")


@pytest.mark.rule("R-2.13-5")
async def test_rest_properties_make_no_service_while_the_type_is_file(tmp_path: Path) -> None:
    store = {"type": "file", "restURL": "https://l.example", "restFetchInterval": 1, "rejectUnauthorized": False}
    assert made(tmp_path, {"layouts": {"store": store}}).services == ()


async def test_rest_stores_have_their_own_addresses(tmp_path: Path) -> None:
    document = {
        "layouts": {"store": {"type": "rest", "restURL": "https://l.example"}},
        "applicationPreferences": {"store": {"type": "rest", "restURL": "https://p.example/prefs"}},
    }
    stores = made(tmp_path, document)
    assert (stores.layouts.name, stores.preferences.name) == (
        "rest https://l.example",
        "rest https://p.example/prefs",
    )
    assert len(stores.services) == 2


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"layouts": {"store": {"type": "server"}}}, "server.enabled is not true"),
        ({"appStores": [{"type": "server"}]}, "server.enabled is not true"),
        ({"layouts": {"store": {"type": "rest"}}}, "restURL must be the address"),
        ({"appStores": [{"type": "path", "details": {"path": "%NOPE%"}}]}, "there is no environment variable NOPE"),
    ],
)
async def test_what_cannot_be_made_is_said(tmp_path: Path, document: Any, message: str) -> None:
    with pytest.raises(StoreFailed, match=message):
        made(tmp_path, document)


class Kept:
    """Stands in a store's place and remembers what it was made with."""

    def __init__(self, name: str, calls: Any, folder: Path, **options: Any) -> None:
        self.options = options


@pytest.mark.rule("R-2.13-5", "R-2.14-3", "R-2.14-4", "R-5-8", "L-D-10", "L-D-11", "L-D-12")
@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({}, {"interval": 1800, "backoff_factor": 1000, "retries": 3}),
        ({"newDataCheckInterval": 5}, {"interval": 5, "backoff_factor": 1000, "retries": 3}),
        ({"restBackoffFactor": 7, "restRetries": 9}, {"interval": 1800, "backoff_factor": 7, "retries": 9}),
    ],
)
def test_a_store_applies_all_settings_of_its_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, members: Any, expected: Any
) -> None:
    services: list[tuple[Any, bool]] = []

    class Noted(Service):
        def __init__(self, address: str, credentials: Any = None, *, verify: bool = True) -> None:
            super().__init__(address, credentials, verify=verify)
            services.append((credentials, verify))

    for name in ("RemoteLayoutStore", "RemotePreferenceStore"):
        monkeypatch.setattr(f"rostrum.stores.open.{name}", Kept)
    monkeypatch.setattr("rostrum.stores.open.Service", Noted)
    monkeypatch.setattr("rostrum.stores.open.credentials_for", lambda way: way)
    rest = {"type": "rest", "restURL": "https://kept.example"}
    usual = made(tmp_path, {"layouts": {"store": rest}, "applicationPreferences": {"store": {**rest, **members}}})
    assert isinstance(usual.layouts, Kept)
    assert isinstance(usual.preferences, Kept)
    assert (usual.layouts.options, usual.preferences.options) == ({"interval": 60}, expected)
    layouts = {**rest, "restFetchInterval": 5, "restClientAuth": "kerberos", "rejectUnauthorized": False}
    other = made(
        tmp_path,
        {"layouts": {"store": layouts}, "applicationPreferences": {"store": {**rest, "restClientAuth": "kerberos"}}},
    )
    assert isinstance(other.layouts, Kept)
    assert other.layouts.options == {"interval": 5}
    assert [services[0], *services[2:]] == [("negotiate", True), ("kerberos", False), ("kerberos", True)]


async def test_stores_of_the_manager_poll_at_the_interval_while_it_announces_nothing(tmp_path: Path) -> None:
    async with running(serving({"applications": [], "layouts": []})) as server:
        client = ManagerClient(Service(f"http://127.0.0.1:{server.port}/api"))
        connection = Connection(client, ManagerChanges(client))
        place = StoreLocation(
            root=tmp_path, user_data=tmp_path, cache=tmp_path, variables={}, user="ann", fetch_interval=0.01
        )
        stores = make_stores(parse_system({}).settings, place, connection)
        for store in (stores.apps, stores.layouts):
            await store.open()
        counts: Counter[str] = Counter()
        for _ in range(3000):
            counts = Counter(request.path for request in server.requests)
            if min(counts["/api/apps"], counts["/api/layouts"]) >= 3:
                break
            await asyncio.sleep(0.01)
        for store in (stores.apps, stores.layouts):
            await store.close()
        await client.service.close()
    assert min(counts["/api/apps"], counts["/api/layouts"]) >= 3


async def test_a_copy_of_a_service_and_what_waits_for_it_is_never_that_of_another_user_or_service(
    tmp_path: Path,
) -> None:
    async with down() as server, down() as other:
        for user, url, expected in (
            ("ann", server.url, {}),
            ("bob", server.url, {}),
            ("ann", other.url, {}),
            ("ann", server.url, {"zone": "Oslo"}),
        ):
            store = {"type": "rest", "restURL": url, "restClientAuth": "no-auth", "restRetries": 0}
            stores = made(tmp_path, {"applicationPreferences": {"store": store}}, user=user)
            await stores.preferences.open()
            assert await stores.preferences.get("clock") == expected, (user, url)
            if (user, url) == ("ann", server.url):
                await stores.preferences.set("clock", {"zone": "Oslo"})
            await stores.preferences.close()
            for service in stores.services:
                await service.close()
