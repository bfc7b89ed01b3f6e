"""Whose documents revisions are, and how large, so that what one user can add to the history is limited."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
oldest_reader = "0010"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")

# Whose the documents were that are gone is only known from their bodies: their revisions have no owner and leave with
# the daily purge.
FILL = (
    "UPDATE history SET size = {size}, owner = (SELECT {owner} FROM {table} WHERE {table}.id = history.key)"
    " WHERE kind = '{kind}' AND EXISTS (SELECT 1 FROM {table} WHERE {table}.id = history.key AND {owner} <> '*')"
)


def upgrade() -> None:
    """Add the columns and their index, and fill them for the preferences and layouts that there are."""
    connection = op.get_bind()
    is_sqlite = connection.dialect.name == "sqlite"
    op.add_column("history", sa.Column("owner", NAME))
    op.add_column("history", sa.Column("size", sa.BigInteger, nullable=False, server_default=sa.text("0")))
    size = "coalesce(length(CAST(body AS BLOB)), 0)" if is_sqlite else "coalesce(octet_length(body), 0)"
    for kind, table, owner in (("preference", "preferences", "user_id"), ("layout", "layouts", "owner")):
        connection.exec_driver_sql(FILL.format(kind=kind, table=table, owner=f"{table}.{owner}", size=size))
    has_owner = sa.text("owner IS NOT NULL")
    op.create_index(
        "ix_history_owner",
        "history",
        ["owner", "revision", "key", "kind", "size"],
        sqlite_where=has_owner,
        postgresql_where=has_owner,
    )
