"""Each migration declares which versions of Rostrum can work with its result, and keeps the rule of CONTRIBUTING.

An expanding migration only adds what older versions can ignore. A contracting migration removes or restricts something
that the newest release does not use, and adds nothing.
"""

import re
import runpy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import Script
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from rostrum.manager.database import schema, tables
from rostrum.manager.database.engine import Database
from tests.long_form import LONG
from tests.manager.database.effects import ALL, Column, Effects, State, Table, effects_of, state_of, written_columns
from tests.manager.database.filled import ROWS, fill
from tests.manager.database.planted_migrations import CASES, Case
from tests.manager.database.test_upgrade import upgrade
from tests.tables import add_tables
from tools.releases import Release, read_releases

MIGRATIONS: list[Script] = sorted(schema._scripts().walk_revisions(), key=lambda script: script.revision)
RELEASES = read_releases()
FIRST = "0021"
"""The first migration that is recorded with its declaration. Nobody has an older version than the first release."""
RELEASED = RELEASES[-1].schema if RELEASES else FIRST
NEW = [script for script in MIGRATIONS if script.revision > RELEASED]
Result = TypeVar("Result")
REASON = "Release 0.9 writes no title that is longer than this, see 0108."
_LEAST_REASON = 40
_TABLES = "src/rostrum/manager/database/tables.py"


def faults(
    revision: str, effects: Effects, used: set[str], *, contracts: str = "", oldest_reader: str, released: str | None
) -> list[str]:
    """Return how a migration breaks the rule, if the versions that it supports use some tables and columns."""
    found = []
    if released is not None and oldest_reader > released:
        found.append(f"nodes of the newest release (schema {released}) could not work with {revision}")
    if not effects.added and not effects.changes:
        found.append(f"{revision} has no effect")
    if effects.added and effects.changes:
        noticed = f"adds {effects.added[0]}, and {effects.changes[0].text}"
        found.append(f"{revision} {noticed}: divide it, because older versions can notice this")
    for change in effects.changes:
        if change.name not in used:
            continue
        if change.is_removal:
            advice = "stop using it, list it in `UNUSED`, and remove it after the next release"
            found.append(f"{revision} {change.text}, which is used: {advice}")
        elif len(contracts.strip()) < _LEAST_REASON:
            advice = f"declare why they continue to work, with `contracts` of at least {_LEAST_REASON} characters"
            found.append(f"{revision} {change.text}, which older versions can notice: {advice}")
    return found


@cache
def unused_in(release: Release) -> frozenset[str]:
    """Return what the code of a release does not use, although its database contains it."""
    with TemporaryDirectory() as folder:
        release.unpack(Path(folder), _TABLES)
        declared = runpy.run_path(str(Path(folder, _TABLES)))
    listed: frozenset[str] = declared.get("UNUSED", frozenset())
    return listed - names_of(declared["metadata"])


def names_of(metadata: Any) -> set[str]:
    return {name for table in metadata.sorted_tables for name in (table.name, *map(str, table.c))}


def used_by(script: Script, states: dict[str, State], releases: Sequence[Release]) -> set[str]:
    """Return the tables and columns of the versions that a migration supports; their code uses all but the listed.

    Before the first release, these are the versions that the migration declares.
    """
    oldest_reader: str = script.module.oldest_reader
    if not releases:
        return set() if oldest_reader == script.revision else states[max(oldest_reader, FIRST)].names()
    supported = [release for release in releases if release.schema >= oldest_reader] or list(releases[-1:])
    names = states[releases[-1].schema].names()
    unused = frozenset.intersection(*map(unused_in, supported))
    return {name for name in names if name not in unused and name.split(".")[0] not in unused}


@contextmanager
def file() -> Iterator[Connection]:
    """A transaction on an SQLite database in memory, with the usual options."""
    engine = create_engine("sqlite://", poolclass=StaticPool)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA foreign_keys=ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    with engine.connect() as connection:
        yield connection
    engine.dispose()


