"""Many rows with one statement: the same values arrive as through the SQL library, on both databases."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import bindparam, delete, insert, select

from rostrum.manager.content_versions import ContentTopic
from rostrum.manager.database import tables
from rostrum.manager.database.engine import Database
from rostrum.manager.database.many_rows import ByKeys, ManyRows, one_of
from rostrum.manager.groups.repository import Groups
from rostrum.manager.history.repository import History
from rostrum.manager.kinds import Kind
from rostrum.manager.topics import manager_storage

_NOW = datetime(2026, 11, 17, 12, 30, 15, 250_000, tzinfo=UTC)
_USERS = tables.users.c
_ADD = ManyRows(insert(tables.users), tables.users.name, ("id", "email", "disabled"))
_GROUP = tables.user_groups.c
_REMOVE = ManyRows(
    delete(tables.user_groups).where(_GROUP.user_id == bindparam("user"), _GROUP.group_name == bindparam("group")),
    tables.user_groups.name,
    ("user", "group"),
)
_SHARED = {
    "epoch": 1,
    "revision": 2,
    "created": _NOW,
    "created_by": "admin",
    "modified": _NOW,
    "modified_by": "admin",
    "collision_key": "",
}


async def opened(store: str) -> Database:
    storage = manager_storage(store)
    await storage.open()
    await storage.close()
    return Database(store)


@pytest.mark.long
async def test_rows_have_their_own_values_and_the_shared_ones(store: str) -> None:
    database = await opened(store)
    async with database.write() as connection:
        await _ADD.execute(connection, [("ann", None, False), ("bob", "bob@example.com", True)], _SHARED)
        await connection.execute(insert(tables.users), {"id": "eve", "email": None, "disabled": False, **_SHARED})
    async with database.read() as connection:
        rows = (await connection.execute(select(tables.users).order_by(_USERS.id))).all()
    await database.close()
    assert [(row.id, row.email, row.disabled) for row in rows] == [
        ("ann", None, False),
        ("bob", "bob@example.com", True),
        ("eve", None, False),
    ]
    assert {(row.created, row.created_by, row.epoch, row.revision) for row in rows} == {(_NOW, "admin", 1, 2)}


async def test_the_topic_of_the_table_is_counted_once_for_each_transaction(store: str) -> None:
    database = await opened(store)
    before = await database.revisions.current()
    async with database.write() as connection:
        await _ADD.execute(connection, [("ann", None, False), ("bob", None, False)], _SHARED)
        await _REMOVE.execute(connection, [("ann", "Sales"), ("bob", "Sales")])
    after = await database.revisions.current()
    await database.close()
    assert before is not None
    assert after is not None
    changed = [topic for topic in ContentTopic if after.counts[topic] != before.counts[topic]]
    assert changed == [ContentTopic.PEOPLE]


@pytest.mark.long
async def test_one_of_finds_exactly_the_named(store: str) -> None:
    database = await opened(store)
    names = ["ann", 'b"ob', "é", "zoë", "x" * 300]
    async with database.write() as connection:
        await _ADD.execute(connection, [(name, None, False) for name in [*names, "other"]], _SHARED)
    async with database.read() as connection:
        which = one_of(connection, _USERS.id, [*names, "nobody"])
        found = set(await connection.scalars(select(_USERS.id).where(which)))
        none = list(await connection.scalars(select(_USERS.id).where(one_of(connection, _USERS.id, []))))
    await database.close()
    assert found == set(names)
    assert none == []


async def test_rows_of_keys_are_complete_and_have_the_types_of_their_columns(store: str) -> None:
    database = await opened(store)
    query = ByKeys(select(_USERS.id, _USERS.disabled, _USERS.created).order_by(_USERS.id).where, _USERS.id)
    async with database.write() as connection:
        await _ADD.execute(connection, [("ann", None, False), ('b"ob', None, True), ("eve", None, False)], _SHARED)
    async with database.read() as connection:
        found = [tuple(row) for row in await query.rows(connection, ['b"ob', "ann", "nobody"])]
        none = list(await query.rows(connection, []))
    await database.close()
    assert found == [("ann", False, _NOW), ('b"ob', True, _NOW)]
    assert [type(value) for value in found[0]] == [str, bool, datetime]
    assert none == []


@pytest.mark.long
async def test_a_value_can_be_in_two_places_of_a_statement(store: str) -> None:
    storage = manager_storage(store)
    await storage.open()
    for _ in range(2):
        async with storage.write("admin") as work:
            await work.of(Groups).add_missing({"Sales"}, work.stamp())
            group = await work.of(Groups).get("Sales")
            assert group is not None
            await work.of(Groups).put(group)
    async with storage.read() as work:
        history: History = work.of(History)
        last = await history.last_change(Kind.GROUP, "Sales")
    await storage.close()
    assert last is not None
    assert (last.previous, last.revision) == (1, 2)
