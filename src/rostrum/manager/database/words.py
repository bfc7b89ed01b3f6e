"""A trigram index, which finds texts without a scan of all rows.

In SQLite, it is a full-text table that triggers keep up to date; in PostgreSQL, an index on an expression. Both can
return rows that do not match (PostgreSQL ignores the order of the trigrams), so callers check the returned rows.
"""

import string
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Column, ColumnElement, String, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType

ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
"""The letters that are matched case-insensitively; the databases fold no others."""

_SHORTEST = 3


class Words(Struct, frozen=True, kw_only=True):
    """The index of one table.

    Attributes:
        key: The column that identifies a row.
        columns: The searched columns, in the order of the migration.

    """

    key: Column[Any]
    columns: Sequence[Column[Any]]

    def may_hold(self, pattern: str) -> ColumnElement[bool] | None:
        """Return the SQL condition for rows that may match a pattern with ``*``; ``None`` if it is too short."""
        longest = max(pattern.split("*"), key=len)
        if len(longest) < _SHORTEST:
            return None
        return _may_hold(self.key, literal(longest.translate(ASCII_LOWER), String()), *self.columns)


class _may_hold(FunctionElement[Any]):  # noqa: N801 - reads as the function of SQL that it is
    """The condition; its arguments are the key, the text, and the indexed columns."""

    # As a boolean, SQLite would compare it with 1, and would not use the index.
    type = NullType()
    inherit_cache = True


@compiles(_may_hold, "sqlite")
def _in_table(element: _may_hold, compiler: Any, **options: Any) -> str:
    key, text = list(element.clauses)[:2]
    name, wanted = key.table.name, compiler.process(text, **options)
    phrase = f"'\"' || replace({wanted}, '\"', '\"\"') || '\"'"
    numbers = f"SELECT rowid FROM {name}_words WHERE {name}_words MATCH {phrase}"  # noqa: S608 - no text of others
    names = f"SELECT name FROM {name}_numbers WHERE number IN ({numbers})"  # noqa: S608
    return f"{compiler.process(key, **options)} IN ({names})"


@compiles(_may_hold, "postgresql")
def _in_index(element: _may_hold, compiler: Any, **options: Any) -> str:
    _, text, *columns = element.clauses
    texts = (f"coalesce(lower({compiler.process(column, **options)}), '')" for column in columns)
    return f"rostrum_trigrams({' || chr(10) || '.join(texts)}) @> rostrum_trigrams({compiler.process(text, **options)})"
