"""Roll-outs: a new version of a document that first goes to some users."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
oldest_reader = "0017"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "rollouts",
        sa.Column("id", NAME, primary_key=True),
        *(sa.Column(name, NAME, nullable=False) for name in ("kind", "key", "name")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("candidate", "stages")),
        sa.Column("stage", sa.Integer, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        *(sa.Column(name, NAME) for name in ("max_failures", "max_crashes")),
        sa.Column("apply_timeout", sa.Integer, nullable=False),
        *(sa.Column(name, NAME, nullable=False) for name in ("comment", "ticket", "status", "reason")),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("token_id", NAME),
        sa.Column("finished", sa.BigInteger),
        sa.Column("updated", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_rollouts_status", "rollouts", ["status"])
    op.create_index("ix_rollouts_created", "rollouts", ["created"])
    op.create_index("ix_rollouts_kind_key", "rollouts", ["kind", "key"])
    for table in ("apps", "layouts", "config_files"):
        op.add_column(table, sa.Column("rollout", NAME))
