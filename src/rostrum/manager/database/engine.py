"""Opens a database: address, connections, transactions, locks, and conversion of errors."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from enum import IntEnum
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote
from weakref import WeakSet

import aiosqlite
from sqlalchemy import URL, event, make_url, text
from sqlalchemy.exc import DatabaseError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool
from sqlalchemy.util import await_only

from rostrum.manager.content_versions import Revisions
from rostrum.manager.database.content_versions import (
    AskingRevisions,
    FileRevisions,
    begin_counting,
    count_changes,
    notice_changes,
)
from rostrum.manager.database.file_connections import FileConnections
from rostrum.manager.database.planned_statements import QuickConnection
from rostrum.manager.database.sqlite_driver import SqliteConnection, connected
from rostrum.manager.database.tables import complete_for_postgresql
from rostrum.manager.errors import NoRoom, Unavailable

# Each connection has a thread and a cache; a few are enough for a local file.
_SQLITE_POOL_SIZE = 4
_WAIT_SECONDS = 10
_STATEMENT_SECONDS = 60
_SWITCH_PAUSE_SECONDS = 0.02
# An error code of SQLite has its general meaning in the lowest eight bits.
_PRIMARY_CODE = 0xFF
_POOL: dict[str, Any] = {"pool_size": 8, "pool_timeout": _WAIT_SECONDS, "pool_pre_ping": True}
# Classes of SQLSTATE. The server is unavailable: connection lost, out of resources, shutting down.
_AWAY = ("08", "53", "57")
# The server refuses the connection: not authorized, no such database.
_REFUSING = ("28", "3D")
# Extending the files of an SQLite database fails in these ways: the disk is full, or a quota or a limit is reached.
_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE})
_DISK_FULL = "53100"
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


def driver_address(address: str) -> URL:
    """Convert the address from the settings into that of the driver."""
    url = make_url(address)
    return url.set(drivername=_DRIVERS[url.drivername])


class Database:
    """One open database."""

    def __init__(self, address: str, *, notify: bool = True, read_only: bool = False) -> None:
        """Prepare the connections; none is opened yet. With ``read_only``, an SQLite file is not changed in any way."""
        self.url = driver_address(address)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.can_notify = notify and not self.is_sqlite
        # SQLite supports one writer at a time; a queue is faster than polling a locked file.
        self._writer = asyncio.Lock() if self.is_sqlite else None
        self._connections: WeakSet[aiosqlite.Connection] = WeakSet()
        self._threads: WeakSet[Thread] = WeakSet()
        self._remote: WeakSet[Any] = WeakSet()
        self._files: FileConnections | None = None
        if not self.is_sqlite:
            self._engine = _postgresql_engine(self.url, **_POOL)
            event.listen(self._engine.sync_engine, "connect", self._connected)
        elif read_only:
            self._engine = create_async_engine(_untouched(self.url), hide_parameters=True)
        else:
            self._engine = _sqlite_engine(self.url, self._opened)
            self._files = FileConnections(self._engine, _SQLITE_POOL_SIZE, _WAIT_SECONDS)
        self._reader = self._engine if self.is_sqlite else _at_one_moment(self._engine)
        notice_changes(self._engine)
        self.revisions = self._watch()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        reading = QuickConnection(self._reader) if self._files is None else self._files.reading()
        async with manager_errors(), reading as connection:
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection in a transaction that is committed if the block succeeds, and otherwise rolled back."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(manager_errors())
            if self._writer is not None:
                await stack.enter_async_context(self._writer)
            if self._files is None:
                connection: AsyncConnection = await stack.enter_async_context(QuickConnection(self._engine))
                await stack.enter_async_context(connection.begin())
            else:
                connection = await stack.enter_async_context(self._files.writing())
            begin_counting(connection)
            yield connection
            await count_changes(connection)

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection that is closed afterwards instead of being reused."""
        async with manager_errors(), self._engine.connect() as connection:
            try:
                yield connection
            finally:
                await connection.invalidate()

    async def ping(self) -> None:
        """Check that the database responds."""
        async with self.read() as connection:
            await connection.execute(text("SELECT 1"))

    async def close(self) -> None:
        await self.revisions.close()
        if self._files is not None:
            await self._files.close()
        await self._engine.dispose()
        # The engine closes only unused connections. Others would stay open until they are garbage-collected.
        for connection in list(self._connections):
            connection.stop()
        for remote in list(self._remote):
            remote.terminate()
        # Cancelled work continues in its thread, which then notifies the loop, so the loop must still exist.
        await asyncio.to_thread(_join, list(self._threads))

    def _opened(self, connection: aiosqlite.Connection) -> None:
        thread = connection._thread  # noqa: SLF001 - nothing else shows when it has ended
        thread.daemon = True
        self._threads.add(thread)
        self._connections.add(connection)

    def _connected(self, connection: Any, _record: object) -> None:
        self._remote.add(connection.driver_connection)

    def _watch(self) -> Revisions:
        if self.is_sqlite:
            return FileRevisions(self.url)
        return AskingRevisions(_postgresql_engine(self.url, poolclass=NullPool, isolation_level="AUTOCOMMIT"))


