"""Preferences of apps for each user."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Row, Select, bindparam, delete, insert, select, update

from rostrum.manager.database import tables
from rostrum.manager.database.documents import Documents
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.rows import stamp_columns, stamp_of
from rostrum.manager.kinds import Kind
from rostrum.manager.preferences.model import Preference

_PREFERENCE = tables.preferences.c

_LISTING = Listing(
    fields={
        "id": _PREFERENCE.id,
        "user": _PREFERENCE.user_id,
        "app": _PREFERENCE.app,
        "created": _PREFERENCE.created,
        "createdBy": _PREFERENCE.created_by,
        "modified": _PREFERENCE.modified,
        "modifiedBy": _PREFERENCE.modified_by,
    },
    searched=("user", "app"),
    key="id",
)

_ALL = select(tables.preferences)
_ONE = select(tables.preferences).where(_PREFERENCE.id == bindparam("preference"))
_OF_USER = select(tables.preferences).where(_PREFERENCE.user_id == bindparam("user"))
_OF_APP = _OF_USER.where(_PREFERENCE.app == bindparam("its_app"))
_BY_APP = _OF_USER.order_by(_PREFERENCE.app)
_ADD = insert(tables.preferences)
_PUT = update(tables.preferences).where(_PREFERENCE.id == bindparam("its_id"))


class Preferences(Documents[Preference]):
    """The preferences of one transaction."""

    kind = Kind.PREFERENCE
    key_column = _PREFERENCE.id
    listing = _LISTING

    async def get(self, preference_id: str) -> Preference | None:
        return await self._one(_ONE, preference=preference_id)

    async def find(self, user_id: str, app: str) -> Preference | None:
        """Read the preferences of one app for one user."""
        return await self._one(_OF_APP, user=user_id, its_app=app)

    async def of_user(self, user_id: str, apps: Iterable[str] | None = None) -> list[Preference]:
        """Read a user's preferences, all or those of some apps, by app."""
        statement = _BY_APP if apps is None else _BY_APP.where(_PREFERENCE.app.in_(list(apps)))
        return self._read(_record(row) for row in await self._connection.execute(statement, {"user": user_id}))

    async def page(self, query: Query) -> Page[Preference]:
        found = await _LISTING.page(self._connection, _ALL, query)
        return found.page(map(_record, found.rows))

    async def add(self, preference: Preference) -> None:
        self._journal.wrote(preference)
        await self._connection.execute(_ADD, _columns(preference))

    async def put(self, preference: Preference) -> None:
        await self._about_to_change(preference.id)
        self._journal.wrote(preference)
        await self._connection.execute(_PUT, {"its_id": preference.id, **_columns(preference)})

    async def remove(self, preference_id: str) -> None:
        await self._forget([preference_id])
        await self._connection.execute(delete(tables.preferences).where(_PREFERENCE.id == preference_id))

    async def remove_of_user(self, user_id: str, app: str | None, *, implied: bool = False) -> None:
        """Delete the preferences of one app, or of all apps, for a user."""
        going = await self.of_user(user_id, None if app is None else [app])
        await self._forget([preference.id for preference in going], implied=implied)
        statement = delete(tables.preferences).where(_PREFERENCE.user_id == user_id)
        await self._connection.execute(statement if app is None else statement.where(_PREFERENCE.app == app))

    async def _one(self, statement: Select[Any], **values: str) -> Preference | None:
        row = (await self._connection.execute(statement, values)).one_or_none()
        return None if row is None else self._read([_record(row)])[0]


def _record(row: Row[Any]) -> Preference:
    return Preference(id=row.id, user=row.user_id, app=row.app, data=row.data, stamp=stamp_of(row))


def _columns(preference: Preference) -> dict[str, Any]:
    return {
        "id": preference.id,
        "user_id": preference.user,
        "app": preference.app,
        "data": preference.data,
        **stamp_columns(preference.stamp),
    }
