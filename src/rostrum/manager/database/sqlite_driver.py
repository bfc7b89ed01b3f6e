"""Connections to SQLite files that use their thread once for each statement."""

import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import aiosqlite
from sqlalchemy.dialects.sqlite.aiosqlite import AsyncAdapt_aiosqlite_connection, AsyncAdapt_aiosqlite_cursor
from sqlalchemy.util import await_only

__all__ = ["SqliteConnection", "connected"]


class _Outcome(NamedTuple):
    """What a cursor knows about its last statement."""

    description: Any = None
    rowcount: int = -1
    lastrowid: int | None = None
    arraysize: int = 1


_NOTHING = _Outcome()


class _Cursor(AsyncAdapt_aiosqlite_cursor):
    """A cursor that exists in the thread of its connection only while a statement is executed.

    The cursor of SQLAlchemy uses the thread four times: to create a cursor, to execute a statement, to fetch its rows,
    and to close the cursor. Changing threads takes longer than most statements.
    """

    __slots__ = ()

    _awaitable_cursor_close = False

    def _make_new_cursor(self, _connection: Any) -> Any:
        return _NOTHING

    def _aenter_cursor(self, cursor: Any) -> Any:
        return cursor

    def close(self) -> None:
        self._rows.clear()

    async def _execute_async(self, operation: Any, parameters: Any) -> None:
        opened: Any = self._adapt_connection
        connection: Any = self._connection
        async with opened._execute_mutex:  # noqa: SLF001 - as in the class that this one extends
            self._cursor, rows = await connection._execute(  # noqa: SLF001
                _execute,
                connection._conn,  # noqa: SLF001
                opened.beginning,
                operation,
                parameters,
            )
            self._rows = deque(rows)

    async def _executemany_async(self, operation: Any, seq_of_parameters: Any) -> None:
        opened: Any = self._adapt_connection
        connection: Any = self._connection
        async with opened._execute_mutex:  # noqa: SLF001
            self._cursor = await connection._execute(  # noqa: SLF001
                _execute_many,
                connection._conn,  # noqa: SLF001
                opened.beginning,
                operation,
                seq_of_parameters,
            )


class SqliteConnection(AsyncAdapt_aiosqlite_connection):
    """A connection as SQLAlchemy uses it.

    Attributes:
        beginning: The statement that begins the current transaction. It is executed together with the first statement
            of the transaction, because a separate one takes as long as any other statement.
        writes: Whether the next transaction changes the database.

    """

    __slots__ = ("_is_without_thread", "beginning", "writes")

    _cursor_cls = _Cursor

    def __init__(self, dbapi: Any, connection: Any) -> None:
        super().__init__(dbapi, connection)
        self.beginning: str | None = None
        self.writes = False
        self._is_without_thread = False

    @contextmanager
    def without_thread(self) -> Iterator[None]:
        """Roll back in the thread of the caller: changing threads takes longer than ending a transaction that reads."""
        self._is_without_thread = True
        try:
            yield
        finally:
            self._is_without_thread = False

    def commit(self) -> None:
        self.beginning = None
        super().commit()

    def rollback(self) -> None:
        self.beginning = None
        if not self._is_without_thread:
            super().rollback()
            return
        connection: Any = self._connection
        connection._conn.rollback()  # noqa: SLF001


def connected(dialect: Any, connection: aiosqlite.Connection) -> SqliteConnection:
    """Open a connection; this must run in a greenlet of SQLAlchemy."""
    opened: Any = await_only(connection)
    return SqliteConnection(dialect.dbapi, opened)


def _execute(
    connection: sqlite3.Connection, beginning: str | None, operation: str, parameters: Any
) -> tuple[_Outcome, Sequence[Any]]:
    cursor = connection.cursor()
    try:
        _begin(connection, cursor, beginning)
        cursor.execute(operation, () if parameters is None else parameters)
        rows = cursor.fetchall() if cursor.description else ()
        return _outcome(cursor), rows
    finally:
        cursor.close()


def _execute_many(
    connection: sqlite3.Connection, beginning: str | None, operation: str, parameters: Iterable[Any]
) -> _Outcome:
    cursor = connection.cursor()
    try:
        _begin(connection, cursor, beginning)
        cursor.executemany(operation, parameters)
        return _outcome(cursor)
    finally:
        cursor.close()


def _begin(connection: sqlite3.Connection, cursor: sqlite3.Cursor, beginning: str | None) -> None:
    if beginning is not None and not connection.in_transaction:
        cursor.execute(beginning)


def _outcome(cursor: sqlite3.Cursor) -> _Outcome:
    return _Outcome(cursor.description, cursor.rowcount, cursor.lastrowid)
