"""The executed migrations, with the oldest version of Rostrum that can work with their results."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
oldest_reader = "0021"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "schema_migrations",
        sa.Column("revision", NAME, primary_key=True),
        sa.Column("oldest_reader", NAME, nullable=False),
        sa.Column("version", NAME, nullable=False),
    )
