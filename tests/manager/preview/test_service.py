"""What a preview says is what the writes do, in firms that hypothesis makes up."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.base import json_text
from rostrum.base.clock import SettableClock
from rostrum.base.errors import Invalid, RostrumError
from rostrum.base.passwords import PasswordPolicy, Passwords
from rostrum.contracts.app_entries import AppChange, AppEntry
from rostrum.contracts.groups import GroupChange, GroupDocument, NewGroup
from rostrum.contracts.layout_entries import LayoutChange, LayoutEntry
from rostrum.contracts.previews import PreviewRequest
from rostrum.contracts.system_config import ConfigChange, ConfigDocument
from rostrum.contracts.users import NewUser, UserChange, UserDocument
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.apps.service import AppService
from rostrum.manager.configs.checks import check_contents
from rostrum.manager.configs.service import RequestedScope, SystemConfigService
from rostrum.manager.groups.model import expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.groups.service import GroupService
from rostrum.manager.layouts.service import LayoutService
from rostrum.manager.preview.config_differences import ValueChange
from rostrum.manager.preview.differences import Difference
from rostrum.manager.preview.service import Outcome, Preview, PreviewService
from rostrum.manager.quotas.service import UNLIMITED
from rostrum.manager.topics import manager_storage
from rostrum.manager.users.repository import Users
from rostrum.manager.users.service import UserService
from tests.manager import firms as made
from tests.manager.firms import GROUPS, USERS, Firm, fill, firms, wipe
from tests.settings.test_merge import leaves

some = settings(max_examples=7)
BODIES: dict[str, tuple[Any, Any, Any]] = {
    "apps": (AppEntry, AppEntry, AppChange),
    "layouts": (LayoutEntry, LayoutEntry, LayoutChange),
    "configs": (ConfigDocument, ConfigDocument, ConfigChange),
    "users": (NewUser, UserDocument, UserChange),
    "groups": (NewGroup, GroupDocument, GroupChange),
}
NUMBERS = st.integers(0, 3).map(str)


def partial(whole: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Some members of a body."""
    keep = st.sets(st.sampled_from(["public", "accessList", "disabled", "groups", "apps", "expandsTo", "priority"]))
    return st.builds(lambda body, names: {name: body[name] for name in body if name in names}, whole, keep)


