"""Users from CSV files: every row is checked, and the rules of single changes hold."""

import random
from collections.abc import AsyncIterator

import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.errors import Invalid
from rostrum.base.passwords import PasswordPolicy, Passwords
from rostrum.contracts.batches import NewBatch
from rostrum.contracts.user_imports import NewUserImport, UserImportRequest
from rostrum.contracts.users import NewUser, UserChange
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.permissions import ADMIN_GROUP, Permission
from rostrum.manager.audit.service import AuditService
from rostrum.manager.batches.model import Batch, Status
from rostrum.manager.batches.repository import Batches
from rostrum.manager.batches.service import BatchService
from rostrum.manager.batches.user_imports import ImportPlan, UserImportService
from rostrum.manager.database.paging import Query
from rostrum.manager.errors import Conflict, Forbidden
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import Storage
from rostrum.manager.users.csv_rows import read_users
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users
from rostrum.manager.users.service import UserService

DELEGATE = Identity.of("del", frozenset({Permission.USERS_READ.value, Permission.USERS_WRITE.value}))


@pytest.fixture
def users(storage: Storage) -> UserService:
    return UserService(storage, Passwords(memory_kib=8, rounds=1), PasswordPolicy())


@pytest.fixture
def batches(storage: Storage, clock: SettableClock) -> BatchService:
    return BatchService(storage, clock, part=3)


@pytest.fixture
async def imports(storage: Storage, batches: BatchService, users: UserService) -> AsyncIterator[UserImportService]:
    await users.create(SYSTEM, NewUser(id="ann", display_name="Ann A", email="a@x.org", groups=["Desk"]))
    await users.create(SYSTEM, NewUser(id="root", groups=[ADMIN_GROUP]))
    yield UserImportService(storage, batches)
    assert (await AuditService(storage).verify(SYSTEM)).fault is None


async def shown(imports: UserImportService, text: str, identity: Identity = SYSTEM, **given: object) -> ImportPlan:
    return await imports.preview(identity, UserImportRequest.model_validate({"csv": text, **given}))


def results(plan: ImportPlan) -> list[tuple[int, str, str]]:
    return [(row.row.line, row.row.id, row.result) for row in plan.rows]


def problems(plan: ImportPlan) -> list[tuple[int, str, str]]:
    return [(row.row.line, each.column, each.message) for row in plan.rows for each in row.problems]


async def imported(
    imports: UserImportService, batches: BatchService, text: str, identity: Identity = SYSTEM, **given: object
) -> Batch:
    body = NewUserImport.model_validate({"csv": text, "key": "k", "skipInvalid": True, **given})
    batch, _ = await imports.create(identity, body)
    async for each in batches.run(identity, batch):
        batch = each
    return batch


async def user(storage: Storage, user_id: str) -> User | None:
    async with storage.read() as work:
        return await work.of(Users).get(user_id)


@pytest.mark.parametrize(
    "text",
    [
        "id,displayName,groups\nbob,Bob B,Desk;Floor\n",
        '\ufeffID;Display name;Groups\r\nbob;Bob B;"Desk;Floor"\r\n',
        "id\tdisplay_name\tgroups\nbob\tBob B\tFloor; Desk\n",
        'id,displayName,groups,created\nbob,Bob B,"[""Desk"",""Floor""]",2026-01-01\n',
        '\n\nid,displayName,groups\n\nbob,"Bob B",Desk;Floor\n,,\n',
    ],
)
def test_files_of_spreadsheets_and_downloads_are_read_alike(text: str) -> None:
    (row,) = read_users(text, None).rows

    assert (row.id, row.values, row.problems) == ("bob", {"display_name": "Bob B", "groups": ("Desk", "Floor")}, ())


