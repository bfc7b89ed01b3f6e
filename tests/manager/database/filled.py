"""Rows in every table, in which changes of stored values are visible."""

from collections.abc import Mapping

from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError

ROWS = 2
RECORDS = ("alembic_version", "schema_migrations")
"""Tables in which each migration is recorded."""
_WORDS = ("users_words", "users_numbers")
"""The index of words on SQLite, to which triggers write."""
VALUES: dict[str, str] = {}
"""Values of columns (``table.column``) for migrations that cannot read the usual ones: a name, or a JSON object."""


def is_index_of_words(table: str) -> bool:
    return table.startswith("users_words")


def fill(connection: Connection) -> None:
    """Add rows to every table that is empty."""
    for table in _tables(connection):
        if not connection.exec_driver_sql(f'SELECT count(*) FROM "{table}"').scalar():
            for number in range(1, ROWS + 1):
                _add(connection, table, number, _types(connection, table))


def refusal_of_old_rows(connection: Connection, table: str, types: Mapping[str, str]) -> str | None:
    """Add a row as an older version does, which knows only some columns, and remove all rows; return what fails.

    Nothing of this remains.
    """
    if table in RECORDS or table.startswith(_WORDS):
        return None
    attempt = connection.begin_nested()
    try:
        _add(connection, table, ROWS + 1, types)
        connection.exec_driver_sql(f'DELETE FROM "{table}"')
    except DBAPIError as error:
        return str(error.orig)
    finally:
        attempt.rollback()
    return None


def _tables(connection: Connection) -> list[str]:
    found = [name for name, _references in inspect(connection).get_sorted_table_and_fkc_names() if name]
    return [name for name in found if name not in RECORDS and not name.startswith(_WORDS)]


def _types(connection: Connection, table: str) -> dict[str, str]:
    columns = inspect(connection).get_columns(table)
    return {column["name"]: str(column["type"]) for column in columns if not column.get("computed")}


def _add(connection: Connection, table: str, number: int, types: Mapping[str, str]) -> None:
    names = ", ".join(f'"{name}"' for name in types)
    values = ", ".join(_value(f"{table}.{name}", kind, number) for name, kind in types.items())
    connection.exec_driver_sql(f'INSERT INTO "{table}" ({names}) VALUES ({values})')


def _value(column: str, kind: str, number: int) -> str:
    """Return a literal whose letters, spaces and size are visible when they change."""
    if column in VALUES:
        return f"'{VALUES[column]}'"
    match kind.upper().split("(")[0].split(" ")[0]:
        case "BOOLEAN":
            return "true" if number % 2 else "false"
        case "BLOB":
            return f"X'0{number}'"
        case "BYTEA":
            return f"'\\x0{number}'"
        case "TEXT":
            return f'\'{{"Name": " Text {number} "}}\''
        case "VARCHAR" | "CHARACTER" | "CHAR":
            return f"' Name {number} '"
        case _:
            return str(number)
