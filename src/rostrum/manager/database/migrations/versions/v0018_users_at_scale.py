"""Display names, the time of disabling, links for first passwords, and the values of batches that import users."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
oldest_reader = "0018"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")

WORDS = (
    "coalesce(lower({row}.id), '') || char(10) || coalesce(lower({row}.email), '')"
    " || char(10) || coalesce(lower({row}.display_name), '')"
)

POSTGRESQL = (
    "DROP INDEX ix_users_words",
    "CREATE INDEX ix_users_words ON users USING gin (rostrum_trigrams(coalesce(lower(id), '') || chr(10) ||"
    " coalesce(lower(email), '') || chr(10) || coalesce(lower(display_name), '')))",
)

SQLITE = (
    "DROP TRIGGER users_words_added",
    "DROP TRIGGER users_words_changed",
    "DROP TRIGGER users_words_removed",
    "INSERT INTO users_words (users_words) VALUES ('delete-all')",
    "INSERT INTO users_words (rowid, words) SELECT number, {users} FROM users JOIN users_numbers ON name = id",
    "CREATE TRIGGER users_words_added AFTER INSERT ON users BEGIN"
    " INSERT INTO users_numbers (name) VALUES (new.id);"
    " INSERT INTO users_words (rowid, words) SELECT number, {new} FROM users_numbers WHERE name = new.id;"
    " END",
    "CREATE TRIGGER users_words_changed AFTER UPDATE OF id, email, display_name ON users"
    " WHEN old.id IS NOT new.id OR old.email IS NOT new.email OR old.display_name IS NOT new.display_name BEGIN"
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
    connection = op.get_bind()
    is_postgresql = connection.dialect.name == "postgresql"
    op.add_column("users", sa.Column("display_name", NAME))
    op.add_column("users", sa.Column("disabled_since", sa.BigInteger))
    # Missing values come first when lists are sorted; the default of PostgreSQL is the opposite.
    for column in ("display_name", "disabled_since"):
        order = sa.text(f"{column} NULLS FIRST" if is_postgresql else column)
        op.create_index(f"ix_users_{column}", "users", [order, "id"])
    texts = {row: WORDS.format(row=row) for row in ("users", "old", "new")}
    for statement in POSTGRESQL if is_postgresql else SQLITE:
        connection.exec_driver_sql(statement.format(**texts))
    op.add_column("batch_parts", sa.Column("details", sa.Text))
    op.create_table(
        "password_links",
        sa.Column("user_id", NAME, primary_key=True),
        sa.Column("key_hash", NAME, nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_password_links_key_hash", "password_links", ["key_hash"], unique=True)
