"""Batches: changes of many documents, with one audit entry for each document."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
oldest_reader = "0012"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Add the tables, and allow several audit entries for one revision."""
    op.create_table(
        "batches",
        sa.Column("id", NAME, primary_key=True),
        *(sa.Column(name, NAME, nullable=False) for name in ("request_key", "kind", "action")),
        sa.Column("arguments", sa.Text, nullable=False),
        *(sa.Column(name, NAME, nullable=False) for name in ("digest", "comment", "ticket", "status", "problem")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("total", "done", "unchanged", "refused")),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("created_by", "request_key", name="uq_batches_created_by_request_key"),
    )
    op.create_index("ix_batches_created", "batches", ["created"])
    op.create_table(
        "batch_parts",
        sa.Column("batch_id", NAME, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("targets", sa.Text, nullable=False),
        sa.Column("revisions", sa.Text),
        sa.Column("report", sa.Text),
    )
    op.add_column("history", sa.Column("batch", NAME))
    with op.batch_alter_table("audit") as audit:
        audit.add_column(sa.Column("batch", NAME))
        audit.drop_constraint("uq_audit_revision", type_="unique")
    op.create_index("ix_audit_batch", "audit", ["batch"])
    op.create_index("ix_audit_revision", "audit", ["revision"])
