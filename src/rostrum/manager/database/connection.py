"""Connections that execute a constant statement again without most of the work of the SQL library."""

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, NoReturn, cast
from weakref import WeakKeyDictionary

from msgspec import Struct
from sqlalchemy import Compiled, Connection, CursorResult, Dialect, Executable
from sqlalchemy.engine.cursor import _NO_RESULT_METADATA
from sqlalchemy.engine.result import IteratorResult
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.util import greenlet_spawn

from rostrum.manager.content_versions import ContentTopic
from rostrum.manager.database.content_versions import TOPIC_OPTION, note_topic, topic_of

__all__ = ["QuickConnection", "QuickEngine"]

_RUN = {"sqlite": "_execute_async", "postgresql": "_prepare_and_execute"}
"""The method of each driver's cursor that executes a statement, without a greenlet."""

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


_Key = tuple[str, tuple[str, ...]]
"""The kind of the database, and the names of the parameters that are given."""

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
        given: Mapping[str, Any] | None = {} if parameters is None else parameters
        sync = self.sync_connection
        if type(given) is not dict or sync is None or not _is_usual(sync):
            return await super().execute(statement, parameters, execution_options=execution_options)
        key = (sync.dialect.name, tuple(given))
        plans = _known.get(statement)
        known = None if plans is None else plans.get(key)
        if type(known) is not _Plan:
            return await self._execute_and_learn(statement, given, execution_options, key)
        topic = known.topic
        if execution_options:
            if list(execution_options) != [TOPIC_OPTION]:
                return await super().execute(statement, parameters, execution_options=execution_options)
            topic = execution_options[TOPIC_OPTION]
        if topic is not None:
            note_topic(sync, topic)
        values = tuple(
            [
                (each.constant if each.name is None else given[each.name])
                if each.convert is None
                else each.convert(given[each.name])
                for each in known.values
            ]
        )
        return cast("CursorResult[Any]", await _run(sync, known, values))

    async def _execute_and_learn(
        self, statement: Executable, given: dict[str, Any], options: Any, key: _Key
    ) -> CursorResult[Any]:
        result = await super().execute(statement, given or None, execution_options=options)
        plans = _known.setdefault(statement, {})
        sync = self.sync_connection
        if key not in plans:
            metadata: Any = result._metadata  # noqa: SLF001
            is_constant = metadata is _NO_RESULT_METADATA or metadata._safe_for_cache  # noqa: SLF001
            plans[key] = metadata if is_constant else None
        elif plans[key] is not None and sync is not None:
            plans[key] = _planned(sync, statement, given, plans[key])
        return result


class QuickEngine(AsyncEngine):
    """An engine with such connections."""

    _connection_cls = QuickConnection


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


def _planned(sync: Connection, statement: Any, given: Mapping[str, Any], metadata: Any) -> _Plan | None:
    """Plan a statement, unless its text or its values depend on more than the values that are given."""
    dialect: Dialect = sync.dialect
    options = sync.get_execution_options()
    cache = options.get("compiled_cache", sync.engine._compiled_cache)  # noqa: SLF001
    compiled, extracted, collected, _hit = statement._compile_w_cache(  # noqa: SLF001
        dialect, compiled_cache=cache, column_keys=sorted(given), for_executemany=False, schema_translate_map=None
    )
    if not _is_fixed(compiled) or set(statement._execution_options) - {TOPIC_OPTION}:  # noqa: SLF001
        return None
    constants = compiled.construct_params(
        dict(given), extracted_parameters=extracted, escape_names=False, _collected_params=collected
    )
    names = {
        name: bind.key if bind.key in given else name if name in given else None
        for bind, name in compiled.bind_names.items()
    }
    if any(bind.callable is not None for bind in compiled.bind_names):
        return None
    converters = compiled._bind_processors  # noqa: SLF001
    values = []
    for name in compiled.positiontup:
        convert = converters.get(name)
        if names[name] is None:
            value = constants[name]
            values.append(_Value(None, None, value if convert is None else convert(value)))
        else:
            values.append(_Value(names[name], convert))
    return _Plan(compiled.string, tuple(values), metadata, topic_of(statement, statement._execution_options))  # noqa: SLF001


def _is_fixed(compiled: Compiled | Any) -> bool:
    return not (
        not isinstance(compiled, SQLCompiler)
        or not compiled.positional
        or compiled.insert_prefetch
        or compiled.update_prefetch
        or compiled.literal_execute_params
        or compiled.post_compile_params
        or compiled.implicit_returning
        or compiled.has_out_parameters
    )


async def _run(sync: Connection, plan: _Plan, values: tuple[Any, ...]) -> _Result:
    if sync._transaction is None:  # noqa: SLF001
        sync._autobegin()  # noqa: SLF001
    opened: Any = sync.connection.dbapi_connection
    cursor: Any = opened.cursor()
    try:
        await getattr(cursor, _RUN[sync.dialect.name])(plan.sql, values)
    except BaseException as error:  # noqa: BLE001 - always raised again
        await greenlet_spawn(_fail, sync, error, plan.sql, values)
    return _Result(plan.metadata, cursor._rows, cursor.rowcount)  # noqa: SLF001


def _fail(sync: Connection, error: BaseException, sql: str, values: tuple[Any, ...]) -> NoReturn:
    """Convert an error as the library does; it also discards connections that are lost or in an unknown state."""
    opened: Any = sync.connection.dbapi_connection
    try:
        _raise(opened, error)
    except BaseException as raised:  # noqa: BLE001 - always raised again
        sync._handle_dbapi_exception(raised, sql, values, None, _CONTEXT)  # noqa: SLF001


def _raise(opened: Any, error: BaseException) -> NoReturn:
    """Raise an error of a driver as one of the interface that the library expects."""
    if isinstance(error, Exception):
        opened._handle_exception(error)  # noqa: SLF001
    raise error