def proposals(
    keys: st.SearchStrategy[str], new: st.SearchStrategy[Any], whole: st.SearchStrategy[Any], part: Any = None
) -> st.SearchStrategy[list[dict[str, Any]]]:
    def one(action: str, **members: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
        return st.fixed_dictionaries({"action": st.just(action), **members})

    return st.lists(
        st.one_of(
            one("create", document=new),
            one("replace", key=keys, document=whole),
            one("change", key=keys, document=part if part is not None else partial(whole)),
            one("delete", key=keys),
        ),
        min_size=1,
        max_size=2,
    )


CHANGES = {
    "apps": st.sampled_from(made.APPS).flatmap(
        lambda name: proposals(st.just(name), made.app("order"), made.app(name))
    ),
    "layouts": proposals(NUMBERS, made.layout(), made.layout()),
    "configs": proposals(
        NUMBERS,
        made.config(),
        made.config(),
        st.fixed_dictionaries({"contents": st.one_of(made.contents, made.settings)}),
    ),
    "users": st.sampled_from(USERS).flatmap(lambda name: proposals(st.just(name), made.user("kim"), made.user(name))),
    "groups": st.sampled_from(GROUPS).flatmap(
        lambda name: proposals(st.just(name), made.group("Sales"), made.group(name))
    ),
}


@dataclass
class Gets:
    """What a user really gets, and a number of each so that being equal can be seen."""

    groups: set[str] = field(default_factory=set)
    apps: dict[str, Any] = field(default_factory=dict)
    layouts: dict[tuple[str, str], Any] = field(default_factory=dict)
    default: tuple[str, str] | None = None
    values: dict[tuple[str, str, tuple[str, ...]], str] = field(default_factory=dict)
    problems: set[tuple[str, str, str]] = field(default_factory=set)


class Office:
    """A database with all content replaced for each example."""

    def __init__(self, runner: asyncio.Runner, path: Path) -> None:
        self._path, self.run = path, runner.run
        self.clock = SettableClock()
        self.storage = manager_storage(f"sqlite:///{path}", self.clock)
        self.passwords = Passwords(memory_kib=8, rounds=1)
        self.resources: dict[str, Any] = {
            "apps": AppService(self.storage),
            "layouts": LayoutService(self.storage, UNLIMITED),
            "configs": SystemConfigService(self.storage),
            "users": UserService(self.storage, self.passwords, PasswordPolicy()),
            "groups": GroupService(self.storage),
        }
        self.previews = PreviewService(self.storage)

    def move_in(self, firm: Firm) -> None:
        """Make the database hold this firm."""
        wipe(self._path)
        self.run(fill(self.storage, firm, self.passwords))
        self.clock.advance(1)

    async def preview(self, kind: str, changes: list[dict[str, Any]]) -> Preview:
        request = PreviewRequest.model_validate({"changes": changes})
        return await self.previews.result(await self.previews.attempt(SYSTEM, kind, request))

    async def write(self, kind: str, change: dict[str, Any]) -> None:
        """Make a change as its route would."""
        new, whole, part = BODIES[kind]
        resource = self.resources[kind]
        match change["action"]:
            case "create":
                await resource.create(SYSTEM, new.model_validate(change["document"]))
            case "replace":
                await resource.replace(SYSTEM, change["key"], whole.model_validate(change["document"]))
            case "change":
                await resource.change(SYSTEM, change["key"], part.model_validate(change["document"]))
            case "delete":
                await resource.remove(SYSTEM, change["key"])
        self.clock.advance(1)

    async def everyone(self, versions: tuple[str, ...]) -> dict[str, Gets | None]:
        """Ask for each user what they get; ``None`` for those who cannot sign in."""
        async with self.storage.read() as work:
            graph = await work.of(Groups).graph()
            users = {person.id: person for person in await work.of(Users).people()}
        return {
            name: None if user.disabled else await self._gets(Identity.of(name, expand(user.groups, graph)), versions)
            for name, user in users.items()
        }

    async def _gets(self, identity: Identity, versions: tuple[str, ...]) -> Gets:
        apps = [json_text.parse(text) for text in await self.resources["apps"].visible(identity)]
        layouts = [json_text.parse(text) for text in await self.resources["layouts"].visible(identity)]
        gets = Gets(
            groups=set(identity.groups),
            apps={app["name"]: app for app in apps},
            layouts={(layout["type"], layout["name"]): layout for layout in layouts},
            default=await self.resources["layouts"].get_default(identity),
        )
        for version in versions:
            files = await self.resources["configs"].effective(identity, RequestedScope(version=version))
            for file, text in files.items():
                merged = json_text.parse(text)
                gets.values.update(
                    ((version, file, path), json_text.dump(value).decode()) for path, value in leaves(merged)
                )
                found = check_contents(file, merged, version or None)
                gets.problems |= {(version, f"{file} {problem.path}", problem.message) for problem in found}
        return gets

    def close(self) -> None:
        self.run(self.storage.close())


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    with asyncio.Runner() as runner:
        office = Office(runner, tmp_path_factory.mktemp("office") / "rostrum.db")
        office.run(office.storage.open())
        yield office
        office.close()


def shifted(before: dict[Any, Any], after: dict[Any, Any]) -> tuple[set[Any], set[Any], set[Any]]:
    both = before.keys() & after.keys()
    return set(after) - set(before), set(before) - set(after), {key for key in both if before[key] != after[key]}


def changed_values(before: Gets, after: Gets) -> set[tuple[Any, ...]]:
    """The values that differ; an empty object that has got members has not gone."""
    found = set()
    for key in before.values.keys() | after.values.keys():
        had, has = before.values.get(key), after.values.get(key)
        if had == has:
            continue
        other = after if has is None else before
        filled = (
            (had or has) == "{}"
            and None in (had, has)
            and any(place[:2] == key[:2] and place[2][: len(key[2])] == key[2] for place in other.values)
        )
        if not filled:
            found.add((*key, had, has))
    return found


def check_user(preview: Preview, user: str, before: Gets, after: Gets) -> None:
    outcomes = [outcome.difference for outcome in preview.outcomes if user in outcome.users]
    assert len(outcomes) <= 1
    said = outcomes[0] if outcomes else None
    apps, layouts, values = shifted(before.apps, after.apps), shifted(before.layouts, after.layouts), set()
    if said is None:
        assert (apps, layouts) == ((set(), set(), set()),) * 2
        assert before.default == after.default
    else:
        if "apps" in preview.parts:
            assert (set(said.apps.gained), set(said.apps.lost), set(said.apps.changed)) == apps
        if "layouts" in preview.parts:
            assert (set(said.layouts.gained), set(said.layouts.lost)) == layouts[:2]
            # Another layout in the same place may happen to look the same.
            assert set(said.layouts.changed) >= layouts[2]
            if before.default != after.default:
                assert said.default == (before.default, after.default)
            else:
                assert said.default == (None, None)
        values = {
            (version, change.file, change.path, change.before, change.after)
            for change, versions in said.configs
            for version in versions
        }
    assert values == changed_values(before, after)
    for is_new, expected in ((True, after.problems - before.problems), (False, before.problems - after.problems)):
        noted = {
            (note.remark.file, note.remark.problem.path, note.remark.problem.message)
            for note in preview.notes
            if note.remark.is_new is is_new and user in note.users
        }
        assert noted == {(place.split(" ")[0], place.split(" ")[1], message) for _, place, message in expected}


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted(CHANGES))
@some
@given(firm=firms, data=st.data())
def test_a_preview_is_the_difference_that_the_writes_make(office: Office, firm: Firm, kind: str, data: Any) -> None:
    changes = data.draw(CHANGES[kind])
    office.move_in(firm)
    preview, refusal = attempted(office.run, office.preview(kind, changes))
    if refusal is not None:
        really = [attempted(office.run, office.write(kind, change))[1] for change in changes]
        assert type(refusal) is next(type(each) for each in really if each is not None)
        return
    before = office.run(office.everyone(preview.versions))
    for change in changes:
        office.run(office.write(kind, change))
    after = office.run(office.everyone(preview.versions))

    assert preview.users == len({*before, *after})
    assert preview.affected == sum(len(outcome.users) for outcome in preview.outcomes)
    for user in {*before, *after}:
        had, has = before.get(user), after.get(user)
        check_user(preview, user, had or Gets(), has or Gets())
        if had is not None and has is not None:
            shifts = [outcome.difference.groups for outcome in preview.outcomes if user in outcome.users]
            assert {name for shift in shifts for name in shift.gained} == has.groups - had.groups
            assert {name for shift in shifts for name in shift.lost} == had.groups - has.groups


