"""App definitions and their access lists."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Row, bindparam, delete, insert, select, update

from rostrum.manager.apps.model import App, AppAccess
from rostrum.manager.database import tables
from rostrum.manager.database.documents import Documents
from rostrum.manager.database.links import Links
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.rows import later, stamp_columns, stamp_of, texts
from rostrum.manager.document import Stamp
from rostrum.manager.kinds import Kind

_ACCESS = Links(tables.app_access)
_GIVEN = Links(tables.user_apps)
_APP = tables.apps.c
_BATCH = 500

_LISTING = Listing(
    fields={
        "name": _APP.name,
        "type": _APP.type,
        "title": _APP.title,
        "public": _APP.public,
        "disabled": _APP.disabled,
        "created": _APP.created,
        "createdBy": _APP.created_by,
        "modified": _APP.modified,
        "modifiedBy": _APP.modified_by,
    },
    searched=("name", "title"),
    key="name",
    links={"accessList": _ACCESS},
)


_ALL = select(tables.apps)
_ONE = _ALL.where(_APP.name == bindparam("its_name"))
_ADD = insert(tables.apps)
_PUT = update(tables.apps).where(_APP.name == bindparam("its_name"))
_REMOVE = delete(tables.apps).where(_APP.name == bindparam("its_name"))
_HOLDERS = _ALL.where(_ACCESS.holds_its_value(_APP.name))
_OUTLINES = select(_APP.name, _APP.title, _APP.public, _APP.disabled, _APP.revision, _APP.rollout)


class Apps(Documents[App]):
    """The apps of one transaction."""

    kind = Kind.APP
    key_column = _APP.name
    listing = _LISTING

    async def get(self, name: str) -> App | None:
        row = (await self._connection.execute(_ONE, {"its_name": name})).one_or_none()
        return None if row is None else (await self._records([row]))[0]

    async def named(self, names: Sequence[str]) -> dict[str, App]:
        found: dict[str, App] = {}
        for start in range(0, len(names), _BATCH):
            statement = _ALL.where(_APP.name.in_(names[start : start + _BATCH]))
            rows = (await self._connection.execute(statement)).all()
            found |= {app.name: app for app in await self._records(rows)}
        return found

    async def page(self, query: Query) -> Page[App]:
        found = await _LISTING.page(self._connection, _ALL, query)
        return found.page(await self._records(found.rows))

    async def access(self, names: Iterable[str] | None = None) -> list[AppAccess]:
        """Read the access lists of all apps, or of the named ones."""
        wanted = None if names is None else list(names)
        statement = _OUTLINES if wanted is None else _OUTLINES.where(_APP.name.in_(wanted))
        rows = (await self._connection.execute(statement)).all()
        access = await _ACCESS.of_all(self._connection, wanted)
        return [
            AppAccess(
                name=row.name,
                title=row.title,
                public=row.public,
                access=access.get(row.name, ()),
                disabled=row.disabled,
                revision=row.revision,
                rollout=row.rollout,
            )
            for row in rows
        ]

    async def definitions(self, names: Iterable[str]) -> list[str]:
        """Read the definitions of these apps, in the order of the names."""
        return await texts(self._connection, _APP.name, _APP.definition, names)

    async def add(self, *apps: App) -> None:
        for app in apps:
            self._journal.wrote(app)
        if apps:
            await self._connection.execute(_ADD, list(map(_columns, apps)))
        await _ACCESS.add(self._connection, {app.name: app.access for app in apps})

    async def put(self, app: App) -> None:
        await self._about_to_change(app.name)
        self._refuse_during_rollout(app)
        await self._put_lists(app, access=_ACCESS)
        self._journal.wrote(app)
        await self._connection.execute(_PUT, {"its_name": app.name, **_columns(app)})

    async def remove(self, name: str) -> None:
        """Delete an app, and remove it from every list that names it."""
        await self._forget([name])
        await _ACCESS.drop_owner(self._connection, name)
        await self._work.removed(Kind.APP, name)
        await self._connection.execute(_REMOVE, {"its_name": name})

    async def drop_group(self, name: str, stamp: Stamp) -> None:
        """Remove a group from every access list."""
        holders = await self._records((await self._connection.execute(_HOLDERS, {"its_value": name})).all())
        for app in holders:
            access = tuple(group for group in app.access if group != name)
            self._journal.wrote(replace(app, access=access, stamp=later(app.stamp, stamp)), implied=True)
        if holders:
            await _ACCESS.drop_value(self._connection, name, _APP.name, stamp)

    async def _records(self, rows: Sequence[Row[Any]]) -> list[App]:
        access = await _ACCESS.of(self._connection, [row.name for row in rows])
        return self._read(
            App(
                name=row.name,
                type=row.type,
                title=row.title,
                definition=row.definition,
                public=row.public,
                access=access[row.name],
                disabled=row.disabled,
                stamp=stamp_of(row),
                rollout=row.rollout,
            )
            for row in rows
        )


def _columns(app: App) -> dict[str, Any]:
    return {
        "name": app.name,
        "type": app.type,
        "title": app.title,
        "definition": app.definition,
        "public": app.public,
        "disabled": app.disabled,
        **stamp_columns(app.stamp),
    }
