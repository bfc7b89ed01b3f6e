"""Records: what follows from the declaration of a record and its table, so that no topic repeats it.

A record is a frozen dataclass whose members have the names and the types of the API; its table has a column for each.
The metadata of a member states what is special about it, for example ``field(metadata=stored_as("user_id"))``.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from functools import cache
from types import new_class
from typing import Any, ClassVar, Generic, TypeVar, get_type_hints

from pydantic import Field
from pydantic.alias_generators import to_camel
from sqlalchemy import (
    ColumnElement,
    FromClause,
    Row,
    Select,
    Table,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.sql.elements import KeyedColumnElement

from rostrum.base import json_text
from rostrum.base.json_text import raw
from rostrum.contracts.body import ListView, View
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind

Record = TypeVar("Record")

WITHOUT_COLUMN = {"is_computed": True}
"""A member that the repository computes."""

SECRET = {"is_secret": True}
"""A member that responses and the audit log do not contain."""

JSON_TEXT = {"type": dict[str, Any], "json": raw}
"""A member with JSON text, which responses contain as an object."""

NAMES = {
    "type": list[str],
    "json": list,
    "from_row": lambda text: tuple(json_text.parse(text)),
    "to_row": lambda names: json_text.dump(names).decode(),
}
"""A member with a tuple of names, whose column contains JSON text."""


def stored_as(column: str) -> dict[str, str]:
    """Describe a member whose column has another name."""
    return {"column": column}


def converted(
    from_row: Callable[[Any], Any], to_row: Callable[[Any], Any], json: Callable[[Any], Any]
) -> dict[str, Any]:
    """Describe a member whose column and whose responses have values of other types."""
    return {"from_row": from_row, "to_row": to_row, "json": json}


def described(text: str) -> dict[str, str]:
    """Describe a member of responses."""
    return {"description": text}


@cache
def _columns(record: Any, table: FromClause) -> dict[str, KeyedColumnElement[Any]]:
    """Return the column of each member."""
    stored = [member for member in fields(record) if "is_computed" not in member.metadata]
    return {member.name: table.c[member.metadata.get("column", member.name)] for member in stored}


@cache
def _shown(record: Any) -> dict[str, tuple[str, Callable[[Any], Any]]]:
    """Return the name in responses of each member that is not secret, and the conversion of its values."""
    return {
        member.name: (member.metadata.get("name", to_camel(member.name)), member.metadata.get("json", _as_it_is))
        for member in fields(record)
        if "is_secret" not in member.metadata
    }


def as_json(record: Any) -> dict[str, Any]:
    """Return a record as responses contain it."""
    kind: Any = type(record)
    return {name: convert(getattr(record, member)) for member, (name, convert) in _shown(kind).items()}


def to_row(record: Any, table: Table) -> dict[str, Any]:
    """Return the values of the columns of a record."""
    kind: Any = type(record)
    columns, convert = _columns(kind, table), _conversions(kind, "to_row")
    return {str(column.name): convert[name](getattr(record, name)) for name, column in columns.items()}


def from_rows(record: Any, table: FromClause, rows: Iterable[Row[Any]]) -> list[Any]:
    """Return the records of rows that begin with all columns of a table, in their order."""
    names, convert = _names(record, table), _conversions(record, "from_row")
    found = [dict(zip(names, row, strict=False)) for row in rows]
    return [record(**{name: convert[name](value) for name, value in members.items()}) for members in found]


@cache
def _conversions(record: Any, direction: str) -> dict[str, Callable[[Any], Any]]:
    return {member.name: member.metadata.get(direction, _as_it_is) for member in fields(record)}


def listing(
    record: Any, table: FromClause, *searched: str, key: str = "id", without: Collection[str] = (), **options: Any
) -> Listing:
    """Declare the list of records: members that are neither secret nor long texts are filters, and can be sorted."""
    columns = _columns(record, table)
    names = {name: columns[member] for member, (name, _) in _shown(record).items() if member in columns}
    short = {name: one for name, one in names.items() if name not in without and not isinstance(one.type, Text)}
    return Listing(fields=short, searched=searched, key=key, **options)


def view(record: Any, name: str, text: str, **more: tuple[Any, Any]) -> type[View]:
    """Describe a response with a record, for the OpenAPI document; further members have a type and a description."""
    hints, parts = get_type_hints(record), {one.name: one.metadata for one in fields(record)}
    members = {one: parts[one].get("type", hints[one]) for one in _shown(record)}
    texts = {one: Field(description=parts[one]["description"]) for one in members if "description" in parts[one]}
    members |= {one: kind for one, (kind, _) in more.items()}
    texts |= {one: Field(description=said) for one, (_, said) in more.items()}
    return _view(name, View, {"__doc__": text, "__annotations__": members, **texts})


def list_view(item: type[View], name: str, text: str) -> type[View]:
    """Describe a response with one page of records, for the OpenAPI document."""
    return _view(name, ListView, {"__doc__": text, "__annotations__": {"items": list[item]}})  # type: ignore[valid-type]


def _view(name: str, base: type[View], body: Mapping[str, Any]) -> type[View]:
    return new_class(name, (base,), exec_body=lambda members: members.update(body, __module__=__name__))


class Records(Repository, Generic[Record]):
    """The records of one table in one transaction. Changes have audit entries, but no revisions.

    Attributes:
        kind: The kind of the records in the audit log.
        record: The class of the records.
        listing: How the records are listed.
        audited: The members that the audit log contains: usually all that clients set.
        options: Options of the statement that adds a record.

    """

    kind: ClassVar[Kind]
    table: ClassVar[Table]
    record: ClassVar[Any]
    listing: ClassVar[Listing]
    audited: ClassVar[tuple[str, ...]] = ()
    options: ClassVar[Mapping[str, Any]] = {}

    async def get(self, key: str) -> Record | None:
        row = (await self._connection.execute(_one(self.table), {"its_key": key})).one_or_none()
        return None if row is None else self._records([row])[0]

    async def find(self, *which: ColumnElement[bool]) -> list[Record]:
        return self._records((await self._connection.execute(select(self.table).where(*which))).all())

    async def page(self, query: Query, *which: ColumnElement[bool]) -> Page[Record]:
        statement = _all(self.table).where(*which) if which else _all(self.table)
        found = await self.listing.page(self._connection, statement, query)
        return found.page(self._records(found.rows))

    async def keys(self, query: Query, most: int) -> list[str]:
        """Read the keys of all records that a list shows, up to a limit."""
        return await self.listing.keys(self._connection, query, most)

    async def count(self, *which: ColumnElement[bool]) -> int:
        return await self._connection.scalar(select(func.count()).select_from(self.table).where(*which)) or 0

    async def add(self, record: Record) -> None:
        self._note(Action.CREATED, None, record)
        statement = insert(self.table).values(to_row(record, self.table))
        await self._connection.execute(statement, execution_options=self.options)

    async def put(self, before: Record, after: Record) -> None:
        self._note(Action.CHANGED, before, after)
        statement = update(self.table).where(self.table.c.id == _key(after))
        await self._connection.execute(statement.values(to_row(after, self.table)))

    async def remove(self, key: str) -> bool:
        """Delete a record, and return whether it existed."""
        return bool(await self.remove_where(self.table.c.id == key))

    async def remove_where(self, *which: ColumnElement[bool]) -> int:
        """Delete records, with an audit entry for each, and return their number."""
        found = await self.find(*which)
        for record in found:
            self._note(Action.DELETED, record, None)
        if found:
            await self._connection.execute(delete(self.table).where(*which))
        return len(found)

    def _records(self, rows: Iterable[Row[Any]]) -> list[Record]:
        return from_rows(self.record, self.table, rows)

    def _note(self, action: Action, before: Record | None, after: Record | None) -> None:
        states = (None if one is None or not self.audited else self._audited(one) for one in (before, after))
        self._journal.noted(self.kind, _key(before if after is None else after), action, *states)

    def _audited(self, record: Record) -> dict[str, Any]:
        return {name: getattr(record, name) for name in self.audited}


@cache
def _names(record: Any, table: FromClause) -> tuple[str, ...]:
    """Return the names of the members, in the order of the columns."""
    members = {str(column.name): name for name, column in _columns(record, table).items()}
    return tuple(members[str(column.name)] for column in table.c)


@cache
def _all(table: Table) -> Select[Any]:
    return select(table)


@cache
def _one(table: Table) -> Select[Any]:
    return select(table).where(table.c.id == bindparam("its_key"))


def _key(record: Any) -> str:
    key: str = record.id
    return key


def _as_it_is(value: Any) -> Any:
    return value
