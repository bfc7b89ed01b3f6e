"""What the history and the audit must do on every back end, written once; a test file runs it on each of them."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event, text

from rostrum.base.clock import SettableClock
from rostrum.base.errors import RostrumError
from rostrum.base.passwords import PasswordPolicy, Passwords
from rostrum.contracts.app_entries import AppChange, AppEntry, AppImport
from rostrum.contracts.groups import GroupChange, NewGroup
from rostrum.contracts.layout_entries import LayoutChange, LayoutEntry
from rostrum.contracts.preference_entries import NewPreference, PreferenceChange
from rostrum.contracts.system_config import ConfigDocument
from rostrum.contracts.users import NewUser, UserChange
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.apps.model import App
from rostrum.manager.apps.repository import Apps
from rostrum.manager.apps.service import AppService
from rostrum.manager.audit.chain import Fault
from rostrum.manager.audit.repository import Audit
from rostrum.manager.audit.service import AuditService
from rostrum.manager.changes.origin import RequestOrigin, acting
from rostrum.manager.configs.service import SystemConfigService
from rostrum.manager.database import tables
from rostrum.manager.database.engine import Database
from rostrum.manager.database.paging import Query
from rostrum.manager.document import body_text
from rostrum.manager.errors import NotFound, NotKept
from rostrum.manager.groups.service import GroupService
from rostrum.manager.history.repository import History
from rostrum.manager.history.restore import DocumentService
from rostrum.manager.history.rollback import RollbackService
from rostrum.manager.history.service import HistoryService, as_of
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.layouts.service import LayoutService
from rostrum.manager.preferences.repository import Preferences
from rostrum.manager.preferences.service import PreferenceService
from rostrum.manager.quotas.service import UNLIMITED, Quotas
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Storage
from rostrum.manager.users.service import UserService
from tests.suites.storage import START, app, layout, preference

State = dict[tuple[Kind, str], str]


async def state_of(storage: Storage) -> State:
    """Every document that there is, as the history would keep it."""
    found: State = {}
    async with storage.read() as work:
        for kind in DOCUMENT_KINDS:
            page = await work.records(kind).page(Query(limit=1000))
            found |= {(kind, document.key): body_text(document) for document in page.items}
    return found


async def newest(storage: Storage) -> int:
    async with storage.read() as work:
        return await work.of(History).newest()


class Firm:
    """People who do anything to the documents of a manager, in an order that only a seed decides."""

    def __init__(self, storage: Storage, clock: SettableClock, seed: int, quotas: Quotas = UNLIMITED) -> None:
        self.storage = storage
        self.clock = clock
        self.any = random.Random(seed)
        self.apps = AppService(storage)
        self.layouts = LayoutService(storage, quotas)
        self.preferences = PreferenceService(storage, quotas)
        self.configs = SystemConfigService(storage)
        self.users = UserService(storage, Passwords(memory_kib=8, rounds=1), PasswordPolicy())
        self.groups = GroupService(storage)
        self.rollback = RollbackService(storage, DocumentService.__subclasses__())
        self.states: dict[int, State] = {}
        self.times: dict[int, Any] = {}

    async def live(self, steps: int, *, only: Sequence[str] = ()) -> None:
        """Let things happen, all or some of them, and remember what was there after each revision."""
        actions: list[Callable[[], Awaitable[Any]]] = [getattr(self, name) for name in only] or [
            self.make_app,
            self.change_app,
            self.import_apps,
            self.make_layout,
            self.change_layout,
            self.save_layout,
            self.make_preference,
            self.change_preference,
            self.clear_preferences,
            self.make_config,
            self.change_config,
            self.make_user,
            self.make_user,
            self.change_user,
            self.make_group,
            self.change_group,
            self.remove_something,
            self.remove_something,
            self.roll_back_one,
            self.roll_back_all,
        ]
        for step in range(steps):
            self.clock.advance(self.any.choice([0, 0.001, 1, 3600]))
            with suppress(RostrumError), acting(RequestOrigin(operation=f"step {step}")):
                await self.any.choice(actions)()
            revision = await newest(self.storage)
            self.states.setdefault(revision, await state_of(self.storage))
            self.times.setdefault(revision, self.clock.now())

    def name(self) -> str:
        return self.any.choice(["a", "b/ü", "c"])

    def names(self) -> list[str]:
        return self.any.sample(["a", "b/ü", "c", "d"], self.any.randrange(3))

    async def one(self, kind: Kind) -> str:
        async with self.storage.read() as work:
            page = await work.records(kind).page(Query(limit=1000))
        return str(self.any.choice(page.items).key) if page.items else "none"

    def app(self, name: str | None = None) -> dict[str, Any]:
        url = f"https://example.com/{self.any.random()}"
        return {"name": name or self.name(), "type": "window", "details": {"url": url}}

    def layout(self) -> dict[str, Any]:
        return {"name": self.name(), "type": "Global", "components": [], "metadata": {"n": self.any.random()}}

    async def make_app(self) -> None:
        await self.apps.create(SYSTEM, AppEntry(definition=self.app(), access_list=self.names()))

    async def change_app(self) -> None:
        name = await self.one(Kind.APP)
        await self.apps.change(SYSTEM, name, AppChange(definition=self.app(name), access_list=self.names()))

    async def import_apps(self) -> None:
        body = AppImport(applications=[self.app("a"), self.app("c")], overwrite=self.any.random() < 0.7)
        await self.apps.import_all(SYSTEM, body)

    async def make_layout(self) -> None:
        owner = self.any.choice(["*", await self.one(Kind.USER)])
        await self.layouts.create(SYSTEM, LayoutEntry(definition=self.layout(), owner=owner))

    async def change_layout(self) -> None:
        change = LayoutChange(definition=self.layout(), access_list=self.names(), public=True)
        await self.layouts.change(SYSTEM, await self.one(Kind.LAYOUT), change)

    async def save_layout(self) -> None:
        await self.layouts.save(Identity.of(await self.one(Kind.USER), []), self.layout())

    async def make_preference(self) -> None:
        body = NewPreference(user=await self.one(Kind.USER), app=self.name(), data={"x": self.any.random()})
        await self.preferences.create(SYSTEM, body)

    async def change_preference(self) -> None:
        change = PreferenceChange(data=[self.any.random()])
        await self.preferences.change(SYSTEM, await self.one(Kind.PREFERENCE), change)

    async def clear_preferences(self) -> None:
        await self.preferences.clear(Identity.of(await self.one(Kind.USER), []), self.any.choice([None, self.name()]))

    def config(self) -> ConfigDocument:
        where = self.any.choice([{}, {"group": self.name()}, {"version": "10"}])
        return ConfigDocument(file="system.json", contents={"n": self.any.random()}, **where)

    async def make_config(self) -> None:
        await self.configs.create(SYSTEM, self.config())

    async def change_config(self) -> None:
        await self.configs.replace(SYSTEM, await self.one(Kind.CONFIG), self.config())

    async def make_user(self) -> None:
        body = NewUser(id=self.name(), groups=self.names(), apps=self.names(), layouts=[await self.one(Kind.LAYOUT)])
        await self.users.create(SYSTEM, body)

    async def change_user(self) -> None:
        change = UserChange(groups=self.names(), apps=self.names(), disabled=self.any.random() < 0.5)
        await self.users.change(SYSTEM, await self.one(Kind.USER), change)

    async def make_group(self) -> None:
        await self.groups.create(SYSTEM, NewGroup(name=self.name(), expands_to=self.names()))

    async def change_group(self) -> None:
        change = GroupChange(priority=self.any.randrange(9), expands_to=self.names())
        await self.groups.change(SYSTEM, await self.one(Kind.GROUP), change)

    async def remove_something(self) -> None:
        services = {
            Kind.APP: self.apps,
            Kind.LAYOUT: self.layouts,
            Kind.PREFERENCE: self.preferences,
            Kind.CONFIG: self.configs,
            Kind.USER: self.users,
            Kind.GROUP: self.groups,
        }
        kind = self.any.choice(list(services))
        service: Any = services[kind]
        await service.remove(SYSTEM, await self.one(kind))

    def past(self) -> str:
        return str(self.any.choice(list(self.states) or [0]))

    async def roll_back_one(self) -> None:
        then = self.any.choice(list(self.states.values()) or [{}])
        kind, key = self.any.choice([*then] or [(Kind.APP, "a")])
        await self.rollback.one(SYSTEM, kind, key, self.past())

    async def roll_back_all(self) -> None:
        await self.rollback.all(
            SYSTEM, self.any.choice(list(DOCUMENT_KINDS)), self.past(), dry_run=self.any.random() < 0.5
        )


class TimeTravel:
    """The history knows what was."""

    @pytest.mark.long
    async def test_what_was_at_each_revision_and_time_is_what_is_read_as_of_it(
        self, storage: Storage, clock: SettableClock
    ) -> None:
        firm = Firm(storage, clock, 1)
        await firm.live(60)
        subjects = {subject for state in firm.states.values() for subject in state}

        assert len(firm.states) > 25
        assert {kind for kind, _ in subjects} == set(DOCUMENT_KINDS)
        async with storage.read() as work:
            for revision, state in firm.states.items():
                for kind, key in firm.any.sample(sorted(subjects), 8):
                    found = await work.of(History).as_of(kind, key, revision)
                    assert (found and found.body) == state.get((kind, key)), (revision, kind, key)
                last_then = max(number for number, time in firm.times.items() if time <= firm.times[revision])
                assert await work.of(History).revision_at(firm.times[revision]) == last_then
        verified = await AuditService(storage).verify(SYSTEM)
        assert verified.fault is None
        assert verified.entries >= len(firm.states) - 1

    @pytest.mark.long
    async def test_a_set_rolled_back_is_what_it_was_and_comparing_finds_no_difference(
        self, storage: Storage, clock: SettableClock
    ) -> None:
        firm = Firm(storage, clock, 3)
        await firm.live(40)
        history = HistoryService(storage)
        tried = 0
        for revision in firm.any.sample(sorted(firm.states), 3):
            for kind in DOCUMENT_KINDS:
                before = await state_of(storage)
                try:
                    plan = await firm.rollback.all(SYSTEM, kind, str(revision), dry_run=True)
                except RostrumError:
                    # For example: layouts come back, but not the user who owned them.
                    with pytest.raises(RostrumError):
                        await firm.rollback.all(SYSTEM, kind, str(revision), dry_run=False)
                    assert await state_of(storage) == before
                    continue
                assert await state_of(storage) == before
                done = await firm.rollback.all(SYSTEM, kind, str(revision), dry_run=False)
                tried += 1
                after = await state_of(storage)
                assert {key: body for (its, key), body in after.items() if its is kind} == {
                    key: body for (its, key), body in firm.states[revision].items() if its is kind
                }
                assert [(change.kind, change.key) for change in plan.changes] == [
                    (change.kind, change.key) for change in done.changes
                ]
                assert {(change.kind, change.key) for change in done.changes} == {
                    subject for subject in {*before, *after} if before.get(subject) != after.get(subject)
                } | {(change.kind, change.key) for change in done.changes if change.before == change.after}
                for key in [key for its, key in after if its is kind][:2]:
                    same = await history.compare(SYSTEM, kind, key, before=str(revision), after=str(done.revision))
                    assert same.edits == []

        assert tried > 7
        assert (await AuditService(storage).verify(SYSTEM)).fault is None

    async def test_work_that_fails_leaves_neither_revision_nor_entry(self, storage: Storage) -> None:
        async with storage.write("ann") as work:
            await work.of(Apps).add(app("a"))
        with suppress(ZeroDivisionError):
            async with storage.write("ann") as work:
                await work.of(Apps).put(app("a", public=True))
                raise ZeroDivisionError
        async with storage.dry_run("ann") as work:
            await work.of(Apps).put(app("a", disabled=True))

        async with storage.read() as work:
            assert [
                item.revision for item in (await work.of(History).page(Kind.APP, "a", limit=9, offset=0)).items
            ] == [1]
            assert (await work.of(Audit).page(Query())).total == 1
            assert await work.of(Apps).get("a") == app("a")
        async with storage.write("ann") as work:
            assert work.revision == 2

    async def test_every_write_leaves_an_entry_and_a_heartbeat_none(self, storage: Storage) -> None:
        async with storage.write("ann"):
            pass
        async with storage.note("ann") as work:
            await work.of(Sessions).touch("s", work.now)
        with pytest.raises(RuntimeError):
            async with storage.note("ann") as work:
                await work.of(Apps).add(app("a"))

        async with storage.read() as work:
            page = await work.of(Audit).page(Query())
            assert [(entry.actor, entry.revision, entry.kind) for entry in page.items] == [("ann", 1, "")]
            assert await work.of(Apps).get("a") is None


class Retention:
    """What is kept, and what is known of the rest."""

    @staticmethod
    async def change(storage: Storage, clock: SettableClock, *names: str, days: float = 1) -> None:
        for name in names:
            async with storage.write("ann") as work:
                found = await work.of(Apps).get(name)
                new: App = app(name, title=str(work.revision), public=work.revision % 2 == 0, stamp=work.stamp())
                await (work.of(Apps).put if found else work.of(Apps).add)(new)
            clock.advance(days * 86_400)

    async def test_revisions_go_when_they_were_replaced_long_ago(self, storage: Storage, clock: SettableClock) -> None:
        # Revisions 1 to 5 on days 0 to 4, and another app that never changes.
        await self.change(storage, clock, "a", "quiet", "a", "a", "a")
        limit = clock.now() - timedelta(days=2)
        async with storage.note() as work:
            # What was replaced on day 3 or later is still needed to show what was on day 3.
            assert await work.of(History).purge(limit, -1) == 1
            assert await work.of(History).purge(limit, -1) == 0

        async with storage.read() as work:
            kept = [item.revision for item in (await work.of(History).page(Kind.APP, "a", limit=9, offset=0)).items]
            assert kept == [5, 4, 3]
            assert await work.of(History).as_of(Kind.APP, "a", 2) is None
            assert await work.of(History).as_of(Kind.APP, "quiet", 2) is not None
        history = HistoryService(storage)
        with pytest.raises(NotKept, match="oldest revision of it that is kept is 3"):
            await history.as_of(SYSTEM, Kind.APP, "a", "2")
        with pytest.raises(NotFound, match="existed at revision 1"):
            await history.as_of(SYSTEM, Kind.APP, "quiet", "1")

    async def test_only_so_many_of_each_document_are_kept(self, storage: Storage, clock: SettableClock) -> None:
        await self.change(storage, clock, *("a", "b") * 5)
        async with storage.note() as work:
            assert await work.of(History).purge(clock.now() - timedelta(days=99), 2) == 6

        async with storage.read() as work:
            for name, kept in (("a", [9, 7]), ("b", [10, 8])):
                page = await work.of(History).page(Kind.APP, name, limit=9, offset=0)
                assert [item.revision for item in page.items] == kept

    async def test_the_newest_stays_for_ever_and_so_does_the_mark_of_a_deletion(
        self, storage: Storage, clock: SettableClock
    ) -> None:
        await self.change(storage, clock, "a", "b", "b")
        async with storage.write("ann") as work:
            await work.of(Apps).remove("b")
        clock.advance(999 * 86_400)
        async with storage.note() as work:
            assert await work.of(History).purge(clock.now(), 1) == 2

        history = HistoryService(storage)
        assert (await history.as_of(SYSTEM, Kind.APP, "a", "3")).revision == 1
        assert (await history.as_of(SYSTEM, Kind.APP, "b", "4")).body is None
        with pytest.raises(NotKept):
            await history.as_of(SYSTEM, Kind.APP, "b", "3")
        # Made again, it still has a past that is not known.
        await self.change(storage, clock, "b")
        async with storage.note() as work:
            await work.of(History).purge(clock.now() + timedelta(days=1), 1)
        with pytest.raises(NotKept):
            await history.as_of(SYSTEM, Kind.APP, "b", "3")

    async def test_a_set_is_not_rolled_back_to_where_something_is_not_known(
        self, storage: Storage, clock: SettableClock
    ) -> None:
        await self.change(storage, clock, "a", "b", "a")
        async with storage.note() as work:
            await work.of(History).purge(clock.now(), 1)
        before = await state_of(storage)

        with pytest.raises(RostrumError, match="no longer stored"):
            await RollbackService(storage, DocumentService.__subclasses__()).all(SYSTEM, Kind.APP, "1", dry_run=False)
        assert await state_of(storage) == before

    async def test_a_shortened_audit_records_the_deletion_and_is_verified_from_there_on(
        self, storage: Storage, clock: SettableClock
    ) -> None:
        await self.change(storage, clock, "a", "b", "c", "d")
        audit = AuditService(storage)
        known = str((await audit.verify(SYSTEM)).last)
        for days, gone, left in ((2, 2, 3), (2, 0, 3), (1, 1, 3)):
            async with storage.note("(system)") as work:
                assert await work.of(Audit).shorten(clock.now() - timedelta(days=days)) == gone
            verified = await audit.verify(SYSTEM, known)
            assert (verified.fault, verified.entries) == (None, left)
        clock.advance(86_400)
        async with storage.note("(system)") as work:
            assert await work.of(Audit).shorten(clock.now()) == 3
        assert (await audit.verify(SYSTEM)).entries == 1
        await self.change(storage, clock, "a")
        assert (await audit.verify(SYSTEM)).fault is None
        # The earlier states of documents are still known.
        history = HistoryService(storage)
        assert (await history.as_of(SYSTEM, Kind.APP, "a", "2026-01-01T12:00:00Z")).revision == 1


class Limits:
    """How much the past of one user's documents may take, and that what is left of it is true."""

    @pytest.mark.long
    async def test_whatever_is_removed_no_moment_shows_what_was_not_there(
        self, storage: Storage, clock: SettableClock
    ) -> None:
        firm = Firm(storage, clock, 11, Quotas({**UNLIMITED.limits, "historyBytes": 1500}))
        await firm.live(10, only=("make_user", "make_layout", "make_preference"))
        by_users = ("save_layout", "clear_preferences") * 4
        by_others = ("change_layout", "make_preference", "change_preference", "remove_something", "roll_back_one")
        await firm.live(50, only=by_users + by_others)
        owned = (Kind.PREFERENCE, Kind.LAYOUT)
        subjects = sorted({subject for state in firm.states.values() for subject in state if subject[0] in owned})
        gone = 0
        async with storage.read() as work:
            for revision, state in firm.states.items():
                for kind, key in firm.any.sample(subjects, min(8, len(subjects))):
                    try:
                        found = await as_of(work, kind, key, revision)
                    except NotFound:
                        gone += 1
                    else:
                        assert (found and found.body) == state.get((kind, key)), (revision, kind, key)
        assert gone > 20
        # What exists is known, and the audit agrees with it.
        assert (await AuditService(storage).verify(SYSTEM)).fault is None

    async def test_the_oldest_go_first_and_of_a_document_that_exists_the_newest_stays(self, storage: Storage) -> None:
        async def kept() -> dict[str, list[int]]:
            async with storage.read() as work:
                pages = {key: await work.of(History).page(Kind.PREFERENCE, key, limit=9, offset=0) for key in "abc"}
            return {key: [item.revision for item in page.items] for key, page in pages.items()}

        # Revisions 1 to 9; b is deleted by the 8th.
        for key in ("a", "b", "a", "c", "b", "a", "c"):
            async with storage.write("ann") as work:
                new = preference(key, app=key, data=f'"{work.revision:0100}"', user="eve" if key == "c" else "ann")
                known = await work.of(Preferences).get(key)
                await (work.of(Preferences).put if known else work.of(Preferences).add)(new)
        async with storage.write("ann") as work:
            await work.of(Preferences).remove("b")
        async with storage.write("ann") as work:
            await work.of(Preferences).add(preference("d", app="d"))
        async with storage.note() as work:
            size = await work.of(History).superseded_bytes("ann")
            # Two of a, two of b, and the deletion of b.
            assert size == 5 * 300 + 4 * len(body_text(preference("a", app="a", data=f'"{0:0100}"')))
            await work.of(History).make_room("ann", size)
        assert await kept() == {"a": [6, 3, 1], "b": [8, 5, 2], "c": [7, 4]}
        for most, left in (
            (size - 1, {"a": [6, 3], "b": [8, 5, 2]}),
            (800, {"a": [6], "b": [8, 5]}),
            (300, {"a": [6], "b": [8]}),
            (299, {"a": [6], "b": []}),
            (0, {"a": [6], "b": []}),
        ):
            async with storage.note() as work:
                await work.of(History).make_room("ann", most)
                assert await work.of(History).superseded_bytes("ann") <= most
            assert await kept() == {**left, "c": [7, 4]}, most

    async def test_a_revision_goes_with_all_older_ones_of_its_document_also_those_of_other_owners(
        self, storage: Storage
    ) -> None:
        steps = (layout("l", owner="ann"), layout("l", owner="bob"), None, layout("l", owner="bob"), None)
        for after in (*steps, layout("l", owner="bob"), layout("l", owner="bob", public=True)):
            async with storage.write("x") as work:
                if after is None:
                    await work.of(Layouts).remove("l")
                else:
                    known = await work.of(Layouts).get("l")
                    await (work.of(Layouts).put if known else work.of(Layouts).add)(after)
        async with storage.note() as work:
            # Neither what ann had, nor what bob had before the deletion, must show in the time of the deletion.
            await work.of(History).make_room("bob", 1000)

            assert await work.of(History).superseded_bytes("ann") == 0
            page = await work.of(History).page(Kind.LAYOUT, "l", limit=9, offset=0)
            assert [item.revision for item in page.items] == [7, 6, 5]
            for revision in (1, 2, 3, 4):
                with pytest.raises(NotKept):
                    await as_of(work, Kind.LAYOUT, "l", revision)
            deleted = await as_of(work, Kind.LAYOUT, "l", 5)
            assert deleted is not None
            assert deleted.body is None

    async def test_very_many_revisions_go_in_several_writes(self, storage: Storage) -> None:
        row = {"action": "deleted", "at": START, "actor": "x", "operation": "", "created": START, "created_by": "x"}
        rows = [{**row, "kind": "layout", "key": str(number), "revision": 1, "owner": "ann"} for number in range(1100)]
        async with storage._database.write() as connection:
            await connection.execute(tables.history.insert(), rows)
        for left in (600, 100, 5, 5):
            async with storage.note() as work:
                await work.of(History).make_room("ann", 5 * 300)
                assert await work.of(History).superseded_bytes("ann") == left * 300

    async def test_layouts_of_all_users_have_no_owner(self, storage: Storage) -> None:
        for public in (True, False):
            async with storage.write("x") as work:
                new = layout("l", owner="*", public=public)
                await (work.of(Layouts).put if await work.of(Layouts).get("l") else work.of(Layouts).add)(new)
        async with storage.note() as work:
            for owner in ("*", ""):
                assert await work.of(History).superseded_bytes(owner) == 0
                await work.of(History).make_room(owner, 0)
            assert (await work.of(History).page(Kind.LAYOUT, "l", limit=9, offset=0)).total == 2

    async def test_sizes_are_added_up_from_an_index_without_reading_bodies(self, storage: Storage) -> None:
        row = {"action": "changed", "at": START, "actor": "x", "operation": "", "created": START, "created_by": "x"}
        rows = [
            {**row, "kind": kind, "key": f"{kind} {owner} {number % 20}", "revision": number, "owner": owner, "size": 9}
            for kind in ("preference", "layout")
            for owner in ("ann", *(f"user {number}" for number in range(20)), None)
            for number in range(100)
        ]
        seen: list[tuple[str, Any]] = []

        def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
            seen.append((statement, parameters))

        database = storage._database
        async with database.write() as connection:
            bodies = [{**one, "body": random.randbytes(500).hex()} for one in rows]
            await connection.execute(tables.history.insert(), bodies)
            documents = [preference(f"preference ann {number}", app=str(number)) for number in range(20)]
            for one in documents:
                columns = {"user_id": one.user, "app": one.app, "data": "{}", "id": one.id, "revision": 1}
                stamp = {"created": START, "created_by": "x", "modified": START, "modified_by": "x"}
                await connection.execute(tables.preferences.insert().values(**columns, **stamp))
            await connection.execute(text("ANALYZE"))
        event.listen(database._engine.sync_engine, "before_cursor_execute", note)
        async with storage.note() as work:
            await work.of(History).make_room("ann", 50 * 309)
            assert 49 * 309 < await work.of(History).superseded_bytes("ann") <= 50 * 309
        event.remove(database._engine.sync_engine, "before_cursor_execute", note)

        plans = {}
        async with database.read() as connection:
            for statement, parameters in seen:
                if statement.startswith("SELECT"):
                    words = "EXPLAIN QUERY PLAN" if database.is_sqlite else "EXPLAIN"
                    found = await connection.exec_driver_sql(f"{words} {statement}", parameters)
                    plans[statement] = [str(line[-1]) for line in found]
        assert len(plans) == 3
        for statement, plan in plans.items():
            assert "ix_history_owner" in " ".join(plan), (statement, plan)
            if database.is_sqlite:
                of_history = [line for line in plan if line.startswith("SEARCH") and "history" in line]
                assert of_history, plan
                assert all("COVERING INDEX" in line for line in of_history), plan
            assert not [line for line in plan if "SCAN history" in line or "Seq Scan on history" in line], plan


