"""What every back end of storage must do, written once; a test file runs it on each of them."""

import asyncio
import contextlib
import random
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec import structs

from rostrum.base.errors import Invalid
from rostrum.contracts.system_config import Scope
from rostrum.manager.apps.model import App, AppAccess
from rostrum.manager.apps.repository import Apps
from rostrum.manager.commands.model import Command
from rostrum.manager.commands.repository import Commands
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.crashes.repository import Crash, Crashes
from rostrum.manager.database.diagnostics import Diagnostics
from rostrum.manager.database.paging import Query
from rostrum.manager.document import Stamp
from rostrum.manager.feedback.repository import Feedback, Feedbacks
from rostrum.manager.files.model import StoredFile
from rostrum.manager.files.repository import Files
from rostrum.manager.groups.model import Group
from rostrum.manager.groups.repository import Groups
from rostrum.manager.layouts.model import Layout, LayoutAccess
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.machines.topic import Machines
from rostrum.manager.preferences.model import Preference
from rostrum.manager.preferences.repository import Preferences
from rostrum.manager.sessions.model import Session
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.sign_in.repository import KnownAddresses, RevokedTokens
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.model import Person, User
from rostrum.manager.users.repository import Users

START = datetime(2026, 1, 1, tzinfo=UTC)
STAMP = Stamp(revision=7, created=START, created_by="ann", modified=START + timedelta(hours=1), modified_by="bob")
LATER = Stamp(revision=8, created=START, created_by="ann", modified=START + timedelta(hours=2), modified_by="eve 🙂")
MIB = 1024 * 1024

_any_letter = random.Random(1)
LONG_NAME = "".join(chr(_any_letter.randrange(0x1F300, 0x1F600)) for _ in range(256))
"""As long as a name may be, and nothing in it to compress: the most that an index has to take."""

NAMES = (
    "plain",
    "with/slash//twice/../end",
    "..",
    """quotes ' " ` '' $$""",
    "like % _ * \\ \\% ?",
    "-- ; DROP TABLE users",
    ":bind %(bind)s $1",
    " blanks around ",
    "Größe und Maß",
    "日本語 עברית",
    "é",
    "e\u0301",
    "family 👩‍👩‍👧 🏳️‍🌈",
    "\x01\x1f\x7f",
    "x" * 256,
    LONG_NAME,
)
BY_BYTES = sorted(NAMES, key=lambda name: name.encode())


def user(name: str, /, **members: Any) -> User:
    return User(**{"id": name, "stamp": STAMP, **members})


def group(name: str, /, **members: Any) -> Group:
    return Group(**{"name": name, "stamp": STAMP, **members})


def app(name: str, /, **members: Any) -> App:
    return App(**{"name": name, "type": "window", "title": "", "definition": "{}", "stamp": STAMP, **members})


def layout(name: str, /, **members: Any) -> Layout:
    given = {"id": name, "name": name, "type": "Global", "owner": "ann", "definition": "{}", "stamp": STAMP}
    return Layout(**{**given, **members})


def preference(name: str, /, **members: Any) -> Preference:
    return Preference(**{"id": name, "user": "ann", "app": name, "data": "null", "stamp": STAMP, **members})


def config(name: str, /, **members: Any) -> ConfigFile:
    given = {"id": name, "file": "system.json", "scope": Scope.GROUP, "target": name, "contents": "{}", "stamp": STAMP}
    return ConfigFile(**{**given, **members})


def session(name: str, /, **members: Any) -> Session:
    words = {"version": "10.1", "env": "PROD", "region": "EMEA", "product": "desktop"}
    given = {"id": name, "user": "ann", "machine": "pc", "commands": "[]", "started": START, "last_seen": START}
    return Session(**{**given, **words, **members})


def command(name: str, /, **members: Any) -> Command:
    given = {"id": name, "session": "s", "user": "ann", "command": "Restart", "params": "{}", "status": "pending"}
    return Command(**{**given, "created": START, "created_by": "admin", **members})


def crash(name: str, /, **members: Any) -> Crash:
    words = {"product": "desktop", "version": "10.1", "platform": "win32", "process_type": "renderer"}
    return Crash(**{"id": name, "user": "ann", "fields": "{}", "received": START, **words, **members})


def feedback(name: str, /, **members: Any) -> Feedback:
    return Feedback(**{"id": name, "user": "ann", "session": None, "description": "", "received": START, **members})


def file(name: str) -> StoredFile:
    return StoredFile(id=name, name=f"{name}.dmp", media_type="application/octet-stream", size=0)


@dataclass(frozen=True)
class Kind:
    """A kind of record, so that one test can speak about all of them."""

    part: str
    make: Callable[..., Any]
    full: dict[str, Any]
    key: str = "id"

    def of(self, work: Work) -> Any:
        """The repository of this kind."""
        return work.of(PARTS[self.part])

    async def remove(self, work: Work, key: str) -> None:
        """Forget one; those that others name in their lists leave a mark there."""
        await self.of(work).remove(key)

    def __str__(self) -> str:
        return self.part


DOCUMENTS = (
    Kind(
        "users",
        user,
        {
            "email": "ann@example.com",
            "groups": ("a/b", "ä", "🙂"),
            "apps": ("x", "y"),
            "layouts": ("l1",),
            "disabled": True,
            "password_hash": "$argon2id$…",
            "epoch": 2**40,
            "stamp": LATER,
        },
    ),
    Kind("groups", group, {"priority": -1_000_000, "expands_to": ("a", "b"), "stamp": LATER}, "name"),
    Kind(
        "apps",
        app,
        {
            "type": "exe",
            "title": "Tïtle 🙂",
            "definition": '{"name":"\\u0000"}',
            "public": True,
            "access": ("a", "b"),
            "disabled": True,
            "stamp": LATER,
        },
        "name",
    ),
    Kind(
        "layouts",
        layout,
        {
            "name": "Other",
            "type": "Workspace",
            "owner": "*",
            "definition": '{"a":1}',
            "public": True,
            "access": ("a", "b"),
            "default": True,
            "disabled": True,
            "stamp": LATER,
        },
    ),
    Kind("preferences", preference, {"user": "bob", "app": "other", "data": '"\\u0000"', "stamp": LATER}),
    Kind(
        "configs",
        config,
        {"file": "themes.json", "scope": Scope.BASE, "target": "", "contents": "[]", "stamp": LATER},
    ),
)
EVENTS = (
    Kind("sessions", session, {"commands": '["A"]', "ended": START + timedelta(milliseconds=1)}),
    Kind("commands", command, {"data": "null", "delivered": START, "finished": START, "status": "done"}),
    Kind("crashes", crash, {"user": None, "reviewed": True, "reviewed_by": "eve", "comment": "c", "revision": 9}),
    Kind("feedback", feedback, {"session": "s", "description": "ä\n🙂" * 999, "reviewed": True, "revision": 9}),
)

KINDS = (*DOCUMENTS, *EVENTS)

every_document = pytest.mark.parametrize("kind", DOCUMENTS, ids=str)
every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


