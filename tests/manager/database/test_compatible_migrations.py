"""Each migration declares which versions of Rostrum can work with its result, and keeps the rule of CONTRIBUTING.

An expanding migration only adds what older versions can ignore. A contracting migration removes or restricts something,
and adds nothing. Both support the newest release, so that its nodes continue to work while others are replaced.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from alembic.script import Script
from sqlalchemy import Connection, event

from rostrum.manager.database import schema
from rostrum.manager.database.engine import Database
from tests.manager.database.test_upgrade import upgrade
from tools.releases import read_releases

MIGRATIONS: list[Script] = sorted(schema._scripts().walk_revisions(), key=lambda script: script.revision)
RELEASES = read_releases()
# Nobody has an older version than the first release.
RELEASED = RELEASES[-1].schema if RELEASES else schema.HEAD
NEW = [script for script in MIGRATIONS if script.revision > RELEASED]

_CREATED = re.compile(r'CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?"?(\w+)')
_ADDED = re.compile(r'ALTER TABLE "?(\w+)"? ADD COLUMN "?(\w+)"?(.*)')
_UNIQUE = re.compile(r'CREATE UNIQUE INDEX \S+ ON "?(\w+)')
_CHANGED = re.compile(r'(?:UPDATE|DELETE FROM) "?(\w+)"?(?: SET (.*?)(?: WHERE | FROM |$))?')
_ADDING = re.compile(r"CREATE (VIRTUAL )?TABLE |CREATE INDEX |INSERT INTO ")
_OF_ALEMBIC = r"UPDATE alembic_version|INSERT INTO (alembic_version|schema_migrations)"
_IGNORED = re.compile(rf"SELECT |PRAGMA |{_OF_ALEMBIC}")


def faults(revision: str, oldest_reader: str, released: str, statements: Sequence[str]) -> list[str]:
    """Return how a migration breaks the rule."""
    texts = [text for statement in statements if not _IGNORED.match(text := " ".join(statement.split()))]
    created = {match[1] for text in texts if (match := _CREATED.match(text))}
    added = {(match[1], match[2]) for text in texts if (match := _ADDED.match(text))}
    contracting = [text for text in texts if contracts(text, created, added)]
    found = []
    if oldest_reader > released:
        found.append(f"nodes of the newest release (schema {released}) could not work with {revision}")
    if contracting and len(contracting) < len(texts):
        found.append(f"{revision} adds and removes: divide it, because older versions can notice {contracting[0]!r}")
    return found


def contracts(statement: str, created: set[str], added: set[tuple[str, str]]) -> bool:
    """Return whether older versions can notice a statement: it removes something, or restricts what they write."""
    if column := _ADDED.match(statement):
        return "NOT NULL" in column[3] and "DEFAULT" not in column[3]
    if unique := _UNIQUE.match(statement):
        return unique[1] not in created
    if changed := _CHANGED.match(statement):
        table, columns = changed[1], re.findall(r'"?(\w+)"? ?= ?', changed[2] or "")
        is_new = bool(columns) and {(table, column) for column in columns} <= added
        return table not in created and not is_new
    return not _ADDING.match(statement)


@contextmanager
def recorded(connection: Connection) -> Iterator[list[str]]:
    statements: list[str] = []

    def record(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        statements.append(statement)

    event.listen(connection, "before_cursor_execute", record)
    try:
        yield statements
    finally:
        event.remove(connection, "before_cursor_execute", record)


def test_each_migration_declares_an_oldest_reader_that_never_decreases() -> None:
    declared = [script.module.oldest_reader for script in MIGRATIONS]

    assert [reader for reader in declared if not re.fullmatch(r"\d{4}", reader)] == []
    assert declared == sorted(declared)
    assert [script.revision for script in MIGRATIONS if script.module.oldest_reader > script.revision] == []


async def test_each_migration_after_the_newest_release_either_expands_or_contracts(store: str) -> None:
    database = Database(store)
    async with database.write() as connection:
        await connection.run_sync(upgrade, RELEASED)
    for script in NEW:
        async with database.write() as connection:

            def statements_of(synchronous: Connection, revision: str = script.revision) -> list[str]:
                with recorded(synchronous) as statements:
                    upgrade(synchronous, revision)
                return statements

            statements = await connection.run_sync(statements_of)
        assert statements
        assert faults(script.revision, script.module.oldest_reader, RELEASED, statements) == []
    await database.close()


EXPANDING = (
    'CREATE TABLE notices ("id" TEXT NOT NULL)',
    "CREATE UNIQUE INDEX ix_notices ON notices (id)",
    "CREATE INDEX ix_apps_type ON apps (type)",
    "ALTER TABLE apps ADD COLUMN owner TEXT",
    "ALTER TABLE apps ADD COLUMN size INTEGER DEFAULT 0 NOT NULL",
    "UPDATE apps SET owner = 'ann', size=1 WHERE title = ''",
    "INSERT INTO notices VALUES ('x')",
    "UPDATE alembic_version SET version_num='0031'",
)
CONTRACTING = (
    "DROP TABLE apps",
    "DROP INDEX ix_apps_type",
    "ALTER TABLE apps DROP COLUMN title",
    "ALTER TABLE apps RENAME TO applications",
    "ALTER TABLE apps ALTER COLUMN title SET NOT NULL",
    "ALTER TABLE apps ADD CONSTRAINT size CHECK (size > 0)",
    "ALTER TABLE apps ADD COLUMN owner TEXT NOT NULL",
    "CREATE UNIQUE INDEX ix_apps_title ON apps (title)",
    "CREATE TRIGGER apps_added AFTER INSERT ON apps BEGIN SELECT 1; END",
    "UPDATE apps SET title = ''",
    "DELETE FROM apps",
)


def test_additions_that_older_versions_can_ignore_keep_the_rule() -> None:
    assert faults("0031", "0021", "0021", EXPANDING) == []


@pytest.mark.parametrize("statement", CONTRACTING)
def test_a_migration_must_not_add_and_remove(statement: str) -> None:
    (fault,) = faults("0031", "0021", "0021", [*EXPANDING, statement])

    assert statement in fault
    assert faults("0031", "0021", "0021", [statement]) == []


def test_a_migration_must_support_the_newest_release() -> None:
    (fault,) = faults("0031", "0030", "0021", EXPANDING)

    assert "nodes of the newest release (schema 0021)" in fault
