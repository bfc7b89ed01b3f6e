"""Layouts, their access lists, and the default layouts of users."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam, delete, exists, insert, or_, select, update

from rostrum.manager.audiences import COMMON, EventKind
from rostrum.manager.database import tables
from rostrum.manager.database.documents import Documents
from rostrum.manager.database.links import Links
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.rows import in_slices, later, stamp_columns, stamp_of, texts
from rostrum.manager.document import Stamp
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.layouts.model import Layout, LayoutAccess

_ACCESS = Links(tables.layout_access)
_GIVEN = Links(tables.user_layouts)
_LAYOUT = tables.layouts.c
_DEFAULT = tables.default_layouts.c
_SEEN = (
    _LAYOUT.id,
    _LAYOUT.name,
    _LAYOUT.type,
    _LAYOUT.owner,
    _LAYOUT.public,
    _LAYOUT.default,
    _LAYOUT.disabled,
    _LAYOUT.created,
    _LAYOUT.revision,
    _LAYOUT.rollout,
)

_LISTING = Listing(
    fields={
        "id": _LAYOUT.id,
        "name": _LAYOUT.name,
        "type": _LAYOUT.type,
        "owner": _LAYOUT.owner,
        "public": _LAYOUT.public,
        "default": _LAYOUT.default,
        "disabled": _LAYOUT.disabled,
        "created": _LAYOUT.created,
        "createdBy": _LAYOUT.created_by,
        "modified": _LAYOUT.modified,
        "modifiedBy": _LAYOUT.modified_by,
    },
    searched=("name", "owner"),
    key="id",
    links={"accessList": _ACCESS},
    starred=frozenset({"owner"}),
)


_ALL = select(tables.layouts)
_ONE = _ALL.where(_LAYOUT.id == bindparam("its_id"))
_NAMED = _ALL.where(
    _LAYOUT.owner == bindparam("its_owner"),
    _LAYOUT.type == bindparam("its_type"),
    _LAYOUT.name == bindparam("its_name"),
)
_OF_OWNER = _ALL.where(_LAYOUT.owner == bindparam("its_owner"))
_GIVEN_TO = select(_GIVEN.owner).where(_GIVEN.value == bindparam("its_id"))
_ADD = insert(tables.layouts)
_PUT = update(tables.layouts).where(_LAYOUT.id == bindparam("its_id"))
_REMOVE = delete(tables.layouts).where(_LAYOUT.id == bindparam("its_id"))
_HOLDERS = _ALL.where(_ACCESS.holds_its_value(_LAYOUT.id))
_CHOSEN = select(_DEFAULT.type, _DEFAULT.name).where(_DEFAULT.user_id == bindparam("user"))


class Layouts(Documents[Layout]):
    """The layouts of one transaction."""

    kind = Kind.LAYOUT
    key_column = _LAYOUT.id
    listing = _LISTING

    async def get(self, layout_id: str) -> Layout | None:
        return await self._one(_ONE, its_id=layout_id)

    async def find(self, *, owner: str, kind: str, name: str) -> Layout | None:
        """Read one layout by owner, type and name."""
        return await self._one(_NAMED, its_owner=owner, its_type=kind, its_name=name)

    async def of_owner(self, owner: str) -> list[Layout]:
        """Read the layouts that belong to one user."""
        return await self._records((await self._connection.execute(_OF_OWNER, {"its_owner": owner})).all())

    async def page(self, query: Query) -> Page[Layout]:
        found = await _LISTING.page(self._connection, _ALL, query)
        return found.page(await self._records(found.rows))

    async def access_of_all(self) -> list[LayoutAccess]:
        return await self._access(None)

    async def chosen_defaults(self) -> dict[str, tuple[str, str]]:
        """Read type and name of the default layout of each user."""
        rows = await self._connection.execute(select(_DEFAULT.user_id, _DEFAULT.type, _DEFAULT.name))
        return {row.user_id: (row.type, row.name) for row in rows}

    async def access(self, user_id: str) -> list[LayoutAccess]:
        """Read the access lists of layouts, without the personal layouts of other users."""
        given = exists().where(_GIVEN.owner == user_id, _GIVEN.value == _LAYOUT.id)
        shared = exists().where(_ACCESS.owner == _LAYOUT.id)
        theirs = _LAYOUT.owner.in_([user_id, COMMON])
        return await self._access(or_(theirs, _LAYOUT.public.is_(True), given, shared))

    async def access_of(self, layout_id: str) -> LayoutAccess | None:
        return next(iter(await self._access(_LAYOUT.id == layout_id)), None)

    async def definitions(self, ids: Iterable[str]) -> list[str]:
        """Read the definitions of these layouts, in the order of the IDs."""
        return await texts(self._connection, _LAYOUT.id, _LAYOUT.definition, ids)

    async def add(self, layout: Layout) -> None:
        self._journal.wrote(layout)
        await self._connection.execute(_ADD, _columns(layout))
        await _ACCESS.add(self._connection, {layout.id: layout.access})

    async def put(self, layout: Layout) -> None:
        await self._about_to_change(layout.id)
        self._refuse_during_rollout(layout)
        await self._announce_to_given(layout.id)
        await self._put_lists(layout, access=_ACCESS)
        self._journal.wrote(layout)
        await self._connection.execute(_PUT, {"its_id": layout.id, **_columns(layout)})

    async def remove(self, layout_id: str, *, implied: bool = False) -> None:
        """Delete a layout, and remove it from every list that names it."""
        await self._forget([layout_id], implied=implied)
        await self._announce_to_given(layout_id)
        await _ACCESS.drop_owner(self._connection, layout_id)
        await self._work.removed(Kind.LAYOUT, layout_id)
        await self._connection.execute(_REMOVE, {"its_id": layout_id})

    async def forget_default(self, user_id: str) -> None:
        """Delete the default layout of a user who was deleted."""
        await self._connection.execute(delete(tables.default_layouts).where(_DEFAULT.user_id == user_id))

    async def get_default(self, user_id: str) -> tuple[str, str] | None:
        """Read type and name of the default layout of a user."""
        row = (await self._connection.execute(_CHOSEN, {"user": user_id})).one_or_none()
        return None if row is None else (row.type, row.name)

    async def set_default(self, user_id: str, choice: tuple[str, str] | None) -> None:
        """Store or clear the default layout of a user."""
        before = _choice(await self.get_default(user_id))
        self._journal.announce(EventKind.LAYOUTS, user_id)
        self._journal.noted(Kind.DEFAULT_LAYOUT, user_id, Action.CHANGED, before, _choice(choice))
        await self.forget_default(user_id)
        if choice is not None:
            kind, name = choice
            await self._connection.execute(
                insert(tables.default_layouts).values(user_id=user_id, type=kind, name=name),
            )

    async def _access(self, condition: ColumnElement[bool] | None) -> list[LayoutAccess]:
        statement = select(*_SEEN) if condition is None else select(*_SEEN).where(condition)
        rows = (await self._connection.execute(statement)).all()
        access = await _ACCESS.of_all(self._connection, None if condition is None else [row.id for row in rows])
        return [
            LayoutAccess(
                id=row.id,
                name=row.name,
                type=row.type,
                owner=row.owner,
                public=row.public,
                access=access.get(row.id, ()),
                default=row.default,
                disabled=row.disabled,
                created=row.created,
                revision=row.revision,
                rollout=row.rollout,
            )
            async for row in in_slices(rows)
        ]

    async def drop_group(self, name: str, stamp: Stamp) -> None:
        """Remove a group from every access list."""
        holders = await self._records((await self._connection.execute(_HOLDERS, {"its_value": name})).all())
        for layout in holders:
            access = tuple(group for group in layout.access if group != name)
            self._journal.wrote(replace(layout, access=access, stamp=later(layout.stamp, stamp)), implied=True)
        if holders:
            await _ACCESS.drop_value(self._connection, name, _LAYOUT.id, stamp)

    async def _announce_to_given(self, layout_id: str) -> None:
        for user in (await self._connection.execute(_GIVEN_TO, {"its_id": layout_id})).scalars():
            self._journal.announce(EventKind.LAYOUTS, user)

    async def _one(self, statement: Select[Any], **which: str) -> Layout | None:
        row = (await self._connection.execute(statement, which)).one_or_none()
        return None if row is None else (await self._records([row]))[0]

    async def _records(self, rows: Sequence[Row[Any]]) -> list[Layout]:
        access = await _ACCESS.of(self._connection, [row.id for row in rows])
        return self._read(
            Layout(
                id=row.id,
                name=row.name,
                type=row.type,
                owner=row.owner,
                definition=row.definition,
                public=row.public,
                access=access[row.id],
                default=row.default,
                disabled=row.disabled,
                stamp=stamp_of(row),
                rollout=row.rollout,
            )
            for row in rows
        )


def _choice(choice: tuple[str, str] | None) -> dict[str, str] | None:
    return None if choice is None else {"type": choice[0], "name": choice[1]}


def _columns(layout: Layout) -> dict[str, Any]:
    return {
        "id": layout.id,
        "name": layout.name,
        "type": layout.type,
        "owner": layout.owner,
        "definition": layout.definition,
        "public": layout.public,
        "default": layout.default,
        "disabled": layout.disabled,
        **stamp_columns(layout.stamp),
    }
