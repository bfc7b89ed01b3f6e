"""Statements that are executed repeatedly: they give what the SQL library gives the first time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Executable, bindparam, delete, event, func, insert, literal, select, text, update
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.database import planned_statements, tables
from rostrum.manager.database.content_versions import TOPIC_OPTION
from rostrum.manager.database.engine import Database
from rostrum.manager.database.many_rows import ManyRows
from rostrum.manager.errors import Conflict, Unavailable
from tests.tables import add_tables

MACHINE = tables.machines.c
TIMES = range(4)
"""The first execution describes the rows, the second plans the statement, and the others use the plan."""
AT = datetime(2026, 11, 18, 10, 20, 30, 400_000, tzinfo=UTC)
SLOW = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300000) SELECT count(*) FROM n"


@pytest.fixture
async def database(store: str) -> AsyncIterator[Database]:
    await add_tables(store)
    opened = Database(store)
    yield opened
    await opened.close()


@pytest.fixture
async def file(sqlite: str) -> AsyncIterator[Database]:
    opened = Database(sqlite)
    yield opened
    await opened.close()


def machine(name: str, owner: str | None = None) -> dict[str, Any]:
    return {"id": name, "name": name, "info": "{}", "first_seen": AT, "last_seen": AT, "owner": owner}


async def fail_after(transaction: AbstractAsyncContextManager[AsyncConnection], statement: Executable) -> None:
    async with transaction as connection:
        await connection.execute(statement)
        raise Conflict("nothing")


def plans(statement: Any) -> list[type]:
    return [type(plan) for plan in planned_statements._known[statement].values()]


async def test_rows_are_the_same_each_time(database: Database) -> None:
    add, one = insert(tables.machines), select(tables.machines).where(MACHINE.id == bindparam("which"))
    async with database.write() as connection:
        added = [(await connection.execute(add, machine(f"m{number}"))).rowcount for number in TIMES]
    async with database.read() as connection:
        rows = [(await connection.execute(one, {"which": f"m{number}"})).one() for number in TIMES]
        nothing = (await connection.execute(one, {"which": "other"})).one_or_none()
        mapped = (await connection.execute(one, {"which": "m0"})).mappings().one()
        first = await connection.scalar(one, {"which": "m3"})

    assert added == [1] * len(TIMES)
    assert [dict(row._mapping) for row in rows] == [machine(f"m{number}") for number in TIMES]
    assert [(row.id, row[3], row._mapping[MACHINE.owner]) for row in rows][-1] == ("m3", AT, None)
    assert (nothing, dict(mapped), first) == (None, machine("m0"), "m3")
    assert plans(add) == plans(one) == [planned_statements._Plan]


async def test_statements_with_the_same_text_keep_their_own_constants(database: Database) -> None:
    both = [select(literal(word), func.count()).where(MACHINE.name == word) for word in ("a", "b")]
    async with database.write() as connection:
        await connection.execute(insert(tables.machines), [machine("a"), machine("b1"), machine("b2")])
        await connection.execute(update(tables.machines).where(MACHINE.id != "a").values(name="b"))
        for _ in TIMES:
            assert [tuple((await connection.execute(each)).one()) for each in both] == [("a", 1), ("b", 2)]


async def test_the_names_of_the_given_values_decide_what_is_written(database: Database) -> None:
    change = update(tables.machines).where(MACHINE.id == bindparam("its_id"))
    async with database.write() as connection:
        await connection.execute(insert(tables.machines), machine("m"))
        for number in TIMES:
            await connection.execute(change, {"its_id": "m", "name": f"name {number}"})
            await connection.execute(change, {"its_id": "m", "info": f"info {number}"})
            row = (await connection.execute(select(tables.machines))).one()
            assert (row.name, row.info) == (f"name {number}", f"info {number}")


async def test_a_statement_whose_text_depends_on_its_values_is_not_planned(database: Database) -> None:
    several = select(MACHINE.id).where(MACHINE.id.in_(bindparam("ids", expanding=True))).order_by(MACHINE.id)
    async with database.write() as connection:
        await connection.execute(insert(tables.machines), [machine(name) for name in "abc"])
        for ids in (["a"], ["a", "b"], ["c"], [], ["a", "b", "c"]):
            assert list(await connection.scalars(several, {"ids": ids})) == ids
    assert plans(several) == [type(None)]


async def test_a_list_of_constants_is_part_of_the_plan(database: Database) -> None:
    some = select(MACHINE.id).where(MACHINE.id.in_(["a", "c"]), MACHINE.name == bindparam("which"))
    async with database.write() as connection:
        await connection.execute(insert(tables.machines), [machine(name) for name in "abc"])
        for name, found in (("a", "a"), ("b", None), ("c", "c"), ("d", None)):
            assert await connection.scalar(some, {"which": name}) == found
    assert plans(some) == [planned_statements._Plan]


async def test_several_rows_are_written_each_time(database: Database) -> None:
    add = insert(tables.machines)
    async with database.write() as connection:
        for number in TIMES:
            await connection.execute(add, [machine(f"{name}{number}", "owner") for name in "abc"])
            await connection.execute(add, [machine(f"alone{number}")])
        with pytest.raises(IntegrityError):
            async with connection.begin_nested():
                await connection.execute(add, [machine("new"), machine("a0")])
        owners = await connection.execute(select(MACHINE.owner, func.count()).group_by(MACHINE.owner))
    assert {tuple(row) for row in owners} == {(None, len(TIMES)), ("owner", 3 * len(TIMES))}
    assert plans(add) == [planned_statements._Plan] * 2


async def test_a_statement_can_be_executed_by_several_tasks_at_once(database: Database) -> None:
    one = select(literal("word"), bindparam("number", type_=MACHINE.name.type))

    async def read(number: str) -> list[tuple[str, str]]:
        async with database.read() as connection:
            return [tuple(row) for row in await connection.execute(one, {"number": number})]

    for _ in TIMES:
        found = await asyncio.gather(*(read(number) for number in "123"))
        assert found == [[("word", number)] for number in "123"]


async def test_an_error_is_the_same_each_time_and_a_savepoint_undoes_it(database: Database) -> None:
    add = insert(tables.machines)
    async with database.write() as connection:
        for number in TIMES:
            await connection.execute(add, machine(f"distinctive{number}"))
        for number in TIMES:
            with pytest.raises(IntegrityError) as refused:
                async with connection.begin_nested():
                    await connection.execute(add, machine(f"distinctive{number}"))
            assert "distinctive" not in str(refused.value).replace("(id)=(distinctive", "")
            assert not refused.value.connection_invalidated
        with pytest.raises((StatementError, KeyError)):
            await connection.execute(select(MACHINE.id).where(MACHINE.id == bindparam("which")))
        assert await connection.scalar(select(func.count()).select_from(tables.machines)) == len(TIMES)


async def test_many_rows_are_written_or_none_of_them(database: Database) -> None:
    add = ManyRows(insert(tables.machines), tables.machines.name, tuple(machine("")))
    async with database.write() as connection:
        for number in TIMES:
            await add.execute(connection, [tuple(machine(f"{name}{number}").values()) for name in "abc"])
            with pytest.raises(IntegrityError) as refused:
                async with connection.begin_nested():
                    await add.execute(connection, [tuple(machine(name).values()) for name in ("new", f"a{number}")])
            assert not refused.value.connection_invalidated
    async with database.read() as connection:
        assert await connection.scalar(select(func.count()).select_from(tables.machines)) == 3 * len(TIMES)


async def test_changes_of_repeated_statements_are_counted(database: Database) -> None:
    change = update(tables.groups).values(priority=tables.groups.c.priority)
    for _ in TIMES:
        before = await database.revisions.current()
        async with database.write() as connection:
            await connection.execute(change)
        changed = await database.revisions.current()
        async with database.write() as connection:
            await connection.execute(change, execution_options={TOPIC_OPTION: None})
        assert before != changed == await database.revisions.current()


async def test_a_listener_receives_every_statement(database: Database) -> None:
    heard: list[str] = []

    def hear(_connection: Any, _cursor: Any, statement: str, *_further: Any) -> None:
        heard.append(statement)

    count = select(func.count()).select_from(tables.machines)
    async with database.read() as connection:
        for _ in TIMES:
            await connection.execute(count)
        event.listen(database._engine.sync_engine, "before_cursor_execute", hear)
        for _ in TIMES:
            await connection.execute(count)
        event.remove(database._engine.sync_engine, "before_cursor_execute", hear)
        await connection.execute(count)
    assert len(heard) == len(TIMES)


async def test_an_unfinished_transaction_of_a_failed_block_is_rolled_back(database: Database) -> None:
    remove = delete(tables.machines)
    async with database.write() as connection:
        await connection.execute(insert(tables.machines), machine("m"))
    for _ in TIMES:
        with pytest.raises(Conflict):
            await fail_after(database.write(), remove)
        async with database.read() as connection:
            assert await connection.scalar(select(func.count()).select_from(tables.machines)) == 1


async def test_a_connection_that_the_database_has_ended_is_replaced(postgresql: str) -> None:
    database = Database(postgresql)
    mine = select(func.pg_backend_pid())
    for _ in TIMES:
        async with database.read() as connection:
            process = await connection.scalar(mine)
    assert plans(mine) == [planned_statements._Plan]

    async def lose() -> None:
        async with database.read() as connection:
            async with database.write() as other:
                await other.execute(select(func.pg_terminate_backend(await connection.scalar(mine))))
            await connection.scalar(mine)

    with pytest.raises(Unavailable):
        await lose()

    async with database.read() as connection:
        assert await connection.scalar(mine) != process
    await database.close()


async def test_a_connection_to_a_file_that_was_closed_is_replaced(file: Database) -> None:
    one = text("SELECT 1")

    async def lose() -> None:
        async with file.read() as connection:
            await connection.execute(one)
            opened: Any = (await connection.get_raw_connection()).driver_connection
            await opened.close()
            await connection.execute(one)

    for _ in TIMES:
        with pytest.raises(Unavailable):
            await lose()
        async with file.read() as connection:
            assert await connection.scalar(one) == 1


async def test_transactions_after_another_use_the_same_connection(file: Database) -> None:
    for _ in TIMES:
        async with file.read() as connection:
            await connection.execute(text("SELECT 1"))
        async with file.write() as connection:
            await connection.execute(text("SELECT 1"))
        with pytest.raises(Conflict):
            await fail_after(file.read(), text("SELECT 1"))
        await file.ping()
    assert len(file._threads) == 1


async def test_a_commit_that_fails_changes_nothing_and_the_next_transaction_works(file: Database) -> None:
    async with file.write() as connection:
        await connection.execute(text("CREATE TABLE parents (x INTEGER PRIMARY KEY)"))
        deferred = "CREATE TABLE children (x INTEGER REFERENCES parents (x) DEFERRABLE INITIALLY DEFERRED)"
        await connection.execute(text(deferred))
    for _ in TIMES:
        with pytest.raises(IntegrityError):
            async with file.write() as connection:
                await connection.execute(text("INSERT INTO children VALUES (1)"))
        async with file.write() as connection:
            assert await connection.scalar(text("SELECT count(*) FROM children")) == 0
    assert len(file._threads) == 1


async def test_a_transaction_begins_with_its_first_statement(file: Database) -> None:
    async with file.write() as connection:
        await connection.execute(text("CREATE TABLE numbers (x INTEGER)"))
    count = text("SELECT count(*) FROM numbers")
    found = []
    for _ in TIMES:
        async with file.read() as reader, file.write() as writer:
            found.append(await reader.scalar(count))
            await writer.execute(text("INSERT INTO numbers VALUES (1)"))
            found.append(await writer.scalar(count))
            assert await reader.scalar(count) == found[-2]
    assert found == [0, 1, 1, 2, 2, 3, 3, 4]


@pytest.mark.long
async def test_a_cancelled_statement_leaves_its_connection_unused(file: Database) -> None:
    slow = text(SLOW)
    async with file.read() as connection:
        assert {await connection.scalar(slow) for _ in TIMES} == {300000}
    begun = asyncio.Event()

    async def work() -> None:
        async with file.read() as connection:
            begun.set()
            await connection.execute(slow)

    for _ in TIMES:
        begun.clear()
        working = asyncio.create_task(work())
        await begun.wait()
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
        async with file.write() as connection:
            await connection.execute(text("CREATE TABLE IF NOT EXISTS numbers (x INTEGER)"))
    async with file.read() as connection:
        assert await connection.scalar(slow) == 300000


async def test_a_transaction_waits_for_a_connection_and_not_forever(file: Database) -> None:
    assert file._files is not None
    async with AsyncExitStack() as all_of_them:
        for _ in range(4):
            await all_of_them.enter_async_context(file.read())
        waiting = asyncio.create_task(file.ping())
        await asyncio.sleep(0)
        file._files._wait_seconds = 0
        with pytest.raises(Unavailable):
            await file.ping()
        assert not waiting.done()
    await waiting
    await file.ping()
