"""Groups of crash reports, and the status, the assignee and the notes of groups and feedback."""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from rostrum.base import json_text
from rostrum.manager.crash_formats.signature import app_of, group_id, machine_of, signature_of

revision = "0019"
down_revision = "0018"
oldest_reader = "0019"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")
STEP = 1000

OLD = sa.table(
    "crashes",
    *(sa.column(name) for name in ("id", "product", "version", "process_type", "fields", "received")),
    *(sa.column(name) for name in ("app", "machine_id", "group_id")),
)
GROUPS = sa.table(
    "crash_groups",
    *(sa.column(name) for name in ("id", "product", "app", "version", "signature", "status")),
    *(sa.column(name) for name in ("first_seen", "last_seen", "revision")),
)


def upgrade() -> None:
    """Add tables and columns, and group the reports that there are, by their fields.

    The files of these reports can be in a bucket, so their dumps are not read here.
    """
    op.add_column("crashes", sa.Column("app", NAME, nullable=False, server_default=sa.text("''")))
    op.add_column("crashes", sa.Column("machine_id", NAME))
    op.add_column("crashes", sa.Column("group_id", NAME, nullable=False, server_default=sa.text("''")))
    op.add_column("crashes", sa.Column("dump", sa.Text))
    op.add_column("feedback", sa.Column("status", NAME, nullable=False, server_default=sa.text("'new'")))
    op.add_column("feedback", sa.Column("assignee", NAME))
    op.execute("UPDATE feedback SET status = 'resolved' WHERE reviewed")
    op.create_index("ix_feedback_status", "feedback", ["status"])
    op.create_index("ix_feedback_assignee", "feedback", ["assignee"])
    op.create_table(
        "crash_groups",
        sa.Column("id", NAME, primary_key=True),
        *(sa.Column(name, NAME, nullable=False) for name in ("product", "app", "version", "signature", "status")),
        sa.Column("assignee", NAME),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("first_seen", "last_seen")),
        sa.Column("changed", sa.BigInteger),
        sa.Column("changed_by", NAME),
        sa.Column("revision", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "report_notes",
        *(sa.Column(name, NAME, primary_key=name == "id", nullable=False) for name in ("id", "kind", "key")),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("created_by", NAME, nullable=False),
    )
    _group(op.get_bind())
    op.create_index("ix_crashes_group_id", "crashes", ["group_id", "received", "user_id", "machine_id"])
    for name in ("status", "assignee", "last_seen"):
        op.create_index(f"ix_crash_groups_{name}", "crash_groups", [name])
    op.create_index("ix_crash_groups_signature", "crash_groups", ["signature", "product"])
    op.create_index("ix_report_notes_kind_key", "report_notes", ["kind", "key", "created"])


def _group(connection: sa.Connection) -> None:
    """Compute the group of each report; only a thousand reports are in memory at once."""
    put = sa.update(OLD).where(OLD.c.id == sa.bindparam("its_id"))
    put = put.values({name: sa.bindparam(name) for name in ("app", "machine_id", "group_id")})
    groups: dict[str, dict[str, object]] = {}
    for rows in _steps(connection):
        changes = []
        for row in rows:
            fields = {str(name): str(value) for name, value in json_text.parse(row.fields).items()}
            app, signature = app_of(fields), signature_of(row.process_type, fields)
            its_group = group_id(row.product, app, row.version, signature)
            machine = machine_of(fields)
            changes.append({"its_id": row.id, "app": app, "machine_id": machine, "group_id": its_group})
            known = groups.setdefault(
                its_group,
                {
                    "id": its_group,
                    "product": row.product,
                    "app": app,
                    "version": row.version,
                    "signature": signature,
                    "status": "new",
                    "first_seen": row.received,
                    "last_seen": row.received,
                    "revision": 0,
                },
            )
            known["first_seen"] = min(known["first_seen"], row.received)
            known["last_seen"] = max(known["last_seen"], row.received)
        connection.execute(put, changes)
    for start in range(0, len(groups), STEP):
        connection.execute(sa.insert(GROUPS), list(groups.values())[start : start + STEP])


def _steps(connection: sa.Connection) -> Iterator[list[sa.Row[tuple[object, ...]]]]:
    last = ""
    columns = [OLD.c[name] for name in ("id", "product", "version", "process_type", "fields", "received")]
    while True:
        statement = sa.select(*columns).where(OLD.c.id > last).order_by(OLD.c.id).limit(STEP)
        rows = list(connection.execute(statement))
        if not rows:
            return
        yield rows
        last = rows[-1].id
