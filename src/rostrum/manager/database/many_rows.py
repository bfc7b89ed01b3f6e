"""Writes many rows with one statement, without the cost of the SQL library for each row and each value."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import (
    ARRAY,
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Delete,
    Dialect,
    Insert,
    Select,
    Table,
    Text,
    TextClause,
    Update,
    any_,
    bindparam,
    func,
    select,
    text,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import TypeEngine

from rostrum.base import json_text
from rostrum.manager.database.content_versions import note_change

_NONE: Mapping[str, Any] = {}


class _Compiled(Struct, frozen=True):
    """A statement as one driver expects it.

    Attributes:
        order: The names of the values, in the order in which the driver expects them; names can occur repeatedly.
        processors: Functions that convert values into stored values, by name; other values are stored unchanged.

    """

    sql: str
    order: Sequence[str]
    processors: Mapping[str, Callable[[Any], Any]]


class ManyRows:
    """A statement that is compiled once for each kind of database, and then runs for any number of rows."""

    def __init__(self, statement: Insert | Delete | TextClause, table: str, names: Sequence[str]) -> None:
        """Use a statement that changes a table; rows are tuples of the values with these names."""
        self._statement = statement
        self._table = table
        self._names = tuple(names)
        self._compiled: dict[str, _Compiled] = {}

    async def execute(
        self, connection: AsyncConnection, rows: Sequence[tuple[Any, ...]], shared: Mapping[str, Any] = _NONE
    ) -> None:
        """Run the statement for each row; values that all rows share are given once, by their names."""
        if not rows:
            return
        name = connection.dialect.name
        if name not in self._compiled:
            self._compiled[name] = self._compile(connection.dialect, shared)
        compiled = self._compiled[name]
        note_change(connection, self._table)
        await connection.exec_driver_sql(compiled.sql, self._values(compiled, rows, shared))

    def _compile(self, dialect: Dialect, shared: Mapping[str, Any]) -> _Compiled:
        made = self._statement.compile(dialect=dialect, column_keys=[*self._names, *shared])
        found = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect) for bind, name in made.bind_names.items()
        }
        processors = {name: processor for name, processor in found.items() if processor is not None}
        return _Compiled(str(made), tuple(made.positiontup or ()), processors)

    def _values(
        self, compiled: _Compiled, rows: Sequence[tuple[Any, ...]], shared: Mapping[str, Any]
    ) -> list[tuple[Any, ...]]:
        # Works column by column: most values are not converted, and no dictionary is needed for each row.
        columns: dict[str, Any] = dict(zip(self._names, zip(*rows, strict=True), strict=True))
        for name, process in compiled.processors.items():
            if name in columns:
                columns[name] = tuple(map(process, columns[name]))
        for name, value in shared.items():
            stored = compiled.processors[name](value) if name in compiled.processors else value
            columns[name] = (stored,) * len(rows)
        return list(zip(*(columns[name] for name in compiled.order), strict=True))


class ByKeys:
    """A query or a change of the rows of many keys, which is built once for each kind of database."""

    def __init__(
        self, build: Callable[..., Select[Any] | CompoundSelect[Any] | Update], *columns: ColumnElement[Any]
    ) -> None:
        """Use a function that returns the statement, given for each column the condition: it has one of the keys."""
        self._build = build
        self._columns = columns
        self._built: dict[str, Select[Any] | CompoundSelect[Any] | Update] = {}

    async def execute(self, connection: AsyncConnection, keys: Sequence[str], values: Mapping[str, Any] = _NONE) -> Any:
        """Run the statement for these keys, with the values of its other parameters; return the result."""
        name = connection.dialect.name
        if name not in self._built:
            parameter = bindparam("keys", type_=_TYPES[name])
            self._built[name] = self._build(*(_one_of(name, column, parameter) for column in self._columns))
        return await connection.execute(self._built[name], {"keys": _parameter(name, keys), **values})

    async def rows(self, connection: AsyncConnection, keys: Sequence[str]) -> Sequence[Any]:
        """Read the rows of these keys, to be unpacked: reading each value by its name takes long."""
        found: Sequence[Any] = (await self.execute(connection, keys)).all()
        return found


class ManyKeys:
    """A statement that derives a row from each of many keys, which are one parameter."""

    def __init__(self, sql: str, table: Table) -> None:
        """Use SQL text that changes a table; ``{keys}`` stands for a table ``its`` with the column ``key``."""
        self._sql = sql
        self._table = table
        self._built: dict[str, TextClause] = {}

    async def execute(self, connection: AsyncConnection, keys: Sequence[str], shared: Mapping[str, Any]) -> None:
        """Run the statement for these keys, with values that all rows share."""
        if not keys:
            return
        name = connection.dialect.name
        if name not in self._built:
            types = {each.name: each.type for each in self._table.columns if each.name in shared}
            values = [bindparam(each, type_=kind) for each, kind in types.items()]
            statement = text(self._sql.format(keys=_TABLES[name]))
            self._built[name] = statement.bindparams(bindparam("keys", type_=_TYPES[name]), *values)
        note_change(connection, self._table.name)
        await connection.execute(self._built[name], {**shared, "keys": _parameter(name, keys)})


def one_of(connection: AsyncConnection, column: ColumnElement[Any], values: Sequence[str]) -> ColumnElement[bool]:
    """Return the SQL condition that a column has one of these values, which are one parameter of the statement."""
    name = connection.dialect.name
    return _one_of(name, column, bindparam(None, _parameter(name, values), _TYPES[name]))


_TYPES: Mapping[str, TypeEngine[Any]] = {"sqlite": Text(), "postgresql": ARRAY(Text)}
"""The type of a parameter that contains many values: a JSON array, or an array."""


_TABLES = {
    "sqlite": "(SELECT value AS key FROM json_each(:keys)) AS its",
    "postgresql": "unnest(:keys) AS its (key)",
}
"""A parameter that contains many values, as a table."""


def _parameter(database: str, values: Sequence[str]) -> str | list[str]:
    return json_text.dump(values).decode() if database == "sqlite" else list(values)


def _one_of(database: str, column: ColumnElement[Any], parameter: BindParameter[Any]) -> ColumnElement[bool]:
    if database == "sqlite":
        return column.in_(select(func.json_each(parameter).table_valued("value").c.value))
    return column == any_(parameter)
