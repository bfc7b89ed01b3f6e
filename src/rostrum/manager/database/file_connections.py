"""Keeps the connections to an SQLite file open between transactions."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rostrum.manager.database.planned_statements import QuickConnection
from rostrum.manager.database.sqlite_driver import SqliteConnection


class FileConnections:
    """The connections of an engine, lent to one transaction at a time.

    The pool of the SQL library creates several objects for each transaction, and two tasks. This takes longer than a
    short transaction.
    """

    def __init__(self, engine: AsyncEngine, size: int, wait_seconds: float) -> None:
        """Use at most as many connections as the pool of the engine has; a transaction waits for its turn."""
        self._engine = engine
        self._turns = asyncio.Semaphore(size)
        self._wait_seconds = wait_seconds
        self._unused: list[AsyncConnection] = []
        self._is_closed = False

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection; it sees the database as it is at its first statement."""
        async with self._lent(writes=False) as connection:
            try:
                yield connection
            finally:
                sync = _sync(connection)
                if sync.in_transaction() and not sync.invalidated:
                    # Nothing was written and nothing else uses the connection, so this takes no time.
                    with _opened(sync).without_thread():
                        sync.rollback()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection in a transaction that is committed if the block succeeds, and otherwise rolled back."""
        async with self._lent(writes=True) as connection, connection.begin():
            yield connection

    async def close(self) -> None:
        """Close the unused connections; the others are closed when they are returned."""
        self._is_closed = True
        while self._unused:
            await self._unused.pop().close()

    @asynccontextmanager
    async def _lent(self, *, writes: bool) -> AsyncIterator[AsyncConnection]:
        if self._turns.locked():
            async with asyncio.timeout(self._wait_seconds):
                await self._turns.acquire()
        else:
            await self._turns.acquire()
        try:
            connection = self._unused.pop() if self._unused else await QuickConnection(self._engine)
            try:
                _opened(_sync(connection)).writes = writes
                yield connection
            except BaseException:
                # The pool ends the transaction, even if a commit has failed, and also if the task is cancelled again.
                await connection.__aexit__(None, None, None)
                raise
            if self._is_closed or connection.invalidated or connection.get_transaction() is not None:
                await connection.close()
            else:
                self._unused.append(connection)
        finally:
            self._turns.release()


def _sync(connection: AsyncConnection) -> Connection:
    if connection.sync_connection is None:
        raise RuntimeError("the connection is not open")
    return connection.sync_connection


def _opened(sync: Connection) -> SqliteConnection:
    opened: Any = sync.connection.dbapi_connection
    if not isinstance(opened, SqliteConnection):
        raise TypeError("this is not a connection to an SQLite file")
    return opened
