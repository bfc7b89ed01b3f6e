"""Connections to SQLite files that use their thread once for each statement."""

import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

import aiosqlite
from sqlalchemy.dialects.sqlite.aiosqlite import AsyncAdapt_aiosqlite_connection, AsyncAdapt_aiosqlite_cursor
from sqlalchemy.util import await_only


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
        self._cursor, rows = await opened.execute_once(operation, () if parameters is None else parameters)
        self._rows = deque(rows)

    async def _executemany_async(self, operation: Any, seq_of_parameters: Any) -> None:
        opened: Any = self._adapt_connection
        self._cursor = await opened.execute_many(operation, seq_of_parameters)


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

    async def execute_once(self, operation: str, values: Any) -> tuple[_Outcome, Sequence[Any]]:
        """Execute a statement with one set of values; return its outcome and its rows."""
        return cast("tuple[_Outcome, Sequence[Any]]", await self._in_thread(_execute, operation, values))

    async def execute_many(self, operation: str, sets_of_values: Iterable[Any]) -> _Outcome:
        """Execute a statement with several sets of values; return its outcome."""
        return cast("_Outcome", await self._in_thread(_execute_many, operation, sets_of_values))

    async def _in_thread(self, execute: Callable[..., Any], operation: str, values: Any) -> Any:
        connection: Any = self._connection
        try:
            async with self._execute_mutex:
                opened = connection._conn  # noqa: SLF001
                return await connection._execute(execute, opened, self.beginning, operation, values)  # noqa: SLF001
        except Exception as error:  # noqa: BLE001 - always raised again, that of a closed connection as an error of SQLite
            self._handle_exception(error)

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
    connection: sqlite3.Connection, beginning: str | None, operation: str, values: Any
) -> tuple[_Outcome, Sequence[Any]]:
    cursor = connection.cursor()
    try:
        _begin(connection, cursor, beginning)
        cursor.execute(operation, values)
        rows = cursor.fetchall() if cursor.description else ()
        return _outcome(cursor), rows
    finally:
        cursor.close()


def _execute_many(
    connection: sqlite3.Connection, beginning: str | None, operation: str, sets_of_values: Iterable[Any]
) -> _Outcome:
    cursor = connection.cursor()
    try:
        _begin(connection, cursor, beginning)
        cursor.executemany(operation, sets_of_values)
        return _outcome(cursor)
    finally:
        cursor.close()


def _begin(connection: sqlite3.Connection, cursor: sqlite3.Cursor, beginning: str | None) -> None:
    if beginning is not None and not connection.in_transaction:
        cursor.execute(beginning)


def _outcome(cursor: sqlite3.Cursor) -> _Outcome:
    return _Outcome(cursor.description, cursor.rowcount, cursor.lastrowid)
