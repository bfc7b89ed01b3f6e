"""What every layout store must do, on every back end."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from rostrum.client.credentials import Basic
from rostrum.client.layout_calls import LayoutCalls
from rostrum.client.service import Service
from rostrum.stores.errors import StoreFailed
from rostrum.stores.layouts.file_store import FileLayoutStore
from rostrum.stores.layouts.remote_store import RemoteLayoutStore
from rostrum.stores.layouts.store import LayoutKey, LayoutStore
from tests.real_manager import USER, Manager, manager
from tests.stores.rest_service import rest_service

MORNING = LayoutKey("Global", "Morning")
Opened = Callable[[], AbstractAsyncContextManager[LayoutStore]]


def layout(name: str = "Morning", kind: str = "Global", **members: Any) -> dict[str, Any]:
    return {"token": "", "name": name, "type": kind, "components": [], "metadata": {}, **members}


@asynccontextmanager
async def opened(store: LayoutStore) -> AsyncIterator[LayoutStore]:
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Manager]:
    with manager(tmp_path_factory.mktemp("manager")) as running:
        yield running


@pytest.fixture(params=["file", "rest", "server"])
async def reopen(request: pytest.FixtureRequest, server: Manager, tmp_path: Path) -> AsyncIterator[Opened]:
    """Open the store as a start of the platform does; each call is another start."""
    if request.param == "file":
        yield lambda: opened(FileLayoutStore(tmp_path))
    elif request.param == "rest":
        async with rest_service() as rest, Service(rest.address) as service:
            yield lambda: opened(RemoteLayoutStore("rest", LayoutCalls(service), tmp_path, interval=60))
    else:
        async with Service(server.address, Basic(*USER)) as service:
            yield lambda: opened(RemoteLayoutStore("server", LayoutCalls(service), tmp_path, interval=60))
            calls = LayoutCalls(service)
            for left in (await calls.all()).body["layouts"]:
                await calls.remove(left["name"], left["type"])


async def test_a_new_store_is_empty(reopen: Opened) -> None:
    async with reopen() as store:
        assert store.layouts() == {}
        assert store.default() is None


@pytest.mark.rule("R-2.13-6")
@pytest.mark.parametrize("name", ["Morning", "a/b\\c: \N{SNOWMAN}?*", "..", "x" * 200])
async def test_what_is_saved_is_there_at_the_next_start(reopen: Opened, name: str) -> None:
    async with reopen() as store:
        await store.save(layout(name, metadata={"x": 1}))
    async with reopen() as store:
        assert store.layouts() == {LayoutKey("Global", name): layout(name, metadata={"x": 1})}


async def test_names_that_differ_in_case_or_type_are_different_layouts(reopen: Opened) -> None:
    async with reopen() as store:
        for one in (layout("a"), layout("A"), layout("a", "Workspace")):
            await store.save(one)
    async with reopen() as store:
        assert len(store.layouts()) == 3


async def test_saving_again_replaces(reopen: Opened) -> None:
    async with reopen() as store:
        heard: list[None] = []
        store.changed.connect(heard.append)
        await store.save(layout())
        await store.save(layout(metadata={"y": 2}))
        assert store.layouts()[MORNING]["metadata"] == {"y": 2}
        assert heard


async def test_a_layout_is_renamed_and_stays_the_default(reopen: Opened) -> None:
    async with reopen() as store:
        await store.save(layout())
        await store.set_default(MORNING)
        await store.rename(MORNING, "Evening")
    async with reopen() as store:
        assert set(store.layouts()) == {LayoutKey("Global", "Evening")}


async def test_renaming_to_a_name_that_is_taken_or_of_nothing_is_refused(reopen: Opened) -> None:
    async with reopen() as store:
        await store.save(layout())
        await store.save(layout("Evening"))
        with pytest.raises(StoreFailed, match="already"):
            await store.rename(MORNING, "Evening")
        with pytest.raises(StoreFailed, match="there is no"):
            await store.rename(LayoutKey("Global", "Noon"), "Night")
        assert len(store.layouts()) == 2


async def test_a_removed_layout_is_gone_and_no_longer_the_default(reopen: Opened) -> None:
    async with reopen() as store:
        await store.save(layout())
        await store.set_default(MORNING)
        assert store.default() == MORNING
        await store.remove(MORNING)
        await store.remove(MORNING)
    async with reopen() as store:
        assert (store.layouts(), store.default()) == ({}, None)


async def test_the_default_is_chosen_and_cleared(reopen: Opened) -> None:
    async with reopen() as store:
        await store.save(layout())
        await store.set_default(MORNING)
    async with reopen() as store:
        assert store.default() == MORNING
        await store.set_default(None)
    async with reopen() as store:
        assert store.default() is None


async def test_the_default_must_exist(reopen: Opened) -> None:
    async with reopen() as store:
        with pytest.raises(StoreFailed, match="there is no Global layout 'Morning'"):
            await store.set_default(MORNING)


@pytest.mark.parametrize("wrong", [{}, {"name": "x"}, {"name": 1, "type": "Global", "components": []}, layout("")])
async def test_what_is_no_layout_is_refused(reopen: Opened, wrong: Any) -> None:
    async with reopen() as store:
        with pytest.raises(StoreFailed, match="cannot be kept"):
            await store.save(wrong)
        assert store.layouts() == {}
