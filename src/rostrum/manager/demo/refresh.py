"""Updates the times in the demo when it is started again; data that people have edited is kept."""

from dataclasses import replace
from datetime import UTC, datetime

from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.changes.origin import RequestOrigin, acting
from rostrum.manager.crash_groups.repository import CrashGroups
from rostrum.manager.database.paging import Query
from rostrum.manager.demo.activity import demo_activity
from rostrum.manager.demo.read import DemoContent
from rostrum.manager.demo.repository import ActivityRecord, ActivityTimes
from rostrum.manager.machines.topic import Machines
from rostrum.manager.sessions.model import Session
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.repository import Users

_MOST_SESSIONS = 1000
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


async def refresh_demo(storage: Storage, content: DemoContent) -> frozenset[str]:
    """Set the times of the demo's activity relative to now; return the demo users, or none if this is not a demo.

    Only the times of records that the demo created are changed. Reviews, comments and other records are kept. Sessions
    that simulated desktops left open are ended.
    """
    async with storage.read() as work:
        users = await _demo_users(work, content)
        if not users:
            return users
        left_open = await _left_open(work, content)
    with acting(RequestOrigin(operation="demo")):
        async with storage.note(SYSTEM.user) as work:
            await _set_times(work, content)
        if left_open:
            # If the demo was killed, it could not end the sessions of its simulated desktops.
            async with storage.write(SYSTEM.user) as work:
                for session in left_open:
                    await work.of(Sessions).end(session.id, session.last_seen)
    return users


async def _demo_users(work: Work, content: DemoContent) -> frozenset[str]:
    found = {item["id"]: await work.of(Users).get(item["id"]) for item in content.users}
    # Another database may have a user with the same ID; only a demo has one with the email address of the demo.
    if not any((user := found[item["id"]]) is not None and user.email == item["email"] for item in content.users):
        return frozenset()
    return frozenset(user_id for user_id, user in found.items() if user is not None)


async def _left_open(work: Work, content: DemoContent) -> list[Session]:
    activity = demo_activity(content, work.now)
    known = {session.id for session in activity.sessions}
    found: list[Session] = []
    for machine in activity.machines:
        query = Query(limit=_MOST_SESSIONS, filters={"machine": machine.id})
        page = await work.of(Sessions).page(query, seen_since=_LONG_AGO)
        found += (session for session in page.items if session.id not in known)
    return found


async def _set_times(work: Work, content: DemoContent) -> None:
    activity = demo_activity(content, work.now)
    # The audit has the times of changes, so crashes after changes keep their times too.
    crashes = [
        crash
        for item, crash in zip(content.crashes, activity.crashes, strict=True)
        if not item.get("afterChanges", False)
    ]
    records: list[ActivityRecord] = [*activity.sessions, *activity.commands, *crashes, *activity.feedback]
    for record in records:
        await work.of(ActivityTimes).set(record)
    await work.of(CrashGroups).refit(sorted({crash.group for crash in crashes}))
    for machine in activity.machines:
        stored = await work.of(Machines).get(machine.id)
        if stored is not None:
            first_seen = min(stored.first_seen, machine.first_seen)
            last_seen = max(machine.last_seen, await _last_seen(work, machine.id))
            await work.of(ActivityTimes).set(replace(stored, first_seen=first_seen, last_seen=last_seen))


async def _last_seen(work: Work, machine_id: str) -> datetime:
    """Return when a session of a machine was last seen, but at most now, even if a clock was wrong."""
    query = Query(limit=1, sort=("-lastSeen",), filters={"machine": machine_id})
    newest = (await work.of(Sessions).page(query)).items
    return min(newest[0].last_seen, work.now) if newest else _LONG_AGO
