"""Filters, words, order and page of a list, the same way for every resource."""

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Integer, Row, Select, String, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.storage.query import Query

__all__ = ["Listing"]

_TRUTH = {"true": True, "false": False}
_WHOLE_NUMBER = re.compile("-?[0-9]{1,9}")
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """How a resource is listed.

    Attributes:
        fields: Name on the wire to the column, for filters and order.
        searched: Names among them that words are looked for in.
        key: The field that settles the order among equals, and the order when none is asked for.
        lists: Further filters that are not a column: name to a function that makes the condition.

    """

    fields: Mapping[str, ColumnElement[Any]]
    searched: Sequence[str]
    key: str
    lists: Mapping[str, Callable[[str], ColumnElement[bool]]]

    async def page(
        self, connection: AsyncConnection, statement: Select[Any], query: Query
    ) -> tuple[Sequence[Row[Any]], int]:
        """Read one page of rows, and count them all."""
        statement = self._filtered(statement, query)
        total = await connection.scalar(select(func.count()).select_from(statement.order_by(None).subquery()))
        ordered = statement.order_by(*self._order(query)).limit(query.limit).offset(query.offset)
        return (await connection.execute(ordered)).all(), total or 0

    def _filtered(self, statement: Select[Any], query: Query) -> Select[Any]:
        unknown = [name for name in query.filters if name not in self.fields and name not in self.lists]
        if unknown:
            allowed = ", ".join(sorted({*self.fields, *self.lists}))
            raise Invalid(
                "unknown filter", [Problem(path=name, message=f"not a filter here; use {allowed}") for name in unknown]
            )
        for name, wanted in query.filters.items():
            make = self.lists.get(name)
            statement = statement.where(make(wanted) if make else _matches(self.fields[name], name, wanted))
        if query.text:
            words = _like(f"*{query.text}*")
            statement = statement.where(
                or_(*(func.lower(self.fields[name]).like(words, escape="\\") for name in self.searched))
            )
        return statement

    def _order(self, query: Query) -> list[ColumnElement[Any]]:
        order: list[ColumnElement[Any]] = []
        for name in (*query.sort, self.key):
            plain = name.removeprefix("-")
            if plain not in self.fields:
                allowed = ", ".join(sorted(self.fields))
                raise Invalid("unknown sort", [Problem(path="sort", message=f"{plain!r} is not one of {allowed}")])
            column = self.fields[plain]
            # Left alone, one database puts what is missing first and the other last.
            order.append(column.desc().nulls_last() if name.startswith("-") else column.asc().nulls_first())
        return order


def _matches(column: ColumnElement[Any], name: str, wanted: str) -> ColumnElement[bool]:
    kind = column.type
    if isinstance(kind, Boolean):
        if wanted not in _TRUTH:
            raise Invalid("wrong filter", [Problem(path=name, message="must be true or false")])
        return column.is_(_TRUTH[wanted])
    if isinstance(kind, Integer):
        if not _WHOLE_NUMBER.fullmatch(wanted):
            raise Invalid("wrong filter", [Problem(path=name, message="must be a whole number")])
        return column == int(wanted)
    if not isinstance(kind, String):
        raise Invalid("wrong filter", [Problem(path=name, message="can be sorted by, not filtered")])
    if "*" in wanted:
        return func.lower(column).like(_like(wanted), escape="\\")
    return column == wanted


def _like(pattern: str) -> str:
    escaped = pattern.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace("*", "%")
    # The databases fold ASCII letters only; folding more here would miss what they keep.
    return escaped.translate(_ASCII_LOWER)
