"""Command runs: one command for many desktops, sent in waves."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
oldest_reader = "0013"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "command_runs",
        sa.Column("id", NAME, primary_key=True),
        *(sa.Column(name, NAME, nullable=False) for name in ("request_key", "digest", "command")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("params", "target", "amounts", "waves")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("wave", "pause", "answer_timeout")),
        *(sa.Column(name, NAME) for name in ("max_failures", "max_crashes")),
        *(sa.Column(name, sa.BigInteger) for name in ("start_at", "expires")),
        *(sa.Column(name, NAME, nullable=False) for name in ("comment", "ticket", "status", "reason")),
        *(
            sa.Column(name, sa.Integer, nullable=False)
            for name in ("total", "accepted_failures", "accepted_crashes", "crashed")
        ),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        *(sa.Column(name, sa.BigInteger) for name in ("started", "finished")),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("created_by", "request_key", name="uq_command_runs_created_by_request_key"),
    )
    op.create_index("ix_command_runs_status", "command_runs", ["status"])
    op.create_index("ix_command_runs_created", "command_runs", ["created"])
    op.create_table(
        "command_run_targets",
        sa.Column("run_id", NAME, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("wave", sa.Integer, nullable=False),
        *(sa.Column(name, NAME, nullable=False) for name in ("user_id", "machine_id", "product", "state")),
        *(sa.Column(name, NAME) for name in ("session_id", "command_id", "message")),
        *(sa.Column(name, sa.BigInteger) for name in ("sent", "finished")),
    )
    op.create_index("ix_command_run_targets_state", "command_run_targets", ["state", "run_id"])
    op.create_index("ix_command_run_targets_user_id", "command_run_targets", ["run_id", "user_id"])
