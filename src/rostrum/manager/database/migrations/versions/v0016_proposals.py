"""Proposals: changes that wait for the approval of a second administrator."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
oldest_reader = "0016"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "proposals",
        sa.Column("id", NAME, primary_key=True),
        *(sa.Column(name, NAME, nullable=False) for name in ("status", "operation", "comment", "ticket")),
        sa.Column("changed", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("decided", sa.BigInteger),
        sa.Column("decided_by", NAME),
        sa.Column("decision", NAME, nullable=False),
        sa.Column("revision", sa.BigInteger),
    )
    op.create_index("ix_proposals_status", "proposals", ["status"])
    op.create_index("ix_proposals_created", "proposals", ["created"])
    op.create_table(
        "proposal_documents",
        sa.Column("proposal_id", NAME, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        *(sa.Column(name, NAME, nullable=False) for name in ("kind", "key", "action")),
        sa.Column("base", sa.BigInteger),
        *(sa.Column(name, sa.Text) for name in ("before", "after", "secret")),
    )
