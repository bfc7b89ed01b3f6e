"""Whom a change concerns, and what is kept of it for those who were away."""

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from rostrum.contracts.system_config import Scope
from rostrum.manager.apps.model import App
from rostrum.manager.apps.repository import Apps
from rostrum.manager.audiences import (
    ADMINISTRATORS,
    Announcement,
    Audience,
    Circle,
    EventKind,
    Readers,
    without_repetition,
)
from rostrum.manager.commands.repository import Commands
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.document import Document
from rostrum.manager.events import readers
from rostrum.manager.events.repository import Announcements
from rostrum.manager.groups.repository import Groups
from rostrum.manager.preferences.repository import Preferences
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage
from rostrum.manager.users.repository import Users
from tests.suites.storage import app, command, config, group, layout, preference, session, user
from tests.tables import add_tables

APPS, LAYOUTS, PREFS = EventKind.APPS, EventKind.LAYOUTS, EventKind.PREFS
CONFIG, COMMANDS, ACCESS = EventKind.SYSTEM_CONFIG, EventKind.COMMANDS, EventKind.ACCESS
ALL = {(APPS, "", ""), (LAYOUTS, "", ""), (CONFIG, "", "")}
ANN = user("ann", groups=("g",), apps=("a",), layouts=("l",))
OF_ANN = {(kind, "ann", "") for kind in (APPS, LAYOUTS, CONFIG)}


def of(kind: EventKind, *groups: str, given: str) -> Readers:
    return Readers(kind, Circle(frozenset(groups), frozenset({given})))


def own(layout_id: str) -> Readers:
    return of(LAYOUTS, given=layout_id)._replace(is_private=True)


def change_of(kind: EventKind, key: str, differ: str, stay: str) -> Readers:
    """Groups of one letter each that gain or lose something, and those that have it before and after."""
    return Readers(kind, Circle(frozenset(differ)), Circle(frozenset(stay), frozenset({key})))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, app("a", public=True), {(APPS, "", "")}),
        (app("a", public=True), None, {(APPS, "", "")}),
        (None, app("a"), {of(APPS, given="a")}),
        (None, app("a", access=("g",)), {of(APPS, "g", given="a")}),
        (app("a"), app("a", access=("g",), title="b"), {of(APPS, given="a"), of(APPS, "g", given="a")}),
        # What only changes hands concerns those who gain or lose it.
        (app("a", access=("g", "h")), app("a", access=("h", "i")), {change_of(APPS, "a", "gi", "h")}),
        (app("a", access=("g", "h")), app("a", access=("h", "g")), {change_of(APPS, "a", "", "gh")}),
        (app("a", access=("g",)), app("a", public=True), {(APPS, "", "")}),
        (app("a", public=True), app("a", access=("g",)), {(APPS, "", "")}),
        (app("a", public=True), app("a", public=True, access=("g",)), {Readers(APPS)}),
        (app("a", access=("g",)), app("a", access=("g",), disabled=True), {of(APPS, "g", given="a"), Readers(APPS)}),
        (app("a", disabled=True, public=True), app("a", disabled=True), {Readers(APPS)}),
        (app("a", disabled=True, public=True), None, {Readers(APPS)}),
        (None, layout("l"), {(LAYOUTS, "ann", ""), own("l")}),
        (layout("l"), layout("l", public=True), {(LAYOUTS, "", "")}),
        (layout("l", access=("g",)), layout("l"), {change_of(LAYOUTS, "l", "g", "")}),
        (layout("l", owner="*"), None, {of(LAYOUTS, given="l")}),
        (layout("l", owner="*", public=True), None, {(LAYOUTS, "", "")}),
        (
            layout("l"),
            layout("l", owner="bob"),
            {(LAYOUTS, "ann", ""), (LAYOUTS, "bob", ""), own("l")},
        ),
        (None, preference("p"), {(PREFS, "ann", "")}),
        (preference("p"), None, {(PREFS, "ann", "")}),
        (None, config("c", scope=Scope.BASE, target=""), {(CONFIG, "", "")}),
        (None, config("c", scope=Scope.GROUP, target="g"), {Readers(CONFIG, Circle(frozenset("g")))}),
        (None, config("c", scope=Scope.VERSION, target="10"), {(CONFIG, "", "")}),
        (None, config("c", scope=Scope.USER, target="ann"), {(CONFIG, "ann", "")}),
        (None, ANN, set()),
        (ANN, replace(ANN, email="a@b.c"), set()),
        (ANN, replace(ANN, groups=("g", "h")), OF_ANN),
        (ANN, replace(ANN, apps=()), {(APPS, "ann", "")}),
        (ANN, replace(ANN, layouts=()), {(LAYOUTS, "ann", "")}),
        (ANN, replace(ANN, disabled=True), {(ACCESS, "ann", "")}),
        (ANN, replace(ANN, epoch=9), {(ACCESS, "ann", "")}),
        (ANN, replace(ANN, password_hash="x"), {(ACCESS, "ann", "")}),
        (ANN, None, {(ACCESS, "ann", "")}),
        (None, group("g"), set()),
        (None, group("g", expands_to=("h",)), ALL),
        (None, group("g", priority=1), ALL),
        (group("g"), group("g", priority=1), ALL),
        (group("g"), None, ALL),
    ],
)
def test_a_change_concerns_those_who_may_see_its_effect(
    before: Document | None, after: Document | None, expected: set[Audience | Readers]
) -> None:
    document = after or before
    assert document is not None
    assert set(document.audiences(before, after)) == expected


