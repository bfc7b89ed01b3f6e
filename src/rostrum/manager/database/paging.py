"""Filters, text search, order and pages of lists."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import Boolean, ColumnElement, Row, Select, bindparam, func, literal, select
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.database import tables
from rostrum.manager.database.conditions import (
    FEW,
    Condition,
    is_never_null,
    linked,
    matching,
    searched,
    true_or_false,
    within,
)
from rostrum.manager.database.links import Links
from rostrum.manager.database.words import Words

Item = TypeVar("Item")

_MOST_BUILT = 100
"""The maximum number of statements that a list keeps; clients choose the order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """The requested part of a list.

    Attributes:
        sort: Names of fields; a leading ``-`` means descending order.
        text: The text that one of the searched fields must contain.
        filters: The required value of each field: a value, a pattern with ``*``, or a period of time.

    """

    limit: int = 50
    offset: int = 0
    sort: tuple[str, ...] = ()
    text: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[Item]):
    """One page of a list, and the total number of items.

    Attributes:
        more: Whether the list is longer than the total; counting stopped at this number.

    """

    items: tuple[Item, ...]
    total: int
    more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The rows of a page, and the total number of rows."""

    rows: Sequence[Row[Any]]
    total: int
    more: bool = False

    def page(self, items: Iterable[Item]) -> Page[Item]:
        """Create the page from the converted rows."""
        return Page(items=tuple(items), total=self.total, more=self.more)


class _Built(NamedTuple):
    """The statements of a list without filters: one page, and the number of all rows."""

    page: Select[Any]
    length: Select[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """How a resource is listed.

    Attributes:
        fields: The column of each API name, for filters and order.
        searched: The fields that the text search covers.
        key: The field that identifies a row; it determines the default order and the order of equal rows.
        links: Further filters: the lists of names that belong to the rows, one of which must contain the value.
        lists: Further filters: functions that create the condition for a value.
        starred: Fields in which ``*`` alone is a value instead of a pattern that matches any text.
        words: The index for text search, if any.

    """

    fields: Mapping[str, ColumnElement[Any]]
    searched: Sequence[str]
    key: str
    links: Mapping[str, Links] = field(default_factory=dict)
    lists: Mapping[str, Callable[[str], ColumnElement[bool]]] = field(default_factory=dict)
    starred: frozenset[str] = frozenset()
    words: Words | None = None
    _built: dict[tuple[Select[Any], tuple[str, ...]], _Built] = field(default_factory=dict, repr=False)

    async def page(self, connection: AsyncConnection, statement: Select[Any], query: Query) -> Found:
        """Read one page of rows, and count all rows; in long lists, counting can stop at a limit."""
        self._check(query)
        if not query.filters and not query.text and statement.whereclause is None:
            return await self._complete(connection, statement, query)
        ordered = statement.order_by(*self._order(query)).offset(query.offset)
        conditions = self._conditions(query)
        if len(conditions) <= 1 and all(condition.is_counted for condition in conditions):
            return await self._counted(connection, ordered, query, conditions)
        return await self._looked_for(connection, ordered, query, conditions)

    async def _complete(self, connection: AsyncConnection, statement: Select[Any], query: Query) -> Found:
        """Read a page of all rows; the statements are built once for each order."""
        key = (statement, query.sort)
        if key not in self._built:
            if len(self._built) >= _MOST_BUILT:
                self._built.clear()
            ordered = statement.order_by(*self._order(query))
            page = ordered.limit(bindparam("its_limit")).offset(bindparam("its_offset"))
            self._built[key] = _Built(page, _length_of(statement))
        built = self._built[key]
        place = {"its_limit": query.limit, "its_offset": query.offset}
        rows = (await connection.execute(built.page, place)).all()
        if len(rows) < query.limit and (rows or not query.offset):
            # The last page: the rows before it were counted by its offset.
            return Found(rows=rows, total=query.offset + len(rows))
        return Found(rows=rows, total=await connection.scalar(built.length) or 0)

    async def _counted(
        self, connection: AsyncConnection, ordered: Select[Any], query: Query, conditions: Sequence[Condition]
    ) -> Found:
        total = await self._total(connection, ordered, query, conditions)
        # The number of matching rows, which SQLite's planner does not know, determines the faster form.
        forms = [condition.found if total <= FEW else condition.checked for condition in conditions]
        rows = await connection.execute(ordered.where(*forms).limit(query.limit))
        return Found(rows=rows.all(), total=total)

    async def _total(
        self, connection: AsyncConnection, ordered: Select[Any], query: Query, conditions: Sequence[Condition]
    ) -> int:
        others = conditions[0].otherwise if conditions else None
        if others is None:
            return await connection.scalar(self._count(ordered, query, conditions)) or 0
        few = await connection.scalar(_number_of(ordered.where(conditions[0].found), FEW + 1)) or 0
        if few <= FEW:
            return few
        # Counting all rows and subtracting the few others is faster than counting most rows.
        everything, rest = _length_of(ordered), _length_of(ordered.where(others))
        return await connection.scalar(select(everything.scalar_subquery() - rest.scalar_subquery())) or 0

    async def _looked_for(
        self, connection: AsyncConnection, ordered: Select[Any], query: Query, conditions: Sequence[Condition]
    ) -> Found:
        forms, is_rare = await _quicker(connection, conditions)
        if is_rare and self.words is not None:
            collected = await self._collected(connection, ordered, query, forms)
            if collected is not None:
                return collected
        # Only long lists have an index for text search.
        most = None if self.words is None else FEW + 1
        total = await connection.scalar(_number_of(ordered.where(*forms), most)) or 0
        if total <= FEW:
            only = [condition.found for condition in conditions] if len(conditions) == 1 else forms
            return Found(rows=(await connection.execute(ordered.where(*only).limit(query.limit))).all(), total=total)
        checked = ordered.where(*(condition.checked for condition in conditions))
        if self.words is None:
            return Found(rows=(await connection.execute(checked.limit(query.limit))).all(), total=total)
        rows = (await connection.execute(checked.limit(query.limit + 1))).all()
        reached = query.offset + len(rows)
        if 0 < len(rows) <= query.limit:
            return Found(rows=rows, total=reached)
        # Clients that request pages until the total is reached must reach the end.
        return Found(rows=rows[: query.limit], total=max(FEW, reached if rows else 0), more=True)

    async def _collected(
        self, connection: AsyncConnection, ordered: Select[Any], query: Query, forms: Sequence[ColumnElement[bool]]
    ) -> Found | None:
        """Read a page of a short list and its length with one statement, because finding the rows costs most.

        Return ``None`` if the list is long, or if the page is empty.
        """
        key = self.fields[self.key]
        some = ordered.where(*forms).order_by(None).offset(None).limit(FEW + 1)
        matched = some.with_only_columns(key.label("key"), maintain_column_froms=True).cte("matched")
        total = select(func.count()).select_from(matched).scalar_subquery().label("number_of_all")
        page = ordered.where(key.in_(select(matched.c.key))).add_columns(total).limit(query.limit)
        rows = (await connection.execute(page)).all()
        if not rows or rows[0].number_of_all > FEW:
            return None
        return Found(rows=rows, total=rows[0].number_of_all)

    async def conditions(self, connection: AsyncConnection, query: Query) -> list[ColumnElement[bool]]:
        """Return the SQL conditions for the rows that a list shows."""
        self._check(query)
        forms, _ = await _quicker(connection, self._conditions(query))
        return forms

    async def keys(
        self, connection: AsyncConnection, query: Query, most: int, *further: ColumnElement[bool]
    ) -> list[str]:
        """Read the keys of all rows that a list shows, in the order of the keys, up to a limit."""
        key = self.fields[self.key]
        forms = await self.conditions(connection, query)
        return list(await connection.scalars(select(key).where(*forms, *further).order_by(key).limit(most)))

    def _check(self, query: Query) -> None:
        known = {*self.fields, *self.links, *self.lists}
        unknown = [name for name in query.filters if name not in known]
        if unknown:
            allowed = ", ".join(sorted(known))
            raise Invalid(
                "unknown filter",
                [Problem(path=name, message=f"is not a filter of this list; use {allowed}") for name in unknown],
            )

    def _conditions(self, query: Query) -> list[Condition]:
        key = self.fields[self.key]
        conditions = []
        for name, wanted in query.filters.items():
            if name in self.links:
                condition = linked(self.links[name], key, wanted)
            elif name in self.lists:
                said = self.lists[name](wanted)
                condition = Condition(said, said)
            elif wanted == "*" and name in self.starred:
                said = self.fields[name] == wanted
                condition = Condition(said, said)
            elif isinstance(self.fields[name].type, Boolean):
                condition = true_or_false(self.fields[name], name, wanted)
            elif isinstance(self.fields[name].type, tables.Instant):
                condition = within(self.fields[name], name, wanted)
            else:
                condition = matching(self.fields[name], name, wanted, self.words)
            conditions.append(condition)
        if query.text:
            conditions.append(searched([self.fields[name] for name in self.searched], query.text, key, self.words))
        return conditions

    def _count(self, ordered: Select[Any], query: Query, conditions: Sequence[Condition]) -> Select[int]:
        name = next(iter(query.filters), "")
        if name in self.links and ordered.whereclause is None:
            # The rows of this table belong to existing documents, so the documents need not be read.
            links = self.links[name]
            return select(func.count()).select_from(links.table).where(links.value == query.filters[name])
        return _length_of(ordered.where(*(condition.found for condition in conditions)))

    def _order(self, query: Query) -> list[ColumnElement[Any]]:
        # Equal rows have the direction of the last field, so that an index of both can be read in one direction.
        last = "-" if query.sort and query.sort[-1].startswith("-") else ""
        order: list[ColumnElement[Any]] = []
        for name in (*query.sort, f"{last}{self.key}"):
            plain = name.removeprefix("-")
            if plain not in self.fields:
                allowed = ", ".join(sorted(self.fields))
                raise Invalid(
                    "unknown field for sorting", [Problem(path="sort", message=f"{plain!r} is not one of {allowed}")]
                )
            column = self.fields[plain]
            if is_never_null(column):
                order.append(column.desc() if name.startswith("-") else column.asc())
            else:
                # By default, one database sorts missing values first, and the other sorts them last.
                order.append(column.desc().nulls_last() if name.startswith("-") else column.asc().nulls_first())
        return order


def _length_of(listed: Select[Any]) -> Select[int]:
    return listed.order_by(None).offset(None).with_only_columns(func.count(), maintain_column_froms=True)


def _number_of(listed: Select[Any], most: int | None) -> Select[int]:
    """Count the rows of a list, up to a maximum."""
    some = listed.order_by(None).offset(None).limit(most)
    ones = some.with_only_columns(literal(1).label("one"), maintain_column_froms=True).subquery()
    return select(func.count()).select_from(ones)


async def _quicker(
    connection: AsyncConnection, conditions: Sequence[Condition]
) -> tuple[list[ColumnElement[bool]], bool]:
    """Select the faster form of each condition, and return whether one of them matches only few rows."""
    asked = [condition for condition in conditions if condition.is_common is not None]
    common: Sequence[bool] = ()
    if asked:
        questions = (each.is_common.scalar_subquery() for each in asked if each.is_common is not None)
        common = (await connection.execute(select(*questions))).one()
    is_common = {id(condition): bool(answer) for condition, answer in zip(asked, common, strict=True)}
    forms = [each.checked if is_common.get(id(each)) else each.found for each in conditions]
    return forms, not all(is_common.values())
