"""Which change each client session has applied."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
oldest_reader = "0004"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "receipts",
        sa.Column("session_id", NAME, nullable=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("reported", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "kind"),
    )
