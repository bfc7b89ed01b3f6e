"""Indexes for lists of many thousand users."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
oldest_reader = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the indexes for the orders and filters of lists."""
    op.create_index("ix_users_created", "users", ["created", "id"])
    op.create_index("ix_users_modified", "users", ["modified", "id"])
    op.create_index("ix_users_disabled", "users", ["disabled"])
    op.create_index("ix_users_lower_id", "users", [sa.func.lower(sa.column("id"))])
    # What is missing stands first when lists are sorted; left alone, PostgreSQL would put it last.
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    op.create_index("ix_users_email", "users", [sa.text("email NULLS FIRST" if is_postgresql else "email"), "id"])
