"""Which user described a machine first: only that user may change the description."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
oldest_reader = "0007"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")

# Without an owner, the first user who names a machine after the update could take it over.
OLDEST_SESSION = (
    "UPDATE machines SET owner = (SELECT user_id FROM sessions WHERE sessions.machine_id = machines.id"
    " ORDER BY started, id LIMIT 1)"
)


def upgrade() -> None:
    """Add the owner: the user of the oldest session on the machine."""
    op.add_column("machines", sa.Column("owner", NAME))
    op.create_index("ix_machines_owner", "machines", ["owner"])
    op.get_bind().exec_driver_sql(OLDEST_SESSION)
