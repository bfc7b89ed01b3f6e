"""Stores of every kind, opened as often as a test likes, as starts of the platform do."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from rostrum.client.changes import Connection, ManagerChanges
from rostrum.client.credentials import Basic
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from tests.real_manager import USER, Manager

Store = TypeVar("Store")
Reopen = Callable[[], AbstractAsyncContextManager[Store]]


@dataclass(frozen=True)
class Makers(Generic[Store]):
    """How a store is made for each back end, and how the manager forgets what tests have left."""

    file: Callable[[Path], Store]
    rest: Callable[[Service, Path], Store]
    server: Callable[[Connection, Path], Store]
    clear: Callable[[ManagerClient], Awaitable[None]]


@asynccontextmanager
async def opened(store: Any) -> AsyncIterator[Any]:
    """Open a store, and close it again."""
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def connected(manager: Manager) -> AsyncIterator[Connection]:
    """Connect ann to a manager, changes included."""
    async with Service(manager.address, Basic(*USER)) as service:
        client = ManagerClient(service)
        changes = ManagerChanges(client)
        changes.start()
        try:
            yield Connection(client, changes)
        finally:
            await changes.stop()
