"""What was kept by an older Rostrum gets what the newer one has for it, on every back end."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from msgspec.structs import replace
from sqlalchemy import Connection, text

from rostrum.base.errors import RostrumError
from rostrum.contracts.rollouts import NewRollout
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.api_tokens.topic import ApiTokens
from rostrum.manager.apps.repository import Apps
from rostrum.manager.audit.repository import Audit
from rostrum.manager.audit.service import AuditService
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.crash_groups.repository import CrashGroups
from rostrum.manager.crashes.repository import Crashes
from rostrum.manager.dashboard.service import DashboardService
from rostrum.manager.database.engine import Database
from rostrum.manager.database.paging import Query
from rostrum.manager.document import body_text
from rostrum.manager.feedback.repository import Feedbacks
from rostrum.manager.groups.repository import Groups
from rostrum.manager.history.repository import History
from rostrum.manager.kinds import Kind
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.machines.topic import Machines
from rostrum.manager.preferences.repository import Preferences
from rostrum.manager.rollouts.service import RolloutService
from rostrum.manager.sign_in.repository import KnownAddresses
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage
from rostrum.manager.users.repository import Users
from rostrum.manager.views.topic import NewSavedView, SavedViewService

STAMP = "7, 1000, 'ann', {modified}, 'bob'"
ROWS = (
    "users (id, email, password_hash, disabled, epoch, {stamp}) VALUES ('u', NULL, 'hash', {no}, 1, {old})",
    "user_groups VALUES ('u', 'b')",
    "user_groups VALUES ('u', 'a')",
    "groups (name, priority, {stamp}) VALUES ('ü', 3, {old})",
    "group_expansions VALUES ('ü', 'a')",
    "apps (name, type, title, definition, public, disabled, {stamp})"
    " VALUES ('x', 'window', '', '{{\"n\":1.50}}', {yes}, {no}, {new})",
    "app_access VALUES ('x', 'a')",
    'layouts (id, name, type, owner, definition, public, "default", disabled, {stamp})'
    " VALUES ('l', 'L', 'Global', '*', '{{}}', {yes}, {no}, {no}, {new})",
    "preferences (id, user_id, app, data, {stamp}) VALUES ('p', 'u', 'x', '[null]', {new})",
    "config_files (id, file, scope, target, contents, {stamp})"
    " VALUES ('c', 'system.json', 'group', 'a', '{{}}', {new})",
    "config_files (id, file, scope, target, contents, {stamp}) VALUES ('d', 'system.json', 'base', '', '{{}}', {new})",
)


def upgrade(connection: Connection, version: str) -> None:
    config = Config()
    config.set_main_option("script_location", "rostrum.manager.database:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, version)


def fill(connection: Connection) -> None:
    upgrade(connection, "0001")
    words = {"stamp": "revision, created, created_by, modified, modified_by", "yes": "true", "no": "false"}
    words |= {"old": STAMP.format(modified=2000), "new": STAMP.format(modified=1000)}
    for row in ROWS:
        connection.exec_driver_sql("INSERT INTO " + row.format(**words))
    connection.execute(text("UPDATE revision SET value = 9"))


async def upgraded(store: str, fill_before: Callable[[Connection], None]) -> Storage:
    """Fill a database as an older version left it, and open it with this one."""
    database = Database(store)
    async with database.write() as connection:
        await connection.run_sync(fill_before)
    await database.close()
    storage = manager_storage(store)
    await storage.open()
    return storage


@pytest.mark.long
async def test_every_document_has_a_first_revision(store: str) -> None:
    storage = await upgraded(store, fill)

    async with storage.read() as work:
        parts: dict[Kind, Any] = {
            Kind.APP: work.of(Apps),
            Kind.LAYOUT: work.of(Layouts),
            Kind.PREFERENCE: work.of(Preferences),
        }
        parts |= {Kind.CONFIG: work.of(ConfigFiles), Kind.USER: work.of(Users), Kind.GROUP: work.of(Groups)}
        for kind, part in parts.items():
            for document in (await part.page(Query())).items:
                found = await work.of(History).as_of(kind, document.key, 7)
                assert found is not None
                assert json.loads(found.body or "") == json.loads(body_text(document))
                # What was changed before has a past that nobody knows.
                assert found.previous == (0 if kind in (Kind.USER, Kind.GROUP) else None)
                assert await work.of(History).as_of(kind, document.key, 6) is None
    async with storage.write("ann") as work:
        await work.of(Apps).remove("x")
    assert (await AuditService(storage).verify(SYSTEM)).fault is None
    await storage.close()


def fill_before_words(connection: Connection) -> None:
    upgrade(connection, "0005")
    add = "INSERT INTO users (id, email, disabled, epoch, revision, created, created_by, modified, modified_by)"
    for name, email in (("ada.birch", None), ("eli", "eli@Birchwood.example"), ("größe", "x@y.example")):
        values = {"name": name, "email": email, "no": False}
        connection.execute(text(f"{add} VALUES (:name, :email, :no, 1, 1, 1, 'x', 1, 'x')"), values)
    connection.execute(text("INSERT INTO user_groups VALUES ('eli', 'Desk'), ('größe', 'Desk')"))


@pytest.mark.long
async def test_words_are_found_in_users_from_before_there_was_an_index_of_them(store: str) -> None:
    storage = await upgraded(store, fill_before_words)

    async def found(words: str, **filters: str) -> list[str]:
        async with storage.read() as work:
            return [user.id for user in (await work.of(Users).page(Query(text=words, filters=filters))).items]

    assert await found("BIRCH") == ["ada.birch", "eli"]
    assert await found("birch", group="Desk", disabled="false") == ["eli"]
    assert await found("röß") == ["größe"]
    async with storage.write("ann") as work:
        await work.of(Users).remove("eli")
        ada = await work.of(Users).get("ada.birch")
        assert ada is not None
        await work.of(Users).put(replace(ada, email="ada@oakwood.example"))
    assert await found("birch") == ["ada.birch"]
    assert await found("wood") == ["ada.birch"]
    if storage.kind == "sqlite":
        # Numbers that SQLite gives to rows by itself may be others afterwards.
        with closing(sqlite3.connect(store.removeprefix("sqlite:///"), isolation_level=None)) as file:
            file.execute("VACUUM")
            file.execute("INSERT INTO users_words (users_words) VALUES ('integrity-check')")
        assert await found("wood") == ["ada.birch"]
    await storage.close()


async def test_an_sqlite_that_is_too_old_is_refused_in_words(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 33, 9))
    storage = manager_storage(sqlite)
    with pytest.raises(RostrumError, match=r"needs 3\.34 or newer"):
        await storage.open()
    await storage.close()


@pytest.mark.long
async def test_users_from_before_addresses_were_recorded_are_known_from_their_next_sign_in_on(store: str) -> None:
    add = "INSERT INTO users (id, disabled, epoch, revision, created, created_by, modified, modified_by)"

    def fill_users(connection: Connection) -> None:
        upgrade(connection, "0008")
        connection.exec_driver_sql(f"{add} VALUES ('ann', false, 4, 1, 1, 'x', 1, 'x')")

    storage = await upgraded(store, fill_users)

    async with storage.note() as work:
        assert await work.of(KnownAddresses).last_seen("ann", "10.0.0.1") is None
        await work.of(KnownAddresses).record("ann", 4, "10.0.0.1", work.now)
        assert await work.of(KnownAddresses).last_seen("ann", "10.0.0.1") == work.now
    await storage.close()


@pytest.mark.long
async def test_revisions_from_before_they_had_owners_count_for_the_documents_that_there_are(store: str) -> None:
    stamp = "revision, created, created_by, modified, modified_by"
    keep = "INSERT INTO history (kind, key, revision, action, at, actor, operation, created, created_by, body)"
    bodies: dict[str, dict[str, list[str | None]]] = {
        "preference": {"p": ["1", '"ü"', '"now"'], "gone": ["1", None]},
        "layout": {"l": ["2"], "*": ["3"]},
    }

    def fill_history(connection: Connection) -> None:
        upgrade(connection, "0009")
        for statement in (
            f"INSERT INTO preferences (id, user_id, app, data, {stamp})"
            " VALUES ('p', 'ann', 'a', '1', 3, 1, 'x', 1, 'x')",
            f'INSERT INTO layouts (id, name, type, owner, definition, public, "default", disabled, {stamp})'
            " VALUES ('l', 'L', 'Global', 'ann', '{}', false, false, false, 1, 1, 'x', 1, 'x'),"
            " ('*', 'M', 'Global', '*', '{}', false, false, false, 1, 1, 'x', 1, 'x')",
        ):
            connection.exec_driver_sql(statement)
        for kind, documents in bodies.items():
            for key, texts in documents.items():
                for number, body in enumerate(texts, 1):
                    values = {"kind": kind, "key": key, "number": number, "body": body}
                    connection.execute(
                        text(f"{keep} VALUES (:kind, :key, :number, 'changed', 1, 'x', '', 1, 'x', :body)"), values
                    )

    storage = await upgraded(store, fill_history)

    async with storage.note() as work:
        assert await work.of(History).superseded_bytes("ann") == 2 * 300 + len(b"1") + len('"ü"'.encode())
        assert await work.of(History).superseded_bytes("*") == 0
        await work.of(History).make_room("ann", 0)
        for kind, key, left in (
            ("preference", "p", 1),
            ("preference", "gone", 2),
            ("layout", "l", 1),
            ("layout", "*", 1),
        ):
            assert (await work.of(History).page(Kind(kind), key, limit=9, offset=0)).total == left
    await storage.close()


async def test_a_machine_belongs_to_the_user_of_its_oldest_session(store: str) -> None:
    sessions = (
        "INSERT INTO sessions (id, user_id, machine_id, version, env, region, product, commands, started, last_seen)"
    )

    def fill_machines(connection: Connection) -> None:
        upgrade(connection, "0006")
        for machine in ("used", "unused"):
            connection.exec_driver_sql(
                f"INSERT INTO machines (id, name, info, first_seen, last_seen) VALUES ('{machine}', '', '{{}}', 1, 9)"
            )
        for user, started in (("eve", 5), ("ann", 1), ("bob", 3)):
            connection.exec_driver_sql(
                f"{sessions} VALUES ('of {user}', '{user}', 'used', '', '', '', '', '[]', {started}, 9)"
            )

    storage = await upgraded(store, fill_machines)

    async with storage.read() as work:
        owners = {machine.id: machine.owner for machine in (await work.of(Machines).page(Query())).items}
    await storage.close()

    assert owners == {"used": "ann", "unused": None}


@pytest.mark.long
async def test_entries_and_revisions_from_before_reasons_have_none_and_stay_valid(store: str) -> None:
    def fill_before(connection: Connection) -> None:
        fill(connection)
        upgrade(connection, "0013")

    storage = await upgraded(store, fill_before)

    async with storage.read() as work:
        (revision,) = (await work.of(History).page(Kind.APP, "x", limit=9, offset=0)).items
        assert (revision.comment, revision.ticket) == ("", "")
        assert (await work.of(Audit).page(Query(filters={"ticket": "*"}))).total == 0
    assert (await AuditService(storage).verify(SYSTEM)).fault is None
    await storage.close()


async def test_users_of_earlier_versions_are_not_service_accounts(store: str) -> None:
    add = "INSERT INTO users (id, disabled, epoch, revision, created, created_by, modified, modified_by)"

    def fill_users(connection: Connection) -> None:
        upgrade(connection, "0013")
        connection.exec_driver_sql(f"{add} VALUES ('ann', false, 4, 1, 1, 'x', 1, 'x')")

    storage = await upgraded(store, fill_users)

    async with storage.read() as work:
        user = await work.of(Users).get("ann")
        assert user is not None
        assert (user.service, "service" in user.members()) == (False, False)
        assert (await work.of(ApiTokens).page(Query())).total == 0
    await storage.close()


@pytest.mark.long
async def test_documents_from_before_there_were_rollouts_have_none_and_can_get_one(store: str) -> None:
    storage = await upgraded(store, fill)
    async with storage.read() as work:
        app, layout, config = (
            await work.of(Apps).get("x"),
            await work.of(Layouts).get("l"),
            await work.of(ConfigFiles).get("c"),
        )
        login = await work.of(Users).login("u")
    assert app is not None
    assert layout is not None
    assert config is not None
    assert login is not None
    assert (app.rollout, layout.rollout, config.rollout, login.has_rollouts) == (None, None, None, False)
    plan = {"key": "c", "content": {"folders": {}}, "stages": [{"percent": 100}]}
    rollouts = RolloutService(storage, idle_seconds=90)
    started = await rollouts.create(SYSTEM, Kind.CONFIG, NewRollout.model_validate(plan))
    async with storage.read() as work:
        config, login = await work.of(ConfigFiles).get("c"), await work.of(Users).login("u")
    assert config is not None
    assert login is not None
    assert (config.rollout, login.has_rollouts) == (started.rollout.id, True)
    await storage.close()


@pytest.mark.long
async def test_users_of_earlier_versions_have_no_display_name_and_can_be_found_by_a_new_one(store: str) -> None:
    add = "INSERT INTO users (id, email, disabled, epoch, revision, created, created_by, modified, modified_by)"

    def fill_users(connection: Connection) -> None:
        upgrade(connection, "0017")
        connection.exec_driver_sql(f"{add} VALUES ('ann', 'lovelace@x.org', true, 4, 1, 1, 'x', 1, 'x')")

    storage = await upgraded(store, fill_users)

    async with storage.write("x") as work:
        user = await work.of(Users).get("ann")
        assert user is not None
        assert (user.display_name, user.disabled_since, "displayName" in user.members()) == (None, None, False)
        assert (await work.of(Users).page(Query(text="lovelace"))).total == 1
        await work.of(Users).put(replace(user, display_name="Ada Countess", stamp=work.stamp(user.stamp)))
    async with storage.read() as work:
        found = [
            (await work.of(Users).page(Query(text=words))).total for words in ("countess", "lovelace@x", "duchess")
        ]
    assert found == [1, 1, 0]
    await storage.close()


@pytest.mark.long
async def test_crash_reports_of_earlier_versions_are_grouped_and_reviewed_feedback_is_resolved(store: str) -> None:
    crash = "INSERT INTO crashes (id, user_id, product, version, platform, process_type, fields, received, reviewed,"
    crash += (
        " comment, revision) VALUES ('{id}', 'ann', 'Desk', '10.1', '', 'renderer', '{fields}', {at}, false, '', 1)"
    )
    feedback = "INSERT INTO feedback (id, user_id, description, received, reviewed, comment, revision)"

    def fill_reports(connection: Connection) -> None:
        upgrade(connection, "0017")
        for number, reason in enumerate(("killed", "killed", "hung")):
            fields = json.dumps({"reason": reason, "app": "chart", "guid": f"pc{number}"})
            connection.exec_driver_sql(crash.format(id=f"c{number}", fields=fields, at=1000 * (number + 1)))
        for reviewed in ("true", "false"):
            connection.exec_driver_sql(f"{feedback} VALUES ('{reviewed}', 'ann', 'slow', 1, {reviewed}, '', 1)")

    storage = await upgraded(store, fill_reports)

    async with storage.read() as work:
        groups = (await work.of(CrashGroups).page(Query(sort=("-count",)), work.now)).items
        crashes = {crash.id: crash for crash in (await work.of(Crashes).page(Query())).items}
        statuses = {item.id: item.status.value for item in (await work.of(Feedbacks).page(Query())).items}
    await storage.close()
    assert [(group.app, group.signature, group.count, group.machines) for group in groups] == [
        ("chart", "renderer: killed", 2, 2),
        ("chart", "renderer: hung", 1, 1),
    ]
    assert [time.timestamp() for time in (groups[0].first_seen, groups[0].last_seen)] == [1, 2]
    assert (crashes["c0"].group, crashes["c2"].group) == (groups[0].id, groups[1].id)
    assert statuses == {"true": "resolved", "false": "new"}


@pytest.mark.long
async def test_changes_from_before_the_dashboard_are_shown_and_views_can_be_saved(store: str) -> None:
    storage = await upgraded(store, fill)
    found = await DashboardService(storage, idle_seconds=90).read(SYSTEM)
    assert {change.kind for change in found.changes} >= {Kind.APP, Kind.GROUP}
    views = SavedViewService(storage)
    body = NewSavedView.model_validate({"list": "users", "name": "all", "search": ""})
    view = await views.create(SYSTEM, body)
    assert await views.get(SYSTEM, view.id) == view
    await storage.close()
