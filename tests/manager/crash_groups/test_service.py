"""Crash groups on each database: what is counted, triage, groups that return, and feedback."""

import json
from datetime import timedelta
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.errors import Invalid
from rostrum.base.passwords import PasswordPolicy, Passwords
from rostrum.contracts.app_entries import AppEntry
from rostrum.contracts.batches import BatchFilter, BatchRequest, NewBatch
from rostrum.contracts.reports import FeedbackReview, NewNote, Review, Triage
from rostrum.contracts.system_config import ConfigDocument
from rostrum.contracts.users import NewUser
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.apps.service import AppService
from rostrum.manager.audit.service import AuditService
from rostrum.manager.batches.service import BatchService
from rostrum.manager.configs.service import SystemConfigService
from rostrum.manager.crash_groups.model import CrashGroup
from rostrum.manager.crash_groups.service import CrashGroupService
from rostrum.manager.crashes.service import CrashService
from rostrum.manager.database.paging import Query
from rostrum.manager.errors import Conflict, Forbidden, NotFound, Stale
from rostrum.manager.feedback.service import FeedbackService
from rostrum.manager.files.model import Upload
from rostrum.manager.kinds import Kind
from rostrum.manager.purge import purge
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.reports.note_repository import Notes
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Storage
from rostrum.manager.users.service import UserService
from tests.conftest import manager_config
from tests.manager.crash_formats.minidumps import minidump
from tests.suites.storage import session

FIELDS = {"_productName": "Desk", "_version": "10.1", "process_type": "renderer", "reason": "out of memory"}
DAY = 24 * 60 * 60


class Dump:
    """An uploaded minidump."""

    filename = "a.dmp"
    content_type = "application/octet-stream"

    def __init__(self, data: bytes) -> None:
        self._data = data

    async def read(self, size: int = -1) -> bytes:
        size = len(self._data) if size < 0 else size
        piece, self._data = self._data[:size], self._data[size:]
        return piece


class Desk:
    """The services of a manager, and users who send reports."""

    def __init__(self, storage: Storage, clock: SettableClock) -> None:
        quotas = Quotas.of(manager_config("sqlite:///unused"))
        self.storage = storage
        self.crashes = CrashService(storage, quotas)
        self.feedback = FeedbackService(storage, quotas)
        self.groups = CrashGroupService(storage)
        self.batches = BatchService(storage, clock)

    async def crash(self, user: str | None = "ann", dump: Upload | None = None, **fields: str) -> str:
        """Send a report, and return its group."""
        identity = Identity.of(user, []) if user else None
        return (await self.crashes.receive(identity, {**FIELDS, **fields}, dump)).group

    async def all(self, *sort: str, **filters: str) -> list[CrashGroup]:
        return list((await self.groups.page(SYSTEM, Query(sort=sort, filters=filters))).items)

    async def one(self, group_id: str) -> CrashGroup:
        return (await self.groups.get(SYSTEM, group_id)).group

    async def change(self, group_id: str, **members: Any) -> CrashGroup:
        return (await self.groups.change(SYSTEM, group_id, Triage(**members))).group

    async def add_user(self, name: str, *groups: str) -> None:
        users = UserService(self.storage, Passwords(memory_kib=8, rounds=1), PasswordPolicy())
        await users.create(SYSTEM, NewUser(id=name, groups=list(groups)))


@pytest.fixture
def desk(storage: Storage, clock: SettableClock) -> Desk:
    return Desk(storage, clock)