@asynccontextmanager
async def manager_errors() -> AsyncIterator[None]:
    """Convert errors of the database into errors of the manager."""
    try:
        yield
    except DBAPIError as error:
        if _is_full(error):
            raise NoRoom("the disk of the database is full; nothing was changed") from error
        if isinstance(error, (InterfaceError, OperationalError)):
            raise Unavailable("the database does not respond") from error
        state = getattr(error.orig, "sqlstate", None) or ""
        if error.connection_invalidated or state.startswith(_AWAY):
            raise Unavailable("the database does not respond") from error
        if state.startswith(_REFUSING):
            # The message states the cause, such as a wrong role, password or database name, and contains no secret.
            raise Unavailable(f"the database refuses the connection: {_last_line(error)}") from error
        # Subclasses of this error describe problems of a statement; SQLite raises the class itself for a damaged file.
        if type(error) is DatabaseError:
            raise Unavailable("the database is damaged, or the file is not a database") from error
        raise
    except (OSError, PoolTimeout) as error:
        raise Unavailable("the database does not respond") from error


def _is_full(error: DBAPIError) -> bool:
    return (
        getattr(error.orig, "sqlite_errorcode", None) in _NO_ROOM or getattr(error.orig, "sqlstate", None) == _DISK_FULL
    )


def _last_line(error: DBAPIError) -> str:
    return str(error.orig).rpartition(": ")[2]


def _untouched(url: URL) -> URL:
    """Return an address that opens a file without changing it or its log files."""
    path = Path(url.database or "").absolute()
    # Reading an existing log needs no write permission; without a log, SQLite would create one.
    mode = {"mode": "ro"} if path.with_name(f"{path.name}-wal").exists() else {"immutable": "1"}
    return url.set(database=f"file:{quote(str(path))}", query={**mode, "uri": "true"})


def _join(threads: Iterable[Thread]) -> None:
    until = time.monotonic() + _WAIT_SECONDS
    for thread in filter(Thread.is_alive, threads):
        thread.join(max(0.0, until - time.monotonic()))


class _ClosingConnection(sqlite3.Connection):
    """A connection whose transaction ends when it is closed.

    SQLite keeps the transaction of a closed connection, with its lock, until the last cursor is freed, and the
    exception of a cancelled task can refer to a cursor for a long time.
    """

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self.rollback()
        super().close()


def _sqlite_engine(url: URL, opened: Callable[[aiosqlite.Connection], None]) -> AsyncEngine:
    if url.database:
        _make_private(Path(url.database))
    engine = create_async_engine(
        url,
        hide_parameters=True,
        pool_size=_SQLITE_POOL_SIZE,
        max_overflow=0,
        pool_timeout=_WAIT_SECONDS,
        # The driver's own check would also refuse the end of a transaction, which needs no thread.
        connect_args={"timeout": _WAIT_SECONDS, "check_same_thread": False},
    )

    @event.listens_for(engine.sync_engine, "do_connect")
    def connect(dialect: Any, _record: Any, arguments: Any, options: Any) -> SqliteConnection:
        connection = aiosqlite.connect(*arguments, factory=_ClosingConnection, **options)
        opened(connection)
        return connected(dialect, connection)

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        # Transactions begin below. The driver would begin them as readers, and they could fail when they write.
        connection.isolation_level = None
        cursor = connection.cursor()
        _use_write_ahead_log(cursor)
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "cache_size=-1000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Any) -> None:
        opened = connection.connection.dbapi_connection
        opened.beginning = "BEGIN IMMEDIATE" if opened.writes else "BEGIN"

    return engine


def _use_write_ahead_log(cursor: Any) -> None:
    """Switch a database to a write-ahead log, also when several managers open an empty one at once.

    SQLite does not wait for a lock that this switch needs: it reports a locked database at once.
    """
    until = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & _PRIMARY_CODE != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        else:
            return
        await_only(asyncio.sleep(_SWITCH_PAUSE_SECONDS))


def _postgresql_engine(url: URL, **pool: Any) -> AsyncEngine:
    complete_for_postgresql()
    return create_async_engine(
        _with_ssl(url),
        hide_parameters=True,
        connect_args={
            "timeout": _WAIT_SECONDS,
            "command_timeout": _STATEMENT_SECONDS,
            "server_settings": {"application_name": "rostrum-manager"},
        },
        **pool,
    )


def _at_one_moment(engine: AsyncEngine) -> AsyncEngine:
    # By default, each statement sees newer writes of others. Readers of SQLite never do.
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _with_ssl(url: URL) -> URL:
    """Translate the usual parameter for TLS in an address into the name that this driver uses."""
    mode = url.query.get("sslmode")
    return url if mode is None else url.difference_update_query(["sslmode"]).update_query_pairs([("ssl", str(mode))])


def _make_private(path: Path) -> None:
    """Create the file for its owner only: it contains password hashes and data of users."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"the database file {path} cannot be created: {error.strerror}") from error


class Task(IntEnum):
    """Tasks that only one node runs at a time. The numbers are arbitrary, but must be the same for all managers."""

    MIGRATION = 7_286_743_001
    PURGE = 7_286_743_002


async def lock(connection: AsyncConnection, task: Task) -> None:
    """Wait until no other node runs a task, and lock it until the end of the transaction."""
    if _has_locks(connection):
        await connection.execute(text("SELECT pg_advisory_xact_lock(:task)"), {"task": task})


async def try_lock(connection: AsyncConnection, task: Task) -> bool:
    """Lock a task until the end of the transaction, unless another node runs it; return whether it is locked."""
    if not _has_locks(connection):
        return True
    return bool(await connection.scalar(text("SELECT pg_try_advisory_xact_lock(:task)"), {"task": task}))


def _has_locks(connection: AsyncConnection) -> bool:
    # SQLite has only one writer at a time, so it needs no further locks.
    return connection.dialect.name == "postgresql"
