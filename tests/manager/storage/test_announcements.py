"""Whom a change concerns, and what is kept of it for those who were away."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from rostrum.manager.storage import Announcement, EventKind, Scope, Storage
from rostrum.manager.storage.announcements import Audience, audiences, without_repetition
from rostrum.manager.storage.documents import Document
from tests.suites.storage import app, command, config, group, layout, preference, session, user

APPS, LAYOUTS, PREFS = EventKind.APPS, EventKind.LAYOUTS, EventKind.PREFS
CONFIG, COMMANDS, ACCESS = EventKind.SYSTEM_CONFIG, EventKind.COMMANDS, EventKind.ACCESS
ALL = {(APPS, "", ""), (LAYOUTS, "", ""), (CONFIG, "", "")}
ANN = user("ann", groups=("g",), apps=("a",), layouts=("l",))
OF_ANN = {(kind, "ann", "") for kind in (APPS, LAYOUTS, CONFIG)}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, app("a"), {(APPS, "", "")}),
        (app("a"), None, {(APPS, "", "")}),
        (None, layout("l"), {(LAYOUTS, "ann", "")}),
        (layout("l"), layout("l", public=True), {(LAYOUTS, "ann", ""), (LAYOUTS, "", "")}),
        (layout("l", access=("g",)), layout("l"), {(LAYOUTS, "ann", ""), (LAYOUTS, "", "")}),
        (layout("l", owner="*"), None, {(LAYOUTS, "", "")}),
        (layout("l"), layout("l", owner="bob"), {(LAYOUTS, "ann", ""), (LAYOUTS, "bob", "")}),
        (None, preference("p"), {(PREFS, "ann", "")}),
        (preference("p"), None, {(PREFS, "ann", "")}),
        (None, config("c", scope=Scope.BASE, target=""), {(CONFIG, "", "")}),
        (None, config("c", scope=Scope.GROUP, target="g"), {(CONFIG, "", "")}),
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
    before: Document | None, after: Document | None, expected: set[Audience]
) -> None:
    assert set(audiences(before, after)) == expected


def test_what_everyone_hears_is_not_told_to_single_ones_again() -> None:
    found = {(APPS, "", ""), (APPS, "ann", ""), (PREFS, "ann", ""), (COMMANDS, "ann", ""), (COMMANDS, "ann", "s")}

    assert without_repetition(found) == [(APPS, "", ""), (COMMANDS, "ann", ""), (PREFS, "ann", "")]


@pytest.fixture
async def storage(store: str) -> AsyncIterator[Storage]:
    opened = Storage(store)
    await opened.open()
    yield opened
    await opened.close()


async def test_the_newest_revision_of_each_kind_is_kept_for_each_audience(storage: Storage) -> None:
    heard: list[tuple[int, tuple[Announcement, ...]]] = []
    storage.on_commit(lambda revision, told: heard.append((revision, told)))
    async with storage.write("x") as work:
        await work.apps.add(app("a"))
        first = work.revision
    async with storage.write("x") as work:
        await work.apps.put(app("a", public=True))
        await work.preferences.add(preference("p"))
        await work.commands.add(command("c"))

    async with storage.read() as work:
        newest, told = await work.announcements.since(first)
        assert await work.announcements.newest() == newest == first + 1
        assert {(each.kind, each.user, each.session, each.revision) for each in told} == {
            (APPS, "", "", newest),
            (PREFS, "ann", "", newest),
            (COMMANDS, "ann", "s", newest),
        }
        assert await work.announcements.since(newest) == (newest, [])
        everything = {APPS: newest, PREFS: newest, COMMANDS: newest}
        assert await work.announcements.concerning("ann", None, 0) == everything
        assert await work.announcements.concerning("ann", "s", 0) == everything
        assert await work.announcements.concerning("ann", "other", 0) == {APPS: newest, PREFS: newest}
        assert await work.announcements.concerning("bob", None, 0) == {APPS: newest}
        assert await work.announcements.concerning("ann", None, newest) == {}
    assert [revision for revision, _ in heard] == [first, newest]
    assert set(heard[1][1]) == set(told)


async def test_what_concerns_others_needs_a_revision(storage: Storage) -> None:
    async with storage.write("x") as work:
        await work.sessions.add(session("s"))
    with pytest.raises(RuntimeError, match="revision"):
        async with storage.note() as work:
            await work.sessions.end("s", work.now)


async def test_announcements_to_the_forgotten_are_forgotten(storage: Storage) -> None:
    async with storage.write("x") as work:
        await work.users.add(user("ann"))
        await work.users.add(user("bob"))
        for name in ("open", "gone"):
            await work.sessions.add(session(name))
            await work.commands.add(command(name, session=name))
        await work.preferences.add(preference("a"))
        await work.preferences.add(preference("b", user="bob"))
    async with storage.write("x") as work:
        await work.users.remove("bob")
    async with storage.note() as work:
        await work.sessions.purge(work.now)
        await work.announcements.purge()
        _, told = await work.announcements.since(0)

    assert {(each.kind, each.user, each.session) for each in told} == {(PREFS, "ann", ""), (ACCESS, "bob", "")}