def attempted(run: Any, work: Any) -> tuple[Any, RostrumError | None]:
    try:
        return run(work), None
    except RostrumError as refusal:
        return None, refusal


def test_a_preview_writes_nothing(office: Office) -> None:
    firm = Firm(groups=[], users=[], apps=[], layouts=[], configs=[])
    office.move_in(firm)

    async def snapshot() -> Any:
        async with office.storage.write("counter") as work:
            return work.revision, await work.of(Users).people(), await work.of(Groups).priorities()

    before = office.run(snapshot())
    office.run(office.preview("users", [{"action": "create", "document": {"id": "kim", "groups": ["New"]}}]))

    assert office.run(snapshot()) == (before[0] + 1, *before[1:])


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"action": "change", "document": {}}, "changes[0].key"),
        ({"action": "create"}, "changes[0].document"),
        ({"action": "create", "document": {"id": "a:b"}}, "changes[0].document.id"),
        ({"action": "create", "document": {"id": "a", "groups": ["PLATFORM_X"]}}, "changes[0].document.groups[0]"),
    ],
)
def test_what_is_wrong_with_a_proposal_is_named_by_its_place(office: Office, change: Any, path: str) -> None:
    with pytest.raises(Invalid) as refused:
        office.run(office.preview("users", [change]))

    assert [problem.path for problem in refused.value.problems] == [path]


def test_the_id_of_an_outcome_depends_on_each_of_its_changes_and_not_on_the_users() -> None:
    one, other = (ValueChange("system.json", ("tray", name), "1", "2") for name in ("icon", "text"))
    differences = [
        Difference(),
        Difference(account="created"),
        *(
            Difference(configs=tuple((each, ("",)) for each in some))
            for some in ([one], [other], [one, other], [other, one])
        ),
        Difference(configs=((one, ("", "10.1")),)),
    ]
    ids = [Outcome(each, ("ann",)).id for each in differences]
    assert len(set(ids)) == len(ids)
    assert ids == [Outcome(each, ("bob", "eve")).id for each in differences]
