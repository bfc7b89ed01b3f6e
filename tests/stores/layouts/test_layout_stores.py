"""What every layout store must do, on every back end."""

from typing import Any

import pytest

from rostrum.client.layout_calls import RestLayoutCalls
from rostrum.client.manager_client import ManagerClient
from rostrum.stores.errors import StoreFailed
from rostrum.stores.layouts.file_store import FileLayoutStore
from rostrum.stores.layouts.remote_store import RemoteLayoutStore
from rostrum.stores.layouts.store import LayoutKey, LayoutStore
from rostrum.stores.manager_stores import ManagerLayoutStore
from tests.real_manager import USER
from tests.stores.reopening import Makers, Reopen

MORNING = LayoutKey("Global", "Morning")
Opened = Reopen[LayoutStore]


def layout(name: str = "Morning", kind: str = "Global", **members: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "components": [], "metadata": {}, **members}


async def clear(client: ManagerClient) -> None:
    for left in (await client.layouts.all()).body["layouts"]:
        await client.layouts.remove(left["name"], left["type"])


MAKERS: Makers[LayoutStore] = Makers(
    file=FileLayoutStore,
    rest=lambda service, folder: RemoteLayoutStore("rest", RestLayoutCalls(service), folder, interval=60),
    server=lambda connection, folder: ManagerLayoutStore(connection, folder, USER[0]),
    clear=clear,
)


async def test_a_new_store_is_empty(reopen: Opened) -> None:
    async with reopen() as store:
        assert store.layouts() == {}
        assert store.default() is None


@pytest.mark.rule("R-1-15", "R-2.13-6")
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
        with pytest.raises(StoreFailed, match="cannot be saved"):
            await store.save(wrong)
        assert store.layouts() == {}
