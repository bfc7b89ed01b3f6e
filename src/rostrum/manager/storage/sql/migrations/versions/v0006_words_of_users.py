"""An index of the words in names and addresses of users, and of lists with those who have them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

LINKS = (
    ("user_groups", "user_id", "group_name"),
    ("user_apps", "user_id", "app_name"),
    ("user_layouts", "user_id", "layout_id"),
    ("group_expansions", "group_name", "expands_to"),
    ("app_access", "app_name", "group_name"),
    ("layout_access", "layout_id", "group_name"),
)

POSTGRESQL = (
    # Built in, while the extension that does the same must be installed on the server by somebody who may.
    "CREATE FUNCTION rostrum_trigrams(words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000"
    " AS 'SELECT ARRAY(SELECT substr(words, place, 3) FROM generate_series(1, length(words) - 2) AS place)'",
    "CREATE INDEX ix_users_words ON users USING gin"
    " (rostrum_trigrams(coalesce(lower(id), '') || chr(10) || coalesce(lower(email), '')))",
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
    """Make the index of words, and let those of lists and of the disabled tell the names too."""
    for table, owner, value in LINKS:
        op.drop_index(f"ix_{table}_{value}", table)
        op.create_index(f"ix_{table}_{value}", table, [value, owner])
    op.drop_index("ix_users_disabled", "users")
    op.create_index("ix_users_disabled", "users", ["disabled", "id"])
    connection = op.get_bind()
    is_postgresql = connection.dialect.name == "postgresql"
    texts = {name: _words(name) for name in ("users", "old", "new")}
    for statement in POSTGRESQL if is_postgresql else SQLITE:
        connection.execute(sa.text((statement if is_postgresql else statement.format(**texts)).replace(":", "\\:")))


def _words(row: str) -> str:
    return f"coalesce(lower({row}.id), '') || char(10) || coalesce(lower({row}.email), '')"
