"""The effects of proposals, and the approval of a new version that is rolled out."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
oldest_reader = "0021"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "proposal_effects",
        sa.Column("proposal_id", NAME, primary_key=True),
        sa.Column("digest", NAME, nullable=False),
        sa.Column("effect", sa.Text, nullable=False),
    )
    op.add_column("rollouts", sa.Column("approval", NAME))
