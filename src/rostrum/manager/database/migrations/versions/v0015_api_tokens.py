"""API tokens, service accounts, and the token with which a command run was created."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
oldest_reader = "0015"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "api_tokens",
        sa.Column("id", NAME, primary_key=True),
        sa.Column("key_hash", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("name", NAME, nullable=False),
        sa.Column("permissions", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("last_used", sa.BigInteger),
        sa.UniqueConstraint("user_id", "name", name="uq_api_tokens_user_id_name"),
    )
    op.create_index("ix_api_tokens_expires", "api_tokens", ["expires"])
    op.add_column("users", sa.Column("service", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("ix_users_service", "users", ["service", "id"])
    op.add_column("command_runs", sa.Column("token_id", NAME))
