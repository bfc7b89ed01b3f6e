"""The addresses in the demo's documents are those of today, also after ports have changed."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from rostrum.base.passwords import Passwords
from rostrum.contracts.system_config import Scope
from rostrum.manager.apps.repository import Apps
from rostrum.manager.config import read_config
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.database.paging import Query
from rostrum.manager.demo.addresses import EXAMPLE_ORIGIN, at_origin, set_app_origin, set_manager_address
from rostrum.manager.demo.load import load_demo
from rostrum.manager.demo.read import read_demo
from rostrum.manager.manager import Manager
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage
from tests.conftest import SECRET
from tests.tables import add_content

CONTENT = read_demo()
FIRST, SECOND = "http://127.0.0.1:4357", "http://127.0.0.1:50123"


async def make_demo(store: str) -> None:
    cors = {"credentials": True, "origin": "http://admin.example.com"}
    document = {"auth_method": "basic", "store": store, "token": {"secret": SECRET}, "cors": cors}
    manager = Manager.of(read_config(document, {}).config, passwords=Passwords(memory_kib=8, rounds=1))
    await manager.open()
    await load_demo(manager, "a password", "http://127.0.0.1:4356/api", app_origin=FIRST)
    await manager.close()


@pytest_asyncio.fixture
async def storage(sqlite: str) -> AsyncIterator[Storage]:
    await add_content(sqlite, f"demo at {FIRST}", make_demo)
    opened = manager_storage(sqlite)
    await opened.open()
    yield opened
    await opened.close()


async def definitions(storage: Storage) -> dict[str, dict[str, Any]]:
    async with storage.read() as work:
        page = await work.of(Apps).page(Query(limit=1000))
    return {app.name: json.loads(app.definition) for app in page.items}


@pytest.mark.long
async def test_pages_move_to_the_origin_and_programs_stay(storage: Storage) -> None:
    found = await definitions(storage)
    pages = {name: each for name, each in found.items() if each["type"] in ("window", "workspaces", "webGroup")}
    assert pages
    assert all(each["details"]["url"].startswith(f"{FIRST}/") for each in pages.values())
    assert found["news-wire"]["details"]["navigation"]["allowed"] == r"^http://127\.0\.0\.1:4357/news/"
    assert EXAMPLE_ORIGIN not in json.dumps(pages)
    assert found["options-calculator"]["details"]["url"].startswith(f"{EXAMPLE_ORIGIN}/")


async def test_another_port_moves_them_once_and_leaves_what_people_have_edited(storage: Storage) -> None:
    async with storage.write("admin") as work:
        known = await work.of(Apps).named(["price-chart", "market-watch"])
        own = json.loads(known["price-chart"].definition)
        own["details"]["url"] = "https://charts.example.org/chart/"
        renamed = json.loads(known["market-watch"].definition)
        renamed["title"] = "Prices"
        for name, definition in (("price-chart", own), ("market-watch", renamed)):
            await work.of(Apps).put(replace(known[name], definition=json.dumps(definition)))

    moved = await set_app_origin(storage, CONTENT, SECOND)

    found = await definitions(storage)
    assert "price-chart" not in moved
    assert found["price-chart"]["details"]["url"] == "https://charts.example.org/chart/"
    assert found["market-watch"]["title"] == "Prices"
    assert found["market-watch"]["details"]["url"] == f"{SECOND}/watch/"
    assert FIRST not in json.dumps(found)
    assert await set_app_origin(storage, CONTENT, SECOND) == []


async def test_a_demo_of_an_earlier_version_gets_pages_too(storage: Storage) -> None:
    await set_app_origin(storage, CONTENT, EXAMPLE_ORIGIN)
    assert (await definitions(storage))["market-watch"]["details"]["url"] == f"{EXAMPLE_ORIGIN}/watch/"
    await set_app_origin(storage, CONTENT, FIRST)
    assert (await definitions(storage))["market-watch"]["details"]["url"] == f"{FIRST}/watch/"


def test_a_definition_without_pages_is_not_touched() -> None:
    program = {"name": "x", "type": "exe", "details": {"command": EXAMPLE_ORIGIN}}
    assert at_origin(program, FIRST) is program


async def test_the_configuration_names_the_manager_at_its_port_unless_it_was_edited(storage: Storage) -> None:
    async def system() -> Any:
        async with storage.read() as work:
            found = await work.of(ConfigFiles).find("system.json", Scope.BASE, "")
        assert found is not None
        return json.loads(found.contents)

    before = await system()
    assert not await set_manager_address(storage, "http://127.0.0.1:4356/api")
    assert await set_manager_address(storage, "http://127.0.0.1:5000/api")
    after = await system()
    assert after["server"]["url"] == "http://127.0.0.1:5000/api"
    assert after["crashReporter"]["output"]["serverUrl"] == "http://127.0.0.1:5000/api/crashes"
    assert {**after, "server": 0, "crashReporter": 0} == {**before, "server": 0, "crashReporter": 0}
    async with storage.write("admin") as work:
        found = await work.of(ConfigFiles).find("system.json", Scope.BASE, "")
        assert found is not None
        own = {**after, "server": {"enabled": True, "url": "https://manager.example.com/api"}}
        await work.of(ConfigFiles).put(replace(found, contents=json.dumps(own)))
    assert not await set_manager_address(storage, "http://127.0.0.1:6000/api")
    assert await system() == own
