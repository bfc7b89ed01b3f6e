"""What every preference store must do, on every back end."""

from typing import Any

import pytest

from rostrum.client.manager_client import ManagerClient
from rostrum.client.preference_calls import RestPreferenceCalls
from rostrum.stores.errors import StoreFailed
from rostrum.stores.manager_stores import ManagerPreferenceStore
from rostrum.stores.preferences.file_store import FilePreferenceStore
from rostrum.stores.preferences.remote_store import RemotePreferenceStore
from rostrum.stores.preferences.store import Data, PreferenceStore
from tests.real_manager import USER
from tests.stores.reopening import Makers, Reopen

Opened = Reopen[PreferenceStore]


async def clear(client: ManagerClient) -> None:
    await client.preferences.clear()


MAKERS: Makers[PreferenceStore] = Makers(
    file=FilePreferenceStore,
    rest=lambda service, folder: RemotePreferenceStore("rest", RestPreferenceCalls(service), folder, interval=60),
    server=lambda connection, folder: ManagerPreferenceStore(connection, folder, USER[0]),
    clear=clear,
)


async def test_an_app_without_preferences_has_an_empty_object(reopen: Opened) -> None:
    async with reopen() as store:
        assert await store.get("clock") == {}


@pytest.mark.rule("R-1-15")
@pytest.mark.parametrize("app", ["clock", "a/b: \N{SNOWMAN}", "..x"])
async def test_what_is_set_is_there_at_the_next_start(reopen: Opened, app: str) -> None:
    async with reopen() as store:
        await store.set(app, {"zone": "Oslo", "list": [1, {"x": None}]})
    async with reopen() as store:
        assert await store.get(app) == {"zone": "Oslo", "list": [1, {"x": None}]}


async def test_setting_replaces_and_updating_changes_single_names(reopen: Opened) -> None:
    async with reopen() as store:
        await store.set("clock", {"a": 1, "b": 2})
        await store.update("clock", {"b": 3, "c": 4})
        assert await store.get("clock") == {"a": 1, "b": 3, "c": 4}
        await store.set("clock", {"d": 5})
    async with reopen() as store:
        assert await store.get("clock") == {"d": 5}


async def test_one_app_or_all_can_be_cleared(reopen: Opened) -> None:
    async with reopen() as store:
        for app in ("a", "b", "c"):
            await store.set(app, {"x": 1})
        await store.clear("a")
        assert (await store.get("a"), await store.get("b")) == ({}, {"x": 1})
        await store.clear()
    async with reopen() as store:
        assert [await store.get(app) for app in ("a", "b", "c")] == [{}, {}, {}]


async def test_subscribers_are_notified_of_their_app_only_and_until_they_leave(reopen: Opened) -> None:
    heard: list[Data] = []
    async with reopen() as store:
        leave = store.subscribe("clock", heard.append)
        await store.set("other", {"x": 1})
        await store.set("clock", {"x": 2})
        leave()
        leave()
        await store.set("clock", {"x": 3})
    assert heard == [{"x": 2}]


@pytest.mark.parametrize("wrong", [None, [], "text", {1: 2}, {"x": object()}, {"x": "y" * 5_000_000}])
async def test_what_cannot_be_kept_is_refused(reopen: Opened, wrong: Any) -> None:
    async with reopen() as store:
        with pytest.raises(StoreFailed, match="preferences"):
            await store.set("clock", wrong)
        assert await store.get("clock") == {}
