"""Results of commands that arrive at the same time, on each database."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import event

from rostrum.base.clock import SettableClock
from rostrum.base.passwords import PasswordPolicy, Passwords
from rostrum.contracts.sessions import CommandResult, NewCommand, SessionOpening
from rostrum.contracts.users import NewUser
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.audit.service import AuditService
from rostrum.manager.changes.origin import RequestOrigin, acting
from rostrum.manager.commands.model import Command
from rostrum.manager.commands.service import CommandService
from rostrum.manager.database.paging import Query
from rostrum.manager.errors import Conflict, NotFound, Unavailable
from rostrum.manager.machines.topic import Machines
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.sessions.service import SessionService
from rostrum.manager.storage import Storage
from rostrum.manager.users.service import UserService
from tests.conftest import manager_config

USERS = [f"u{number}" for number in range(6)]


class Firm:
    """Users whose desktops have one command each."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.service = CommandService(storage)
        self.desktops = SessionService(storage, Quotas.of(manager_config("sqlite:///unused.db")), idle_seconds=90)
        self.commands: dict[str, Command] = {}

    async def send(self) -> None:
        users = UserService(self.storage, Passwords(memory_kib=8, rounds=1), PasswordPolicy())
        for user in USERS:
            await users.create(SYSTEM, NewUser(id=user))
            opening = SessionOpening(machine={"id": f"pc-{user}"})
            session = (await self.desktops.open(Identity.of(user, []), opening)).session.id
            sent = await self.service.send(SYSTEM, NewCommand(session=session, command="Restart"))
            self.commands[user] = sent[0]

    async def answer(self, user: str, status: str = "done", data: Any = None, **other: str) -> None:
        command = self.commands[user]
        result = CommandResult.model_validate({"status": status, "data": data})
        with acting(RequestOrigin(operation="answerCommand", address=f"address of {user}")):
            await self.service.answer(
                Identity.of(other.get("caller", user), []),
                other.get("session", command.session),
                other.get("command", command.id),
                result,
            )

    async def status(self, user: str) -> str:
        return (await self.service.get(SYSTEM, self.commands[user].id)).status

    async def audited(self) -> list[tuple[str, str, str]]:
        """The actor, the command and the address of each audited result."""
        found = await AuditService(self.storage).page(SYSTEM, Query(filters={"operation": "answerCommand"}))
        return sorted((entry.actor, entry.key, json.loads(entry.text)["origin"]["address"]) for entry in found.items)

    @asynccontextmanager
    async def transactions(self) -> AsyncIterator[list[int]]:
        """Count the transactions of the block."""
        count = [0]

        def begin(_connection: object) -> None:
            count[0] += 1

        engine = self.storage._database._engine.sync_engine
        event.listen(engine, "begin", begin)
        try:
            yield count
        finally:
            event.remove(engine, "begin", begin)


@pytest.fixture
async def firm(storage: Storage) -> AsyncIterator[Firm]:
    made = Firm(storage)
    await made.send()
    yield made
    assert (await AuditService(storage).verify(SYSTEM)).fault is None


async def test_results_that_arrive_together_share_a_transaction_and_are_audited_separately(firm: Firm) -> None:
    async with firm.transactions() as count:
        await asyncio.gather(*(firm.answer(user, data={"from": user}) for user in USERS))
    assert count == [1]
    for user in USERS:
        stored = await firm.service.get(SYSTEM, firm.commands[user].id)
        assert (stored.status, stored.data) == ("done", f'{{"from":"{user}"}}')
    assert await firm.audited() == [(user, firm.commands[user].id, f"address of {user}") for user in USERS]


async def test_results_that_arrive_shortly_after_another_share_a_transaction(firm: Firm) -> None:
    async with firm.transactions() as count:
        await firm.answer("u0")
        await asyncio.gather(*(firm.answer(user) for user in USERS[1:]))
    assert count == [2]
    assert [await firm.status(user) for user in USERS] == ["done"] * len(USERS)


async def test_a_refused_result_does_not_affect_the_others(firm: Firm) -> None:
    await firm.desktops.close(Identity.of("u1", []), firm.commands["u1"].session)
    results = await asyncio.gather(
        firm.answer("u0"),
        firm.answer("u1"),
        firm.answer("u2", caller="u3"),
        firm.answer("u3", command="unknown"),
        firm.answer("u4", command=firm.commands["u5"].id),
        firm.answer("u5", "failed"),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [type(None), Conflict, NotFound, NotFound, NotFound, type(None)]
    assert [await firm.status(user) for user in USERS] == ["done", "pending", "pending", "pending", "pending", "failed"]
    assert [actor for actor, _, _ in await firm.audited()] == ["u0", "u5"]


async def test_a_repeated_result_is_accepted_and_a_different_one_refused(firm: Firm) -> None:
    answers = [firm.answer("u0", data=1), firm.answer("u0", data=1), firm.answer("u0", data=2)]
    results = await asyncio.gather(*answers, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), type(None), Conflict]
    assert (await firm.service.get(SYSTEM, firm.commands["u0"].id)).data == "1"
    assert len(await firm.audited()) == 1


async def test_a_result_counts_as_contact(firm: Firm, clock: SettableClock) -> None:
    clock.advance(600)
    await firm.answer("u0")
    async with firm.storage.read() as work:
        machines = await work.of(Machines).page(Query(filters={"id": "pc-u0"}))
        session = await work.of(Sessions).get(firm.commands["u0"].session)
        other = await work.of(Sessions).get(firm.commands["u1"].session)
    assert session is not None
    assert other is not None
    assert [machine.last_seen for machine in machines.items] == [session.last_seen]
    assert (session.last_seen - other.last_seen).total_seconds() == 600


async def test_every_client_learns_that_a_transaction_failed_and_can_repeat_its_result(firm: Firm) -> None:
    def fail(*_: object) -> None:
        raise OSError("the database is away")

    engine = firm.storage._database._engine.sync_engine
    event.listen(engine, "before_execute", fail)
    try:
        results = await asyncio.gather(*(firm.answer(user) for user in USERS), return_exceptions=True)
    finally:
        event.remove(engine, "before_execute", fail)
    assert {type(result) for result in results} == {Unavailable}
    assert await firm.audited() == []

    await asyncio.gather(*(firm.answer(user) for user in USERS))
    assert len(await firm.audited()) == len(USERS)


async def test_a_client_that_stops_waiting_does_not_stop_the_others(firm: Firm) -> None:
    impatient = asyncio.ensure_future(firm.answer("u0"))
    others = asyncio.gather(*(firm.answer(user) for user in USERS[1:]))
    await asyncio.sleep(0)
    impatient.cancel()
    await others
    assert {await firm.status(user) for user in USERS[1:]} == {"done"}


async def test_large_results_are_stored_in_several_transactions(firm: Firm) -> None:
    async with firm.transactions() as count:
        await asyncio.gather(*(firm.answer(user, data="x" * 600_000) for user in USERS))
    assert count == [3]
    assert {await firm.status(user) for user in USERS} == {"done"}
