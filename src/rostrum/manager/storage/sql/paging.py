"""Filters, words, order and page of a list, the same way for every resource."""

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Boolean, Column, ColumnElement, Integer, Row, Select, String, Table, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.storage.query import Query
from rostrum.manager.storage.sql.links import Links

__all__ = ["Listing"]

_LAST_BEFORE_SURROGATES = "\ud7ff"
_TRUTH = {"true": True, "false": False}
_WHOLE_NUMBER = re.compile("-?[0-9]{1,9}")
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


_FEW = 2000
"""Up to so many rows are collected and then put in order; of more, the order is walked until a page is full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """How a resource is listed.

    Attributes:
        fields: Name on the wire to the column, for filters and order.
        searched: Names among them that words are looked for in.
        key: The field that settles the order among equals, and the order when none is asked for.
        links: Further filters: name to the lists of names, owned by the key, of which one must hold what is wanted.
        lists: Further filters of other kinds: name to a function that makes the condition.
        starred: Names of fields in which a lone ``*`` is a value, and no pattern that everything matches.

    """

    fields: Mapping[str, ColumnElement[Any]]
    searched: Sequence[str]
    key: str
    links: Mapping[str, Links] = field(default_factory=dict)
    lists: Mapping[str, Callable[[str], ColumnElement[bool]]] = field(default_factory=dict)
    starred: frozenset[str] = frozenset()

    async def page(
        self, connection: AsyncConnection, statement: Select[Any], query: Query
    ) -> tuple[Sequence[Row[Any]], int]:
        """Read one page of rows, and count them all."""
        self._check(query)
        total = await connection.scalar(self._count(statement, query)) or 0
        # No planner of SQLite's can know how many rows a condition holds for; we do now.
        rows = self._filtered(statement, query, few=total <= _FEW)
        ordered = rows.order_by(*self._order(query)).limit(query.limit).offset(query.offset)
        return (await connection.execute(ordered)).all(), total

    def _check(self, query: Query) -> None:
        known = {*self.fields, *self.links, *self.lists}
        unknown = [name for name in query.filters if name not in known]
        if unknown:
            allowed = ", ".join(sorted(known))
            raise Invalid(
                "unknown filter", [Problem(path=name, message=f"not a filter here; use {allowed}") for name in unknown]
            )

    def _count(self, statement: Select[Any], query: Query) -> Select[int]:
        names = list(query.filters)
        if len(names) == 1 and names[0] in self.links and not query.text and statement.whereclause is None:
            # The lists alone tell it: whoever has one is there.
            links = self.links[names[0]]
            return select(func.count()).select_from(links.table).where(links.value == query.filters[names[0]])
        filtered = self._filtered(statement, query, few=True).order_by(None)
        return filtered.with_only_columns(func.count(), maintain_column_froms=True)

    def _filtered(self, statement: Select[Any], query: Query, *, few: bool) -> Select[Any]:
        """Ask for what is wanted, in a form that finds few rows quickly or one that finds the first of many."""
        key = self.fields[self.key]
        is_only = len(query.filters) == 1 and not query.text
        for name, wanted in query.filters.items():
            if name in self.links:
                links = self.links[name]
                condition = links.among(key, wanted) if few else links.holds(key, [wanted])
            elif name in self.lists:
                condition = self.lists[name](wanted)
            elif wanted == "*" and name in self.starred:
                condition = self.fields[name] == wanted
            elif isinstance(self.fields[name].type, Boolean):
                condition = _is(self.fields[name], name, wanted, by_index=few and is_only)
            else:
                condition = _matches(self.fields[name], name, wanted, by_index=few)
            statement = statement.where(condition)
        if query.text:
            words = _like(f"*{query.text}*")
            found = or_(*(_folded(self.fields[name]).like(words, escape="\\") for name in self.searched))
            # Looked for in what is searched alone: in the order of the page, every row would have to be fetched.
            within = isinstance(key, Column) and isinstance(key.table, Table) and few
            statement = statement.where(key.in_(select(key).where(found).correlate(None)) if within else found)
        return statement

    def _order(self, query: Query) -> list[ColumnElement[Any]]:
        # Among equals in the direction of the last field, so that an index of both can be walked one way.
        last = "-" if query.sort and query.sort[-1].startswith("-") else ""
        order: list[ColumnElement[Any]] = []
        for name in (*query.sort, f"{last}{self.key}"):
            plain = name.removeprefix("-")
            if plain not in self.fields:
                allowed = ", ".join(sorted(self.fields))
                raise Invalid("unknown sort", [Problem(path="sort", message=f"{plain!r} is not one of {allowed}")])
            column = self.fields[plain]
            if _is_always_there(column):
                order.append(column.desc() if name.startswith("-") else column.asc())
            else:
                # Left alone, one database puts what is missing first and the other last.
                order.append(column.desc().nulls_last() if name.startswith("-") else column.asc().nulls_first())
        return order


def _is(column: ColumnElement[Any], name: str, wanted: str, *, by_index: bool) -> ColumnElement[bool]:
    if wanted not in _TRUTH:
        raise Invalid("wrong filter", [Problem(path=name, message="must be true or false")])
    if by_index or not _is_always_there(column):
        return column.is_(_TRUTH[wanted])
    # Half of the rows are not worth an index, and there is none for what something is not.
    return column.is_not(not _TRUTH[wanted])


def _is_always_there(column: ColumnElement[Any]) -> bool:
    # A column of a subquery may come from an outer join.
    return isinstance(column, Column) and isinstance(column.table, Table) and not column.nullable


def _matches(column: ColumnElement[Any], name: str, wanted: str, *, by_index: bool) -> ColumnElement[bool]:
    kind = column.type
    if isinstance(kind, Integer):
        if not _WHOLE_NUMBER.fullmatch(wanted):
            raise Invalid("wrong filter", [Problem(path=name, message="must be a whole number")])
        return column == int(wanted)
    if not isinstance(kind, String):
        raise Invalid("wrong filter", [Problem(path=name, message="can be sorted by, not filtered")])
    if "*" not in wanted:
        return column == wanted
    beginning = wanted.removesuffix("*").translate(_ASCII_LOWER)
    if by_index and beginning and "*" not in beginning and beginning[-1] < _LAST_BEFORE_SURROGATES:
        # The same as the pattern below; the databases know that an index serves it.
        return and_(func.lower(column) >= beginning, func.lower(column) < beginning[:-1] + chr(ord(beginning[-1]) + 1))
    return _folded(column).like(_like(wanted), escape="\\")


class _folded(FunctionElement[str]):  # noqa: N801 - reads as the function of SQL that it is
    """Text whose letter case does not count in a pattern; its own comparison is SQLite's, and costs it a third."""

    type = String()
    inherit_cache = True


@compiles(_folded)
def _lower(element: _folded, compiler: Any, **options: Any) -> str:
    return f"lower({compiler.process(element.clauses, **options)})"


@compiles(_folded, "sqlite")
def _as_it_is(element: _folded, compiler: Any, **options: Any) -> str:
    text: str = compiler.process(element.clauses, **options)
    return text


def _like(pattern: str) -> str:
    escaped = pattern.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace("*", "%")
    # The databases fold ASCII letters only; folding more here would miss what they keep.
    return escaped.translate(_ASCII_LOWER)
