"""Connections that execute a constant statement again without most of the work of the SQL library."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, cast
from weakref import WeakKeyDictionary

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, CursorResult, Dialect, Executable
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.compiler import SQLCompiler

from rostrum.manager.content_versions import ContentTopic
from rostrum.manager.database.content_versions import TOPIC_OPTION, note_topic, topic_of
from rostrum.manager.database.sqlite_driver import SqliteConnection

_Convert = Callable[[Any], Any]


class _Value(Struct, frozen=True):
    """A parameter of a statement.

    Attributes:
        name: Its name among the parameters that are given; ``None`` if its value never changes.
        convert: Converts the value into the stored one, if necessary.

    """

    name: str | None
    convert: _Convert | None
    constant: Any = None


class _Plan(Struct):
    """What is needed to execute a statement again.

    Attributes:
        columns: The columns of its rows; none if it returns no rows.
        converters: Convert the values of a row; ``None`` until the database has described the rows.

    """

    sql: str
    values: tuple[_Value, ...]
    columns: tuple[ColumnElement[Any], ...]
    metadata: SimpleResultMetaData
    topic: ContentTopic | None
    converters: list[_Convert | None] | None = None


_Key = tuple[str, tuple[str, ...], bool]
"""The kind of the database, the names of the parameters that are given, and whether there are several sets of them."""
_NO_COLUMNS = SimpleResultMetaData(())
_NO_VALUES: tuple[dict[str, Any], ...] = ({},)

_known: WeakKeyDictionary[Executable, dict[_Key, Any]] = WeakKeyDictionary()
"""Statements that were executed: once, with the names of their columns, or repeatedly, with a plan.

``None`` stands for statements that need the library each time.
"""


class _Result(IteratorResult[Any]):
    """The rows of a statement, and how many it changed."""

    def __init__(self, metadata: SimpleResultMetaData, rows: Sequence[Any], rowcount: int) -> None:
        super().__init__(metadata, iter(rows))
        self.rowcount = rowcount


class QuickConnection(AsyncConnection):
    """A connection that plans a statement when the same object is executed for the second time.

    For each execution, the library derives a key, looks up the compiled text, creates a context and describes the rows.
    This takes longer than the statement. Statements that are built for one request are executed by the library.
    """

    __slots__ = ()

    async def execute(
        self, statement: Executable, parameters: Any = None, *, execution_options: Any = None
    ) -> CursorResult[Any]:
        rows = _rows(parameters)
        sync = self.sync_connection
        if rows is None or sync is None or not _is_usual(sync):
            return await super().execute(statement, parameters, execution_options=execution_options)
        key = (sync.dialect.name, tuple(rows[0]), len(rows) > 1)
        plans = _known.get(statement)
        known = None if plans is None else plans.get(key)
        if type(known) is not _Plan:
            result = await super().execute(statement, parameters, execution_options=execution_options)
            _learn(sync.dialect, statement, rows[0], key, result)
            return result
        topic = known.topic
        if execution_options:
            if list(execution_options) != [TOPIC_OPTION]:
                return await super().execute(statement, parameters, execution_options=execution_options)
            topic = execution_options[TOPIC_OPTION]
        if topic is not None:
            note_topic(sync, topic)
        values = [_ordered(known, row) for row in rows]
        opened = sync.connection.dbapi_connection
        if isinstance(opened, SqliteConnection):
            return cast("CursorResult[Any]", await self._run_on_file(opened, sync, known, values))
        return cast("CursorResult[Any]", await self.run_sync(_run, known, values))

    async def exec_driver_sql(
        self, statement: str, parameters: Any = None, execution_options: Any = None
    ) -> CursorResult[Any]:
        """Execute SQL text for many rows of values."""
        sync = self.sync_connection
        if type(parameters) is list and parameters and sync is not None and _is_usual(sync):
            opened = sync.connection.dbapi_connection
            if isinstance(opened, SqliteConnection):
                plan = _Plan(statement, (), (), _NO_COLUMNS, None)
                return cast("CursorResult[Any]", await self._run_on_file(opened, sync, plan, parameters))
        return await super().exec_driver_sql(statement, parameters, execution_options)

    async def _run_on_file(
        self, opened: SqliteConnection, sync: Connection, plan: _Plan, rows: list[tuple[Any, ...]]
    ) -> _Result:
        """Execute a statement without the greenlet that drivers need for the library."""
        try:
            if sync.get_transaction() is None:
                sync.begin()
            if len(rows) > 1:
                return _Result(plan.metadata, (), (await opened.execute_many(plan.sql, rows)).rowcount)
            outcome, found = await opened.execute_once(plan.sql, rows[0])
            if plan.columns:
                found = _converted(sync.dialect, plan, outcome.description, found)
            return _Result(plan.metadata, found, outcome.rowcount)
        except BaseException as error:  # noqa: BLE001 - always raised again
            await self.run_sync(_fail, error, plan, None)


def _rows(parameters: Any) -> Sequence[dict[str, Any]] | None:
    """Return the sets of values of a statement; ``None`` if they have an unusual form."""
    if parameters is None:
        return _NO_VALUES
    if type(parameters) is dict:
        return (parameters,)
    return parameters if type(parameters) is list and parameters and type(parameters[0]) is dict else None


def _ordered(plan: _Plan, given: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the values as the driver expects them."""
    values: list[Any] = []
    for each in plan.values:
        if each.name is None:
            values.append(each.constant)
        else:
            value = given[each.name]
            values.append(value if each.convert is None else each.convert(value))
    return tuple(values)