PARTS: dict[str, type[Any]] = {
    "apps": Apps,
    "commands": Commands,
    "configs": ConfigFiles,
    "crashes": Crashes,
    "feedback": Feedbacks,
    "groups": Groups,
    "layouts": Layouts,
    "preferences": Preferences,
    "sessions": Sessions,
    "users": Users,
}


async def keep(storage: Storage, part: str, *records: Any) -> None:
    async with storage.write("ann") as work:
        for record in records:
            await work.of(PARTS[part]).add(record)


async def keep_any_names(storage: Storage, kind: Kind, *names: str) -> None:
    """Store records with names that new groups cannot have, as earlier versions have stored them."""
    if kind.part != "groups":
        await keep(storage, kind.part, *(kind.make(name) for name in names))
        return
    async with storage.write("ann") as work:
        await work.of(Groups).add_missing(names, work.stamp(), as_stored=True)
        for name in names:
            await work.of(Groups).put(kind.make(name))


async def pieces(*data: bytes) -> AsyncIterator[bytes]:
    for piece in data:
        yield piece


async def ids(storage: Storage, kind: Kind, **query: Any) -> list[str]:
    async with storage.read() as work:
        page = await kind.of(work).page(Query(**{"limit": 1000, **query}))
    found = [getattr(item, kind.key) for item in page.items]
    assert page.total == len(found)
    return found


WORDS = (
    *("b", "bi", "bir", "BIRCH", "birch@", "a.b", "a_b", "_b", "%", "0%b", "\\", "\\ \\%"),
    *("_ *", "*", "**", "b*ch", "b*rch*"),
    *("quotes ' \"", '"', '""', 'x"y', '"y"z', "' \" `"),
    *("AND", "and", "NOT x", "NEAR(a b)", "id:x", "x OR y", "^x", "{a}"),
    *("größe", "Größe", "GRÖßE", "maß", "日", "日本", "日本語", "語 ע"),
    *("é", "e\u0301", "👩‍👩‍👧", "🏳️‍🌈", "\x01\x1f\x7f", "tab\tnew"),
    *("new\nline", "a\nb", "e\nx", "\n", " blanks ", " ", "   ", ".com", "@EXAMPLE", "x" * 200, LONG_NAME[100:200]),
)
"""What may be typed into a field for words: short, long, with signs that mean something to a database, and without."""


def those(people: dict[str, User], pattern: str, *fields: str) -> list[str]:
    """Find by hand those who have a text in which a star stands for anything; only the case of ASCII does not count."""

    def fold(text: str) -> str:
        return "".join(letter.lower() if letter.isascii() else letter for letter in text)

    wanted = re.compile(".*".join(map(re.escape, fold(pattern).split("*"))), re.DOTALL)
    texts = {name: [getattr(person, field) or "" for field in fields] for name, person in people.items()}
    found = [name for name, own in texts.items() if any(text and wanted.fullmatch(fold(text)) for text in own)]
    return sorted(found, key=str.encode)


def of(part: str) -> Kind:
    return next(kind for kind in KINDS if kind.part == part)


class EveryKind:
    """What holds for every kind of record."""

    @every_kind
    async def test_what_was_kept_comes_back_equal(self, storage: Storage, kind: Kind) -> None:
        records = [kind.make("bare"), kind.make("full", **kind.full)]
        await keep(storage, kind.part, *records)

        async with storage.read() as work:
            assert [await kind.of(work).get(name) for name in ("bare", "full")] == records
            assert (await kind.of(work).page(Query())).items == tuple(records)
            assert await kind.of(work).get("none") is None

    @every_kind
    async def test_any_name_is_taken_and_lists_are_in_byte_order(self, storage: Storage, kind: Kind) -> None:
        await keep_any_names(storage, kind, *NAMES)

        async with storage.read() as work:
            for name in NAMES:
                assert await kind.of(work).get(name) == kind.make(name)
        assert await ids(storage, kind) == BY_BYTES
        assert await ids(storage, kind, sort=(f"-{kind.key}",)) == BY_BYTES[::-1]

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.part != "sessions"], ids=str)
    async def test_one_is_forgotten_and_the_others_stay(self, storage: Storage, kind: Kind) -> None:
        await keep_any_names(storage, kind, "a", "a/b", "A")
        async with storage.write("ann") as work:
            await kind.remove(work, "a")
            await kind.remove(work, "none")

        assert await ids(storage, kind) == ["A", "a/b"]

    @every_document
    async def test_a_change_replaces_the_whole_record_and_no_other(self, storage: Storage, kind: Kind) -> None:
        await keep(storage, kind.part, kind.make("one"), kind.make("two"))
        async with storage.write("ann") as work:
            await kind.of(work).put(kind.make("one", **kind.full))
        async with storage.read() as work:
            assert await kind.of(work).get("one") == kind.make("one", **kind.full)
            assert await kind.of(work).get("two") == kind.make("two")

        async with storage.write("ann") as work:
            await kind.of(work).put(kind.make("one"))
        async with storage.read() as work:
            assert await kind.of(work).get("one") == kind.make("one")

    @every_kind
    async def test_pages_put_together_are_the_list(self, storage: Storage, kind: Kind) -> None:
        names = [f"{number:02}" for number in range(23)]
        await keep(storage, kind.part, *(kind.make(name) for name in reversed(names)))
        same = next(field for field in ("created", "received", "started") if field != kind.key and _sorts(kind, field))

        for order in ((), (same,)):
            found: list[str] = []
            for offset in range(0, 30, 5):
                async with storage.read() as work:
                    page = await kind.of(work).page(Query(limit=5, offset=offset, sort=order))
                assert page.total == 23
                found += [getattr(item, kind.key) for item in page.items]
            assert found == names

    @every_kind
    async def test_unknown_filters_and_orders_are_refused_by_name(self, storage: Storage, kind: Kind) -> None:
        async with storage.read() as work:
            with pytest.raises(Invalid) as refusal:
                await kind.of(work).page(Query(filters={"colour": "red", "size": "1"}))
            assert [problem.path for problem in refusal.value.problems] == ["colour", "size"]
            with pytest.raises(Invalid) as refusal:
                await kind.of(work).page(Query(sort=("-colour",)))
            assert "'colour'" in refusal.value.problems[0].message


def _sorts(kind: Kind, field: str) -> bool:
    record = kind.make("x")
    return hasattr(record, field) or (field == "created" and hasattr(record, "stamp"))


