"""What every app store must do, on every back end."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from rostrum.stores.apps.store import Apps
from rostrum.stores.errors import StoreFailed
from tests.real_manager import Manager
from tests.stores.apps.backends import Backend, app, manager_backend, path_backend, rest_backend

PATIENCE = 60


@pytest.fixture(params=["path", "rest", "server"])
def make(request: pytest.FixtureRequest, server: Manager) -> Callable[..., Any]:
    return {"path": path_backend, "rest": rest_backend, "server": manager_backend(server)}[request.param]


@pytest.fixture
async def backend(make: Callable[..., Any], tmp_path: Path) -> AsyncIterator[Backend]:
    async with make(tmp_path) as made:
        await made.put(app("clock"), app("calendar"))
        await made.store.open()
        try:
            yield made
        finally:
            await made.store.close()


async def until(backend: Backend, wanted: dict[str, str | None]) -> Apps:
    """Wait for exactly these apps with these titles, however long the back end takes to announce them."""
    arrived = asyncio.Event()
    disconnect = backend.store.changed.connect(lambda _: arrived.set())
    try:
        async with asyncio.timeout(PATIENCE):
            while {name: one.get("title") for name, one in backend.store.apps.definitions.items()} != wanted:
                await arrived.wait()
                arrived.clear()
    finally:
        disconnect()
    return backend.store.apps


@pytest.mark.rule("R-1-15")
async def test_it_has_what_is_there_when_it_is_opened(backend: Backend) -> None:
    assert set(backend.store.apps.definitions) == {"clock", "calendar"}
    assert backend.store.apps.age is None


async def test_additions_changes_and_removals_are_noticed(backend: Backend) -> None:
    await backend.put(app("clock"), app("calendar"), app("notes"))
    await until(backend, dict.fromkeys(("clock", "calendar", "notes")))
    await backend.put(app("clock", title="The time"))
    assert (await until(backend, {"clock": "The time"})).problems == ()


async def test_what_breaks_later_leaves_the_apps_as_they_were(backend: Backend) -> None:
    await backend.break_down()
    with pytest.raises(StoreFailed):
        await backend.store.refresh()
    assert set(backend.store.apps.definitions) == {"clock", "calendar"}


async def test_a_store_that_cannot_be_read_at_first_fails(make: Callable[..., Any], tmp_path: Path) -> None:
    async with make(tmp_path) as made:
        await made.break_down()
        with pytest.raises(StoreFailed):
            await made.store.open()
        await made.store.close()


@pytest.mark.rule("R-2.12-3")
async def test_overrides_go_over_every_definition_and_the_details_of_its_type(
    make: Callable[..., Any], tmp_path: Path
) -> None:
    overrides = {"hidden": True, "window": {"allowChannels": True}, "exe": {"path": "x"}}
    async with make(tmp_path, overrides) as made:
        await made.put(app("clock", hidden=False))
        await made.store.open()
        definition = made.store.apps.definitions["clock"]
        await made.store.close()
    assert definition["hidden"] is True
    assert definition["details"] == {"url": "https://example.com/", "allowChannels": True}
