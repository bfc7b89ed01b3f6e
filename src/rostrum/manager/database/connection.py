"""Connections that execute a constant statement again without most of the work of the SQL library."""

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, NoReturn, cast
from weakref import WeakKeyDictionary

from msgspec import Struct
from sqlalchemy import Connection, CursorResult, Executable
from sqlalchemy.engine.cursor import _NO_RESULT_METADATA
from sqlalchemy.engine.result import IteratorResult
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.util import greenlet_spawn

from rostrum.manager.content_versions import ContentTopic
from rostrum.manager.database.content_versions import TOPIC_OPTION, note_topic, topic_of

__all__ = ["QuickConnection", "QuickEngine"]

_RUN = {"sqlite": "_execute_async", "postgresql": "_prepare_and_execute"}
_RUN_MANY = {"sqlite": "_executemany_async", "postgresql": "_executemany"}
"""The methods of each driver's cursor that execute a statement, without a greenlet."""

_CONTEXT: Any = SimpleNamespace(executemany=False, handle_dbapi_exception=lambda _error: None)
"""The part of an execution context that the conversion of errors uses."""


class _Value(Struct, frozen=True):
    """A parameter of a statement.

    Attributes:
        name: Its name among the parameters that are given; ``None`` if its value never changes.
        convert: Converts the value into the stored one, if necessary.

    """

    name: str | None
    convert: Callable[[Any], Any] | None
    constant: Any = None


class _Plan(Struct, frozen=True):
    """What is needed to execute a statement again."""

    sql: str
    values: tuple[_Value, ...]
    metadata: Any
    topic: ContentTopic | None


_Key = tuple[str, tuple[str, ...], bool]
"""The kind of the database, the names of the parameters that are given, and whether there are several sets of them."""
_NO_VALUES: tuple[dict[str, Any], ...] = ({},)

_known: WeakKeyDictionary[Executable, dict[_Key, Any]] = WeakKeyDictionary()
"""Statements that were executed: once, with the description of their rows, or repeatedly, with a plan.

``None`` stands for statements that need the library each time.
"""


class _Result(IteratorResult[Any]):
    """The rows of a statement, and how many it changed."""

    def __init__(self, metadata: Any, rows: Sequence[Any], rowcount: int) -> None:
        super().__init__(metadata, iter(rows))
        self.rowcount = rowcount


class QuickConnection(AsyncConnection):
    """A connection that plans a statement when the same object is executed for the second time.

    For each execution, the library derives a key, looks up the compiled text, creates a context with a cursor, starts a
    greenlet and describes the rows. This takes longer than the statement. Statements that are built for one request are
    executed by the library.
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
            _learn(sync, statement, rows[0], key, result)
            return result
        topic = known.topic
        if execution_options:
            if list(execution_options) != [TOPIC_OPTION]:
                return await super().execute(statement, parameters, execution_options=execution_options)
            topic = execution_options[TOPIC_OPTION]
        if topic is not None:
            note_topic(sync, topic)
        return cast("CursorResult[Any]", await _run(sync, known, [_ordered(known, row) for row in rows]))


class QuickEngine(AsyncEngine):
    """An engine with such connections."""

    _connection_cls = QuickConnection


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


def _learn(
    sync: Connection, statement: Executable, given: Mapping[str, Any], key: _Key, result: CursorResult[Any]
) -> None:
    """Remember that a statement was executed: the first time its rows, the second time its plan."""
    plans = _known.setdefault(statement, {})
    if key not in plans:
        metadata: Any = result._metadata  # noqa: SLF001
        returns_nothing = metadata is _NO_RESULT_METADATA
        is_constant = returns_nothing or (metadata._safe_for_cache and not key[2])  # noqa: SLF001
        plans[key] = metadata if is_constant else None
    elif plans[key] is not None and type(plans[key]) is not _Plan:
        # Another task can have planned it in the meantime.
        plans[key] = _planned(sync, statement, given, plans[key], is_many=key[2])


def _is_usual(sync: Connection) -> bool:
    """Return whether the transaction can be used, and nothing but the counting of changes watches statements."""
    transaction, nested = sync._transaction, sync._nested_transaction  # noqa: SLF001
    return (
        sync._dbapi_connection is not None  # noqa: SLF001
        and (transaction is None or transaction.is_active)
        and (nested is None or nested.is_active)
        and len(sync.dispatch.before_execute) == 1
        and not sync.dispatch.before_cursor_execute
    )


def _planned(
    sync: Connection, statement: Any, given: Mapping[str, Any], metadata: Any, *, is_many: bool
) -> _Plan | None:
    """Plan a statement, unless its text or its values depend on more than the values that are given."""
    cache = sync.get_execution_options().get("compiled_cache", sync.engine._compiled_cache)  # noqa: SLF001
    compiled, extracted, collected, _hit = statement._compile_w_cache(  # noqa: SLF001
        sync.dialect,
        compiled_cache=cache,
        column_keys=sorted(given),
        for_executemany=is_many,
        schema_translate_map=None,
    )
    options = statement._execution_options  # noqa: SLF001
    if not _is_fixed(compiled, given) or set(options) - {TOPIC_OPTION}:
        return None
    constants = compiled.construct_params(
        dict(given), extracted_parameters=extracted, escape_names=False, _collected_params=collected
    )
    names = {
        name: bind.key if bind.key in given else name if name in given else None
        for bind, name in compiled.bind_names.items()
    }
    sql, order, converters = compiled.string, compiled.positiontup, compiled._bind_processors  # noqa: SLF001
    if compiled.post_compile_params:
        # Lists of constants become part of the text.
        expanded = compiled._process_parameters_for_postcompile(constants)  # noqa: SLF001
        sql, order, constants = expanded.statement, expanded.positiontup, expanded.parameters
        converters = {**converters, **expanded.processors}
    values = []
    for name in order:
        convert, its_name = converters.get(name), names.get(name)
        if its_name is not None:
            values.append(_Value(its_name, convert))
        else:
            value = constants[name]
            values.append(_Value(None, None, value if convert is None else convert(value)))
    return _Plan(sql, tuple(values), metadata, topic_of(statement, options))


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


async def _run(sync: Connection, plan: _Plan, rows: list[tuple[Any, ...]]) -> _Result:
    if sync._transaction is None:  # noqa: SLF001
        sync._autobegin()  # noqa: SLF001
    opened: Any = sync.connection.dbapi_connection
    cursor: Any = opened.cursor()
    try:
        if len(rows) == 1:
            await getattr(cursor, _RUN[sync.dialect.name])(plan.sql, rows[0])
        else:
            await getattr(cursor, _RUN_MANY[sync.dialect.name])(plan.sql, rows)
    except BaseException as error:  # noqa: BLE001 - always raised again
        await greenlet_spawn(_fail, sync, error, plan.sql, rows)
    return _Result(plan.metadata, cursor._rows, cursor.rowcount)  # noqa: SLF001


def _fail(sync: Connection, error: BaseException, sql: str, rows: list[tuple[Any, ...]]) -> NoReturn:
    """Convert an error as the library does; it also discards connections that are lost or in an unknown state."""
    opened: Any = sync.connection.dbapi_connection
    try:
        _raise(opened, error)
    except BaseException as raised:  # noqa: BLE001 - always raised again
        sync._handle_dbapi_exception(raised, sql, rows, None, _CONTEXT)  # noqa: SLF001


def _raise(opened: Any, error: BaseException) -> NoReturn:
    """Raise an error of a driver as one of the interface that the library expects."""
    if isinstance(error, Exception):
        opened._handle_exception(error)  # noqa: SLF001
    raise error
