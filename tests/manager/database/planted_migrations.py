"""Migrations that the test of compatible migrations must accept or refuse."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa
from alembic import op
from alembic.operations import BatchOperations
from sqlalchemy import Connection

Step = str | Callable[[Connection], object]


@dataclass(frozen=True, slots=True)
class Case:
    """A migration.

    Attributes:
        verdict: ``adds`` if it is accepted as it is, ``with a reason`` if it must declare one, ``if unused`` if no
            supported release may use what it removes, and ``never`` if it is always refused.
        only: The kind of database on which it can run.
    """

    verdict: str
    steps: tuple[Step, ...]
    only: str | None = None

    def runs_on(self, kind: str) -> bool:
        return self.only in (None, kind)


def adds(*steps: Step, only: str | None = None) -> Case:
    return Case("adds", steps, only)


def with_reason(*steps: Step, only: str | None = None) -> Case:
    return Case("with a reason", steps, only)


def if_unused(*steps: Step, only: str | None = None) -> Case:
    return Case("if unused", steps, only)


def never(*steps: Step, only: str | None = None) -> Case:
    return Case("never", steps, only)


ADD = "ALTER TABLE apps ADD COLUMN x INTEGER"
NOTICES = "CREATE TABLE notices (id VARCHAR PRIMARY KEY, app VARCHAR REFERENCES apps (name) {})"
TRIGGER = "CREATE TRIGGER added AFTER INSERT ON {} BEGIN SELECT 1; END"
FUNCTION = "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"


def batch(
    table: str, change: Callable[[BatchOperations], object], recreate: Literal["auto", "always"] = "auto"
) -> Step:
    """Change a table as SQLite needs it: by copying it."""

    def step(_connection: Connection) -> None:
        with op.batch_alter_table(table, recreate=recreate) as altered:
            change(altered)

    return step


def for_each_app(statement: str) -> Step:
    """Read the apps and change each by its name, which a test without rows would not notice."""

    def step(connection: Connection) -> None:
        for name in connection.scalars(sa.text("SELECT name FROM apps")).all():
            connection.execute(sa.text(statement), {"name": name})

    return step


def required(_connection: Connection) -> None:
    op.add_column("sessions", sa.Column("x", sa.Integer, nullable=False))


def with_default(_connection: Connection) -> None:
    op.add_column("sessions", sa.Column("x", sa.Integer, nullable=False, server_default=sa.text("1")))


def new_table(_connection: Connection) -> None:
    op.create_table("notices", sa.Column("id", sa.String, primary_key=True), sa.Column("size", sa.Integer, unique=True))
    op.create_index("ix_notices", "notices", [sa.text("lower(id)")], unique=True)


CASES: dict[str, Case] = {
    # Additions
    "a new table": adds(new_table),
    "a new table with a row": adds(new_table, "INSERT INTO notices VALUES ('x', 1)"),
    "an optional column": adds(ADD),
    "a lower-case statement": adds("alter table apps add column x integer"),
    "a column with a default": adds(with_default),
    "an optional column in a batch": adds(batch("apps", lambda altered: altered.add_column(sa.Column("x", sa.Text)))),
    "an optional column in a copied table": adds(
        batch("apps", lambda altered: altered.add_column(sa.Column("x", sa.Text)), "always"), only="sqlite"
    ),
    "a filled column": adds(ADD, "UPDATE apps SET x = CASE WHEN title = '' THEN 1 ELSE 2 END WHERE name = 'x'"),
    "a column that is filled row by row": adds(ADD, for_each_app("UPDATE apps SET x = 1 WHERE name = :name")),
    "an index": adds("CREATE INDEX ix_apps_type ON apps (type, title DESC)"),
    "an index of the rows that have a value": adds("CREATE INDEX ix_owned ON machines (name) WHERE owner IS NOT NULL"),
    "a new table that refers to apps, whose rows are removed with them": adds(NOTICES.format("ON DELETE CASCADE")),
    "a new table that refers to apps, and forgets them": adds(NOTICES.format("ON DELETE SET NULL")),
    "a new table with a trigger": adds(new_table, TRIGGER.format("notices"), only="sqlite"),
    "a view": adds("CREATE VIEW titles AS SELECT title FROM apps"),
    # Nothing
    "nothing": never(),
    "only a query": never("SELECT 1"),
    # Removals
    "a column is removed": if_unused("ALTER TABLE apps DROP COLUMN title"),
    "a column is removed in a batch": if_unused(batch("apps", lambda altered: altered.drop_column("title"))),
    "a table is removed": if_unused("DROP TABLE machines"),
    "a table is renamed": never("ALTER TABLE machines RENAME TO computers"),
    "a column is renamed": never("ALTER TABLE apps RENAME COLUMN title TO caption"),
    # Restrictions
    "a unique index": with_reason("CREATE UNIQUE INDEX ix_apps_title ON apps (title)"),
    "an index of an expression": with_reason("CREATE INDEX ix_apps_size ON apps (abs(1 / length(title)))"),
    "an index of some rows": with_reason("CREATE INDEX ix_apps_size ON apps (title) WHERE 1 / length(title) > 0"),
    "an index of large texts": with_reason("CREATE INDEX ix_apps_definition ON apps (definition)"),
    "an index is replaced by a unique one": with_reason(
        "DROP INDEX ix_machines_owner", "CREATE UNIQUE INDEX ix_machines_owner ON machines (owner)"
    ),
    "an index is removed": with_reason("DROP INDEX ix_machines_owner"),
    "a trigger": with_reason(TRIGGER.format("apps"), only="sqlite"),
    "a trigger on a server": never(
        FUNCTION,
        "CREATE TRIGGER added BEFORE INSERT ON apps FOR EACH ROW EXECUTE FUNCTION nothing()",
        only="postgresql",
    ),
    "a required column in a batch": with_reason(
        batch("machines", lambda altered: altered.alter_column("owner", existing_type=sa.String, nullable=False))
    ),
    "an optional column that was required": with_reason(
        batch("apps", lambda altered: altered.alter_column("title", existing_type=sa.String, nullable=True))
    ),
    "a constraint in a batch": with_reason(
        batch("apps", lambda altered: altered.create_check_constraint("size", "length(title) < 200"))
    ),
    "a reference in a batch": with_reason(
        "UPDATE app_access SET app_name = app_name",
        batch("app_access", lambda altered: altered.create_foreign_key("to_app", "apps", ["app_name"], ["name"])),
    ),
    "another type": with_reason(
        batch(
            "apps",
            lambda altered: altered.alter_column(
                "revision", existing_type=sa.BigInteger, type_=sa.String, postgresql_using="revision::varchar"
            ),
        )
    ),
    "another collation": with_reason(
        batch("apps", lambda altered: altered.alter_column("title", type_=sa.String(collation="NOCASE"))), only="sqlite"
    ),
    "another default": with_reason("ALTER TABLE users ALTER COLUMN service DROP DEFAULT", only="postgresql"),
    "a constraint is removed": with_reason(
        "ALTER TABLE layouts DROP CONSTRAINT uq_layouts_owner_type_name", only="postgresql"
    ),
    "a constraint that is not examined yet": with_reason(
        "ALTER TABLE apps ADD CONSTRAINT size CHECK (length(title) < 2) NOT VALID", only="postgresql"
    ),
    "row security": with_reason("ALTER TABLE apps ENABLE ROW LEVEL SECURITY", only="postgresql"),
    "rights": with_reason("REVOKE INSERT ON apps FROM CURRENT_USER", only="postgresql"),
    "a rule": with_reason("CREATE RULE kept AS ON DELETE TO apps DO INSTEAD NOTHING", only="postgresql"),
    "a function is removed": never("DROP FUNCTION rostrum_trigrams CASCADE", ADD, only="postgresql"),
    # Values
    "values": with_reason("UPDATE apps SET type = upper(type)"),
    "values without spaces": with_reason("UPDATE apps SET title = trim(title)"),
    "values of rows that do not exist": with_reason("UPDATE apps SET title = '' WHERE name = 'x'", only="sqlite"),
    "rows": with_reason("DELETE FROM apps"),
    "rows of a name that does not exist": with_reason("DELETE FROM apps WHERE name = 'x'", only="sqlite"),
    "another row": with_reason("INSERT INTO app_access VALUES ('x', 'y')"),
    # Mixtures
    "a required column": never(required),
    "a required column in a copied table": never(
        batch("sessions", lambda altered: altered.add_column(sa.Column("x", sa.Integer, nullable=False)), "always")
    ),
    "a column, and other values row by row": never(
        ADD, for_each_app("UPDATE apps SET definition = '{}' WHERE name = :name")
    ),
    "a column, and rows removed one by one": never(ADD, for_each_app("DELETE FROM apps WHERE name = :name")),
    "a column, and another one removed": never(ADD, "ALTER TABLE apps DROP COLUMN title"),
    "a column added and another one removed at once": never(
        "ALTER TABLE apps ADD COLUMN x INTEGER, DROP COLUMN title", only="postgresql"
    ),
    "a column added and the table restricted at once": never(
        "ALTER TABLE apps ADD COLUMN x INTEGER DEFAULT 1, ALTER COLUMN created SET DEFAULT 1,"
        " ADD CHECK (length(title) < 99)",
        only="postgresql",
    ),
    "a column with a condition": never("ALTER TABLE apps ADD COLUMN x TEXT CHECK (length(title) < 20)"),
    "a column with a hidden condition": never(
        "ALTER TABLE apps ADD COLUMN x TEXT DEFAULT 'CHECK (' /* CHECK */ CONSTRAINT \"CHECK\" chEck(length(title)<20)"
    ),
    "a column with a reference": never("ALTER TABLE app_access ADD COLUMN x VARCHAR REFERENCES apps (name)"),
    "a unique column": never(
        "ALTER TABLE apps ADD COLUMN x TEXT DEFAULT '' NOT NULL UNIQUE",
    ),
    "a computed column": never(
        "ALTER TABLE apps ADD COLUMN x INTEGER GENERATED ALWAYS AS (1 / length(title)) STORED", only="postgresql"
    ),
    "a computed column in a file": never(
        "ALTER TABLE apps ADD COLUMN x INTEGER GENERATED ALWAYS AS (1 / length(title))", only="sqlite"
    ),
    "a default that fails for older versions": never(
        ADD, "ALTER TABLE apps ALTER COLUMN x SET DEFAULT 1 / (length(current_user) * 0)", only="postgresql"
    ),
    "a new table that refers to apps": never(NOTICES.format("")),
    "a new table that restricts the removal of apps": never(NOTICES.format("ON DELETE RESTRICT")),
    "a new table that cannot forget apps": never(NOTICES.format("ON DELETE SET NULL").replace(" REF", " NOT NULL REF")),
    "a new table that refers to another new one": never(
        NOTICES.format("ON DELETE CASCADE"), "CREATE TABLE answers (id VARCHAR REFERENCES notices (id))"
    ),
    "a new table that is a part of apps": never("CREATE TABLE more () INHERITS (apps)", only="postgresql"),
    "several values, of which one is new": never(
        "ALTER TABLE apps ADD COLUMN owner VARCHAR",
        "UPDATE apps SET owner = (SELECT min(id) FROM users), title = ''",
    ),
    "rows that replace others": never(
        ADD, "INSERT INTO app_access SELECT * FROM app_access WHERE true ON CONFLICT DO NOTHING", only="sqlite"
    ),
    "values after a conflict": never(
        ADD,
        "INSERT INTO groups SELECT * FROM groups WHERE true ON CONFLICT (name) DO UPDATE SET priority = 99",
    ),
    "a table that exists": never(ADD, "CREATE TABLE IF NOT EXISTS app_access (x INTEGER)", "DELETE FROM app_access"),
}
