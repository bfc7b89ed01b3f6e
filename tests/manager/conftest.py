"""What the suites of the storage share."""

from collections.abc import AsyncIterator

import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.storage import Storage
from tests.tables import add_tables


@pytest.fixture
async def storage(store: str, clock: SettableClock) -> AsyncIterator[Storage]:
    """An open, empty storage."""
    await add_tables(store)
    opened = Storage(store, clock)
    await opened.open()
    yield opened
    await opened.close()