def test_events_for_all_subscribers_are_not_sent_twice() -> None:
    found = {(APPS, "", ""), (APPS, "ann", ""), (PREFS, "ann", ""), (COMMANDS, "ann", ""), (COMMANDS, "ann", "s")}

    assert sorted(without_repetition(found)) == [(APPS, "", ""), (COMMANDS, "ann", ""), (PREFS, "ann", "")]


@pytest.fixture
async def storage(store: str) -> AsyncIterator[Storage]:
    await add_tables(store)
    opened = manager_storage(store)
    await opened.open()
    yield opened
    await opened.close()


async def test_the_newest_revision_of_each_kind_is_kept_for_each_audience(storage: Storage) -> None:
    heard: list[tuple[int, tuple[Announcement, ...]]] = []
    storage.on_commit(lambda revision, told: heard.append((revision, told)))
    async with storage.write("x") as work:
        await work.of(Apps).add(app("a"))
        first = work.revision
    async with storage.write("x") as work:
        await work.of(Apps).put(app("a", public=True))
        await work.of(Preferences).add(preference("p"))
        await work.of(Commands).add(command("c"))

    async with storage.read() as work:
        newest, told = await work.of(Announcements).since(first)
        assert await work.of(Announcements).newest() == newest == first + 1
        assert {(each.kind, each.user, each.session, each.revision) for each in told} == {
            (APPS, "", "", newest),
            (PREFS, "ann", "", newest),
            (COMMANDS, "ann", "s", newest),
        }
        assert await work.of(Announcements).since(newest) == (newest, [])
        everything = {APPS: newest, PREFS: newest, COMMANDS: newest}
        assert await work.of(Announcements).concerning("ann", None, 0) == everything
        assert await work.of(Announcements).concerning("ann", "s", 0) == everything
        assert await work.of(Announcements).concerning("ann", "other", 0) == {APPS: newest, PREFS: newest}
        assert await work.of(Announcements).concerning("bob", None, 0) == {APPS: newest}
        assert await work.of(Announcements).concerning("ann", None, newest) == {}
    assert [revision for revision, _ in heard] == [first, newest]
    assert set(heard[1][1]) == set(told)


