"""Indexes for the figures of the dashboard, and saved views of lists."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
oldest_reader = "0020"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    has_no_owner = sa.text("owner IS NULL")
    op.create_index("ix_sessions_started", "sessions", ["started"])
    op.create_index("ix_sessions_version", "sessions", ["version", "started"])
    op.create_index("ix_commands_status", "commands", ["status", "created"])
    op.create_index(
        "ix_history_kind_at",
        "history",
        ["kind", "at", "revision"],
        sqlite_where=has_no_owner,
        postgresql_where=has_no_owner,
    )
    op.create_table(
        "saved_views",
        sa.Column("id", NAME, primary_key=True),
        *(sa.Column(name, NAME, nullable=False) for name in ("list", "name", "owner")),
        sa.Column("shared", sa.Boolean, nullable=False),
        sa.Column("search", sa.Text, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("created", "modified")),
        sa.UniqueConstraint("owner", "list", "name", name="uq_saved_views_owner_list_name"),
    )
    op.create_index("ix_saved_views_list", "saved_views", ["list", "shared"])
