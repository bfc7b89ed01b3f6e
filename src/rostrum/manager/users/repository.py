"""Stores users with their groups, apps and layouts."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

from msgspec.structs import replace
from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    text,
    union_all,
    update,
)

from rostrum.base.ids import collision_key
from rostrum.contracts.rollouts import OPEN
from rostrum.contracts.system_config import Scope
from rostrum.manager.audiences import EventKind
from rostrum.manager.database import tables
from rostrum.manager.database.content_versions import TOPIC_OPTION
from rostrum.manager.database.documents import Documents
from rostrum.manager.database.links import Links
from rostrum.manager.database.many_rows import ByKeys, ManyRows, one_of
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.rows import in_slices, later, stamp_columns
from rostrum.manager.database.words import Words
from rostrum.manager.document import Stamp
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.users.model import Login, Person, User, UserOutline

_GROUPS = Links(tables.user_groups)
_APPS = Links(tables.user_apps)
_LAYOUTS = Links(tables.user_layouts)
_LISTS = {"groups": _GROUPS, "apps": _APPS, "layouts": _LAYOUTS}
_USER = tables.users.c


def _member_of(group: str) -> ColumnElement[bool]:
    """Return the SQL condition for members of a group or of groups that inherit from it."""
    expansion = tables.group_expansions.c
    leading = select(tables.groups.c.name).where(tables.groups.c.name == group).cte("leading_groups", recursive=True)
    # Only new names are followed, so cycles end.
    leading = leading.union(select(expansion.group_name).where(expansion.expands_to == leading.c.name))
    return _USER.id.in_(select(_GROUPS.owner).where(_GROUPS.value.in_(select(leading.c.name))))


_LISTING = Listing(
    fields={
        "id": _USER.id,
        "displayName": _USER.display_name,
        "email": _USER.email,
        "disabled": _USER.disabled,
        "disabledSince": _USER.disabled_since,
        "service": _USER.service,
        "created": _USER.created,
        "createdBy": _USER.created_by,
        "modified": _USER.modified,
        "modifiedBy": _USER.modified_by,
    },
    searched=("id", "email", "displayName"),
    key="id",
    links={"group": _GROUPS, "app": _APPS},
    lists={"memberOf": _member_of},
    words=Words(key=_USER.id, columns=(_USER.id, _USER.email, _USER.display_name)),
)

_TOKEN = tables.revoked_tokens.c
_CONFIG = tables.config_files.c
_ROLLOUT = tables.rollouts.c

# Created once: building the statement costs more than running it, and it runs for every request.
_LOGIN = (
    select(
        _USER.password_hash,
        _USER.disabled,
        _USER.epoch,
        _GROUPS.value,
        select(tables.revision.c.value).where(tables.revision.c.id == 1).scalar_subquery().label("revision_now"),
        exists().where(_TOKEN.id == bindparam("token")).label("is_revoked"),
        exists().where(_APPS.owner == _USER.id).label("has_apps"),
        exists().where(_CONFIG.scope == Scope.USER.value, _CONFIG.target == _USER.id).label("has_configs"),
        exists().where(_ROLLOUT.status.in_([status.value for status in OPEN])).label("has_rollouts"),
    )
    .outerjoin_from(tables.users, tables.user_groups, _GROUPS.owner == _USER.id)
    .where(_USER.id == bindparam("user"))
    .order_by(_GROUPS.value)
)


_CONTACT_COLUMNS = (
    (tables.sessions.c.user_id, tables.sessions.c.last_seen),
    (tables.known_addresses.c.user_id, tables.known_addresses.c.last_seen),
    (tables.api_tokens.c.user_id, tables.api_tokens.c.last_used),
)
"""The columns that record contact of a user: client sessions, sign-ins with a password, and uses of API tokens."""


def _contacts(*which: ColumnElement[bool]) -> CompoundSelect[Any]:
    parts = zip(_CONTACT_COLUMNS, which, strict=True)
    return union_all(
        *(select(owner, func.max(time)).where(some, time.is_not(None)).group_by(owner) for (owner, time), some in parts)
    )


_CONTACTS = ByKeys(_contacts, *(owner for owner, _ in _CONTACT_COLUMNS))

_RECORDS = select(
    *(_USER.id, _USER.email, _USER.password_hash, _USER.disabled, _USER.epoch, _USER.service),
    *(_USER.display_name, _USER.disabled_since),
    *(_USER.revision, _USER.created, _USER.created_by, _USER.modified, _USER.modified_by),
)
"""All users, with the columns in the order in which ``Users._records`` expects them."""
_ONE = _RECORDS.where(_USER.id == bindparam("user"))
_SIMILAR = (
    select(_USER.id)
    .where(_USER.collision_key == bindparam("its_key"), _USER.id != bindparam("user"))
    .order_by(_USER.id)
    .limit(1)
)
_PEOPLE = select(_USER.id, _USER.disabled).order_by(_USER.id)
_ADD_ONE = insert(tables.users)
_PUT = update(tables.users).where(_USER.id == bindparam("user"))
_HOLDERS = {name: _RECORDS.where(links.holds_its_value(_USER.id)) for name, links in _LISTS.items()}
_NAMED = ByKeys(_RECORDS.where, _USER.id)
_OUTLINES = ByKeys(select(_USER.id, _USER.disabled, _USER.revision).where, _USER.id)

_BATCH = 1000
_ALL_COLUMNS = tuple(column.name for column in tables.users.columns)
_ADD = ManyRows(insert(tables.users), tables.users.name, _ALL_COLUMNS)
_MOST_STATEMENTS = 2
"""Up to this number of different changes, each is one statement for all its users. Otherwise, each user is one row."""
_CHANGEABLE = ("email", "display_name", "disabled", "disabled_since", "epoch")


_STAMPED = ("revision", "modified", "modified_by")
_changeable, _stamped = attrgetter(*_CHANGEABLE), attrgetter(*_STAMPED)
_CHANGE = ManyRows(
    text(
        f"UPDATE users SET {', '.join(f'{name} = :{name}' for name in (*_CHANGEABLE, *_STAMPED))} WHERE id = :id"  # noqa: S608 - names of columns
    ).bindparams(*(bindparam(name, type_=_USER[name].type) for name in (*_CHANGEABLE, *_STAMPED, "id"))),
    tables.users.name,
    (*_CHANGEABLE, *_STAMPED, "id"),
)


class Users(Documents[User]):
    """The users of one transaction."""

    kind = Kind.USER
    key_column = _USER.id
    listing = _LISTING

    async def get(self, user_id: str) -> User | None:
        row = (await self._connection.execute(_ONE, {"user": user_id})).one_or_none()
        return None if row is None else (await self._records([row]))[0]

    async def login(self, user_id: str, token_id: str = "") -> Login | None:
        """Read all data for checking credentials with one query, whether or not the user exists."""
        rows = (await self._connection.execute(_LOGIN, {"user": user_id, "token": token_id})).all()
        if not rows:
            return None
        row = rows[0]
        return Login(
            user=user_id,
            password_hash=row.password_hash,
            disabled=row.disabled,
            epoch=row.epoch,
            groups=tuple(row.group_name for row in rows if row.group_name is not None),
            revision=row.revision_now,
            is_revoked=row.is_revoked,
            has_apps=row.has_apps,
            has_configs=row.has_configs,
            has_rollouts=row.has_rollouts,
        )

    async def similar_to(self, user_id: str) -> str | None:
        """Find another user whose ID people could confuse with this one."""
        found: str | None = await self._connection.scalar(
            _SIMILAR, {"its_key": collision_key(user_id), "user": user_id}
        )
        return found

    async def similar_to_any(self, ids: Sequence[str]) -> dict[str, str]:
        """Find users whose IDs are similar or equal to one of these, by the collision key of both."""
        keys = sorted({collision_key(user_id) for user_id in ids})
        found: dict[str, str] = {}
        for start in range(0, len(keys), _BATCH):
            which = one_of(self._connection, _USER.collision_key, keys[start : start + _BATCH])
            for row in await self._connection.execute(select(_USER.collision_key, _USER.id).where(which)):
                found[row.collision_key] = row.id
        return found

    async def groups_of(self, user_id: str) -> tuple[str, ...]:
        return (await _GROUPS.of(self._connection, [user_id]))[user_id]

    async def apps_of(self, user_id: str) -> tuple[str, ...]:
        """Read the apps that are assigned to a user directly."""
        return (await _APPS.of(self._connection, [user_id]))[user_id]

    async def layouts_of(self, user_id: str) -> tuple[str, ...]:
        """Read the layouts that are assigned to a user directly."""
        return (await _LAYOUTS.of(self._connection, [user_id]))[user_id]

    async def last_seen(self, ids: Sequence[str]) -> dict[str, datetime]:
        """Read when users were last in contact; users without recorded contact are left out."""
        found: dict[str, datetime] = {}
        for start in range(0, len(ids), _BATCH):
            for user_id, seen in await _CONTACTS.rows(self._connection, ids[start : start + _BATCH]):
                found[user_id] = max(found.get(user_id, seen), seen)
        return found

    async def page(self, query: Query) -> Page[User]:
        found = await _LISTING.page(self._connection, _RECORDS, query)
        return found.page(await self._records(found.rows))

    async def people(self) -> list[Person]:
        rows = (await self._connection.execute(_PEOPLE)).all()
        groups, apps, layouts = [await links.everything(self._connection) for links in (_GROUPS, _APPS, _LAYOUTS)]
        return [
            Person(
                id=row.id,
                groups=groups.get(row.id, ()),
                apps=apps.get(row.id, ()),
                layouts=layouts.get(row.id, ()),
                disabled=row.disabled,
            )
            async for row in in_slices(rows)
        ]

    async def add(self, user: User) -> None:
        self._journal.wrote(user)
        await self._connection.execute(_ADD_ONE, _columns(user))
        for name, links in _LISTS.items():
            await links.add(self._connection, {user.id: getattr(user, name)})

    async def add_all(self, users: Sequence[User]) -> None:
        """Add users with a few statements for all of them; their IDs must be new."""
        self._journal.wrote_all(users)
        await _ADD.execute(self._connection, [_row_of(user) for user in users])
        for name, links in _LISTS.items():
            await links.change(self._connection, [(user.id, (), getattr(user, name)) for user in users])

    async def put(self, user: User) -> None:
        await self._about_to_change(user.id)
        await self._put_lists(user, **_LISTS)
        self._journal.wrote(user)
        await self._connection.execute(_PUT, {"user": user.id, **_columns(user)})

    async def named(self, ids: Sequence[str]) -> dict[str, User]:
        """Read several users; unknown ones are left out."""
        found: dict[str, User] = {}
        for start in range(0, len(ids), _BATCH):
            rows = await _NAMED.rows(self._connection, ids[start : start + _BATCH])
            found |= {user.id: user for user in await self._records(rows)}
        return found

    async def outlines(self, ids: Sequence[str]) -> dict[str, UserOutline]:
        """Read what the preview of a bulk change needs; unknown users are left out."""
        found: dict[str, UserOutline] = {}
        for start in range(0, len(ids), _BATCH):
            some = ids[start : start + _BATCH]
            groups = await _GROUPS.of(self._connection, some)
            apps = await _APPS.of(self._connection, some)
            for user_id, disabled, revision in await _OUTLINES.rows(self._connection, some):
                found[user_id] = UserOutline(user_id, disabled, revision, groups[user_id], apps[user_id])
        return found

    async def put_all(self, changes: Sequence[tuple[User, User]]) -> None:
        """Store changed users, given with the state that this transaction has read. Passwords are not changed."""
        alike: defaultdict[Any, list[str]] = defaultdict(list)
        self._journal.wrote_all(after for _, after in changes)
        for before, after in changes:
            alike[_changed_columns(before, after), _stamped(after.stamp)].append(after.id)
        if len(alike) > _MOST_STATEMENTS:
            await _CHANGE.execute(self._connection, [_changed_row(after) for _, after in changes])
            alike.clear()
        # One statement for all users with the same change.
        for (columns, stamped), ids in alike.items():
            which = one_of(self._connection, _USER.id, ids)
            values = dict(columns) | dict(zip(_STAMPED, stamped, strict=True))
            await self._connection.execute(update(tables.users).where(which).values(values))
        for name, links in _LISTS.items():
            list_of = attrgetter(name)
            await links.change(
                self._connection,
                [
                    (user.id, old, new)
                    for before, user in changes
                    if (old := list_of(before)) is not (new := list_of(user))
                ],
            )

    async def set_password_hash(self, user_id: str, password_hash: str, epoch: int) -> None:
        """Store a new hash of the same password, unless the password was changed after that epoch."""
        statement = update(tables.users).where(_USER.id == user_id, _USER.epoch == epoch)
        # The password is the same, so cached responses stay valid.
        await self._connection.execute(
            statement.values(password_hash=password_hash), execution_options={TOPIC_OPTION: None}
        )

    async def end_sign_ins(self, user_id: str, epoch: int) -> None:
        """Begin a new epoch: all sign-ins and client tokens become invalid. The password and API tokens stay valid."""
        self._journal.announce(EventKind.ACCESS, user_id)
        self._journal.noted(Kind.LOGIN, user_id, Action.DELETED)
        await self._connection.execute(update(tables.users).where(_USER.id == user_id).values(epoch=epoch))

    async def remove(self, user_id: str) -> None:
        """Delete a user."""
        await self._forget([user_id])
        for links in (_GROUPS, _APPS, _LAYOUTS):
            await links.drop_owner(self._connection, user_id)
        await self._connection.execute(delete(tables.users).where(_USER.id == user_id))
        await self._work.removed(Kind.USER, user_id)

    async def drop(self, field: str, value: str, stamp: Stamp) -> None:
        """Remove a group, an app or a layout from the lists of every user who has it."""
        holders = await self._records((await self._connection.execute(_HOLDERS[field], {"its_value": value})).all())
        for user in holders:
            left = tuple(name for name in getattr(user, field) if name != value)
            changes: dict[str, Any] = {field: left, "stamp": later(user.stamp, stamp)}
            self._journal.wrote(replace(user, **changes), implied=True)
        if holders:
            await _LISTS[field].drop_value(self._connection, value, _USER.id, stamp)

    async def _records(self, rows: Sequence[Any]) -> list[User]:
        ids = [row[0] for row in rows]
        groups = await _GROUPS.of(self._connection, ids)
        apps = await _APPS.of(self._connection, ids)
        layouts = await _LAYOUTS.of(self._connection, ids)
        return self._read(
            User(
                id=user_id,
                email=email,
                groups=groups[user_id],
                apps=apps[user_id],
                layouts=layouts[user_id],
                disabled=disabled,
                service=service,
                display_name=display_name,
                disabled_since=disabled_since,
                password_hash=password_hash,
                epoch=epoch,
                stamp=Stamp(
                    revision=revision,
                    created=created,
                    created_by=created_by,
                    modified=modified,
                    modified_by=modified_by,
                ),
            )
            # Unpacked: reading each value by its name takes three times as long. Pages have further columns.
            for (
                user_id, email, password_hash, disabled, epoch, service, display_name, disabled_since,
                revision, created, created_by, modified, modified_by, *_,
            ) in rows
        )  # fmt: skip


def _changed_columns(before: User, after: User) -> tuple[tuple[str, Any], ...]:
    old, new = _changeable(before), _changeable(after)
    if old == new:
        return ()
    each = zip(_CHANGEABLE, old, new, strict=True)
    return tuple([(name, value) for name, known, value in each if value != known])


def _changed_row(user: User) -> tuple[Any, ...]:
    return *_changeable(user), *_stamped(user.stamp), user.id


def _columns(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "email": user.email,
        "password_hash": user.password_hash,
        "disabled": user.disabled,
        "service": user.service,
        "display_name": user.display_name,
        "disabled_since": user.disabled_since,
        "epoch": user.epoch,
        "collision_key": collision_key(user.id),
        **stamp_columns(user.stamp),
    }


def _row_of(user: User) -> tuple[Any, ...]:
    columns = _columns(user)
    return tuple(columns[name] for name in _ALL_COLUMNS)