async def test_reports_with_the_same_app_version_and_signature_are_one_group(desk: Desk, clock: SettableClock) -> None:
    started = clock.now()
    group = await desk.crash("ann", guid="pc1")
    clock.advance(DAY)
    assert await desk.crash("bob", guid="pc2") == group
    assert await desk.crash("ann", guid="pc1") == group
    other = await desk.crash("ann", app="chart")
    assert len({group, other, await desk.crash(_version="10.2"), await desk.crash(reason="killed")}) == 4

    found, _, _, _ = await desk.all("-count", "app", "version")

    assert (found.product, found.app, found.version) == ("Desk", "", "10.1")
    assert found.signature == "renderer: out of memory"
    assert (found.count, found.users, found.machines) == (3, 2, 2)
    assert (found.first_seen, found.last_seen) == (started, clock.now())
    assert found.days == (*[0] * 12, 1, 2)
    assert (found.status, found.assignee, found.revision > 0) == ("new", None, True)
    affected = (await desk.groups.get(SYSTEM, group)).affected
    assert [(each.user, each.count) for each in affected] == [("ann", 2), ("bob", 1)]
    reports = await desk.crashes.page(SYSTEM, Query(filters={"group": group}))
    assert {(crash.user, crash.signature) for crash in reports.items} == {
        ("ann", found.signature),
        ("bob", found.signature),
    }


async def test_the_dump_is_part_of_the_signature_and_an_unreadable_one_is_kept(desk: Desk) -> None:
    del_reason = {"reason": ""}
    group = await desk.crash(dump=Dump(minidump()), **del_reason)
    same = await desk.crash(dump=Dump(minidump(address=0x99)), **del_reason)
    broken = await desk.crash(dump=Dump(b"MDMP broken"), **del_reason)

    assert group == same
    assert (await desk.one(group)).signature == "renderer: SIGSEGV at libchart.so+0x2345"
    assert (await desk.one(broken)).signature == "renderer: unknown reason"
    (crash,) = (await desk.crashes.page(SYSTEM, Query(filters={"group": broken}))).items
    assert crash.dump is not None
    assert crash.dump.problem == "the file is truncated"
    assert crash.minidump is not None


async def test_a_period_limits_which_reports_are_counted(desk: Desk, clock: SettableClock) -> None:
    old = await desk.crash("ann")
    clock.advance(3 * DAY)
    await desk.crash("bob")
    recent = await desk.crash("bob", reason="killed")
    day = f"{clock.now():%Y-%m-%d}"

    within = await desk.all("-count", received=f"{day}..")
    before = await desk.all(received=f"..{clock.now() - timedelta(days=1):%Y-%m-%d}")

    assert {(each.id, each.count, each.users) for each in within} == {(old, 1, 1), (recent, 1, 1)}
    assert [(each.id, each.count) for each in before] == [(old, 1)]
    assert [each.count for each in await desk.all("-count")] == [2, 1]
    with pytest.raises(Invalid):
        await desk.all(received="yesterday")
    with pytest.raises(Invalid):
        await desk.all(count="2")
    with pytest.raises(Invalid):
        await desk.all(status="unknown")


async def test_a_resolved_group_returns_with_the_next_crash(desk: Desk, clock: SettableClock) -> None:
    group = await desk.crash()
    resolved = await desk.change(group, status="resolved")
    assert (resolved.status, resolved.changed_by) == ("resolved", SYSTEM.user)
    clock.advance(60)

    await desk.crash("bob")

    returned = await desk.one(group)
    assert (returned.status, returned.changed, returned.changed_by) == ("returned", clock.now(), None)
    assert returned.revision > resolved.revision
    assert [each.id for each in await desk.all(status="open")] == [group]
    entries = await AuditService(desk.storage).page(SYSTEM, Query(filters={"kind": "crashGroup"}))
    assert len(entries.items) == 2


@pytest.mark.parametrize(
    ("version", "status", "assignee"), [("10.2", "returned", "kai"), ("10.0.9", "new", None), ("beta", "new", None)]
)
async def test_a_problem_also_returns_in_a_newer_version(
    desk: Desk, version: str, status: str, assignee: str | None
) -> None:
    await desk.add_user("kai", Permission.CRASHES_READ)
    group = await desk.crash()
    await desk.change(group, status="resolved", assignee="kai")

    later = await desk.one(await desk.crash(_version=version))

    assert (later.status, later.assignee) == (status, assignee)
    assert (await desk.one(group)).status == "resolved"


