"""What changed last, for whom."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
oldest_reader = "0003"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the table of announcements."""
    op.create_table(
        "announcements",
        sa.Column("kind", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("session_id", NAME, nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "user_id", "session_id"),
    )
    op.create_index("ix_announcements_revision", "announcements", ["revision"])
