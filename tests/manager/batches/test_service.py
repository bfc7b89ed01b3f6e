"""Batches in several transactions: interrupted, resumed, cancelled, and run by several at once."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import pytest
from sqlalchemy import event

from rostrum.base.clock import SettableClock
from rostrum.base.errors import RostrumError
from rostrum.base.passwords import PasswordPolicy, Passwords
from rostrum.contracts.batches import BatchArguments, NewBatch
from rostrum.contracts.groups import NewGroup
from rostrum.contracts.users import NewUser, UserChange
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.permissions import ADMIN_GROUP, Permission
from rostrum.manager.audit.service import AuditService
from rostrum.manager.batches.model import Batch, Status
from rostrum.manager.batches.repository import Batches
from rostrum.manager.batches.service import BatchService
from rostrum.manager.database.paging import Query
from rostrum.manager.errors import Conflict, Forbidden
from rostrum.manager.groups.service import GroupService
from rostrum.manager.history.repository import History
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import Storage
from rostrum.manager.users.service import UserService
from tests.long_form import cycles
from tests.suites.history import state_of

IDS = [f"u{number:02}" for number in range(20)]
BODY = NewBatch(key="k", action="addToGroups", arguments=BatchArguments(groups=["New"]), ids=[*IDS, "nobody"])


@pytest.fixture
def users(storage: Storage) -> UserService:
    return UserService(storage, Passwords(memory_kib=8, rounds=1), PasswordPolicy())


@pytest.fixture
async def firm(storage: Storage, users: UserService) -> AsyncIterator[Storage]:
    """A database with users, two of whom are in the group already."""
    for user_id in IDS:
        await users.create(SYSTEM, NewUser(id=user_id, groups=["New"] if user_id in IDS[3:5] else []))
    yield storage
    assert (await AuditService(storage).verify(SYSTEM)).fault is None


async def run_to_the_end(service: BatchService, batch: Batch, identity: Identity = SYSTEM) -> Batch:
    async for each in service.run(identity, batch):
        batch = each
    return batch


async def eventually(service: BatchService, batch: Batch, holds: Callable[[Batch], bool]) -> Batch:
    """Read the batch until something holds of it."""
    async with asyncio.timeout(30):
        while True:
            batch = await service.get(SYSTEM, Kind.USER, batch.id)
            if holds(batch):
                return batch
            await asyncio.sleep(0.01)


async def history_lengths(storage: Storage) -> list[int]:
    async with storage.read() as work:
        return [(await work.of(History).page(Kind.USER, user_id, limit=1, offset=0)).total for user_id in IDS]


@pytest.mark.long
async def test_an_interrupted_and_resumed_batch_equals_an_uninterrupted_one(
    firm: Storage, clock: SettableClock
) -> None:
    any_moment = random.Random(7)
    service = BatchService(firm, clock, part=3)
    for number in range(cycles(6)):
        before = await history_lengths(firm)
        action = "addToGroups" if number % 2 == 0 else "removeFromGroups"
        body = BODY.model_copy(update={"key": f"k{number}", "action": action})
        batch, is_new = await service.create(SYSTEM, Kind.USER, body)
        while batch.status is Status.RUNNING:
            await run_until_it_fails(firm, clock, batch, any_moment.randrange(1, 60))
            # The client does not know how far it came, and repeats its request.
            again, is_another = await service.create(SYSTEM, Kind.USER, body)
            if again == batch:
                again = await service.advance(SYSTEM, Kind.USER, batch.id)
            assert not is_another
            batch = again

        assert is_new
        assert (batch.status, batch.refused) == (Status.DONE, 1)
        in_group = {key for (kind, key), text in (await state_of(firm)).items() if kind is Kind.USER and "New" in text}
        assert in_group == (set(IDS) if action == "addToGroups" else set())
        changed = [after - old for old, after in zip(before, await history_lengths(firm), strict=True)]
        assert sum(changed) == batch.done
        assert set(changed) <= {0, 1}


async def run_until_it_fails(storage: Storage, clock: SettableClock, batch: Batch, statements: int) -> None:
    """Run a batch with a database that fails at one of the next statements."""
    left = [statements]

    def fail(*_: object) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise OSError("the database is away")

    engine = storage._database._engine.sync_engine
    event.listen(engine, "before_execute", fail)
    try:
        with suppress(RostrumError):
            await run_to_the_end(BatchService(storage, clock, part=3), batch)
    finally:
        event.remove(engine, "before_execute", fail)


async def test_two_who_run_the_same_batch_apply_nothing_twice(firm: Storage, clock: SettableClock) -> None:
    services = [BatchService(firm, clock, part=2) for _ in range(3)]
    batch, _ = await services[0].create(SYSTEM, Kind.USER, BODY)

    await asyncio.gather(*(run_to_the_end(service, batch) for service in services), return_exceptions=True)

    batch = await services[0].get(SYSTEM, Kind.USER, batch.id)
    assert (batch.status, batch.done, batch.unchanged, batch.refused) == (Status.DONE, 18, 2, 1)
    assert await history_lengths(firm) == [1 if user_id in IDS[3:5] else 2 for user_id in IDS]


async def test_a_cancelled_batch_keeps_what_was_changed(firm: Storage, clock: SettableClock) -> None:
    service = BatchService(firm, clock, part=5)
    batch, _ = await service.create(SYSTEM, Kind.USER, BODY)
    await service.advance(SYSTEM, Kind.USER, batch.id)

    batch = await service.cancel(SYSTEM, Kind.USER, batch.id)

    assert (batch.status, batch.done, batch.unchanged) == (Status.CANCELLED, 3, 2)
    with pytest.raises(Conflict):
        await service.advance(SYSTEM, Kind.USER, batch.id)
    with pytest.raises(Conflict):
        await service.resume(SYSTEM, Kind.USER, batch.id)
    pending = await service.targets(SYSTEM, Kind.USER, batch.id, Query(filters={"result": "pending"}))
    assert pending.total == 16


async def test_each_part_is_run_with_the_rights_of_its_time(
    firm: Storage, users: UserService, clock: SettableClock
) -> None:
    await users.create(SYSTEM, NewUser(id="helper", groups=[Permission.USERS_WRITE]))
    helper = Identity.of("helper", [Permission.USERS_WRITE])
    service = BatchService(firm, clock, part=5)
    batch, _ = await service.create(helper, Kind.USER, BODY)
    await service.advance(helper, Kind.USER, batch.id)

    await users.change(SYSTEM, "helper", UserChange(groups=[]))
    with pytest.raises(Forbidden):
        await service.advance(helper, Kind.USER, batch.id)
    await users.change(SYSTEM, "helper", UserChange(disabled=True))
    with pytest.raises(Forbidden):
        await service.advance(helper, Kind.USER, batch.id)

    assert (await service.get(SYSTEM, Kind.USER, batch.id)).done == 3


async def test_a_batch_that_cannot_continue_states_the_reason_and_can_be_resumed(
    firm: Storage, users: UserService, clock: SettableClock
) -> None:
    await users.create(SYSTEM, NewUser(id="helper", groups=[Permission.USERS_WRITE]))
    helper = Identity.of("helper", [Permission.USERS_WRITE])
    service = BatchService(firm, clock, part=5)
    async with service.running():
        batch, _ = await service.create(helper, Kind.USER, BODY)
        await users.change(SYSTEM, "helper", UserChange(groups=[]))
        service.start(helper, batch)
        batch = await eventually(service, batch, lambda now: bool(now.problem))

        assert service.view(batch)["status"] == "interrupted"
        assert Permission.USERS_WRITE in batch.problem
        await service.resume(SYSTEM, Kind.USER, batch.id)
        batch = await eventually(service, batch, lambda now: now.status is not Status.RUNNING)

    assert (batch.status, batch.done, batch.problem) == (Status.DONE, 18, "")


async def test_the_audit_has_who_resumed_a_batch_and_where_it_stood(firm: Storage, clock: SettableClock) -> None:
    service = BatchService(firm, clock, part=5)
    chief = Identity.of("chief", [ADMIN_GROUP])
    batch, _ = await service.create(SYSTEM, Kind.USER, BODY)
    await service.advance(SYSTEM, Kind.USER, batch.id)
    clock.advance(60)

    await service.reopen(chief, Kind.USER, batch.id)

    query = Query(sort=("-number",), limit=1, filters={"id": batch.id})
    [entry] = (await AuditService(firm).page(SYSTEM, query)).items
    assert entry.actor == "chief"
    [change] = json.loads(entry.text)["changes"]
    assert (change["kind"], change["id"]) == ("batch", batch.id)
    assert [(edit["path"], edit["before"], edit["after"]) for edit in change["diff"]] == [
        ("/status", "interrupted", "running")
    ], change


async def test_a_batch_without_progress_counts_as_interrupted(firm: Storage, clock: SettableClock) -> None:
    service = BatchService(firm, clock, part=5)
    batch, _ = await service.create(SYSTEM, Kind.USER, BODY)

    assert service.view(batch)["status"] == "running"
    clock.advance(60)
    assert service.view(batch)["status"] == "interrupted"


async def test_a_target_that_is_refused_late_leaves_no_trace(
    firm: Storage, users: UserService, clock: SettableClock
) -> None:
    groups = GroupService(firm)
    await groups.create(SYSTEM, NewGroup(name="Spare"))
    await groups.create(SYSTEM, NewGroup(name="Admins", expands_to=[ADMIN_GROUP]))
    await users.create(SYSTEM, NewUser(id="boss", groups=["Admins"]))
    boss = Identity.of("boss", ["Admins", ADMIN_GROUP])
    before = await state_of(firm)

    body = NewBatch(key="g", action="delete", ids=["Admins", "Spare"])
    batch, _ = await BatchService(firm, clock).create(boss, Kind.GROUP, body)

    assert (batch.done, batch.refused) == (1, 1)
    after = await state_of(firm)
    assert {key for key in before if before[key] != after.get(key)} == {(Kind.GROUP, "Spare")}


async def test_a_purge_forgets_old_batches(firm: Storage, clock: SettableClock) -> None:
    service = BatchService(firm, clock)
    batch, _ = await service.create(SYSTEM, Kind.USER, BODY)
    clock.advance(10)
    async with firm.note("test") as work:
        gone = await work.of(Batches).purge(work.now)

    assert gone == 1
    with pytest.raises(RostrumError):
        await service.get(SYSTEM, Kind.USER, batch.id)