async def on_server(address: str, examine: Callable[[Connection], Result]) -> Result:
    database = Database(address)
    try:
        async with database.write() as connection:
            return await connection.run_sync(examine)
    finally:
        await database.close()


Examined = tuple[dict[str, State], dict[str, Effects]]
"""The states of a database after migrations, and the effects of these."""


def examine(connection: Connection, base: str, scripts: Sequence[Script]) -> Examined:
    """Run migrations on a database with rows in every table."""
    upgrade(connection, base)
    fill(connection)
    states, effects = {base: state_of(connection)}, {}
    for script in scripts:
        before = state_of(connection)
        with written_columns(connection) as written:
            upgrade(connection, script.revision)
        effects[script.revision] = effects_of(connection, before, written)
        fill(connection)
        states[script.revision] = state_of(connection)
    return states, effects


def test_each_migration_declares_an_oldest_reader_that_never_decreases() -> None:
    declared = [script.module.oldest_reader for script in MIGRATIONS]

    assert [reader for reader in declared if not re.fullmatch(r"[0-9]{4}", reader)] == []
    assert declared == sorted(declared)
    assert [script.revision for script in MIGRATIONS if script.module.oldest_reader > script.revision] == []


def test_each_migration_follows_the_one_before_it() -> None:
    assert [script.revision for script in MIGRATIONS] == [f"{number:04}" for number in range(1, len(MIGRATIONS) + 1)]
    assert [script.down_revision for script in MIGRATIONS[1:]] == [script.revision for script in MIGRATIONS[:-1]]


@pytest.mark.long
async def test_each_migration_after_the_newest_release_either_expands_or_contracts(postgresql: str) -> None:
    examined: list[Examined] = []
    if NEW:
        with file() as connection:
            examined.append(examine(connection, RELEASED, NEW))
        examined.append(await on_server(postgresql, lambda server: examine(server, RELEASED, NEW)))

    found = []
    for script in NEW:
        # A migration may do something on one kind of database only.
        both = [effects[script.revision] for _states, effects in examined]
        effects = Effects([*both[0].added, *both[1].added], [*both[0].changes, *both[1].changes])
        used = set().union(*(used_by(script, states, RELEASES) for states, _effects in examined))
        declared = {"oldest_reader": script.module.oldest_reader, "contracts": getattr(script.module, "contracts", "")}
        found += faults(script.revision, effects, used, released=RELEASED if RELEASES else None, **declared)
    assert list(dict.fromkeys(found)) == []


def test_what_is_listed_as_unused_is_not_declared_and_exists(filled: tuple[Connection, State]) -> None:
    assert tables.UNUSED & names_of(tables.metadata) == set()
    assert tables.UNUSED - filled[1].names() == set()


@pytest.fixture(scope="module")
def filled() -> Iterator[tuple[Connection, State]]:
    """A database with rows in every table."""
    with file() as connection:
        schema._run_missing(connection)
        fill(connection)
        yield connection, state_of(connection)


def judged(connection: Connection, before: State, case: Case) -> str:
    """Run a migration of the table of cases, take back its effect, and return how it is judged."""
    attempt = connection.begin_nested()
    try:
        with Operations.context(MigrationContext.configure(connection)), written_columns(connection) as written:
            for step in case.steps:
                if isinstance(step, str):
                    connection.exec_driver_sql(step)
                else:
                    step(connection)
        effects = effects_of(connection, before, written)
    except DBAPIError:
        return "never"
    finally:
        attempt.rollback()
    declared = {"oldest_reader": schema.HEAD, "released": schema.HEAD}
    used = before.names()
    if not faults("9001", effects, used, **declared):
        return "adds"
    if not faults("9001", effects, used, contracts=REASON, **declared):
        return "with a reason"
    return "never" if faults("9001", effects, set(), **declared) else "if unused"


@pytest.mark.usual(21)
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.runs_on("sqlite")])
def test_a_migration_is_judged_by_its_effect(filled: tuple[Connection, State], name: str) -> None:
    assert judged(*filled, CASES[name]) == CASES[name].verdict