def test_a_text_that_a_spreadsheet_would_execute_is_data() -> None:
    first, second = read_users("id,displayName\na,'=1+1\nb,=cmd|'/C calc'!A0\n", None).rows

    assert (first.values, second.values) == ({"display_name": "=1+1"}, {"display_name": "=cmd|'/C calc'!A0"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,email\nx,y@z\n", "including `id`"),
        ("id,password\nx,secret\n", "Passwords cannot be imported"),
        ("id,id\nx,y\n", "more than one column `id`"),
        ('id,email\nx,"y\n', "that begins on line 2 cannot be read"),
        ("id\n" + "x\n" * 20_001, "more than 20,000 rows"),
        ("id," + "x," * 200 + "\n", "more than 100 columns"),
        ("id,displayName\n" + f"x,{'y' * 200_000}\n", "cannot be read"),
        (" \n", "including `id`"),
    ],
)
def test_a_file_that_is_no_table_of_users_is_refused(text: str, message: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_users(text, None)

    assert message in str(refused.value.problems[0])


def test_random_bytes_are_refused_or_read() -> None:
    signs = random.Random(5)
    for _ in range(300):
        text = "id,email,groups,disabled\n" + "".join(signs.choices("ab,;\"\n\r\t\0\ufffd\u202e[]='", k=60))
        try:
            assert len(read_users(text, None).rows) <= 60
        except Invalid:
            continue


async def test_the_preview_has_every_row_with_its_line_and_all_problems(imports: UserImportService) -> None:
    text = (
        "id,displayName,email,groups,apps,disabled\n"
        "ann,Ann A,a@x.org,Desk,,no\n"
        '"bob","Bob\u202e",nonsense,Desk,,maybe\n'
        "\n"
        "carl,Carl,,PLATFORM_MANAGER:USERS:WRIT,nothing,\n"
        "carl,Again,,,,\n"
        ",Nobody,,,,\n"
        "dora,Dora,,New,,yes\n"
        "DORA,Too similar,,,,\n"
        "Ann,Too similar,,,,\n"
        "eve,,,,,,,too many\n"
        "fred,Bad \ufffd,,,,\n"
    )
    plan = await shown(imports, text)

    assert results(plan)[:1] == [(2, "ann", "unchanged")]
    assert (8, "dora", "new") in results(plan)
    told = problems(plan)
    assert {(line, column) for line, column, _ in told} == {
        (3, "displayName"),
        (3, "email"),
        (3, "disabled"),
        (5, "apps"),
        (5, "groups"),
        (6, "id"),
        (7, "id"),
        (9, ""),
        (10, ""),
        (11, ""),
        (12, "displayName"),
    }
    assert (6, "id", "is already used on line 5") in told
    assert "too similar to the user ID 'ann'" in {line: text for line, _, text in told}[10]
    view = plan.as_json()
    assert (view["total"], view["new"], view["unchanged"], view["invalid"]) == (10, 1, 1, 8)
    assert len(view["problems"]) == 8


async def test_an_import_creates_and_changes_users_and_touches_no_other(
    imports: UserImportService, batches: BatchService, storage: Storage, clock: SettableClock
) -> None:
    clock.advance(60)
    text = "id,displayName,groups,disabled\nann,Ann B,,true\n" + "".join(f"n{n},New {n},Fresh,\n" for n in range(7))
    batch = await imported(imports, batches, text, count=8)

    ann, new, other = await user(storage, "ann"), await user(storage, "n6"), await user(storage, "root")
    assert ann is not None
    assert new is not None
    assert other is not None
    assert (batch.status, batch.done, batch.refused) == (Status.DONE, 8, 0)
    assert (ann.display_name, ann.email, ann.groups, ann.disabled) == ("Ann B", "a@x.org", (), True)
    assert ann.disabled_since == clock.now()
    assert (new.display_name, new.groups, new.password_hash, new.disabled_since) == ("New 6", ("Fresh",), None, None)
    assert other.stamp.revision < ann.stamp.revision
    async with storage.read() as work:
        assert await work.of(Groups).get("Fresh") is not None
        parts = await work.of(Batches).parts(batch.id)
    assert [part.details for part in parts] == [None, None, None]
    again = await shown(imports, text)
    assert {row.result for row in again.rows} == {"unchanged"}
    # Each user gets other values: also written at once.
    renamed = "id,displayName,email,disabled\n" + "".join(f"n{n},Other {n},n{n}@x.org,{n == 6}\n" for n in range(7))
    await imported(imports, batches, renamed, key="renamed")
    assert {row.result for row in (await shown(imports, renamed)).rows} == {"unchanged"}
    last, first = await user(storage, "n6"), await user(storage, "n0")
    assert last is not None
    assert first is not None
    assert (last.email, last.groups, last.disabled_since) == ("n6@x.org", ("Fresh",), clock.now())
    assert (first.display_name, first.disabled, first.stamp.modified_by) == ("Other 0", False, new.stamp.modified_by)


async def test_only_the_wanted_columns_change_and_groups_can_be_added(
    imports: UserImportService, batches: BatchService, storage: Storage
) -> None:
    text = "id,displayName,email,groups\nann,Other,other@x.org,Floor\n"
    plan = await shown(imports, text, columns=["groups"], lists="add")
    assert plan.as_json()["items"][0]["changes"] == [
        {"column": "groups", "before": ("Desk",), "after": ("Desk", "Floor")}
    ]
    assert plan.as_json()["ignored"] == ["displayName", "email"]

    await imported(imports, batches, text, columns=["groups"], lists="add")

    ann = await user(storage, "ann")
    assert ann is not None
    assert (ann.display_name, ann.email, ann.groups) == ("Ann A", "a@x.org", ("Desk", "Floor"))
    with pytest.raises(Invalid, match="cannot be imported"):
        await shown(imports, "id\nann\n", columns=["email"])


async def test_a_delegated_administrator_cannot_use_rights_that_they_lack(
    imports: UserImportService, batches: BatchService, storage: Storage
) -> None:
    text = f"id,displayName,groups\nroot,Boss,\nnew,New,{ADMIN_GROUP}\nok,Fine,Desk\n"
    plan = await shown(imports, text, DELEGATE)
    assert [result for _, _, result in results(plan)] == ["invalid", "invalid", "new"]
    assert all(ADMIN_GROUP in message for _, _, message in problems(plan))
    with pytest.raises(Forbidden):
        await shown(imports, text, Identity.of("x", frozenset({Permission.USERS_READ.value})))

    # An administrator cannot lock themselves out either.
    own = await shown(imports, "id,groups,disabled\nroot,,\n", Identity.of("root", frozenset({ADMIN_GROUP})))
    assert "admin group" in problems(own)[0][2]


async def test_a_user_who_was_changed_or_created_meanwhile_is_not_overwritten(
    imports: UserImportService, batches: BatchService, storage: Storage, users: UserService
) -> None:
    text = "id,displayName\na1,A\na2,A\na3,A\nann,Changed\nnew,New\n"
    batch, _ = await imports.create(SYSTEM, NewUserImport(csv=text, key="k"))
    await users.change(SYSTEM, "ann", UserChange(email="other@x.org"))
    await users.create(SYSTEM, NewUser(id="new", display_name="Mine"))
    repeated, is_new = await imports.create(SYSTEM, NewUserImport(csv=text, key="k"))
    assert (repeated.id, is_new) == (batch.id, False)

    async for each in batches.run(SYSTEM, batch):
        batch = each

    assert (batch.done, batch.refused) == (3, 2)
    ann, new = await user(storage, "ann"), await user(storage, "new")
    assert ann is not None
    assert new is not None
    assert (ann.display_name, new.display_name) == ("Ann A", "Mine")


async def test_invalid_rows_or_another_effect_than_in_the_preview_stop_an_import(
    imports: UserImportService, storage: Storage
) -> None:
    text = "id,email\nbob,wrong\ncarl,c@x.org\n"
    with pytest.raises(Invalid) as refused:
        await imports.create(SYSTEM, NewUserImport(csv=text, key="k"))
    assert [problem.path for problem in refused.value.problems] == ["line 2"]
    with pytest.raises(Conflict, match="would now create or change 1 users"):
        await imports.create(SYSTEM, NewUserImport(csv=text, key="k", skip_invalid=True, count=2))
    assert await user(storage, "carl") is None


async def test_the_time_of_disabling_and_the_display_name_follow_every_way_of_a_change(
    imports: UserImportService, batches: BatchService, users: UserService, storage: Storage, clock: SettableClock
) -> None:
    clock.advance(60)
    disabled = await users.change(SYSTEM, "ann", UserChange(disabled=True))
    assert disabled.disabled_since == clock.now()
    clock.advance(60)
    same = await users.change(SYSTEM, "ann", UserChange(display_name="Änne Ärger"))
    assert same.disabled_since == disabled.disabled_since
    for action, since in (("enable", None), ("disable", clock.now())):
        await batches.create(SYSTEM, Kind.USER, NewBatch(key=action, action=action, ids=["ann"]))
        ann = await user(storage, "ann")
        assert ann is not None
        assert (ann.disabled_since, ann.display_name) == (since, "Änne Ärger")
    for query in (Query(text="nne"), Query(filters={"displayName": "*rger"}), Query(sort=("-disabledSince",), limit=1)):
        assert [each.id for each in (await users.page(SYSTEM, query)).items] == ["ann"]
    await users.change(SYSTEM, "ann", UserChange(display_name=None))
    assert (await users.page(SYSTEM, Query(text="rger"))).total == 0