async def test_members_of_groups_and_those_with_lists_of_their_own_are_named(storage: Storage) -> None:
    """Through groups that inherit from those that are meant, and without those who see no difference."""
    async with storage.write("x") as work:
        for name, groups in {"g": (), "h": (), "inner": ("mid",), "mid": ("g",)}.items():
            await work.of(Groups).add(group(name, expands_to=groups))
        for name, groups, apps in (
            ("ann", ("inner",), ()),
            ("bob", ("h",), ()),
            ("cid", ("g", "h"), ()),
            ("dan", (), ("a",)),
            ("eve", (), ()),
        ):
            await work.of(Users).add(user(name, groups=groups, apps=apps))

    async def told(*apps: App, **files: str) -> set[tuple[EventKind, str]]:
        async with storage.write("x") as work:
            for each in apps:
                await (work.of(Apps).put if await work.of(Apps).get(each.name) else work.of(Apps).add)(each)
            for key, target in files.items():
                await work.of(ConfigFiles).add(config(key, scope=Scope.GROUP, target=target))
        async with storage.read() as work:
            _, found = await work.of(Announcements).since(await work.of(Announcements).newest() - 1)
            return {(each.kind, each.user) for each in found}

    def those(*names: str, kind: EventKind = APPS) -> set[tuple[EventKind, str]]:
        return {(kind, name) for name in (ADMINISTRATORS, *names)}

    assert await told(app("a", access=("g",))) == those("ann", "cid", "dan")
    # The group h gains it: who has it already, by another group or by name, is not concerned.
    assert await told(app("a", access=("g", "h"))) == those("bob")
    assert await told(app("a", access=("h",))) == those("ann")
    assert await told(app("a", access=("h",), title="new")) == those("bob", "cid", "dan")
    assert await told(app("a", access=("h",), disabled=True)) == those("bob", "cid", "dan")
    assert await told(app("a", public=True)) == {(APPS, "")}
    assert await told(app("b", access=("inner",)), app("c", access=("h",))) == those("ann", "bob", "cid")
    assert await told(app("d")) == those()
    assert await told(c="mid") == those("ann", kind=CONFIG)
    async with storage.read() as work:
        newest = await work.of(Announcements).newest()
        assert await work.of(Announcements).concerning("eve", None, newest - 1) == {}
        assert await work.of(Announcements).concerning("eve", None, newest - 1, administers=[CONFIG]) == {
            CONFIG: newest
        }


async def test_when_too_many_would_have_to_be_named_everyone_is_informed(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "_MOST_USERS", 2)
    async with storage.write("x") as work:
        await work.of(Groups).add(group("g"))
        for name in ("ann", "bob"):
            await work.of(Users).add(user(name, groups=("g",)))
    told: list[set[str]] = []
    storage.on_commit(lambda _revision, found: told.append({each.user for each in found}))
    async with storage.write("x") as work:
        await work.of(Apps).add(app("a", access=("g",)))
    async with storage.write("x") as work:
        await work.of(Users).add(user("cid", groups=("g",)))
        await work.of(Apps).add(app("b", access=("g",)))
    async with storage.write("x") as work:
        await work.of(Apps).add(*(app(f"c{number}") for number in range(501)))

    assert told == [{ADMINISTRATORS, "ann", "bob"}, {""}, {""}]


async def test_what_concerns_others_needs_a_revision(storage: Storage) -> None:
    async with storage.write("x") as work:
        await work.of(Sessions).add(session("s"))
    with pytest.raises(RuntimeError, match="revision"):
        async with storage.note() as work:
            await work.of(Sessions).end("s", work.now)


async def test_announcements_to_the_forgotten_are_forgotten(storage: Storage) -> None:
    async with storage.write("x") as work:
        await work.of(Users).add(user("ann"))
        await work.of(Users).add(user("bob"))
        for name in ("open", "gone"):
            await work.of(Sessions).add(session(name))
            await work.of(Commands).add(command(name, session=name))
        await work.of(Preferences).add(preference("a"))
        await work.of(Preferences).add(preference("b", user="bob"))
    async with storage.write("x") as work:
        await work.of(Users).remove("bob")
    async with storage.note() as work:
        await work.of(Sessions).purge(work.now)
        await work.of(Announcements).purge()
        _, told = await work.of(Announcements).since(0)

    assert {(each.kind, each.user, each.session) for each in told} == {(PREFS, "ann", ""), (ACCESS, "bob", "")}
