"""The latest changes and their audiences: written in the transaction of the change, read by listeners.

One row for each kind and audience has the newest revision, so the table stays small, and a client that was away long
receives the same information as one that was away for a moment.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from sqlalchemy import bindparam, delete, func, or_, select, text

from rostrum.manager.audiences import ADMINISTRATORS, Announcement, Audience, EventKind, Readers
from rostrum.manager.database import tables
from rostrum.manager.database.many_rows import ManyKeys, ManyRows
from rostrum.manager.database.transaction import Repository
from rostrum.manager.events.readers import named

CHANNEL = "rostrum_changes"
"""The PostgreSQL channel that notifies the other nodes of changes."""

_ROW = tables.announcements.c
_REVISION = select(tables.revision.c.value).where(tables.revision.c.id == 1)
# Both databases support this statement; the library has it only in two dialects.
_PUT = ManyRows(
    text(
        "INSERT INTO announcements (kind, user_id, session_id, revision) VALUES (:kind, :user, :session, :revision)"
        " ON CONFLICT (kind, user_id, session_id) DO UPDATE SET revision = excluded.revision"
    ),
    tables.announcements.name,
    ("kind", "user", "session"),
)
_PUT_USERS = ManyKeys(
    "INSERT INTO announcements (kind, user_id, session_id, revision)"
    " SELECT :kind, its.key, '', :revision FROM {keys} WHERE true"
    " ON CONFLICT (kind, user_id, session_id) DO UPDATE SET revision = excluded.revision",
    tables.announcements,
)
_FEW = 50
"""Up to this number, announcements are written with one statement that runs for each of them."""
_ACCESS = EventKind.ACCESS.value
_NOTIFY = text("SELECT pg_notify(:channel, :revision)")

_SINCE = select(tables.announcements).where(_ROW.revision > bindparam("since")).order_by(_ROW.revision)


class Announcements(Repository):
    """The announcements that one transaction sees and makes."""

    async def save(
        self, revision: int, audiences: Iterable[Audience | Readers], *, notify: bool
    ) -> tuple[Announcement, ...]:
        """Store the audience of this transaction, and notify the other nodes after the commit."""
        alone = await named(self._connection, audiences)
        users: defaultdict[EventKind, list[str]] = defaultdict(list)
        if len(alone) > _FEW:
            for kind, user, session in alone:
                if not session:
                    users[kind].append(user)
            alone = [one for one in alone if one[2]]
        # One statement for all users to whom the same is announced.
        for kind, ids in users.items():
            ids.sort()
            await _PUT_USERS.execute(self._connection, ids, {"kind": kind.value, "revision": revision})
        alone.sort()
        await _PUT.execute(self._connection, alone, {"revision": revision})
        found = [Announcement(kind, revision, user) for kind, ids in users.items() for user in ids]
        found += [Announcement(kind, revision, user, session) for kind, user, session in alone]
        if found and notify:
            await self._connection.execute(_NOTIFY, {"channel": CHANNEL, "revision": str(revision)})
        return tuple(found)

    async def newest(self) -> int:
        return int((await self._connection.execute(_REVISION)).scalar_one())

    async def since(self, revision: int) -> tuple[int, list[Announcement]]:
        """Read the newest revision, and the changes after a revision, oldest first."""
        newest = await self.newest()
        if newest <= revision:
            return newest, []
        rows = await self._connection.execute(_SINCE, {"since": revision})
        return newest, [
            Announcement(kind=EventKind(row.kind), revision=row.revision, user=row.user_id, session=row.session_id)
            for row in rows
        ]

    async def concerning(
        self, user: str, session: str | None, revision: int, *, administers: Collection[EventKind] = ()
    ) -> dict[EventKind, int]:
        """Read the kinds that changed for a user or one of the user's sessions after a revision, with the newest one.

        For kinds that the user administers, changes that are announced to administrators are included.
        """
        as_administrator = (_ROW.user_id == ADMINISTRATORS) & _ROW.kind.in_([kind.value for kind in administers])
        statement = (
            select(_ROW.kind, func.max(_ROW.revision).label("newest"))
            .where(_ROW.revision > revision, or_(_ROW.user_id.in_(["", user]), as_administrator), _ROW.kind != _ACCESS)
            .group_by(_ROW.kind)
        )
        if session is not None:
            statement = statement.where(or_(_ROW.session_id == "", _ROW.session_id == session))
        return {EventKind(row.kind): row.newest for row in await self._connection.execute(statement)}

    async def purge(self) -> None:
        """Delete announcements for users and client sessions that no longer exist."""
        no_session = _ROW.session_id.not_in(select(tables.sessions.c.id)) & (_ROW.session_id != "")
        # Other nodes may not yet know that a user was deleted.
        is_named = _ROW.user_id.not_in(["", ADMINISTRATORS])
        no_user = _ROW.user_id.not_in(select(tables.users.c.id)) & is_named & (_ROW.kind != _ACCESS)
        await self._connection.execute(delete(tables.announcements).where(or_(no_session, no_user)))