@pytest.mark.long
async def test_migrations_on_a_server_are_judged_by_their_effect(postgresql: str) -> None:
    cases = {name: case for name, case in CASES.items() if case.only == "postgresql" or (LONG and case.only is None)}

    def judge(connection: Connection) -> dict[str, str]:
        fill(connection)
        before = state_of(connection)
        return {name: judged(connection, before, case) for name, case in cases.items()}

    await add_tables(postgresql)
    assert await on_server(postgresql, judge) == {name: case.verdict for name, case in cases.items()}


@pytest.mark.long
def test_earlier_migrations_are_examined_in_the_same_way() -> None:
    scripts = [script for script in MIGRATIONS if "0019" < script.revision <= FIRST]
    with file() as connection:
        states, effects = examine(connection, "0019", scripts)

    assert [change.text for one in effects.values() for change in one.changes] == []
    assert "the table saved_views" in effects["0020"].added
    assert "the index ix_sessions_started" in effects["0020"].added
    assert effects["0021"].added == ["the table schema_migrations"]
    assert len(states[FIRST].tables["saved_views"].rows) == ROWS


def test_before_the_first_release_a_migration_supports_the_versions_that_it_declares() -> None:
    state = State({"apps": Table(columns={"title": Column("TEXT", True, None, is_computed=False)})}, {})
    script: Any = SimpleNamespace(revision="0023", module=SimpleNamespace(oldest_reader="0022"))
    assert used_by(script, {"0022": state}, ()) == {ALL, "apps", "apps.title"}

    script.module.oldest_reader = "0023"
    assert used_by(script, {"0022": state}, ()) == set()


def test_a_migration_supports_the_releases_that_it_declares(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {name: Column("TEXT", True, None, is_computed=False) for name in ("title", "old")}
    state = State({"apps": Table(columns=columns), "gone": Table(columns=columns)}, {})
    listed = {"0.8.0": frozenset({"gone"}), "0.9.0": frozenset({"gone", "apps.old"})}
    monkeypatch.setattr(f"{__name__}.unused_in", lambda release: listed[release.version])
    releases = (Release("0.8.0", "0" * 40, "0030"), Release("0.9.0", "1" * 40, "0031"))
    script: Any = SimpleNamespace(revision="0032", module=SimpleNamespace(oldest_reader="0031"))
    assert used_by(script, {"0031": state}, releases) == {ALL, "apps", "apps.title"}

    script.module.oldest_reader = "0030"
    assert used_by(script, {"0031": state}, releases) == {ALL, "apps", "apps.title", "apps.old"}


def test_a_migration_must_support_the_newest_release() -> None:
    (fault,) = faults("0031", Effects(["the table notices"], []), set(), oldest_reader="0030", released="0021")

    assert "nodes of the newest release (schema 0021)" in fault


def test_a_short_reason_is_not_enough(filled: tuple[Connection, State]) -> None:
    connection, before = filled
    attempt = connection.begin_nested()
    connection.exec_driver_sql("UPDATE apps SET title = ''")
    effects = effects_of(connection, before)
    attempt.rollback()
    (fault,) = faults("0031", effects, {"apps.title"}, contracts=" " * 50, oldest_reader="0021", released="0021")

    assert "0031 changes stored values of apps.title, which older versions can notice" in fault


def test_what_a_release_uses_is_read_from_its_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(tables.__file__).read_text(encoding="utf-8")
    listed = text.replace("UNUSED: frozenset[str] = frozenset()", 'UNUSED = frozenset({"apps.title", "apps.old"})')
    assert listed != text

    def unpack(_release: Release, folder: Path, path: str) -> None:
        (folder / path).parent.mkdir(parents=True)
        (folder / path).write_text(listed, encoding="utf-8")

    monkeypatch.setattr(Release, "unpack", unpack)

    # Its title is declared, and therefore used.
    assert unused_in(Release("0.9.0", "0" * 40, "0030")) == {"apps.old"}
