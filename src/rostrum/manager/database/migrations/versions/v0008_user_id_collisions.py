"""A key of each user ID that similar IDs share, so that no new user gets an ID that looks like an existing one."""

import sqlalchemy as sa
from alembic import op

from rostrum.base.ids import collision_key

revision = "0008"
down_revision = "0007"
oldest_reader = "0008"
branch_labels = None
depends_on = None

_BATCH = 1000


def upgrade() -> None:
    """Add the column and its index, and fill in the keys of the users there are."""
    connection = op.get_bind()
    is_postgresql = connection.dialect.name == "postgresql"
    name = sa.String(collation="C") if is_postgresql else sa.String()
    op.add_column("users", sa.Column("collision_key", name, nullable=False, server_default=sa.text("''")))
    users = sa.table("users", sa.column("id"), sa.column("collision_key"))
    fill = users.update().where(users.c.id == sa.bindparam("user")).values(collision_key=sa.bindparam("key"))
    found = [str(row.id) for row in connection.execute(sa.select(users.c.id))]
    for start in range(0, len(found), _BATCH):
        keys = [{"user": user, "key": collision_key(user)} for user in found[start : start + _BATCH]]
        connection.execute(fill, keys)
    op.create_index("ix_users_collision_key", "users", ["collision_key"])
