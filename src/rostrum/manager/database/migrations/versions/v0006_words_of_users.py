"""An index of the words in names and addresses of users, and of lists with those who have them."""

import sqlite3

from alembic import op

from rostrum.base.errors import RostrumError

revision = "0006"
down_revision = "0005"
oldest_reader = "0006"
branch_labels = None
depends_on = None

OLDEST_SQLITE = (3, 34)
"""The first one that knows letters three by three."""

INDEXES = (
    ("ix_user_groups_group_name", "user_groups (group_name, user_id)"),
    ("ix_user_apps_app_name", "user_apps (app_name, user_id)"),
    ("ix_users_disabled", "users (disabled, id)"),
)

WORDS = "coalesce(lower({row}.id), '') || char(10) || coalesce(lower({row}.email), '')"

POSTGRESQL = (
    # Built in, while the extension that does the same must be installed on the server by somebody who may.
    "CREATE FUNCTION rostrum_trigrams(words text) RETURNS text[]"
    " LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS"
    " 'DECLARE found text[] := ARRAY[]::text[]; BEGIN"
    " FOR place IN 1 .. length(words) - 2 LOOP found := found || substr(words, place, 3); END LOOP;"
    " RETURN found; END'",
    "CREATE INDEX ix_users_words ON users USING gin (rostrum_trigrams("
    "coalesce(lower(id), '') || chr(10) || coalesce(lower(email), '')))",
)

SQLITE = (
    # Numbers of our own: those that SQLite gives the rows of users may change when the file is copied row by row.
    "CREATE TABLE users_numbers (number INTEGER PRIMARY KEY, name VARCHAR NOT NULL UNIQUE)",
    "CREATE VIRTUAL TABLE users_words USING fts5(words, content='', columnsize=0, tokenize='trigram case_sensitive 1')",
    "INSERT INTO users_numbers (name) SELECT id FROM users",
    "INSERT INTO users_words (rowid, words) SELECT number, {users} FROM users JOIN users_numbers ON name = id",
    "CREATE TRIGGER users_words_added AFTER INSERT ON users BEGIN"
    " INSERT INTO users_numbers (name) VALUES (new.id);"
    " INSERT INTO users_words (rowid, words) SELECT number, {new} FROM users_numbers WHERE name = new.id;"
    " END",
    "CREATE TRIGGER users_words_changed AFTER UPDATE OF id, email ON users"
    " WHEN old.id IS NOT new.id OR old.email IS NOT new.email BEGIN"
    " INSERT INTO users_words (users_words, rowid, words)"
    " SELECT 'delete', number, {old} FROM users_numbers WHERE name = old.id;"
    " UPDATE users_numbers SET name = new.id WHERE name = old.id;"
    " INSERT INTO users_words (rowid, words) SELECT number, {new} FROM users_numbers WHERE name = new.id;"
    " END",
    "CREATE TRIGGER users_words_removed AFTER DELETE ON users BEGIN"
    " INSERT INTO users_words (users_words, rowid, words)"
    " SELECT 'delete', number, {old} FROM users_numbers WHERE name = old.id;"
    " DELETE FROM users_numbers WHERE name = old.id;"
    " END",
)


def upgrade() -> None:
    """Create the index of words, and add the names of users to the indexes of lists and of disabled users."""
    connection = op.get_bind()
    is_postgresql = connection.dialect.name == "postgresql"
    if not is_postgresql and sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise RostrumError(f"SQLite {sqlite3.sqlite_version} is too old: this Rostrum needs 3.34 or newer")
    for name, columns in INDEXES:
        connection.exec_driver_sql(f"DROP INDEX {name}")
        connection.exec_driver_sql(f"CREATE INDEX {name} ON {columns}")
    texts = {row: WORDS.format(row=row) for row in ("users", "old", "new")}
    for statement in POSTGRESQL if is_postgresql else SQLITE:
        connection.exec_driver_sql(statement.format(**texts))
