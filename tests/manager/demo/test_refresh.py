"""Opening the demo again sets its times relative to now, and changes nothing else."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.passwords import Passwords
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.audit.repository import Audit
from rostrum.manager.commands.repository import Commands
from rostrum.manager.config import read_config
from rostrum.manager.crash_groups.service import CrashGroupService
from rostrum.manager.crashes.repository import Crashes
from rostrum.manager.database.paging import Query
from rostrum.manager.demo.activity import demo_activity
from rostrum.manager.demo.load import load_demo
from rostrum.manager.demo.read import read_demo
from rostrum.manager.demo.refresh import refresh_demo
from rostrum.manager.feedback.repository import Feedbacks
from rostrum.manager.machines.topic import Machines
from rostrum.manager.manager import Manager
from rostrum.manager.sessions.model import Session
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage
from tests.conftest import SECRET
from tests.tables import add_content

NOW = datetime(2030, 3, 4, 10, 30, tzinfo=UTC)
ALL = Query(limit=1000)
CONTENT = read_demo()
LATER = {
    crash.id
    for item, crash in zip(CONTENT.crashes, demo_activity(CONTENT, NOW).crashes, strict=True)
    if item.get("afterChanges")
}
"""Crashes that keep their times."""


async def make_demo(store: str, now: datetime) -> None:
    cors = {"credentials": True, "origin": "http://admin.example.com"}
    document = {"auth_method": "basic", "store": store, "token": {"secret": SECRET}, "cors": cors}
    config = read_config(document, {}).config
    manager = Manager.of(config, SettableClock(now), Passwords(memory_kib=8, rounds=1))
    await manager.open()
    await load_demo(manager, "a password", "http://127.0.0.1:4356/api")
    await manager.close()


async def demo_at(store: str, now: datetime) -> Storage:
    """A database in which the demo was made at this moment."""
    await add_content(store, f"demo of {now}", lambda path: make_demo(path, now))
    storage = manager_storage(store, SettableClock(NOW))
    await storage.open()
    return storage


async def everything(storage: Storage) -> dict[str, tuple[Any, ...]]:
    async with storage.read() as work:
        return {
            "sessions": (await work.of(Sessions).page(ALL)).items,
            "commands": (await work.of(Commands).page(ALL)).items,
            "crashes": (await work.of(Crashes).page(ALL)).items,
            "feedback": (await work.of(Feedbacks).page(ALL)).items,
            "machines": (await work.of(Machines).page(ALL)).items,
            "audit": (await work.of(Audit).page(ALL)).items,
        }


@pytest.mark.long
@pytest.mark.parametrize("age", [timedelta(), timedelta(days=120), timedelta(days=-3)])
async def test_times_are_relative_to_now_whenever_the_demo_was_made(sqlite: str, age: timedelta) -> None:
    storage = await demo_at(sqlite, NOW - age)
    before = await everything(storage)

    users = await refresh_demo(storage, CONTENT)

    assert users == {user["id"] for user in CONTENT.users}
    after = await everything(storage)
    expected = demo_activity(CONTENT, NOW)
    assert {one.id: one for one in after["sessions"]} == {one.id: one for one in expected.sessions}
    assert {one.id: one for one in after["commands"]} == {one.id: one for one in expected.commands}
    for kind in ("crashes", "feedback"):
        wanted = {one.id: one.received for one in getattr(expected, kind)}
        # Crashes after a change stay after it.
        wanted |= {one.id: one.received for one in before[kind] if one.id in LATER}
        assert {one.id: one.received for one in after[kind]} == wanted
        unmoved = [replace(new, received=old.received) for old, new in zip(before[kind], after[kind], strict=True)]
        assert unmoved == list(before[kind])
    last_seen = {one.id: one.last_seen for one in expected.machines}
    for machine in after["machines"]:
        assert machine.first_seen <= machine.last_seen == last_seen[machine.id]
    # No edit is recorded: changed times are not edits.
    assert after["audit"] == before["audit"]
    await storage.close()


@pytest.mark.long
async def test_edits_and_deletions_stay_and_sessions_left_open_are_ended(store: str) -> None:
    storage = await demo_at(store, NOW - timedelta(days=9))
    machine = demo_activity(CONTENT, NOW).machines[0].id
    left = NOW - timedelta(days=8)
    fields: dict[str, Any] = {"version": "1", "env": "", "region": "", "product": "desktop", "commands": "[]"}
    async with storage.write("ann") as work:
        await work.of(Crashes).review(
            "demo-crash-01", reviewed=True, reviewed_by="ann", comment="x", revision=work.revision
        )
        await work.of(Crashes).remove("demo-crash-02")
        await work.of(Sessions).end("simulated-01", left)
        for name, on in (("left-open", machine), ("own-desktop", "MY-MACHINE")):
            opened = Session(id=name, user="ada.birch", machine=on, started=left, last_seen=left, **fields)
            await work.of(Sessions).add(opened)
        await work.of(Machines).see("MY-MACHINE", "MY-MACHINE", "{}", left, "ann")

    await refresh_demo(storage, CONTENT)

    async with storage.read() as work:
        crash = await work.of(Crashes).get("demo-crash-01")
        assert crash is not None
        assert (crash.reviewed, crash.reviewed_by, crash.comment) == (True, "ann", "x")
        assert await work.of(Crashes).get("demo-crash-02") is None
        silent = await work.of(Sessions).get("simulated-01")
        assert silent is not None
        assert silent.ended == silent.last_seen > left
        ended = await work.of(Sessions).get("left-open")
        assert ended is not None
        assert ended.ended == ended.last_seen == left
        own = await work.of(Sessions).get("own-desktop")
        assert own is not None
        assert own.ended is None
        mine = await work.of(Machines).get("MY-MACHINE")
        assert mine is not None
        assert mine.first_seen == mine.last_seen == left
    await storage.close()


async def test_a_crash_has_a_preceding_change_also_later(sqlite: str) -> None:
    storage = await demo_at(sqlite, NOW - timedelta(days=9))
    await refresh_demo(storage, CONTENT)
    (later,) = [crash for crash in demo_activity(CONTENT, NOW).crashes if crash.id in LATER]

    preceding = await CrashGroupService(storage).preceding(SYSTEM, later.group)

    newest = preceding.changes[0]
    assert (newest.name, newest.subject.ticket) == ("system.json (Pilot Desks)", "CHG-204")
    await storage.close()


@pytest.mark.long
async def test_another_database_is_left_alone(store: str) -> None:
    storage = manager_storage(store, SettableClock(NOW))
    await storage.open()
    machine = demo_activity(CONTENT, NOW).machines[0]
    fields: dict[str, Any] = {"version": "1", "env": "", "region": "", "product": "desktop", "commands": "[]"}
    own = Session(id="simulated-02", user="x", machine=machine.id, started=NOW, last_seen=NOW, **fields)
    async with storage.note("x") as work:
        await work.of(Sessions).add(own)

    assert await refresh_demo(storage, CONTENT) == frozenset()

    async with storage.read() as work:
        assert await work.of(Sessions).get(own.id) == own
    await storage.close()
