"""Reasons of changes: the comment and the ticket of audit entries and revisions."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
oldest_reader = "0014"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Add the columns of the audit, and a table for revisions, whose rows would have to be read through the body."""
    op.add_column("audit", sa.Column("comment", NAME))
    op.add_column("audit", sa.Column("ticket", NAME))
    has_ticket = sa.text("ticket IS NOT NULL")
    op.create_index("ix_audit_ticket", "audit", ["ticket"], sqlite_where=has_ticket, postgresql_where=has_ticket)
    op.create_table(
        "revision_reasons",
        sa.Column("revision", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("comment", NAME, nullable=False),
        sa.Column("ticket", NAME, nullable=False),
    )
