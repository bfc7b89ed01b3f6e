"""SQL statements that all databases of a test process compile once: most tests open a database of their own."""

from typing import Any

from sqlalchemy import Connection, Engine, event

_MOST = 2000


class _Statements(dict[Any, Any]):
    """What SQLAlchemy keeps for each engine, for all of one kind: what it compiles depends on nothing else here."""

    def get(self, key: Any, default: Any = None, /) -> Any:
        return super().get(_of_kind(key), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        if len(self) >= _MOST:
            self.clear()
        super().__setitem__(_of_kind(key), value)


def share_compiled_statements() -> None:
    """Let all engines of this process share their compiled statements from now on."""
    statements = _Statements()

    @event.listens_for(Engine, "engine_connect")
    def _use(connection: Connection) -> None:
        connection.execution_options(compiled_cache=statements)


def _of_kind(key: Any) -> Any:
    dialect, *statement = key
    return (type(dialect), *statement)