class Lists:
    """Filters, words and order."""

    async def test_a_filter_wants_the_exact_value(self, storage: Storage) -> None:
        await keep(storage, "apps", app("a"), app("A"), app("a*"), app("ab"), app("a%"))

        assert await ids(storage, of("apps"), filters={"name": "a"}) == ["a"]
        assert await ids(storage, of("apps"), filters={"name": "a%"}) == ["a%"]
        assert await ids(storage, of("apps"), filters={"name": ""}) == []

    @pytest.mark.parametrize(
        ("pattern", "found"),
        [
            ("*", ["50%", "A_c", "Ä", "abc", "back\\slash"]),
            ("a*", ["A_c", "abc"]),
            ("*C", ["A_c", "abc"]),
            ("a*c", ["A_c", "abc"]),
            ("*_*", ["A_c"]),
            ("*%", ["50%"]),
            ("*\\*", ["back\\slash"]),
            ("ä*", []),
            ("Ä*", ["Ä"]),
            ("**b**", ["abc", "back\\slash"]),
        ],
    )
    async def test_a_star_stands_for_anything_and_case_does_not_count(
        self, storage: Storage, pattern: str, found: list[str]
    ) -> None:
        await keep(storage, "apps", *(app(name) for name in ("abc", "A_c", "50%", "back\\slash", "Ä")))

        assert await ids(storage, of("apps"), filters={"name": pattern}) == sorted(found, key=str.encode)

    @pytest.mark.parametrize(
        ("words", "found"),
        [("BLOT", ["1", "2"]), ("%", ["3"]), ("_", []), ("o*r", ["1"]), ("zürich", ["4"]), ("ZÜRICH", [])],
    )
    async def test_words_are_looked_for_in_every_searched_field(
        self, storage: Storage, words: str, found: list[str]
    ) -> None:
        texts = ("Blotter", "the blot", "100%", "zürich")
        await keep(storage, "feedback", *(feedback(str(n), description=text) for n, text in enumerate(texts, 1)))
        await keep(storage, "apps", *(app(str(n), title=text) for n, text in enumerate(texts, 1)))

        assert await ids(storage, of("feedback"), text=words) == found
        assert await ids(storage, of("apps"), text=words) == found

    async def test_words_find_ids_and_names_too(self, storage: Storage) -> None:
        await keep(storage, "users", user("ann", email="x@y.z"), user("bob", email="ann@y.z"), user("eve"))

        assert await ids(storage, of("users"), text="Ann") == ["ann", "bob"]

    @pytest.mark.long
    async def test_words_are_found_as_they_are_written_in_whatever_names_and_addresses(self, storage: Storage) -> None:
        names = [*NAMES, "Ada.Birch", "ada_birch", "100%birch", "bir", "b", "AND", "tab\tnew\nline", 'x"y"z', "a\nb"]
        emails = [None if number % 3 else f"{name[::-1]}@Example.com" for number, name in enumerate(names)]
        people = {name: user(name, email=email) for name, email in zip(names, emails, strict=True)}
        await keep(storage, "users", *people.values())

        for words in WORDS:
            assert await ids(storage, of("users"), text=words) == those(people, f"*{words}*", "id", "email"), words
            wanted = those(people, f"*{words}*", "email")
            assert await ids(storage, of("users"), filters={"email": f"*{words}*"}) == wanted, words

    async def test_words_are_looked_for_in_what_users_are_now(self, storage: Storage) -> None:
        people = {name: user(name, email=f"{name}@old.example") for name in ("anna", "joanna", "hannah", "bob")}
        await keep(storage, "users", *people.values())
        changes = {"anna": "x@new.example", "hannah": None, "bob": "joanna@old.example"}
        async with storage.write("ann") as work:
            for name, email in changes.items():
                people[name] = structs.replace(people[name], email=email)
                await work.of(Users).put(people[name])
            await work.of(Users).remove("joanna")
            del people["joanna"]
        with contextlib.suppress(LookupError):
            async with storage.write("ann") as work:
                await work.of(Users).put(structs.replace(people["anna"], email="undone@example"))
                raise LookupError

        for words in ("anna", "old", "new.ex", "joanna@", "undone", "hannah", "hannah@"):
            assert await ids(storage, of("users"), text=words) == those(people, f"*{words}*", "id", "email"), words

    async def test_a_long_list_that_is_searched_is_counted_so_far_and_pages_lead_to_its_end(
        self, storage: Storage, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name, value in (("conditions.FEW", 20), ("conditions._OFTEN", 5), ("paging.FEW", 20)):
            monkeypatch.setattr(f"rostrum.manager.database.{name}", value)
        people = {
            name: user(name, email=f"{number % 7}@example.com", groups=("Desk",), disabled=number % 2 == 0)
            for number, name in enumerate(f"user{number:02}" for number in range(30))
        }
        await keep(storage, "users", *people.values(), user("eve", groups=("Few",), disabled=True))

        async def page(**query: Any) -> tuple[int, int, bool]:
            async with storage.read() as work:
                found = await work.of(Users).page(Query(**{"limit": 5, **query}))
            return len(found.items), found.total, found.more

        # One index alone shows how many there are.
        assert await page() == (5, 31, False)
        assert await page(filters={"group": "Desk"}) == await page(filters={"id": "u*"}) == (5, 30, False)
        # Here every row would have to be looked at.
        parts: tuple[dict[str, Any], ...] = ({"text": "user"}, {"text": "er"}, {"filters": {"email": "*example*"}})
        for part in parts:
            assert await page(**part, sort=("-email",)) == (5, 20, True)
        assert await page(text="user", filters={"group": "Desk"}) == (5, 20, True)
        assert await page(filters={"group": "Desk", "disabled": "true"}) == (5, 15, False)
        assert await page(filters={"group": "Few", "disabled": "true"}) == (1, 1, False)
        assert await page(text="e", filters={"group": "Few", "disabled": "true"}) == (1, 1, False)
        assert await page(text="6@e", filters={"group": "Desk", "disabled": "false"}) == (2, 2, False)
        assert await page(text="er2", filters={"group": "Desk", "disabled": "true"}) == (5, 5, False)
        assert await page(text="nobody", filters={"group": "Desk"}) == (0, 0, False)
        assert await page(text="user", offset=18) == (5, 24, True)
        assert await page(text="user", offset=25) == (5, 30, False)
        assert await page(text="user", offset=26) == (4, 30, False)
        assert await page(text="user", offset=30) == (0, 20, True)

        found: list[str] = []
        total = 1
        while len(found) < total:
            query = Query(text="example", sort=("-created", "-id"), limit=10, offset=len(found))
            async with storage.read() as work:
                items = await work.of(Users).page(query)
            found, total = [*found, *(item.id for item in items.items)], items.total
        assert found == sorted(people, reverse=True)

    async def test_truth_is_filtered_by_true_and_false_only(self, storage: Storage) -> None:
        await keep(storage, "users", user("on"), user("off", disabled=True))

        assert await ids(storage, of("users"), filters={"disabled": "true"}) == ["off"]
        assert await ids(storage, of("users"), filters={"disabled": "false"}) == ["on"]
        for wrong in ("True", "1", "", "*", "null"):
            with pytest.raises(Invalid):
                await ids(storage, of("users"), filters={"disabled": wrong})

    async def test_numbers_are_filtered_as_numbers(self, storage: Storage) -> None:
        await keep(storage, "groups", group("a", priority=10), group("b", priority=-9), group("c"))

        assert await ids(storage, of("groups"), filters={"priority": "-9"}) == ["b"]
        assert await ids(storage, of("groups"), filters={"priority": "010"}) == ["a"]
        assert await ids(storage, of("groups"), sort=("priority",)) == ["b", "c", "a"]
        for wrong in ("ten", "1.0", "", "1e1", "٣", "9" * 10, "*", "1 OR 1=1"):
            with pytest.raises(Invalid):
                await ids(storage, of("groups"), filters={"priority": wrong})

    async def test_times_are_filtered_by_periods(self, storage: Storage) -> None:
        for day in range(4):
            at = START + timedelta(days=day, hours=13)
            stamp = Stamp(revision=7, created=START, created_by="ann", modified=at, modified_by="ann")
            await keep(storage, "users", user(f"u{day}", stamp=stamp))

        async def found(period: str) -> list[str]:
            return await ids(storage, of("users"), filters={"modified": period})

        assert await found("2026-01-02") == ["u1"]
        assert await found("2026-01-02..2026-01-03") == ["u1", "u2"]
        assert await found("2026-01-03..") == ["u2", "u3"]
        assert await found("..2026-01-01") == ["u0"]
        assert await found("2026-01-02T13:00:00Z..2026-01-03T13:00:00Z") == ["u1"]
        assert await found("2026-01-02T15:00:01+02:00..") == ["u2", "u3"]
        assert await ids(storage, of("users"), sort=("-modified",)) == ["u3", "u2", "u1", "u0"]
        single_time = "2026-01-02T13:00:00Z"
        for wrong in (
            "",
            "..",
            "*",
            "yesterday",
            "2026-02-30",
            "2026-01-01...",
            "9999-12-31",
            "2026-01-01..x",
            single_time,
        ):
            with pytest.raises(Invalid):
                await found(wrong)

    async def test_several_orders_and_filters_count_together(self, storage: Storage) -> None:
        apps = (app("a", type="exe"), app("b", public=True), app("c", type="exe", public=True), app("d"))
        await keep(storage, "apps", *apps)

        assert await ids(storage, of("apps"), sort=("type", "-name")) == ["c", "a", "d", "b"]
        assert await ids(storage, of("apps"), filters={"type": "exe", "public": "true"}) == ["c"]
        assert await ids(storage, of("apps"), filters={"type": "exe"}, text="a") == ["a"]

    async def test_what_is_missing_sorts_before_everything(self, storage: Storage) -> None:
        await keep(storage, "users", user("a", email="z"), user("b"), user("c", email="A"))
        await keep(storage, "sessions", session("a", ended=START), session("b"))
        await keep(storage, "feedback", feedback("a", description="ä"), feedback("b"), feedback("c", description="Z"))

        assert await ids(storage, of("users"), sort=("email",)) == ["b", "c", "a"]
        assert await ids(storage, of("users"), sort=("-email",)) == ["a", "c", "b"]
        assert await ids(storage, of("sessions"), sort=("ended",)) == ["b", "a"]
        assert await ids(storage, of("feedback"), sort=("description",)) == ["b", "c", "a"]

    async def test_members_of_lists_can_be_filtered_by(self, storage: Storage) -> None:
        await keep(storage, "users", user("a", groups=("x/y", "z"), apps=("p",)), user("b", groups=("z",)))
        await keep(storage, "groups", group("g", expands_to=("x",)), group("h"))
        await keep(storage, "apps", app("p", access=("g",)), app("q"))
        await keep(storage, "layouts", layout("l", access=("g",)), layout("m"))
        scopes = [config("v", scope=Scope.VERSION, target="n"), config("g", target="n"), config("u", scope=Scope.USER)]
        await keep(storage, "configs", *scopes)

        assert await ids(storage, of("users"), filters={"group": "z"}) == ["a", "b"]
        assert await ids(storage, of("users"), filters={"group": "x/y", "app": "p"}) == ["a"]
        assert await ids(storage, of("groups"), filters={"expandsTo": "x"}) == ["g"]
        assert await ids(storage, of("apps"), filters={"accessList": "g"}) == ["p"]
        assert await ids(storage, of("layouts"), filters={"accessList": "g"}) == ["l"]
        assert await ids(storage, of("configs"), filters={"version": "n"}) == ["v"]
        assert await ids(storage, of("configs"), filters={"group": "n"}) == ["g"]
        assert await ids(storage, of("configs"), filters={"user": "u"}) == ["u"]


class People:
    """Users and groups."""

    async def test_lists_of_names_come_back_sorted_and_each_name_once(self, storage: Storage) -> None:
        await keep(storage, "users", user("ann", groups=("b", "Z", "a", "b"), apps=NAMES))

        async with storage.read() as work:
            ann = await work.of(Users).get("ann")
            assert ann is not None
            assert ann.groups == ("Z", "a", "b")
            assert ann.apps == tuple(BY_BYTES)
            assert await work.of(Users).groups_of("ann") == ann.groups
            assert await work.of(Users).groups_of("none") == ()

    async def test_a_login_is_what_checking_a_password_needs(self, storage: Storage) -> None:
        await keep(storage, "users", user("ann", password_hash="one", epoch=3, disabled=True), user("bob"))
        async with storage.note() as work:
            await work.of(Users).set_password_hash("ann", "two", 3)
            # Someone who hashed an older password comes too late.
            await work.of(Users).set_password_hash("ann", "three", 2)

        async with storage.read() as work:
            login = await work.of(Users).login("ann")
            assert login is not None
            assert (login.user, login.password_hash, login.epoch, login.disabled) == ("ann", "two", 3, True)
            assert await work.of(Users).login("ANN") is None
            assert await work.of(Users).get("ann") == user("ann", password_hash="two", epoch=3, disabled=True)

    async def test_a_login_reports_groups_newest_revision_and_whether_a_token_was_ended(self, storage: Storage) -> None:
        await keep(storage, "users", user("ann", groups=("b", "a")), user("bob"))
        async with storage.write("x") as work:
            newest = work.revision
            await work.of(RevokedTokens).add("ended", work.now, "ann")

        async with storage.read() as work:
            ann, bob = await work.of(Users).login("ann", "ended"), await work.of(Users).login("bob", "other")
            assert ann is not None
            assert bob is not None
            assert (ann.groups, ann.revision, ann.is_revoked) == (("a", "b"), newest, True)
            assert (bob.groups, bob.revision, bob.is_revoked) == ((), newest, False)

    async def test_with_a_user_goes_what_only_they_own(self, storage: Storage) -> None:
        await keep(storage, "users", user("ann", groups=("g",), apps=("a",)), user("bob", groups=("g",)))
        await keep(storage, "preferences", preference("p"), preference("q", user="bob"))
        async with storage.write("x") as work:
            await work.of(Layouts).set_default("ann", ("Global", "Morning"))
            await work.of(Users).remove("ann")

        async with storage.read() as work:
            assert await work.of(Users).groups_of("ann") == ()
            assert await work.of(Layouts).get_default("ann") is None
            assert await work.of(Groups).member_counts(["g", "none"]) == {"g": 1}
        assert await ids(storage, of("preferences")) == ["q"]

    async def test_a_group_leaves_every_list_when_it_goes(self, storage: Storage) -> None:
        await keep(storage, "groups", group("g", expands_to=("h",)), group("f", expands_to=("g", "h")))
        await keep(storage, "users", user("ann", groups=("g", "h")))
        await keep(storage, "apps", app("a", access=("g",)))
        await keep(storage, "layouts", layout("l", access=("g",)))
        async with storage.write("x") as work:
            later = work.stamp()
            await work.of(Groups).remove("g")

        async with storage.read() as work:
            assert await work.of(Groups).graph() == {"f": ("h",)}
            assert await work.of(Users).groups_of("ann") == ("h",)
            # Those that had it in a list have changed, so that nobody's older copy brings it back.
            changed = structs.replace(
                app("a").stamp, revision=later.revision, modified=later.modified, modified_by=later.modified_by
            )
            assert await work.of(Apps).get("a") == app("a", stamp=changed)
            assert await work.of(Layouts).get("l") == layout("l", stamp=changed)

    async def test_missing_groups_are_made_and_known_ones_stay(self, storage: Storage) -> None:
        await keep(storage, "groups", group("a", priority=5))
        async with storage.write("x") as work:
            await work.of(Groups).add_missing(["b", "a", "b", "ä/ö"], LATER)
            await work.of(Groups).add_missing([], LATER)

        async with storage.read() as work:
            assert await work.of(Groups).priorities(["a", "b", "ä/ö", "none"]) == {"a": 5, "b": 0, "ä/ö": 0}
            assert await work.of(Groups).get("b") == group("b", stamp=LATER)


class Content:
    """Apps, layouts, preferences, configuration."""

    async def test_who_may_see_an_app_is_read_without_its_definition(self, storage: Storage) -> None:
        apps = (
            app("public", public=True, title="Public"),
            app("group", access=("g", "h")),
            app("off", public=True, access=("g",), disabled=True),
            app("nobody"),
        )
        await keep(storage, "apps", *apps)

        expected = {
            each.name: AppAccess(
                name=each.name,
                title=each.title,
                public=each.public,
                access=each.access,
                disabled=each.disabled,
                revision=each.stamp.revision,
            )
            for each in apps
        }
        async with storage.read() as work:
            assert {each.name: each for each in await work.of(Apps).access()} == expected
            assert {each.name for each in await work.of(Apps).access(["off", "none", "group"])} == {"off", "group"}
            assert await work.of(Apps).access(["group"]) == [expected["group"]]

    async def test_definitions_are_returned_in_the_requested_order(self, storage: Storage) -> None:
        await keep(storage, "apps", *(app(name, definition=f'"{name}"') for name in ("b", "a", "c")))
        await keep(storage, "layouts", *(layout(name, definition=f'"{name}"') for name in ("b", "a", "c")))

        async with storage.read() as work:
            assert await work.of(Apps).definitions(["c", "none", "a", "b"]) == ['"c"', '"a"', '"b"']
            assert await work.of(Layouts).definitions(["c", "none", "a", "b"]) == ['"c"', '"a"', '"b"']

    async def test_the_own_lists_of_a_user_are_read_alone(self, storage: Storage) -> None:
        await keep(storage, "users", user("ann", apps=("b", "a"), layouts=("l",)), user("bob"))

        async with storage.read() as work:
            assert (await work.of(Users).apps_of("ann"), await work.of(Users).layouts_of("ann")) == (("a", "b"), ("l",))
            assert (await work.of(Users).apps_of("bob"), await work.of(Users).layouts_of("none")) == ((), ())

    async def test_a_removed_app_or_layout_is_taken_from_those_it_was_given_to(self, storage: Storage) -> None:
        await keep(storage, "apps", app("a"), app("b"))
        await keep(storage, "layouts", layout("l"))
        await keep(storage, "users", user("ann", apps=("a", "b"), layouts=("l", "m")))
        async with storage.write("x") as work:
            await work.of(Apps).remove("a")
            await work.of(Layouts).remove("l")
            later = work.stamp()

        async with storage.read() as work:
            ann = await work.of(Users).get("ann")
            assert ann is not None
            assert (ann.apps, ann.layouts, ann.stamp.revision) == (("b",), ("m",), later.revision)

    async def test_the_layouts_that_could_concern_a_user_are_read_without_definitions(self, storage: Storage) -> None:
        layouts = (
            layout("own", name="z", default=True),
            layout("public", owner="bob", public=True, name="y"),
            layout("group", owner="bob", access=("g", "h"), name="x"),
            layout("given", owner="bob", name="w", type="Workspace"),
            layout("off", owner="*", disabled=True),
            layout("common", owner="*"),
            layout("private", owner="bob"),
        )
        await keep(storage, "layouts", *layouts)
        await keep(storage, "users", user("ann", layouts=("given",)))

        async with storage.read() as work:
            seen = {each.id: each for each in await work.of(Layouts).access("ann")}
            assert set(seen) == {"own", "public", "group", "given", "off", "common"}
            assert seen["group"] == LayoutAccess(
                id="group",
                name="x",
                type="Global",
                owner="bob",
                access=("g", "h"),
                created=STAMP.created,
                revision=STAMP.revision,
            )
            assert (seen["own"].default, seen["off"].disabled, seen["public"].public) == (True, True, True)
            assert {each.id for each in await work.of(Layouts).access("eve")} == {"public", "group", "off", "common"}
            assert {each.id for each in await work.of(Layouts).access_of_all()} == {each.id for each in layouts}
            assert await work.of(Layouts).access_of("group") == seen["group"]
            assert await work.of(Layouts).access_of("none") is None

    async def test_everything_that_decides_who_gets_what_is_read_at_once(self, storage: Storage) -> None:
        await keep(
            storage, "users", user("ann", groups=("g",), apps=("a",), layouts=("l",)), user("bob", disabled=True)
        )
        await keep(storage, "groups", group("g", priority=3), group("h"))
        files = (config("1"), config("2", scope=Scope.USER, target="bob"), config("3", file="own.json"))
        await keep(storage, "configs", *files)
        async with storage.write("ann") as work:
            await work.of(Layouts).set_default("ann", ("Global", "x"))

        async with storage.read() as work:
            assert await work.of(Users).people() == [
                Person(id="ann", groups=("g",), apps=("a",), layouts=("l",)),
                Person(id="bob", disabled=True),
            ]
            assert await work.of(Groups).priorities() == {"g": 3, "h": 0}
            assert await work.of(Layouts).chosen_defaults() == {"ann": ("Global", "x")}
            assert sorted(await work.of(ConfigFiles).everything(), key=lambda each: each.id) == list(files)
            assert [each.id for each in await work.of(ConfigFiles).everything(["own.json"])] == ["3"]
            assert {each.id for each in await work.of(ConfigFiles).concerning("bob")} == {"1", "2", "3"}
            assert {each.id for each in await work.of(ConfigFiles).concerning("ann")} == {"1", "3"}

    async def test_a_layout_is_found_by_owner_type_and_name(self, storage: Storage) -> None:
        await keep(storage, "layouts", layout("1", name="a/b"), layout("2", name="a/b", owner="bob"))

        async with storage.read() as work:
            assert await work.of(Layouts).find(owner="bob", kind="Global", name="a/b") == layout(
                "2", name="a/b", owner="bob"
            )
            assert await work.of(Layouts).find(owner="bob", kind="global", name="a/b") is None

    async def test_the_default_layout_is_chosen_replaced_and_cleared(self, storage: Storage) -> None:
        seen = []
        for choice in (("Global", "Öffnen 🙂"), ("Workspace", "x"), None, None):
            async with storage.write("ann") as work:
                await work.of(Layouts).set_default("ann", choice)
                seen.append(await work.of(Layouts).get_default("ann"))
                assert await work.of(Layouts).get_default("bob") is None

        assert seen == [("Global", "Öffnen 🙂"), ("Workspace", "x"), None, None]

    async def test_preferences_are_read_and_cleared_by_user_and_app(self, storage: Storage) -> None:
        await keep(
            storage,
            "preferences",
            preference("1", app="b"),
            preference("2", app="A"),
            preference("3", app="b", user="bob"),
            preference("4", app="c"),
        )
        async with storage.write("x") as work:
            assert [item.app for item in await work.of(Preferences).of_user("ann")] == ["A", "b", "c"]
            assert [item.app for item in await work.of(Preferences).of_user("ann", ["c", "b", "z"])] == ["b", "c"]
            assert await work.of(Preferences).of_user("ann", []) == []
            assert await work.of(Preferences).find("bob", "b") == preference("3", app="b", user="bob")
            assert await work.of(Preferences).find("bob", "c") is None
            await work.of(Preferences).remove_of_user("ann", "b")
            assert [item.id for item in await work.of(Preferences).of_user("ann")] == ["2", "4"]
            await work.of(Preferences).remove_of_user("ann", None)
            assert await work.of(Preferences).of_user("ann") == []
        assert await ids(storage, of("preferences")) == ["3"]

    async def test_configuration_is_read_counted_and_removed_by_scope(self, storage: Storage) -> None:
        await keep(
            storage,
            "configs",
            config("base", scope=Scope.BASE, target=""),
            config("v10", scope=Scope.VERSION, target="10"),
            config("v11", scope=Scope.VERSION, target="11"),
            config("g", target="g"),
            config("g2", target="g", file="themes.json"),
            config("h", target="h"),
            config("u", scope=Scope.USER, target="g"),
        )
        async with storage.write("x") as work:
            found = await work.of(ConfigFiles).in_scopes(["10", "10.1"], ["g"], "g")
            assert {item.id for item in found} == {"base", "v10", "g", "g2", "u"}
            assert [item.id for item in await work.of(ConfigFiles).in_scopes([], [], None)] == ["base"]
            assert await work.of(ConfigFiles).find("system.json", Scope.GROUP, "g") == config("g", target="g")
            assert await work.of(ConfigFiles).find("system.json", Scope.VERSION, "g") is None
            assert await work.of(ConfigFiles).count(Scope.GROUP, "g") == 2
            await work.of(ConfigFiles).remove_of(Scope.GROUP, "g")
            assert await work.of(ConfigFiles).count(Scope.GROUP, "g") == 0
        assert await ids(storage, of("configs")) == ["base", "h", "u", "v10", "v11"]


class Desktops:
    """Machines, sessions, commands, revoked tokens."""

    async def test_a_machine_keeps_its_first_sight_and_its_newest_description(self, storage: Storage) -> None:
        async with storage.note() as work:
            await work.of(Machines).see("pc/1", "PC", '{"a":1}', START, "ann")
        async with storage.note() as work:
            await work.of(Machines).see("pc/1", "PC 🙂", "{}", START + timedelta(seconds=5), "ann")

        async with storage.read() as work:
            machine = await work.of(Machines).get("pc/1")
            assert machine is not None
            assert (machine.name, machine.info) == ("PC 🙂", "{}")
            assert machine.last_seen - machine.first_seen == timedelta(seconds=5)
            assert (await work.of(Machines).page(Query(text="pc"))).items == (machine,)
            assert await work.of(Machines).get("none") is None

    async def test_a_new_machine_seen_by_many_clients_at_once_is_one_machine(self, storage: Storage) -> None:
        async def see(number: int) -> None:
            async with storage.note() as work:
                await work.of(Machines).see("pc", f"PC {number}", "{}", START, "ann")

        await asyncio.gather(*map(see, range(20)))

        async with storage.read() as work:
            assert (await work.of(Machines).page(Query())).total == 1

    async def test_machines_are_listed_by_user_and_go_when_unused_and_old(self, storage: Storage) -> None:
        async with storage.note() as work:
            for name, age in (("new", 0), ("old", 9), ("used", 9)):
                await work.of(Machines).see(name, name, "{}", START - timedelta(days=age), "ann")
            await work.of(Sessions).add(session("s", machine="used"))
            assert [m.id for m in (await work.of(Machines).page(Query(filters={"user": "ann"}))).items] == ["used"]
            assert await work.of(Machines).purge(START - timedelta(days=1)) == 1
            assert [m.id for m in (await work.of(Machines).page(Query())).items] == ["new", "used"]
            await work.of(Machines).remove("new")
            assert [m.id for m in (await work.of(Machines).page(Query())).items] == ["used"]

    async def test_heartbeats_move_the_session_and_may_bring_commands(self, storage: Storage) -> None:
        await keep(storage, "sessions", session("s"), session("t"))
        seen = START + timedelta(seconds=1)
        async with storage.note() as work:
            await work.of(Sessions).touch("s", seen)
            assert await work.of(Sessions).get("s") == session("s", last_seen=seen)
            await work.of(Sessions).set_commands(session("s"), '["A"]')
            await work.of(Sessions).touch("none", seen)
            assert await work.of(Sessions).get("s") == session("s", last_seen=seen, commands='["A"]')
            assert await work.of(Sessions).get("t") == session("t")
            assert {item.id for item in await work.of(Sessions).get_many(["t", "s", "none"])} == {"s", "t"}

    async def test_a_heartbeat_of_a_session_is_one_of_its_machine(self, storage: Storage) -> None:
        await keep(storage, "sessions", session("s", machine="pc"))
        seen = START + timedelta(seconds=1)
        async with storage.note() as work:
            for name in ("pc", "other"):
                await work.of(Machines).see(name, name, "{}", START, "ann")
            await work.of(Sessions).touch("s", seen)
            found = {machine.id: machine for machine in (await work.of(Machines).page(Query())).items}
            assert (found["pc"].first_seen, found["pc"].last_seen) == (START, seen)
            assert found["other"].last_seen == START

    async def test_a_session_ends_once(self, storage: Storage) -> None:
        await keep(storage, "sessions", session("1"), session("2"), session("3", user="bob"))
        first, second = START + timedelta(seconds=1), START + timedelta(seconds=2)
        async with storage.write("x") as work:
            await work.of(Sessions).end("1", first)
            await work.of(Sessions).end("1", second)
            await work.of(Sessions).end_of_user("ann", second)
            ended = [await work.of(Sessions).get(number) for number in "123"]

        assert [item and item.ended for item in ended] == [first, second, None]

    async def test_active_sessions_are_neither_ended_nor_silent(self, storage: Storage) -> None:
        minute = timedelta(minutes=1)
        await keep(
            storage,
            "sessions",
            session("live"),
            session("ended", ended=START),
            session("silent", last_seen=START - 2 * minute),
            session("edge", last_seen=START - minute),
        )
        async with storage.note() as work:
            active = await work.of(Sessions).page(Query(), seen_since=START - minute)
            assert ([item.id for item in active.items], active.total) == (["edge", "live"], 2)
            assert await work.of(Sessions).purge(START - minute) == 1
            assert (await work.of(Sessions).page(Query())).total == 3

    async def test_commands_wait_are_delivered_and_are_answered(self, storage: Storage) -> None:
        early, late = START, START + timedelta(seconds=1)
        await keep(storage, "commands", command("b", created=late), command("a", created=late), command("z"))
        await keep(storage, "commands", command("other", session="t"))
        async with storage.note() as work:
            assert [item.id for item in await work.of(Commands).unanswered("s")] == ["z", "a", "b"]
            await work.of(Commands).deliver("s", late)
            await work.of(Commands).finish("z", "done", '{"a":1}', late)
            assert [item.id for item in await work.of(Commands).unanswered("s")] == ["a", "b"]
            done = await work.of(Commands).get("z")
            assert done == command("z", status="done", data='{"a":1}', delivered=late, finished=late)
            assert (await work.of(Commands).unanswered("t"))[0].delivered is None
            await work.of(Commands).deliver("s", late + timedelta(days=1))
            again = await work.of(Commands).get("a")
            assert again is not None
            assert again.delivered == late
            assert await work.of(Commands).purge(late) == 2
            assert await work.of(Commands).purge(early) == 0

    async def test_a_token_is_ended_for_good_until_it_would_have_expired(self, storage: Storage) -> None:
        async with storage.write("x") as work:
            assert not await work.of(RevokedTokens).has("t")
            await work.of(RevokedTokens).add("t", START, "ann")
            await work.of(RevokedTokens).add("t", START, "ann")
            await work.of(RevokedTokens).add("u", START + timedelta(seconds=1), "ann")
            assert await work.of(RevokedTokens).purge(START) == 0
            assert await work.of(RevokedTokens).purge(START + timedelta(milliseconds=1)) == 1
            assert not await work.of(RevokedTokens).has("t")
            assert await work.of(RevokedTokens).has("u")

    async def test_a_token_may_be_ended_twenty_times_at_once(self, storage: Storage) -> None:
        async def end() -> None:
            async with storage.write("x") as work:
                await work.of(RevokedTokens).add("t", START, "ann")

        await asyncio.gather(*(end() for _ in range(20)))

        async with storage.read() as work:
            assert await work.of(RevokedTokens).has("t")

    async def test_an_address_is_known_from_the_last_time_on_for_thirty_days(self, storage: Storage) -> None:
        await keep(storage, "users", user("ann", epoch=3), user("bob", epoch=3))
        async with storage.note() as work:
            for days in (0, 5):
                await work.of(KnownAddresses).record("ann", 3, "10.0.0.1", START + timedelta(days=days))
            await work.of(KnownAddresses).record("ann", 3, "10.0.0.2", START)
            await work.of(KnownAddresses).record("bob", 3, "10.0.0.2", START + timedelta(days=1))
            assert await work.of(KnownAddresses).last_seen("ann", "10.0.0.1") == START + timedelta(days=5)
            assert await work.of(KnownAddresses).last_seen("ANN", "10.0.0.1") is None
            assert await work.of(KnownAddresses).last_seen("bob", "10.0.0.1") is None
            month = timedelta(days=30)
            assert await work.of(KnownAddresses).purge(START + month - timedelta(milliseconds=1)) == 0
            assert await work.of(KnownAddresses).purge(START + month) == 1
            assert await work.of(KnownAddresses).last_seen("ann", "10.0.0.2") is None
            assert await work.of(KnownAddresses).last_seen("bob", "10.0.0.2") == START + timedelta(days=1)

    async def test_of_more_than_fifty_addresses_of_a_user_the_oldest_are_removed(self, storage: Storage) -> None:
        await keep(storage, "users", user("ann", epoch=3), user("bob", epoch=3))

        async def count(work: Work, name: str) -> int:
            found = [await work.of(KnownAddresses).last_seen(name, f"10.0.0.{number}") for number in range(60)]
            return sum(each is not None for each in found)

        async with storage.note() as work:
            await work.of(KnownAddresses).record("bob", 3, "10.0.0.1", START)
            for number in range(50):
                await work.of(KnownAddresses).record("ann", 3, f"10.0.0.{number}", START + timedelta(hours=number))
            assert await count(work, "ann") == 50
            for number in (0, 55, 56):
                await work.of(KnownAddresses).record("ann", 3, f"10.0.0.{number}", START + timedelta(hours=60 + number))
            assert await count(work, "ann") == 50
            seen = [await work.of(KnownAddresses).last_seen("ann", f"10.0.0.{number}") for number in (0, 1, 2, 3, 56)]
            assert [each is not None for each in seen] == [True, False, False, True, True]
            # One that is recorded by a clock that was set back stays, too.
            await work.of(KnownAddresses).record("ann", 3, "10.0.0.57", START - timedelta(days=1))
            assert await work.of(KnownAddresses).last_seen("ann", "10.0.0.57") is not None
            assert await count(work, "bob") == 1

    async def test_an_address_is_recorded_only_for_the_user_that_was_checked(self, storage: Storage) -> None:
        await keep(storage, "users", user("ann", epoch=3))
        async with storage.note() as work:
            # Deleted and created again, or given another password, while the old password was checked.
            await work.of(KnownAddresses).record("ann", 2, "10.0.0.1", START)
            await work.of(KnownAddresses).record("nobody", 3, "10.0.0.1", START)
            for name in ("ann", "nobody"):
                assert await work.of(KnownAddresses).last_seen(name, "10.0.0.1") is None

    async def test_a_sign_in_while_its_user_is_deleted_leaves_no_address(self, storage: Storage) -> None:
        async def record(number: int) -> None:
            async with storage.note() as work:
                await work.of(KnownAddresses).record("ann", 3, f"10.0.0.{number}", START)

        async def remove() -> None:
            async with storage.write("x") as work:
                await work.of(Users).remove("ann")

        await keep(storage, "users", user("ann", epoch=3))
        await record(0)
        await asyncio.gather(*(record(number) for number in range(5)), remove(), *map(record, range(5, 10)))

        async with storage.read() as work:
            seen = [await work.of(KnownAddresses).last_seen("ann", f"10.0.0.{number}") for number in range(10)]
            assert seen == [None] * 10
            assert await work.of(Diagnostics).dangling() == []


class ReportFiles:
    """Reports and the files beside them."""

    @pytest.mark.parametrize(
        ("sent", "kept"),
        [
            ([], []),
            ([b""], []),
            ([b"x"], [1]),
            ([b"x" * (3 * MIB + 1)], [MIB, MIB, MIB, 1]),
            ([b"ab", b"", b"\x00\xff" * (MIB // 2 + 1)], [2, MIB, 2]),
        ],
        ids=["nothing", "0 bytes", "1 byte", "3 MiB and 1", "in pieces"],
    )
    async def test_a_file_comes_back_byte_for_byte(self, storage: Storage, sent: list[bytes], kept: list[int]) -> None:
        async with storage.write("ann") as work:
            stored = await work.of(Files).add(file("f"), pieces(*sent))
            await work.of(Crashes).add(crash("c", minidump=stored))

        assert stored == replace(file("f"), size=len(b"".join(sent)))
        async with storage.read() as work:
            found = [await work.of(Files).piece("f", number) for number in range(len(kept))]
            assert [len(piece or b"") for piece in found] == kept
            assert b"".join(piece or b"" for piece in found) == b"".join(sent)
            assert await work.of(Files).piece("f", len(kept)) is None
            assert await work.of(Crashes).get("c") == crash("c", minidump=stored)

    async def test_files_are_forgotten_by_id(self, storage: Storage) -> None:
        async with storage.write("ann") as work:
            for name in "abc":
                await work.of(Files).add(file(name), pieces(b"x"))
            await work.of(Files).remove(["a", "c", "none"])
            await work.of(Files).remove([])
            assert [await work.of(Files).piece(name, 0) for name in "abc"] == [None, b"x", None]

    @pytest.mark.parametrize("part", ["crashes", "feedback"])
    async def test_reports_are_reviewed_and_take_their_files_with_them(self, storage: Storage, part: str) -> None:
        make, member = (crash, "minidump") if part == "crashes" else (feedback, "attachment")
        async with storage.write("ann") as work:
            reports = work.of(PARTS[part])
            for name, days in (("a", 0), ("b", 5), ("c", 9)):
                kept = await work.of(Files).add(file(name), pieces(b"x"))
                await reports.add(make(name, received=START - timedelta(days=days), **{member: kept}))
            await reports.review("a", reviewed=True, reviewed_by="eve", comment="ö\n", revision=12)
            reviewed = await reports.get("a")
            assert (reviewed.reviewed, reviewed.reviewed_by, reviewed.comment, reviewed.revision) == (
                True,
                "eve",
                "ö\n",
                12,
            )
            assert (await reports.get("b")).reviewed is False
            await reports.remove("b")
            assert await reports.purge(START - timedelta(days=9)) == 0
            assert await reports.purge(START - timedelta(days=8)) == 1
            assert [await work.of(Files).piece(name, 0) for name in "abc"] == [b"x", None, None]


class Transactions:
    """What storage promises about work done at the same time, and work that fails."""

    async def test_work_that_fails_leaves_nothing(self, storage: Storage) -> None:
        async def write() -> None:
            async with storage.write("ann") as work:
                await work.of(Users).add(user("ann", groups=("g",)))
                await work.of(Files).add(file("f"), pieces(b"x"))
                raise ZeroDivisionError

        async def note() -> None:
            async with storage.note() as work:
                await work.of(Machines).see("pc", "pc", "{}", START, "ann")
                raise ZeroDivisionError

        for work_that_fails in (write, note):
            with pytest.raises(ZeroDivisionError):
                await work_that_fails()

        async with storage.read() as work:
            assert await work.of(Users).get("ann") is None
            assert await work.of(Users).groups_of("ann") == ()
            assert await work.of(Files).piece("f", 0) is None
            assert await work.of(Machines).get("pc") is None

    async def test_work_that_is_cancelled_leaves_nothing(self, storage: Storage) -> None:
        began = asyncio.Event()

        async def never_ends() -> None:
            async with storage.write("ann") as work:
                await work.of(Users).add(user("ann"))
                began.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(never_ends())
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

        await keep(storage, "users", user("bob"))
        assert await ids(storage, of("users")) == ["bob"]

    async def test_the_revision_of_failed_work_is_not_used_up_twice(self, storage: Storage) -> None:
        revisions = []
        for fails in (False, True, False):
            try:
                async with storage.write("ann") as work:
                    revisions.append(work.revision)
                    if fails:
                        raise ZeroDivisionError
            except ZeroDivisionError:
                revisions.pop()

        assert revisions == [revisions[0], revisions[0] + 1]

    async def test_fifty_writers_at_once_get_fifty_revisions_in_a_row(self, storage: Storage) -> None:
        async def write(number: int) -> int:
            async with storage.write(f"user {number}") as work:
                await work.of(Users).add(user(f"{number}", stamp=work.stamp()))
                return work.revision

        revisions = await asyncio.gather(*map(write, range(50)))

        assert sorted(revisions) == list(range(min(revisions), min(revisions) + 50))
        async with storage.read() as work:
            kept = (await work.of(Users).page(Query(limit=100))).items
        assert {item.id: item.stamp.revision for item in kept} == {str(n): r for n, r in enumerate(revisions)}

    async def test_reading_then_writing_never_loses_an_update(self, storage: Storage) -> None:
        await keep(storage, "groups", group("counter"))

        async def add_one() -> None:
            async with storage.write("ann") as work:
                counter = await work.of(Groups).get("counter")
                assert counter is not None
                await asyncio.sleep(0)
                await work.of(Groups).put(replace(counter, priority=counter.priority + 1))

        await asyncio.gather(*(add_one() for _ in range(50)))

        async with storage.read() as work:
            assert await work.of(Groups).priorities(["counter"]) == {"counter": 50}

    @pytest.mark.long
    async def test_readers_see_all_of_a_work_or_nothing_of_it(self, storage: Storage) -> None:
        await keep(storage, "groups", group("a"), group("b"))
        done = asyncio.Event()

        async def write() -> None:
            for number in range(1, 26):
                async with storage.write("ann") as work:
                    await work.of(Groups).put(group("a", priority=number))
                    await asyncio.sleep(0)
                    await work.of(Groups).put(group("b", priority=number))
            done.set()

        async def read() -> int:
            reads = 0
            while not done.is_set() or not reads:
                async with storage.read() as work:
                    first = await work.of(Groups).get("a")
                    second = await work.of(Groups).get("b")
                assert first is not None
                assert second is not None
                assert first.priority == second.priority
                reads += 1
            return reads

        reads = await asyncio.gather(write(), *(read() for _ in range(4)))
        assert all(reads[1:])

    async def test_a_reader_stays_at_its_moment_while_others_write(self, storage: Storage) -> None:
        await keep(storage, "users", user("ann"))
        async with storage.read() as reader:
            assert (await reader.of(Users).page(Query())).total == 1
            await keep(storage, "users", user("bob"))
            assert (await reader.of(Users).page(Query())).total == 1
            assert await reader.of(Users).get("bob") is None
        assert await ids(storage, of("users")) == ["ann", "bob"]

    async def test_stamps_report_who_and_when_and_keep_the_beginning(self, storage: Storage, clock: Any) -> None:
        async with storage.write("ann") as work:
            first = work.stamp()
        clock.advance(60)
        async with storage.write("bob") as work:
            second = work.stamp(first)

        assert (first.created_by, first.modified_by, first.modified) == ("ann", "ann", first.created)
        assert (second.created, second.created_by) == (first.created, "ann")
        assert (second.modified_by, second.modified - first.modified) == ("bob", timedelta(seconds=60))
        assert second.revision == first.revision + 1
