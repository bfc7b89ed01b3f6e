"""Following changes: of this process, of other nodes, through every loss of the database."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import asyncpg
import pytest
from sqlalchemy import text

from rostrum.manager.audiences import Announcement, EventKind
from rostrum.manager.database.engine import Database
from rostrum.manager.events.notify_listener import NotifyListener
from rostrum.manager.events.watch import Watch
from rostrum.manager.groups.model import Group
from rostrum.manager.groups.repository import Groups
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage
from tests.tables import add_tables

PATIENCE = 30
NEVER = 3600.0


class Node:
    """A storage and its watch, as a node has them, and the announcements of the watch."""

    def __init__(self, storage: Storage, poll_seconds: float) -> None:
        self.storage = storage
        self.watch = Watch(storage, poll_seconds=poll_seconds)
        self.told: list[tuple[int, Sequence[Announcement]]] = []
        self._news = asyncio.Condition()
        self.watch.connect(self._hear)
        self._tasks: set[asyncio.Task[None]] = set()

    def _hear(self, revision: int, announcements: Sequence[Announcement]) -> None:
        self.told.append((revision, announcements))
        task = asyncio.create_task(self._notify())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _notify(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def change(self, name: str = "g", priority: int = 1) -> int:
        """Change something that concerns everyone."""
        async with self.storage.write("test") as work:
            before = await work.of(Groups).get(name)
            group = Group(name=name, priority=priority, stamp=work.stamp())
            await (work.of(Groups).put(group) if before else work.of(Groups).add(group))
            return work.revision

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds that only news can bring about."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(holds)

    async def reaches(self, revision: int) -> None:
        """Wait until the watch has announced everything up to a revision."""
        await self.until(lambda: self.watch.revision >= revision)


@asynccontextmanager
async def watching(store: str, *, poll_seconds: float = NEVER, notify: bool = True) -> AsyncIterator[Node]:
    await add_tables(store)
    storage = manager_storage(store, notify=notify)
    await storage.open()
    node = Node(storage, poll_seconds)
    await node.watch.start()
    task = asyncio.create_task(node.watch.run())
    try:
        async with asyncio.timeout(PATIENCE):
            while not node.watch.is_current:  # noqa: ASYNC110 - a state, not an event
                await asyncio.sleep(0.01)
        yield node
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await storage.close()


async def test_a_change_of_this_process_is_reported_when_it_is_kept(store: str) -> None:
    async with watching(store) as node:
        revision = await node.change()

        assert node.watch.revision == revision
        told_at, announcements = node.told[-1]
        assert told_at == revision
        assert {each.kind for each in announcements} == {EventKind.APPS, EventKind.LAYOUTS, EventKind.SYSTEM_CONFIG}


async def test_what_is_not_kept_is_not_reported(store: str) -> None:
    async with watching(store) as node:
        with suppress(ZeroDivisionError):
            async with node.storage.write("test") as work:
                await work.of(Groups).add(Group(name="g", priority=1, stamp=work.stamp()))
                raise ZeroDivisionError
        assert node.told == []


async def test_postgresql_announces_the_changes_of_other_nodes(postgresql: str) -> None:
    async with watching(postgresql) as one, watching(postgresql) as other:
        revision = await one.change()
        await other.reaches(revision)

        assert [each.kind.value for each in other.told[-1][1]] == ["apps", "layouts", "systemConfig"]


async def test_without_announcements_changes_are_looked_for(store: str) -> None:
    async with (
        watching(store, poll_seconds=0.05, notify=False) as one,
        watching(store, poll_seconds=0.05, notify=False) as other,
    ):
        revision = await one.change()
        await other.reaches(revision)


@pytest.mark.long
async def test_every_node_is_notified_of_every_change_in_order(postgresql: str) -> None:
    async with AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(watching(postgresql)) for _ in range(3)]
        changes = [node.change(f"group {number % 5}", number) for number in range(20) for node in nodes]
        last = max(await asyncio.gather(*changes))
        for node in nodes:
            await node.reaches(last)
            reached = [revision for revision, _ in node.told]
            assert reached == sorted(reached)
            # Nothing is omitted: each announcement is newer than the one before.
            for (before, _), (now, announcements) in zip(node.told, node.told[1:], strict=False):
                assert all(before < each.revision <= now for each in announcements)


async def test_a_node_that_lost_its_connections_catches_up(postgresql: str) -> None:
    async with watching(postgresql) as one, watching(postgresql) as other:
        await _hang_up(postgresql)
        revision = await one.change()
        await other.reaches(revision)
        again = await one.change(priority=2)
        await other.reaches(again)

        assert {each.kind for _, announcements in other.told for each in announcements} >= {EventKind.APPS}


async def _hang_up(store: str) -> None:
    """End every connection but our own, as a restart of the database would."""
    connection = await asyncpg.connect(store)
    try:
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    finally:
        await connection.close()


async def test_a_database_that_went_back_is_reported_too(store: str) -> None:
    async with watching(store, poll_seconds=0.05, notify=False) as node:
        revision = await node.change()
        database = Database(store)
        async with database.write() as connection:
            await connection.execute(text("UPDATE revision SET value = value - 1 WHERE id = 1"))
        await database.close()
        await node.until(lambda: node.watch.revision == revision - 1)

        assert node.told[-1] == (revision - 1, ())


async def test_a_node_is_current_only_while_it_would_hear(postgresql: str) -> None:
    async with watching(postgresql) as node:
        assert node.watch.is_current
        node.watch._announced(node.watch.revision + 1)
        assert not node.watch.is_current


async def test_a_notify_listener_without_notifications_does_not_open(postgresql: str) -> None:
    deaf, good = await asyncpg.connect(postgresql), await asyncpg.connect(postgresql)
    try:
        # Inside a transaction nothing is delivered, just as behind a pooler that lends connections by transaction.
        await deaf.execute("BEGIN")
        assert not await NotifyListener(deaf, lambda _: None, lambda: None).open()
        assert await NotifyListener(good, lambda _: None, lambda: None).open()
    finally:
        await deaf.close()
        await good.close()


@pytest.mark.long
async def test_where_the_database_cannot_announce_writes_do_without(postgresql: str) -> None:
    owner = await asyncpg.connect(postgresql)
    await owner.execute("REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC")
    await owner.execute("DROP ROLE IF EXISTS mute")
    await owner.execute("CREATE ROLE mute LOGIN")
    await owner.execute("GRANT ALL ON SCHEMA public TO mute")
    try:
        mute = postgresql.replace("//postgres:", "//mute:")
        async with watching(mute, poll_seconds=0.05) as one, watching(mute, poll_seconds=0.05) as other:
            await other.reaches(await one.change())
    finally:
        await owner.execute("DROP OWNED BY mute")
        await owner.execute("DROP ROLE mute")
        await owner.close()
