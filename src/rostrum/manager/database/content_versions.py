"""Counts the changes of each topic in the transaction that makes them."""

import asyncio
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import URL, event, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rostrum.manager.content_versions import ContentTopic, ContentVersions
from rostrum.manager.database import tables

FEEDS: dict[str, ContentTopic] = {
    tables.users.name: ContentTopic.PEOPLE,
    tables.user_groups.name: ContentTopic.PEOPLE,
    tables.user_apps.name: ContentTopic.PEOPLE,
    tables.user_layouts.name: ContentTopic.PEOPLE,
    tables.groups.name: ContentTopic.PEOPLE,
    tables.group_expansions.name: ContentTopic.PEOPLE,
    tables.apps.name: ContentTopic.APPS,
    tables.app_access.name: ContentTopic.APPS,
    tables.layouts.name: ContentTopic.LAYOUTS,
    tables.layout_access.name: ContentTopic.LAYOUTS,
    tables.default_layouts.name: ContentTopic.LAYOUTS,
    tables.preferences.name: ContentTopic.PREFERENCES,
    tables.config_files.name: ContentTopic.CONFIGS,
}
"""The topic that a table's rows are part of; other tables feed no answer that is kept ready."""

TOPIC_OPTION = "topic"
"""The execution option of a statement that changes another topic than its table says, or ``None`` for none."""

READ_VERSIONS = "SELECT id, value FROM revision"

_TOUCHED = "touched topics"
_COUNT = text(
    "INSERT INTO revision (id, value) VALUES (:id, 1) ON CONFLICT (id) DO UPDATE SET value = revision.value + 1"
)


def notice_changes(engine: AsyncEngine) -> None:
    """Note beside each connection which topics its statements change, so that no writer can forget to say it."""

    @event.listens_for(engine.sync_engine, "before_execute")
    def note(connection: Any, statement: Any, _many: Any, _one: Any, options: Any) -> None:
        if getattr(statement, "is_dml", False):
            topic = options.get(TOPIC_OPTION, FEEDS.get(statement.table.name))
            if topic is not None:
                connection.info.setdefault(_TOUCHED, set()).add(topic)


def begin_counting(connection: AsyncConnection) -> None:
    """Forget what a transaction before this one, which came to nothing, has touched."""
    connection.info.pop(_TOUCHED, None)


async def count_changes(connection: AsyncConnection) -> None:
    """Count what the transaction has touched; the last statement before it is kept."""
    touched = connection.info.pop(_TOUCHED, None)
    if touched:
        # Always in the same order, so that two transactions never wait for each other.
        await connection.execute(_COUNT, [{"id": int(topic)} for topic in sorted(touched)])


def versions_of(rows: Iterable[Sequence[int]]) -> ContentVersions:
    """Make marks of the rows that ``READ_VERSIONS`` finds; topics that never changed have none."""
    found = {row[0]: row[1] for row in rows}
    return ContentVersions(tuple(found.get(number, 0) for number in range(max(ContentTopic) + 1)))


_WAIT_SECONDS = 5


class FileRevisions:
    """Watches an SQLite file: the library knows, without reading the file, whether anybody has written to it."""

    def __init__(self, url: URL) -> None:
        """Follow the database at an address; the file is opened at the first question."""
        self._path = url.database or ""
        self._connection: sqlite3.Connection | None = None
        self._cursor: sqlite3.Cursor | None = None
        self._is_closed = False
        self._version: Any = None
        self._marks = ContentVersions(())

    def now(self) -> ContentVersions | None:
        """Return the current content versions; only after a change they are read."""
        if self._is_closed:
            return None
        try:
            if self._cursor is None:
                # Never waits: if another process has locked the file, the request is handled without the cache.
                self._connection = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
                self._cursor = self._connection.cursor()
            version = self._cursor.execute("PRAGMA data_version").fetchone()
            if version != self._version:
                self._marks = versions_of(self._cursor.execute(READ_VERSIONS))
                # Only now: had reading failed, the next request must try again.
                self._version = version
        except sqlite3.Error:
            return None
        return self._marks

    async def current(self) -> ContentVersions | None:
        """Return the current content versions."""
        return self.now()

    async def close(self) -> None:
        self._is_closed = True
        if self._connection is not None:
            self._connection.close()


class AskingRevisions:
    """Asks a server that other nodes write to as well: one small read for all requests that wait at the moment.

    A notice from the server would be cheaper, but it comes some time after the change was acknowledged elsewhere,
    and a user who was locked out must be refused from then on.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        # Who keeps everything in SQLite does without this library and its memory.
        import asyncpg

        self._refusals = (asyncpg.PostgresError, asyncpg.InterfaceError)
        self._connection: Any = None
        self._asking: asyncio.Task[ContentVersions | None] | None = None
        self._next: asyncio.Task[ContentVersions | None] | None = None

    def now(self) -> ContentVersions | None:
        """Return nothing: only the server knows the versions."""
        return None

    async def current(self) -> ContentVersions | None:
        """Return the current content versions; requests that arrive during a query share the next one."""
        if self._next is None:
            self._next = asyncio.create_task(self._ask(self._asking))
        return await asyncio.shield(self._next)

    async def close(self) -> None:
        for task in (self._asking, self._next):
            if task is not None:
                task.cancel()
        await self._disconnect()
        await self._engine.dispose()

    async def _ask(self, before: asyncio.Task[ContentVersions | None] | None) -> ContentVersions | None:
        if before is not None:
            await asyncio.wait([before])
        # From here on the answer may be older than a request that arrives.
        self._asking, self._next = self._next, None
        try:
            if self._connection is None:
                self._connection = await self._engine.connect()
            raw = await self._connection.get_raw_connection()
            # The driver itself, because this runs for every request and is a tenth of the cost.
            return versions_of(await raw.driver_connection.fetch(READ_VERSIONS, timeout=_WAIT_SECONDS))
        except (OSError, SQLAlchemyError, *self._refusals, TimeoutError):
            await self._disconnect()
            return None

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.invalidate()
            await connection.close()
