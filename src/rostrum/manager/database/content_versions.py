"""Counts the changes of each topic in the transaction that makes them."""

import asyncio
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import URL, Connection, event, text
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
    tables.api_tokens.name: ContentTopic.LOGINS,
    tables.apps.name: ContentTopic.APPS,
    tables.app_access.name: ContentTopic.APPS,
    tables.layouts.name: ContentTopic.LAYOUTS,
    tables.layout_access.name: ContentTopic.LAYOUTS,
    tables.default_layouts.name: ContentTopic.LAYOUTS,
    tables.preferences.name: ContentTopic.PREFERENCES,
    tables.config_files.name: ContentTopic.CONFIGS,
    tables.rollouts.name: ContentTopic.ROLLOUTS,
}
"""The topic of each table; no cached response depends on other tables."""

TOPIC_OPTION = "topic"
"""The execution option of a statement that changes another topic than that of its table; ``None`` for no topic."""

READ_VERSIONS = "SELECT id, value FROM revision"

_TOUCHED = "touched topics"
_COUNT = text(
    "INSERT INTO revision (id, value) VALUES (:id, 1) ON CONFLICT (id) DO UPDATE SET value = revision.value + 1"
)


def notice_changes(engine: AsyncEngine) -> None:
    """Record the topics that the statements of each connection change, so that no writer can omit them."""

    @event.listens_for(engine.sync_engine, "before_execute")
    def note(connection: Any, statement: Any, _many: Any, _one: Any, options: Any) -> None:
        topic = topic_of(statement, options)
        if topic is not None:
            note_topic(connection, topic)


def topic_of(statement: Any, options: Mapping[str, Any]) -> ContentTopic | None:
    """Return the topic that a statement with these execution options changes."""
    if not getattr(statement, "is_dml", False):
        return None
    topic: ContentTopic | None = options.get(TOPIC_OPTION, FEEDS.get(statement.table.name))
    return topic


def note_change(connection: AsyncConnection, table: str) -> None:
    """Record the topic of a table that is changed by SQL text, because ``notice_changes`` does not see it."""
    topic = FEEDS.get(table)
    if topic is not None:
        note_topic(connection, topic)


def note_topic(connection: AsyncConnection | Connection, topic: ContentTopic) -> None:
    """Record that the current transaction changes a topic."""
    connection.info.setdefault(_TOUCHED, set()).add(topic)


def begin_counting(connection: AsyncConnection) -> None:
    """Discard the topics of an earlier transaction that was rolled back."""
    connection.info.pop(_TOUCHED, None)


async def count_changes(connection: AsyncConnection) -> None:
    """Increment the counters of the changed topics; this is the last statement before the commit."""
    touched = connection.info.pop(_TOUCHED, None)
    if touched:
        # Always in the same order, so that transactions cannot deadlock.
        await connection.execute(_COUNT, [{"id": int(topic)} for topic in sorted(touched)])


def versions_of(rows: Iterable[Sequence[int]]) -> ContentVersions:
    """Create content versions from the rows of ``READ_VERSIONS``; topics without a row have never changed."""
    found = {row[0]: row[1] for row in rows}
    return ContentVersions(tuple(found.get(number, 0) for number in range(max(ContentTopic) + 1)))


_WAIT_SECONDS = 5


class FileRevisions:
    """Watches an SQLite file: SQLite reports, without reading tables, whether another connection has changed it."""

    def __init__(self, url: URL) -> None:
        """Watch the database at an address; the file is opened when versions are first requested."""
        self._path = url.database or ""
        self._connection: sqlite3.Connection | None = None
        self._cursor: sqlite3.Cursor | None = None
        self._is_closed = False
        self._version: Any = None
        self._versions = ContentVersions(())

    def now(self) -> ContentVersions | None:
        """Return the current content versions; they are read only after a change."""
        if self._is_closed:
            return None
        try:
            if self._cursor is None:
                # Never waits: if another process has locked the file, the request is handled without the cache.
                self._connection = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
                self._cursor = self._connection.cursor()
            version = self._cursor.execute("PRAGMA data_version").fetchone()
            if version != self._version:
                self._versions = versions_of(self._cursor.execute(READ_VERSIONS))
                # Set last: if reading fails, the next request must read again.
                self._version = version
        except sqlite3.Error:
            return None
        return self._versions

    async def current(self) -> ContentVersions | None:
        """Return the current content versions."""
        return self.now()

    async def close(self) -> None:
        self._is_closed = True
        if self._connection is not None:
            self._connection.close()


class AskingRevisions:
    """Reads the versions from a PostgreSQL server that other nodes also write to, once for all waiting requests.

    A notification would be cheaper, but it arrives some time after another node has acknowledged the change, and a
    revoked user must be refused from that moment on.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        # Imported here, so that managers with SQLite do not load the library.
        import asyncpg

        self._refusals = (asyncpg.PostgresError, asyncpg.InterfaceError)
        self._connection: Any = None
        self._asking: asyncio.Task[ContentVersions | None] | None = None
        self._next: asyncio.Task[ContentVersions | None] | None = None

    def now(self) -> ContentVersions | None:
        """Return ``None``: the versions have to be requested from the server."""
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
        # Requests that arrive from here on need a later query, because this one may miss newer changes.
        self._asking, self._next = self._next, None
        try:
            if self._connection is None:
                self._connection = await self._engine.connect()
            raw = await self._connection.get_raw_connection()
            # Uses the driver directly, which takes a tenth of the time; this runs for every request.
            return versions_of(await raw.driver_connection.fetch(READ_VERSIONS, timeout=_WAIT_SECONDS))
        except (OSError, SQLAlchemyError, *self._refusals, TimeoutError):
            await self._disconnect()
            return None

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.invalidate()
            await connection.close()
