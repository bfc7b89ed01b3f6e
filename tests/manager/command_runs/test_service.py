"""Command runs on each database: waves, limits, retries, several nodes and interruptions."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event

from rostrum.base.clock import SettableClock
from rostrum.base.errors import Invalid, RostrumError
from rostrum.base.passwords import PasswordPolicy, Passwords
from rostrum.contracts.api_tokens import NewApiToken
from rostrum.contracts.command_runs import NewCommandRun, RunFilter, RunTarget
from rostrum.contracts.groups import NewGroup
from rostrum.contracts.sessions import CommandResult, SessionHeartbeat, SessionOpening
from rostrum.contracts.users import NewUser, UserChange
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.permissions import ADMIN_GROUP, Permission
from rostrum.manager.api_tokens.topic import ApiTokenService
from rostrum.manager.audit.service import AuditService
from rostrum.manager.command_runs.service import CommandRunService, RunProgress
from rostrum.manager.commands.repository import Commands
from rostrum.manager.commands.service import CommandService
from rostrum.manager.crashes.service import CrashService
from rostrum.manager.database.paging import Query
from rostrum.manager.errors import Conflict, Forbidden
from rostrum.manager.groups.service import GroupService
from rostrum.manager.purge import purge
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.sessions.service import SessionService
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage
from rostrum.manager.users.service import UserService
from tests.conftest import manager_config
from tests.long_form import cycles
from tests.tables import add_content, add_tables

IDLE = 90
USERS = [f"u{number:02}" for number in range(20)]
EVERYONE = RunTarget(filter=RunFilter())


@dataclass
class Firm:
    """Users and their desktops, which fetch and answer commands on request."""

    storage: Storage
    clock: SettableClock
    sessions: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        quotas = Quotas.of(manager_config("sqlite:///unused.db"))
        self.users = UserService(self.storage, Passwords(memory_kib=8, rounds=1), PasswordPolicy())
        self.desktops = SessionService(self.storage, quotas, idle_seconds=IDLE)
        self.commands = CommandService(self.storage)
        self.crashes = CrashService(self.storage, quotas)
        self.runs = self.service()
        self.keys = 0

    def service(self, part: int = 3) -> CommandRunService:
        """Another node."""
        return CommandRunService(self.storage, idle_seconds=IDLE, part=part)

    async def connect(self, user: str, **opening: Any) -> str:
        body = SessionOpening(**{"machine": {"id": f"pc-{user}"}, **opening})
        self.sessions[user] = (await self.desktops.open(Identity.of(user, []), body)).session.id
        return self.sessions[user]

    async def start(self, identity: Identity = SYSTEM, **members: Any) -> RunProgress:
        self.keys += 1
        body = NewCommandRun(**{"key": f"k{self.keys}", "command": "Restart", "target": EVERYONE, **members})
        progress, _ = await self.runs.create(identity, body)
        return await self.runs.advance(progress.run.id)

    async def answer(self, *users: str, status: str = "done") -> int:
        """Let desktops fetch and answer their commands; return how many they were."""
        answered = 0
        for user in users or tuple(self.sessions):
            identity, session = Identity.of(user, []), self.sessions[user]
            for command in await self.commands.fetch(identity, session):
                result = CommandResult.model_validate({"status": status})
                await self.commands.answer(identity, session, command.id, result)
                answered += 1
        return answered

    async def waiting(self) -> list[str]:
        """The users whose desktops have a command to answer."""
        async with self.storage.read() as work:
            return [user for user, one in self.sessions.items() if await work.of(Commands).unanswered(one)]

    async def pass_time(self, seconds: float) -> None:
        """Let time pass while the desktops stay connected."""
        self.clock.advance(seconds)
        for user, session in self.sessions.items():
            with suppress(Conflict):
                await self.desktops.heartbeat(Identity.of(user, []), session, SessionHeartbeat())

    async def states(self, progress: RunProgress) -> dict[str, str]:
        page = await self.runs.desktops(SYSTEM, progress.run.id, Query(limit=1000))
        return {each.user: each.state.value for each in page.items}

    async def sent(self) -> Counter[str]:
        """How many commands each user was sent."""
        async with self.storage.read() as work:
            return Counter(each.user for each in (await work.of(Commands).page(Query(limit=1000))).items)


async def connect_users(store: str) -> None:
    """Connect the desktops of twenty users to a new database."""
    await add_tables(store)
    async with opened(store, SettableClock()) as storage:
        firm = Firm(storage, SettableClock())
        for user in USERS:
            await firm.users.create(SYSTEM, NewUser(id=user))
            await firm.connect(user)


@asynccontextmanager
async def opened(store: str, clock: SettableClock) -> AsyncIterator[Storage]:
    storage = manager_storage(store, clock)
    await storage.open()
    yield storage
    await storage.close()


@pytest.fixture
async def firm(store: str, clock: SettableClock) -> AsyncIterator[Firm]:
    """Twenty users with connected desktops."""
    # Connecting them takes longer than most tests.
    await add_content(store, "twenty desktops", connect_users)
    async with opened(store, clock) as storage:
        async with storage.read() as work:
            sessions = (await work.of(Sessions).page(Query(limit=1000))).items
        yield Firm(storage, clock, {each.user: each.id for each in sorted(sessions, key=lambda each: each.user)})
        assert (await AuditService(storage).verify(SYSTEM)).fault is None


def counted(progress: RunProgress) -> dict[str, int]:
    """The states that desktops are in."""
    summary = progress.summary()
    states = ("pending", "sent", "done", "failed", "unanswered", "unsupported", "offline", "refused", "cancelled")
    return {state: summary[state] for state in states if summary[state]}


@pytest.mark.long
async def test_a_wave_waits_for_answers_and_then_for_the_pause(firm: Firm) -> None:
    progress = await firm.start(waves=["10%", "50%", "100%"], pause=600)
    assert counted(progress) == {"sent": 2, "pending": 18}
    assert progress.run.total == 20

    await firm.pass_time(60)
    assert counted(await firm.runs.advance(progress.run.id)) == {"sent": 2, "pending": 18}
    assert await firm.answer() == 2
    progress = await firm.runs.advance(progress.run.id)
    assert counted(progress) == {"done": 2, "pending": 18}
    assert progress.as_json()["nextWaveAt"] == firm.clock.now() + timedelta(seconds=600)

    await firm.pass_time(599)
    assert counted(await firm.runs.advance(progress.run.id)) == {"done": 2, "pending": 18}
    await firm.pass_time(1)
    assert counted(await firm.runs.advance(progress.run.id)) == {"done": 2, "sent": 8, "pending": 10}
    await firm.answer()
    await firm.runs.advance(progress.run.id)
    await firm.pass_time(600)
    await firm.runs.advance(progress.run.id)
    assert await firm.answer() == 10

    progress = await firm.runs.advance(progress.run.id)

    assert counted(progress) == {"done": 20}
    assert (progress.run.status, progress.run.finished) == ("done", firm.clock.now())
    waves = progress.as_json()["waves"]
    assert [(wave["number"], wave["total"], wave["done"]) for wave in waves] == [(1, 2, 2), (2, 8, 8), (3, 10, 10)]
    assert all(wave["finished"] >= wave["started"] for wave in waves)
    assert set((await firm.sent()).values()) == {1}


@pytest.mark.long
async def test_too_many_failures_stop_the_run_until_an_administrator_continues_it(firm: Firm) -> None:
    progress = await firm.start(waves=["4", "100%"], max_failures="25%")
    first = await firm.waiting()
    await firm.answer(first[0], status="failed")
    await firm.answer(*first[1:3])
    assert (await firm.runs.advance(progress.run.id)).run.status == "running"
    await firm.answer(first[3], status="failed")

    progress = await firm.runs.advance(progress.run.id)

    assert (progress.run.status, counted(progress)) == ("stopped", {"done": 2, "failed": 2, "pending": 16})
    assert progress.run.reason == "2 of 4 desktops failed; the limit is 25%"
    await firm.pass_time(60)
    await firm.runs.advance_all()
    assert await firm.waiting() == []
    await firm.runs.resume(SYSTEM, progress.run.id)
    progress = await firm.runs.advance(progress.run.id)
    assert counted(progress) == {"done": 2, "failed": 2, "sent": 16}
    rest = await firm.waiting()
    await firm.answer(*rest[:6], status="failed")
    progress = await firm.runs.advance(progress.run.id)
    assert (progress.run.status, progress.run.reason) == ("stopped", "6 of 20 desktops failed; the limit is 25%")


async def test_a_desktop_that_does_not_answer_in_time_counts_as_failed_until_it_does(firm: Firm) -> None:
    progress = await firm.start(waves=["2", "100%"], answer_timeout=120, max_failures="0")
    slow, quick = await firm.waiting()
    await firm.answer(quick)
    await firm.pass_time(60)
    await firm.pass_time(60)

    progress = await firm.runs.advance(progress.run.id)

    assert (progress.run.status, counted(progress)) == ("stopped", {"done": 1, "unanswered": 1, "pending": 18})
    await firm.answer(slow)
    progress = await firm.runs.advance(progress.run.id)
    assert (progress.run.status, counted(progress)) == ("stopped", {"done": 2, "pending": 18})


async def test_crashes_of_desktops_that_received_the_command_stop_the_run(firm: Firm) -> None:
    await firm.crashes.receive(Identity.of(USERS[0], []), {"_productName": "before"}, None)
    firm.clock.advance(1)
    progress = await firm.start(waves=["10", "100%"], max_crashes="1", pause=60)
    first = await firm.waiting()
    outside = next(user for user in USERS if user not in first)
    for user in (first[0], first[0], outside):
        await firm.crashes.receive(Identity.of(user, []), {"_productName": "x"}, None)
    await firm.answer()
    progress = await firm.runs.advance(progress.run.id)
    assert (progress.run.status, progress.run.crashed) == ("running", 1)

    await firm.crashes.receive(Identity.of(first[1], []), {"_productName": "x"}, None)
    await firm.pass_time(60)
    progress = await firm.runs.advance(progress.run.id)

    assert (progress.run.status, progress.run.crashed) == ("stopped", 2)
    assert progress.run.reason == "2 of 10 desktops crashed; the limit is 1"
    assert counted(progress) == {"done": 10, "pending": 10}


async def test_an_offline_desktop_receives_the_command_when_it_connects_again(firm: Firm) -> None:
    await firm.users.create(SYSTEM, NewUser(id="never seen"))
    for user in USERS[:3]:
        await firm.desktops.close(Identity.of(user, []), firm.sessions.pop(user))
    target = RunTarget(users=[*USERS[:5], "never seen"])
    expires = (firm.clock.now() + timedelta(hours=1)).isoformat()

    progress = await firm.start(target=target, expires=expires)
    await firm.answer()
    progress = await firm.runs.advance(progress.run.id)
    assert (progress.run.status, counted(progress)) == ("running", {"done": 2, "offline": 4})

    await firm.connect(USERS[0], machine={"id": "another"})
    await firm.connect("never seen")
    progress = await firm.runs.advance(progress.run.id)
    assert counted(progress) == {"done": 2, "sent": 2, "offline": 2}
    assert await firm.answer() == 2
    await firm.pass_time(3600)
    await firm.connect(USERS[1])
    progress = await firm.runs.advance(progress.run.id)

    assert (progress.run.status, counted(progress)) == ("done", {"done": 4, "offline": 2})
    assert (await firm.sent())[USERS[1]] == 0


async def test_without_an_expiry_offline_desktops_are_only_counted(firm: Firm) -> None:
    # They were silent for longer than the limit.
    firm.clock.advance(IDLE + 1)
    await firm.connect(USERS[0])
    progress = await firm.start(target=RunTarget(users=USERS[:4]))
    await firm.answer(USERS[0])

    progress = await firm.runs.advance(progress.run.id)

    assert (progress.run.status, counted(progress)) == ("done", {"done": 1, "offline": 3})


async def test_desktops_are_selected_by_group_version_region_and_environment(firm: Firm) -> None:
    groups = GroupService(firm.storage)
    await groups.create(SYSTEM, NewGroup(name="Floor"))
    await groups.create(SYSTEM, NewGroup(name="Desk", expands_to=["Floor"]))
    await firm.users.change(SYSTEM, USERS[0], UserChange(groups=["Floor"]))
    await firm.users.change(SYSTEM, USERS[1], UserChange(groups=["Desk"]))
    await firm.users.change(SYSTEM, USERS[2], UserChange(groups=["Desk"], disabled=True))
    await firm.connect(USERS[1], version="10.2", env="PROD", region="EMEA")
    await firm.connect(USERS[3], version="10.2", env="UAT", region="EMEA")
    await firm.connect(USERS[4], version="10.2", env="PROD", region="EMEA")
    await firm.desktops.close(Identity.of(USERS[4], []), firm.sessions.pop(USERS[4]))
    await firm.connect(USERS[4], version="10.1")
    await firm.desktops.close(Identity.of(USERS[4], []), firm.sessions.pop(USERS[4]))
    await firm.connect(USERS[5], version="10.2", env="PROD")
    await firm.desktops.close(Identity.of(USERS[5], []), firm.sessions.pop(USERS[5]))

    async def selected(**target: Any) -> dict[str, str]:
        progress = await firm.start(command="GetLogs", target=RunTarget(**target))
        return await firm.states(progress)

    assert await selected(groups=["Floor"]) == {USERS[0]: "sent", USERS[1]: "sent"}
    assert await selected(users=USERS[:1], groups=["Desk"]) == {USERS[0]: "sent", USERS[1]: "sent"}
    narrow = RunFilter(fields={"version": "10.2", "env": "PROD", "region": "EMEA"})
    assert await selected(filter=narrow) == {USERS[1]: "sent"}
    # One whose last session was another version is not meant; the other sessions of u05 are still connected.
    assert await selected(filter=RunFilter(fields={"version": "10.2"})) == {USERS[1]: "sent", USERS[3]: "sent"}
    assert await selected(groups=["Floor"], filter=RunFilter(fields={"version": "10.2"})) == {USERS[1]: "sent"}


INVALID: list[tuple[dict[str, Any], str]] = [
    ({"target": RunTarget()}, "target"),
    ({"target": RunTarget(users=[USERS[0], "nobody"])}, "target.users[1]"),
    ({"target": RunTarget(groups=["None"])}, "target.groups[0]"),
    ({"target": RunTarget(filter=RunFilter(fields={"colour": "red"}))}, "colour"),
    ({"waves": ["0%", "100%"]}, "waves[0]"),
    ({"waves": ["50%", "10%"]}, "waves[1]"),
    ({"start_at": "tomorrow at noon, please"}, "startAt"),
    ({"start_at": "2026-01-01T00:00:00"}, "startAt"),
    ({"expires": "2046-01-01T00:00:00Z"}, "expires"),
    ({"expires": "9999-12-31T23:59:59-23:59"}, "expires"),
]


async def test_wrong_selections_waves_and_times_are_refused(firm: Firm) -> None:
    for members, path in INVALID:
        with pytest.raises(Invalid) as refused:
            await firm.start(**members)
        assert [problem.path for problem in refused.value.problems] == [path]


async def test_a_scheduled_run_selects_its_desktops_when_it_starts(firm: Firm) -> None:
    at = firm.clock.now() + timedelta(hours=8)
    progress = await firm.start(start_at=at.isoformat())
    assert (progress.run.status, progress.run.total) == ("scheduled", 0)
    await firm.users.create(SYSTEM, NewUser(id="new"))
    await firm.connect("new")

    await firm.pass_time(8 * 3600 - 1)
    assert (await firm.runs.advance(progress.run.id)).run.status == "scheduled"
    await firm.pass_time(1)
    progress = await firm.runs.advance(progress.run.id)

    assert (progress.run.status, progress.run.started, counted(progress)) == ("running", at, {"sent": 21})


async def test_a_paused_run_sends_nothing_and_still_counts_answers(firm: Firm) -> None:
    progress = await firm.start(waves=["5", "100%"])
    await firm.runs.pause(SYSTEM, progress.run.id)
    await firm.answer()

    progress = await firm.runs.advance(progress.run.id)

    assert (progress.run.status, counted(progress)) == ("paused", {"done": 5, "pending": 15})
    with pytest.raises(Conflict):
        await firm.runs.pause(SYSTEM, progress.run.id)
    await firm.runs.resume(SYSTEM, progress.run.id)
    assert counted(await firm.runs.advance(progress.run.id)) == {"done": 5, "sent": 15}
    with pytest.raises(Conflict):
        await firm.runs.resume(SYSTEM, progress.run.id)


async def test_a_run_that_is_paused_before_it_starts_waits_for_its_time_again(firm: Firm) -> None:
    at = firm.clock.now() + timedelta(hours=1)
    progress = await firm.start(start_at=at.isoformat())
    await firm.runs.pause(SYSTEM, progress.run.id)
    await firm.pass_time(3600)
    assert (await firm.runs.advance(progress.run.id)).run.status == "paused"

    assert (await firm.runs.resume(SYSTEM, progress.run.id)).run.status == "scheduled"

    assert (await firm.runs.advance(progress.run.id)).run.status == "running"


async def test_a_cancelled_run_withdraws_commands_that_were_not_fetched(firm: Firm) -> None:
    progress = await firm.start(waves=["4", "100%"])
    done, fetched, *_ = await firm.waiting()
    await firm.answer(done)
    (command,) = await firm.commands.fetch(Identity.of(fetched, []), firm.sessions[fetched])

    progress = await firm.runs.cancel(SYSTEM, progress.run.id)

    assert progress.run.status == "cancelled"
    assert await firm.waiting() == [fetched]
    result = CommandResult.model_validate({"status": "failed"})
    await firm.commands.answer(Identity.of(fetched, []), firm.sessions[fetched], command.id, result)
    await firm.runs.advance_all()
    progress = await firm.runs.get(SYSTEM, progress.run.id)
    assert (progress.run.status, counted(progress)) == ("cancelled", {"done": 1, "failed": 1, "cancelled": 18})
    with pytest.raises(Conflict):
        await firm.runs.cancel(SYSTEM, progress.run.id)
    with pytest.raises(Conflict):
        await firm.runs.resume(SYSTEM, progress.run.id)


async def test_desktops_that_do_not_support_the_command_are_left_out(firm: Firm) -> None:
    await firm.desktops.heartbeat(
        Identity.of(USERS[7], []), firm.sessions[USERS[7]], SessionHeartbeat(commands=["GetLogs"])
    )

    preview = await firm.runs.preview(SYSTEM, NewCommandRun(key="k", command="Restart", target=EVERYONE))
    progress = await firm.start()

    assert (preview["total"], preview["ready"], preview["unsupported"]) == (20, 19, 1)
    assert preview["items"][0]["user"] == USERS[7]
    assert counted(progress) == {"sent": 19, "unsupported": 1}


async def test_a_deleted_command_counts_as_unanswered(firm: Firm) -> None:
    progress = await firm.start(target=RunTarget(users=USERS[:1]))
    async with firm.storage.read() as work:
        (command,) = await work.of(Commands).unanswered(firm.sessions[USERS[0]])
    await firm.commands.remove(SYSTEM, command.id)

    progress = await firm.runs.advance(progress.run.id)

    assert (progress.run.status, counted(progress)) == ("done", {"unanswered": 1})


async def test_code_is_sent_only_to_desktops_whose_users_have_no_more_rights(firm: Firm) -> None:
    await firm.users.create(SYSTEM, NewUser(id="clerk", groups=[Permission.COMMANDS_WRITE]))
    await firm.users.change(SYSTEM, USERS[0], UserChange(groups=[ADMIN_GROUP]))
    clerk = Identity.of("clerk", [Permission.COMMANDS_WRITE])
    body = NewCommandRun(key="k", command="ExecuteCode", target=EVERYONE)

    preview = await firm.runs.preview(clerk, body)
    progress = await firm.start(clerk, command="ExecuteCode", waves=["100%"])

    # The clerk has no desktop and has never had one.
    assert (preview["ready"], preview["refused"]) == (19, 1)
    assert counted(progress) == {"sent": 19, "refused": 1}
    assert (await firm.states(progress))[USERS[0]] == "refused"
    assert counted(await firm.start(clerk, command="Restart")) == {"sent": 20}


async def test_each_wave_is_sent_with_the_rights_that_the_author_has_then(firm: Firm) -> None:
    await firm.users.create(SYSTEM, NewUser(id="clerk", groups=[Permission.COMMANDS_WRITE]))
    clerk = Identity.of("clerk", [Permission.COMMANDS_WRITE])
    progress = await firm.start(clerk, command="ExecuteCode", waves=["5", "10", "100%"])
    await firm.answer()
    rest = [user for user, state in (await firm.states(progress)).items() if state == "pending"]
    await firm.users.change(SYSTEM, rest[0], UserChange(groups=[ADMIN_GROUP]))
    progress = await firm.runs.advance(progress.run.id)
    assert counted(progress) == {"done": 5, "sent": 4, "refused": 1, "pending": 10}
    await firm.users.change(SYSTEM, "clerk", UserChange(groups=[]))
    await firm.answer()

    progress = await firm.runs.advance(progress.run.id)

    assert (progress.run.status, counted(progress)) == ("stopped", {"done": 9, "refused": 1, "pending": 10})
    assert "PLATFORM_MANAGER:COMMANDS:WRITE" in progress.run.reason
    for refused in (firm.runs.pause, firm.runs.resume, firm.runs.cancel):
        with pytest.raises(Forbidden):
            await refused(Identity.of("clerk", [Permission.COMMANDS_READ]), progress.run.id)


@pytest.mark.long
async def test_the_waves_of_a_run_have_no_more_rights_than_the_token_that_started_it(firm: Firm) -> None:
    await firm.users.create(SYSTEM, NewUser(id="robot", groups=[ADMIN_GROUP], service=True))
    tokens = ApiTokenService(firm.storage, max_days=9)
    body = NewApiToken(name="job", permissions=[Permission.COMMANDS_WRITE], expires_in_days=9)
    token, _ = await tokens.create(SYSTEM, "robot", body)
    robot = Identity.of("robot", [ADMIN_GROUP]).limited_to(token.use)
    progress = await firm.start(robot, command="ExecuteCode", waves=["5", "10", "100%"])
    await firm.answer()
    rest = [user for user, state in (await firm.states(progress)).items() if state == "pending"]
    await firm.users.change(SYSTEM, rest[0], UserChange(groups=[ADMIN_GROUP]))

    progress = await firm.runs.advance(progress.run.id)

    assert counted(progress) == {"done": 5, "sent": 4, "refused": 1, "pending": 10}
    await tokens.revoke(SYSTEM, token.id)
    await firm.answer()
    progress = await firm.runs.advance(progress.run.id)
    assert (progress.run.status, counted(progress)) == ("stopped", {"done": 9, "refused": 1, "pending": 10})
    assert progress.run.reason == "the API token was revoked, or has expired"


async def test_a_repeated_request_starts_nothing(firm: Firm) -> None:
    body = NewCommandRun(key="same", command="Restart", target=EVERYONE)
    found = await asyncio.gather(*(firm.runs.create(SYSTEM, body) for _ in range(4)))

    await firm.runs.advance_all()

    assert len({progress.run.id for progress, _ in found}) == 1
    assert [is_new for _, is_new in found].count(True) == 1
    assert set((await firm.sent()).values()) == {1}
    with pytest.raises(Conflict):
        await firm.runs.create(SYSTEM, body.model_copy(update={"command": "GetLogs"}))


@pytest.mark.long
async def test_several_nodes_send_nothing_twice(firm: Firm) -> None:
    nodes = [firm.service(part=2) for _ in range(4)]
    progress = await firm.start(waves=["30%", "100%"])
    while progress.run.status == "running":
        await asyncio.gather(*(node.advance_all() for node in nodes))
        await firm.answer()
        progress = await firm.runs.get(SYSTEM, progress.run.id)

    assert counted(progress) == {"done": 20}
    assert await firm.sent() == Counter(USERS)


@pytest.mark.long
async def test_a_run_continues_after_an_interruption_at_any_statement(firm: Firm) -> None:
    any_moment = random.Random(11)
    for _ in range(cycles(3)):
        before = await firm.sent()
        firm.keys += 1
        body = NewCommandRun(key=f"k{firm.keys}", command="Restart", target=EVERYONE, waves=["20%", "100%"])
        progress, _ = await firm.runs.create(SYSTEM, body)
        while progress.run.status == "running":
            await fail_at(firm.storage, firm.service(), any_moment.randrange(1, 60))
            await firm.answer()
            progress = await firm.service().advance(progress.run.id)

        assert counted(progress) == {"done": 20}
        assert await firm.sent() - before == Counter(USERS)


async def fail_at(storage: Storage, node: CommandRunService, statements: int) -> None:
    """Advance runs with a database that fails at one of the next statements."""
    left = [statements]

    def fail(*_: object) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise OSError("the database is away")

    engine = storage._database._engine.sync_engine
    event.listen(engine, "before_execute", fail)
    try:
        with suppress(RostrumError):
            await node.advance_all()
    finally:
        event.remove(engine, "before_execute", fail)


async def test_the_audit_records_each_step_and_who_took_it(firm: Firm) -> None:
    await firm.users.create(SYSTEM, NewUser(id="clerk", groups=[Permission.COMMANDS_WRITE]))
    clerk = Identity.of("clerk", [Permission.COMMANDS_WRITE])
    progress = await firm.start(clerk, waves=["2", "100%"], max_failures="0", comment="because", ticket="T-1")
    await firm.runs.pause(SYSTEM, progress.run.id)
    await firm.runs.resume(SYSTEM, progress.run.id)
    await firm.answer(status="failed")
    await firm.runs.advance(progress.run.id)
    await firm.runs.cancel(SYSTEM, progress.run.id)

    query = Query(sort=("number",), filters={"kind": "commandRun", "id": progress.run.id})
    entries = (await AuditService(firm.storage).page(SYSTEM, query)).items

    # Created, sent, paused, continued, stopped and cancelled.
    assert [entry.actor for entry in entries] == ["clerk", "clerk", *["(system)"] * 4]
    assert "because" in entries[0].text
    assert entries[1].text.count('"kind":"command"') == 2
    assert "2 of 2 desktops failed" in entries[4].text
    assert '"cancelled"' in entries[5].text


@pytest.mark.long
async def test_old_runs_are_purged_with_old_commands(firm: Firm) -> None:
    config = manager_config("sqlite:///unused.db", purge={"commands": 5, "sessions": -1})
    old = await firm.start(target=RunTarget(users=USERS[:2]))
    await firm.answer()
    await firm.runs.advance(old.run.id)
    expires = (firm.clock.now() + timedelta(days=30)).isoformat()
    going = await firm.start(target=RunTarget(users=USERS[:1]), expires=expires, pause=1)
    paused = await firm.start(target=RunTarget(users=USERS[:2]))
    await firm.runs.pause(SYSTEM, paused.run.id)
    stopped = await firm.start(target=RunTarget(users=USERS[2:4]), max_failures="0", waves=["50%", "100%"])
    await firm.answer(*USERS[2:4], status="failed")
    assert (await firm.runs.advance(stopped.run.id)).run.status == "stopped"
    firm.clock.advance(5 * 86_400 + 1)

    gone = await purge(firm.storage, config)

    assert gone["command runs"] == 2
    page = await firm.runs.page(SYSTEM, Query())
    assert {progress.run.id for progress in page.items} == {going.run.id, paused.run.id}
    left = {progress.run.id: sum(counted(progress).values()) for progress in page.items}
    assert left == {going.run.id: 1, paused.run.id: 2}


async def test_the_number_of_runs_that_have_not_ended_is_limited(firm: Firm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rostrum.manager.command_runs.service.MOST_OPEN", 2)
    at = (firm.clock.now() + timedelta(days=1)).isoformat()
    first = await firm.start(start_at=at)
    await firm.start(start_at=at)
    with pytest.raises(Conflict):
        await firm.start(start_at=at)

    await firm.runs.cancel(SYSTEM, first.run.id)

    await firm.start(start_at=at)


@pytest.mark.long
async def test_the_background_task_advances_runs(firm: Firm) -> None:
    async with firm.runs.running(), asyncio.timeout(30):
        body = NewCommandRun(key="k", command="Restart", target=EVERYONE, waves=["50%", "100%"])
        progress, _ = await firm.runs.create(SYSTEM, body)
        while progress.run.status == "running":
            await firm.answer()
            await asyncio.sleep(0.1)
            progress = await firm.runs.get(SYSTEM, progress.run.id)

    assert counted(progress) == {"done": 20}
    assert isinstance(progress.run.finished, datetime)