class Tampering:
    """Whatever is done to the rows of the audit, it is found, at the first entry that it touches."""

    @pytest.mark.long
    async def test_what_is_done_to_the_tables_is_found(
        self, storage: Storage, clock: SettableClock, store: str
    ) -> None:
        await Firm(storage, clock, 5).live(20)
        async with storage.read() as work:
            count = (await work.of(Audit).ends()).last
        audit = AuditService(storage)
        database = Database(store)
        for change in (
            "UPDATE audit SET entry = replace(entry, 'created', 'changed') WHERE number = 2",
            "UPDATE audit SET actor = 'eve' WHERE number = 3",
            "UPDATE audit SET comment = 'harmless' WHERE number = 3",
            "UPDATE audit SET ticket = 'OPS-7' WHERE number = 3",
            "DELETE FROM audit WHERE number = 1",
            f"DELETE FROM audit WHERE number = {count}",
            "UPDATE audit SET number = number + 1000 WHERE number = 2",
            "DELETE FROM audit_subjects WHERE number = (SELECT min(number) FROM audit_subjects)",
            f"UPDATE audit_head SET number = {count - 1}",
            "UPDATE audit_head SET hash = 'other'",
            "UPDATE audit_head SET shortened_number = 1",
            "UPDATE audit_head SET shortened_number = 3, shortened_hash = (SELECT hash FROM audit WHERE number = 3)",
            "UPDATE revision SET value = value + 1 WHERE id = 1",
            f"INSERT INTO audit SELECT {count} + 1, NULL, at, actor, operation, kind, key, entry, hash,"
            f" NULL, NULL, NULL FROM audit WHERE number = {count}",
        ):
            async with self.altered(database, change, "audit", "audit_subjects", "audit_head", "revision"):
                assert (await audit.verify(SYSTEM)).fault is not None, change
            assert (await audit.verify(SYSTEM)).fault is None, change
        await database.close()

    @pytest.mark.long
    async def test_what_is_done_to_documents_behind_the_audit_is_found(
        self, storage: Storage, clock: SettableClock, store: str
    ) -> None:
        await Firm(storage, clock, 7).live(30)
        audit = AuditService(storage)
        assert (await audit.verify(SYSTEM)).fault is None
        old = "(SELECT revision FROM history WHERE kind = 'app' AND body IS NOT NULL ORDER BY revision LIMIT 1)"
        database = Database(store)
        for change, words in {
            "UPDATE apps SET public = NOT public WHERE name = (SELECT min(name) FROM apps)": "made of it",
            "UPDATE users SET disabled = NOT disabled WHERE id = (SELECT max(id) FROM users)": "made of it",
            "UPDATE groups SET priority = priority + 1 WHERE name = (SELECT min(name) FROM groups)": "made of it",
            "DELETE FROM user_groups": "made of it",
            "DELETE FROM apps WHERE name = (SELECT max(name) FROM apps)": "is missing",
            "INSERT INTO groups SELECT 'Eve', priority, revision, created, created_by, modified, modified_by"
            " FROM groups LIMIT 1": "no revision records it",
            f"UPDATE history SET body = replace(body, 'public', 'Public') WHERE revision = {old}": "was modified",
            "DELETE FROM history WHERE kind = 'user'": "no revision records it",
        }.items():
            async with self.altered(database, change, "apps", "users", "groups", "user_groups", "history"):
                fault = (await audit.verify(SYSTEM)).fault
                assert fault is not None, change
                assert words in fault.message, change
            assert (await audit.verify(SYSTEM)).fault is None, change
        await database.close()

    @pytest.mark.long
    async def test_what_others_write_meanwhile_is_no_fault(self, storage: Storage) -> None:
        async def write() -> None:
            for number in range(30):
                async with storage.write("ann") as work:
                    name = f"app {number % 3}"
                    known = await work.of(Apps).get(name)
                    await (work.of(Apps).put if known else work.of(Apps).add)(app(name, public=number % 2 == 0))

        writing = asyncio.create_task(write())
        found = [await AuditService(storage).verify(SYSTEM)]
        while not writing.done():
            found.append(await AuditService(storage).verify(SYSTEM))
        await writing
        found.append(await AuditService(storage).verify(SYSTEM))

        assert [one.fault for one in found if one.fault is not None] == []
        assert found[-1].entries == 30

    async def test_a_cut_off_end_is_found_by_a_head_that_is_known_from_elsewhere(
        self, storage: Storage, clock: SettableClock, store: str
    ) -> None:
        await Firm(storage, clock, 6).live(10)
        audit = AuditService(storage)
        known = (await audit.verify(SYSTEM)).last
        # Someone who knows everything takes the last entry away, and corrects all that reports it.
        database = Database(store)
        async with database.write() as connection:
            for change in (
                f"DELETE FROM audit WHERE number = {known.number}",
                f"DELETE FROM audit_subjects WHERE number = {known.number}",
                f"UPDATE audit_head SET number = {known.number - 1}",
                "UPDATE audit_head SET hash = (SELECT hash FROM audit ORDER BY number DESC LIMIT 1)",
                "UPDATE revision SET value = (SELECT max(revision) FROM audit) WHERE id = 1",
            ):
                await connection.execute(text(change))
        await database.close()

        # What is kept of documents gives it away; where all of that was corrected too, only the head does.
        found = (await audit.verify(SYSTEM)).fault
        assert found is not None
        assert "no entry records the revisions after" in found.message
        assert (await audit.verify(SYSTEM, str(known))).fault == Fault(
            known.number, "this entry and all later entries are missing"
        )
        async with storage.write("ann"):
            pass
        fault = (await audit.verify(SYSTEM, str(known))).fault
        assert fault is not None
        assert fault.number == known.number

    @staticmethod
    @asynccontextmanager
    async def altered(database: Database, change: str, *names: str) -> AsyncIterator[None]:
        """Do something to some tables, and put everything back."""
        async with database.write() as connection:
            for name in names:
                await connection.execute(text(f"CREATE TABLE kept_{name} AS SELECT * FROM {name}"))
            await connection.execute(text(change))
        yield
        async with database.write() as connection:
            for name in names:
                await connection.execute(text(f"DELETE FROM {name}"))
                await connection.execute(text(f"INSERT INTO {name} SELECT * FROM kept_{name}"))
                await connection.execute(text(f"DROP TABLE kept_{name}"))