def _is_usual(sync: Connection) -> bool:
    """Return whether the transaction can be used, and nothing but the counting of changes watches statements."""
    transaction, nested = sync.get_transaction(), sync.get_nested_transaction()
    return (
        not sync.invalidated
        and not sync.closed
        and (transaction is None or transaction.is_active)
        and (nested is None or nested.is_active)
        and len(sync.dispatch.before_execute) == 1
        and not sync.dispatch.before_cursor_execute
    )


def _learn(
    dialect: Dialect, statement: Executable, given: Mapping[str, Any], key: _Key, result: CursorResult[Any]
) -> None:
    """Remember that a statement was executed: the first time the names of its columns, the second time its plan."""
    plans = _known.setdefault(statement, {})
    if key not in plans:
        names = tuple(result.keys()) if result.returns_rows else ()
        plans[key] = None if names and key[2] else names
    elif plans[key] is not None and type(plans[key]) is not _Plan:
        # Another task can have planned it in the meantime.
        plans[key] = _planned(dialect, statement, given, plans[key], is_many=key[2])


def _planned(
    dialect: Dialect, statement: Any, given: Mapping[str, Any], names: tuple[str, ...], *, is_many: bool
) -> _Plan | None:
    """Plan a statement, unless its text or its values depend on more than the values that are given."""
    options = statement.get_execution_options()
    columns = tuple(getattr(statement, "exported_columns", ())) if names else ()
    if len(columns) != len(names) or set(options) - {TOPIC_OPTION}:
        return None
    compiled = statement.compile(dialect=dialect, column_keys=sorted(given), for_executemany=is_many)
    if not _is_fixed(compiled, given):
        return None
    given_names = {
        name: bind.key if bind.key in given else name if name in given else None
        for bind, name in compiled.bind_names.items()
    }
    converters = {
        name: bind.type.dialect_impl(dialect).bind_processor(dialect) for bind, name in compiled.bind_names.items()
    }
    # Lists of constants become part of the text.
    state = compiled.construct_expanded_state(dict(given), escape_names=False)
    converters.update(state.processors)
    values: list[_Value] = []
    for name in state.positiontup or ():
        convert, its_name = converters.get(name), given_names.get(name)
        if its_name is not None:
            values.append(_Value(its_name, convert))
        else:
            value = state.parameters[name]
            values.append(_Value(None, None, value if convert is None else convert(value)))
    metadata = SimpleResultMetaData(names, [(column,) for column in columns])
    return _Plan(state.statement, tuple(values), columns, metadata, topic_of(statement, options))


def _is_fixed(compiled: Any, given: Mapping[str, Any]) -> bool:
    """Return whether the text and the constants of a statement are the same each time."""
    if not isinstance(compiled, SQLCompiler) or not compiled.positional:
        return False
    needs_library = (
        compiled.insert_prefetch,
        compiled.update_prefetch,
        compiled.literal_execute_params,
        compiled.implicit_returning,
        compiled.has_out_parameters,
        any(bind.key in given for bind in compiled.post_compile_params),
        any(bind.callable is not None for bind in compiled.bind_names),
    )
    return not any(needs_library)


def _run(sync: Connection, plan: _Plan, rows: list[tuple[Any, ...]]) -> _Result:
    if sync.get_transaction() is None:
        sync.begin()
    cursor: Any = sync.connection.cursor()
    try:
        if len(rows) == 1:
            cursor.execute(plan.sql, rows[0])
        else:
            cursor.executemany(plan.sql, rows)
        found = _converted(sync.dialect, plan, cursor.description, cursor.fetchall()) if plan.columns else ()
        return _Result(plan.metadata, found, cursor.rowcount)
    except BaseException as error:  # noqa: BLE001 - always raised again
        _fail(sync, error, plan, cursor)
    finally:
        cursor.close()


def _converted(dialect: Dialect, plan: _Plan, description: Any, rows: Sequence[Any]) -> Sequence[Any]:
    """Return the rows with the values that the types of their columns promise."""
    if plan.converters is None:
        described = zip(plan.columns, description, strict=True)
        types = [(column.type.dialect_impl(dialect), code) for column, (_name, code, *_rest) in described]
        plan.converters = [its_type.result_processor(dialect, code) for its_type, code in types]
    if not any(plan.converters):
        return rows
    return [
        tuple([value if change is None else change(value) for change, value in zip(plan.converters, row, strict=True)])
        for row in rows
    ]


def _fail(sync: Connection, error: BaseException, plan: _Plan, cursor: Any) -> NoReturn:
    """Raise an error as the library does, and discard a connection that is lost or in an unknown state."""
    dialect, base = sync.dialect, sync.dialect.loaded_dbapi.Error
    raised = error
    # The statement may still run if its task was cancelled.
    is_lost = not isinstance(error, Exception)
    if isinstance(error, base):
        is_lost = dialect.is_disconnect(error, sync.connection.dbapi_connection, cursor)
        raised = DBAPIError.instance(
            plan.sql, None, error, base, hide_parameters=True, connection_invalidated=is_lost, dialect=dialect
        )
    if is_lost:
        sync.invalidate(error)
    if raised is error:
        raise error
    raise raised from error
