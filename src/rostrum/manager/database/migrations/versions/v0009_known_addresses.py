"""From which addresses each user has signed in, so that this survives a restart and all nodes share it."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
oldest_reader = "0009"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Add the table; it fills with the next sign-ins."""
    op.create_table(
        "known_addresses",
        sa.Column("user_id", NAME, primary_key=True),
        sa.Column("address", NAME, primary_key=True),
        sa.Column("last_seen", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_known_addresses_last_seen", "known_addresses", ["last_seen"])
