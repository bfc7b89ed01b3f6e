"""Addresses of app directories that are read without credentials."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
oldest_reader = "0011"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "directory_addresses",
        sa.Column("id", NAME, primary_key=True),
        sa.Column("key_hash", NAME, nullable=False),
        sa.Column("user_id", NAME),
        sa.Column("group_name", NAME),
        sa.Column("description", NAME, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("created_by", NAME, nullable=False),
    )
    op.create_index("ix_directory_addresses_key_hash", "directory_addresses", ["key_hash"], unique=True)