async def test_a_resolved_group_marks_its_reports_as_reviewed_on_request(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    group, other = await desk.crash(), await desk.crash(_version="9.0")
    for _ in range(3):
        await desk.crash("bob")
    with pytest.raises(Invalid):
        await desk.change(group, status="investigating", review_reports=True)
    assert (await desk.one(group)).status == "new"
    assert (await desk.groups.change(SYSTEM, group, Triage(status="resolved"))).unreviewed == 4

    monkeypatch.setattr("rostrum.manager.crash_groups.service._MOST_REVIEWED", 3)
    clerk = Identity.of("clerk", [Permission.CRASHES_READ, Permission.CRASHES_WRITE])
    assert (await desk.groups.change(clerk, group, Triage(review_reports=True))).unreviewed == 1
    assert (await desk.groups.change(clerk, group, Triage(review_reports=True))).unreviewed == 0

    reports = (await desk.crashes.page(SYSTEM, Query(filters={"group": group}))).items
    assert [(report.reviewed, report.reviewed_by) for report in reports] == [(True, "clerk")] * 4
    assert (await desk.groups.get(SYSTEM, other)).unreviewed == 1
    entries = (await AuditService(desk.storage).page(SYSTEM, Query(filters={"actor": "clerk"}))).items
    changes = [change for entry in entries for change in json.loads(entry.text)["changes"]]
    assert [(change["kind"], change["id"]) for change in changes] == [("crash", "*")] * 2
    edits = [edit for change in changes for edit in change["diff"] if edit["path"].endswith("count")]
    assert sorted(edit["after"] for edit in edits) == [1, 3]


async def test_an_ignored_group_stays_ignored(desk: Desk) -> None:
    group = await desk.crash()
    await desk.change(group, status="ignored")

    await desk.crash()

    assert (await desk.one(group)).status == "ignored"
    assert await desk.all(status="open") == []


async def test_only_a_user_who_can_read_the_reports_can_be_the_assignee(desk: Desk) -> None:
    group = await desk.crash()
    await desk.add_user("kai", Permission.CRASHES_READ)
    await desk.add_user("eve")
    for wrong in ("eve", "nobody"):
        with pytest.raises(Invalid):
            await desk.change(group, assignee=wrong)
    assert (await desk.change(group, assignee="kai")).assignee == "kai"
    assert [each.id for each in await desk.all(assignee="kai")] == [group]
    assert (await desk.change(group, assignee=None)).assignee is None


async def test_a_change_of_a_group_that_has_changed_is_refused(desk: Desk) -> None:
    group = await desk.crash()
    seen = frozenset({(await desk.one(group)).revision})
    await desk.groups.change(SYSTEM, group, Triage(status="investigating"), seen)

    with pytest.raises(Stale):
        await desk.groups.change(SYSTEM, group, Triage(status="ignored"), seen)
    with pytest.raises(NotFound):
        await desk.groups.change(SYSTEM, "unknown", Triage(status="ignored"))


@pytest.mark.long
async def test_notes_are_added_in_order_and_limited(desk: Desk, clock: SettableClock) -> None:
    group = await desk.crash()
    for text in ("first\nline", "  second "):
        await desk.groups.add_note(SYSTEM, group, NewNote(text=text))
        clock.advance(1)
    assert [note.text for note in (await desk.groups.notes(SYSTEM, group)).items] == ["first\nline", "second"]

    for _ in range(198):
        async with desk.storage.write("ann") as work:
            await work.of(Notes).add(Kind.CRASH_GROUP, group, "x", "ann", work.now)
    with pytest.raises(Conflict):
        await desk.groups.add_note(SYSTEM, group, NewNote(text="one more"))


async def test_triage_needs_the_rights_for_crashes(desk: Desk) -> None:
    group = await desk.crash()
    nobody, reader = Identity.of("ann", []), Identity.of("bob", [Permission.CRASHES_READ])
    with pytest.raises(Forbidden):
        await desk.groups.page(nobody, Query())
    with pytest.raises(Forbidden):
        await desk.groups.notes(nobody, group)
    assert (await desk.groups.page(reader, Query())).total == 1
    with pytest.raises(Forbidden):
        await desk.groups.change(reader, group, Triage(status="ignored"))
    with pytest.raises(Forbidden):
        await desk.groups.add_note(reader, group, NewNote(text="x"))


async def test_batches_set_the_status_and_the_assignee_of_groups_and_feedback(desk: Desk) -> None:
    await desk.add_user("kai", Permission.CRASHES_READ)
    groups = [await desk.crash(), await desk.crash(reason="killed")]
    await desk.change(groups[0], status="resolved")
    shown = BatchFilter(fields={"received": "2025-01-01.."})

    preview = await desk.batches.preview(SYSTEM, Kind.CRASH_GROUP, BatchRequest(action="resolve", filter=shown))
    view = preview.as_json()
    assert (view["total"], view["done"], view["unchanged"]) == (2, 1, 1)
    await desk.batches.create(SYSTEM, Kind.CRASH_GROUP, NewBatch(action="resolve", ids=groups, key="a"))
    body: dict[str, Any] = {"action": "assign", "arguments": {"assignee": ["kai"]}, "ids": groups, "key": "b"}
    await desk.batches.create(SYSTEM, Kind.CRASH_GROUP, NewBatch(**body))
    assert {(each.status, each.assignee) for each in await desk.all()} == {("resolved", "kai")}
    wrong = {**body, "arguments": {"assignee": ["nobody"]}, "key": "c"}
    with pytest.raises(Invalid):
        await desk.batches.create(SYSTEM, Kind.CRASH_GROUP, NewBatch(**wrong))

    item = await desk.feedback.receive(Identity.of("ann", []), "slow", None)
    with pytest.raises(Invalid):
        await desk.batches.create(SYSTEM, Kind.FEEDBACK, NewBatch(**{**body, "ids": [item.id], "key": "d"}))
    await desk.batches.create(SYSTEM, Kind.FEEDBACK, NewBatch(action="ignore", ids=[item.id], key="e"))
    changed = await desk.feedback.get(SYSTEM, item.id)
    assert (changed.status, changed.reviewed, changed.reviewed_by) == ("ignored", True, SYSTEM.user)


async def test_batches_that_resolve_groups_can_mark_their_reports_as_reviewed(desk: Desk) -> None:
    groups = [await desk.crash(), await desk.crash(reason="killed"), await desk.crash(reason="oops")]
    await desk.crash()
    await desk.change(groups[1], status="resolved")
    await desk.groups.change(SYSTEM, groups[2], Triage(status="resolved", review_reports=True))
    body: dict[str, Any] = {"action": "resolve", "arguments": {"reviewReports": True}, "ids": groups, "key": "a"}

    # Resolved groups change too, if they have reports that nobody has reviewed.
    view = (await desk.batches.preview(SYSTEM, Kind.CRASH_GROUP, NewBatch(**body))).as_json()
    assert (view["done"], view["unchanged"]) == (2, 1)
    assert [(await desk.groups.get(SYSTEM, each)).unreviewed for each in groups] == [2, 1, 0]
    clerk = Identity.of("clerk", [Permission.CRASHES_READ, Permission.CRASHES_WRITE])
    batch, _ = await desk.batches.create(clerk, Kind.CRASH_GROUP, NewBatch(**body))
    assert (batch.done, batch.unchanged, json.loads(batch.arguments)) == (2, 1, {"reviewReports": True})
    assert [(await desk.groups.get(SYSTEM, each)).unreviewed for each in groups] == [0, 0, 0]
    assert {each.status for each in await desk.all()} == {"resolved"}
    reports = (await desk.crashes.page(SYSTEM, Query(filters={"group": groups[0]}))).items
    assert [report.reviewed_by for report in reports] == ["clerk"] * 2

    entries = (await AuditService(desk.storage).page(SYSTEM, Query(filters={"batch": batch.id}))).items
    changes = [change for entry in entries for change in json.loads(entry.text)["changes"] if change["kind"] == "crash"]
    counts = {edit["after"] for each in changes for edit in each["diff"] if edit["path"] == "/count"}
    assert (len(changes), counts) == (2, {1, 2})

    for action, kind in (("ignore", Kind.CRASH_GROUP), ("resolve", Kind.FEEDBACK)):
        with pytest.raises(Invalid, match="invalid arguments"):
            await desk.batches.create(SYSTEM, kind, NewBatch(**{**body, "action": action, "key": "b"}))


async def test_feedback_is_reviewed_if_its_status_is_not_new(desk: Desk) -> None:
    item = await desk.feedback.receive(Identity.of("ann", []), "slow", None)

    async def review(**members: Any) -> tuple[str, bool, str | None]:
        changed = await desk.feedback.review(SYSTEM, item.id, FeedbackReview(**members))
        return changed.status.value, changed.reviewed, changed.reviewed_by

    assert await review(status="investigating") == ("investigating", True, SYSTEM.user)
    assert await review(comment="looking") == ("investigating", True, SYSTEM.user)
    assert await review(status="new") == ("new", False, None)
    # Clients that do not know the status.
    done = await desk.feedback.review(SYSTEM, item.id, Review(reviewed=True))
    assert (done.status, done.reviewed) == ("resolved", True)
    assert await review(reviewed=False) == ("new", False, None)
    with pytest.raises(Invalid):
        await review(status="resolved", reviewed=False)
    await desk.feedback.add_note(SYSTEM, item.id, NewNote(text="called"))
    assert [note.text for note in (await desk.feedback.notes(SYSTEM, item.id)).items] == ["called"]
    await desk.feedback.remove(SYSTEM, item.id)
    async with desk.storage.read() as work:
        assert (await work.of(Notes).page(Kind.FEEDBACK, item.id)).total == 0


async def test_groups_without_reports_are_not_listed_and_purged_later(desk: Desk, clock: SettableClock) -> None:
    group = await desk.crash()
    await desk.change(group, status="ignored")
    await desk.groups.add_note(SYSTEM, group, NewNote(text="known"))
    (crash,) = (await desk.crashes.page(SYSTEM, Query())).items
    await desk.crashes.remove(SYSTEM, crash.id)
    config = manager_config("sqlite:///unused")

    assert await desk.all() == []
    await purge(desk.storage, config)
    assert (await desk.one(group)).status == "ignored"
    clock.advance(200 * DAY)
    await purge(desk.storage, config)

    with pytest.raises(NotFound):
        await desk.one(group)
    async with desk.storage.read() as work:
        assert (await work.of(Notes).page(Kind.CRASH_GROUP, group)).total == 0


async def test_changes_that_reach_the_app_or_its_users_precede_a_crash(desk: Desk, clock: SettableClock) -> None:
    await desk.add_user("ann", "Desk")
    configs = SystemConfigService(desk.storage)

    async def put(file: str, **scope: str) -> None:
        clock.advance(60)
        await configs.create(SYSTEM, ConfigDocument(file=file, contents={}, **scope))

    async def add_app(name: str) -> None:
        clock.advance(60)
        definition = {"name": name, "type": "window", "details": {"url": "https://a.example"}}
        await AppService(desk.storage).create(SYSTEM, AppEntry(definition=definition))

    await put("themes.json")
    clock.advance(2 * DAY)
    await put("system.json", group="Desk")
    await put("system.json", group="Other")
    await put("channels.json", version="10")
    await add_app("chart")
    await add_app("blotter")
    async with desk.storage.write("ann") as work:
        now = clock.now()
        await work.of(Sessions).add(session("s", user="ann", version="10.1", started=now, last_seen=now))
    clock.advance(60)
    group = await desk.crash("ann", app="chart")
    await put("stickywindows.json")

    found = await desk.groups.preceding(SYSTEM, group)

    assert [(change.subject.kind, change.name) for change in found.changes] == [
        ("app", "chart"),
        ("config", "channels.json (10)"),
        ("config", "system.json (Desk)"),
    ]
    assert (found.version_first_used, found.more) == (now, False)
    some = Identity.of("eve", [Permission.CRASHES_READ, Permission.APPS_READ])
    assert [change.name for change in (await desk.groups.preceding(some, group)).changes] == ["chart"]
