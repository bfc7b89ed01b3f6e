"""History of documents, and the audit."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
oldest_reader = "0002"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")
BATCH = 500

Row = Any
Lists = dict[str, list[str]]


def upgrade() -> None:
    """Create the tables, and a first revision of every document."""
    op.create_table(
        "history",
        sa.Column("kind", NAME, nullable=False),
        sa.Column("key", NAME, nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("previous", sa.BigInteger(), nullable=True),
        sa.Column("action", NAME, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", NAME, nullable=False),
        sa.Column("operation", NAME, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("body", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("kind", "key", "revision"),
    )
    op.create_table(
        "audit",
        sa.Column("number", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("revision", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", NAME, nullable=False),
        sa.Column("operation", NAME, nullable=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("key", NAME, nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("hash", NAME, nullable=False),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("revision", name="uq_audit_revision"),
    )
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_index("ix_audit_actor", "audit", ["actor"])
    op.create_index("ix_audit_kind_key", "audit", ["kind", "key"])
    op.create_table(
        "audit_subjects",
        sa.Column("number", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("key", NAME, nullable=False),
        sa.PrimaryKeyConstraint("number", "kind", "key"),
    )
    op.create_index("ix_audit_subjects_kind_key", "audit_subjects", ["kind", "key"])
    op.create_table(
        "audit_head",
        sa.Column("id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("hash", NAME, nullable=False),
        sa.Column("shortened_number", sa.BigInteger(), nullable=False),
        sa.Column("shortened_hash", NAME, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    connection = op.get_bind()
    head = sa.text("INSERT INTO audit_head VALUES (1, 0, :nothing, 0, :nothing)")
    connection.execute(head, {"nothing": "0" * 64})
    _keep_what_is_there(connection)


def _keep_what_is_there(connection: sa.Connection) -> None:
    keep = sa.text(
        "INSERT INTO history (kind, key, revision, previous, action, at, actor, operation, created, created_by, body)"
        " VALUES (:kind, :key, :revision, :previous, :action, :at, :actor, 'upgrade', :created, :created_by, :body)"
    )
    for kind, table, key, body in _kinds(connection):
        for batch in _batches(connection, table, key):
            connection.execute(keep, [_revision(kind, row, key, body(row)) for row in batch])


def _batches(connection: sa.Connection, table: str, key: str) -> Iterator[Sequence[Row]]:
    """Read a table piece by piece; a cursor would keep it in use, and migrations that follow could not alter it."""
    column: sa.ColumnClause[str] = sa.column(key)
    documents = sa.select(sa.text("*")).select_from(sa.table(table)).order_by(column).limit(BATCH)
    batch = connection.execute(documents).all()
    while batch:
        yield batch
        batch = connection.execute(documents.where(column > getattr(batch[-1], key))).all()


def _revision(kind: str, row: Row, key: str, body: str) -> dict[str, Any]:
    # The document before its last change is not known, which 0 represents.
    changed = row.created != row.modified
    return {
        "kind": kind,
        "key": getattr(row, key),
        "revision": row.revision,
        "previous": 0 if changed else None,
        "action": "changed" if changed else "created",
        "at": row.modified,
        "actor": row.modified_by,
        "created": row.created,
        "created_by": row.created_by,
        "body": body,
    }


def _kinds(connection: sa.Connection) -> Iterator[tuple[str, str, str, Callable[[Row], str]]]:
    app_access = _lists(connection, "app_access")
    yield (
        "app",
        "apps",
        "name",
        lambda row: _object(
            definition=row.definition,
            public=_json(bool(row.public)),
            accessList=_json(app_access.get(row.name, [])),
            disabled=_json(bool(row.disabled)),
        ),
    )
    layout_access = _lists(connection, "layout_access")
    yield (
        "layout",
        "layouts",
        "id",
        lambda row: _object(
            definition=row.definition,
            owner=_json(row.owner),
            public=_json(bool(row.public)),
            accessList=_json(layout_access.get(row.id, [])),
            default=_json(bool(row.default)),
            disabled=_json(bool(row.disabled)),
        ),
    )
    yield (
        "preference",
        "preferences",
        "id",
        lambda row: _object(user=_json(row.user_id), app=_json(row.app), data=row.data),
    )
    yield (
        "config",
        "config_files",
        "id",
        lambda row: _object(
            file=_json(row.file),
            **({} if row.scope == "base" else {row.scope: _json(row.target)}),
            contents=row.contents,
        ),
    )
    groups, apps, layouts = (_lists(connection, f"user_{name}") for name in ("groups", "apps", "layouts"))
    yield (
        "user",
        "users",
        "id",
        lambda row: _object(
            id=_json(row.id),
            email=_json(row.email),
            groups=_json(groups.get(row.id, [])),
            apps=_json(apps.get(row.id, [])),
            layouts=_json(layouts.get(row.id, [])),
            disabled=_json(bool(row.disabled)),
        ),
    )
    expansions = _lists(connection, "group_expansions")
    yield (
        "group",
        "groups",
        "name",
        lambda row: _object(
            name=_json(row.name), priority=_json(row.priority), expandsTo=_json(expansions.get(row.name, []))
        ),
    )


def _lists(connection: sa.Connection, table: str) -> Lists:
    found: Lists = {}
    for owner, value in connection.execute(sa.select(sa.text("*")).select_from(sa.table(table))):
        found.setdefault(owner, []).append(value)
    return {owner: sorted(values) for owner, values in found.items()}


def _object(**members: str) -> str:
    return "{" + ",".join(f"{_json(name)}:{text}" for name, text in members.items()) + "}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
