"""What the suites of the storage share."""

from asyncio import AbstractEventLoop
from collections.abc import AsyncIterator, Callable, Mapping

import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.server import new_loop
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage
from tests.tables import add_tables


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], AbstractEventLoop]]:
    """Run the tests on the loop that the server runs on: it is also the faster one."""
    return {"of the server": new_loop}


@pytest.fixture
async def storage(store: str, clock: SettableClock) -> AsyncIterator[Storage]:
    """An open, empty storage."""
    await add_tables(store)
    opened = manager_storage(store, clock)
    await opened.open()
    yield opened
    await opened.close()
