"""Tables, in the state after the newest migration; small topics declare their table in their `topic.py`."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Dialect,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    func,
    text,
)

metadata = MetaData()

UNUSED: frozenset[str] = frozenset()
"""Tables, and columns as ``table.column``, that are not declared here because this version does not use them.

Nodes of the previous release still use them. A migration after the release of this version can remove them.
"""
_partial_indexes: list[tuple[Index, ColumnElement[bool]]] = []


def _index_of_some_rows(name: str, *columns: Column[Any], where: ColumnElement[bool]) -> None:
    _partial_indexes.append((Index(name, *columns, sqlite_where=where), where))


def complete_for_postgresql() -> None:
    """Add the conditions of indexes for PostgreSQL. SQLAlchemy loads its dialect for them, which SQLite never needs."""
    for index, where in _partial_indexes:
        index.dialect_kwargs["postgresql_where"] = where


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=1024)
def _number_of(value: datetime | None) -> int | None:
    return None if value is None else (value - EPOCH) // timedelta(milliseconds=1)


@lru_cache(maxsize=1024)
def _time_of(value: int | None) -> datetime | None:
    return None if value is None else EPOCH + timedelta(milliseconds=value)


NameText = String().with_variant(String(collation="C"), "postgresql")
"""Text that is compared byte by byte, so that all databases sort names equally."""


class Instant(TypeDecorator[datetime]):
    """A time in integer milliseconds, which all databases sort and compare equally."""

    impl = BigInteger
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], int | None]:  # noqa: ARG002
        """Return the function that converts times into numbers; it is cached, because documents often share times."""
        return _number_of

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[int | None], datetime | None]:  # noqa: ARG002
        """Return the function that converts numbers into times."""
        return _time_of


def stamp_of_row() -> list[Column[object]]:
    """Return the columns of the stamp of a document."""
    return [
        Column("revision", BigInteger, nullable=False),
        Column("created", Instant, nullable=False),
        Column("created_by", NameText, nullable=False),
        Column("modified", Instant, nullable=False),
        Column("modified_by", NameText, nullable=False),
    ]


def _rollout() -> Column[object]:
    """The roll-out of the document, if it has not ended. It is in the same row, so that no further query is needed."""
    return Column("rollout", NameText)


def _links(name: str, owner: str, value: str, *, is_long: bool = False) -> Table:
    return Table(
        name,
        metadata,
        Column(owner, NameText, primary_key=True),
        Column(value, NameText, primary_key=True),
        # The index contains the owner, so that the table is not read for values with many owners.
        Index(f"ix_{name}_{value}", value, *([owner] if is_long else [])),
    )


def _review() -> list[Column[object]]:
    return [
        Column("file_id", NameText),
        Column("reviewed", Boolean, nullable=False),
        Column("reviewed_by", NameText),
        Column("comment", Text, nullable=False),
        Column("revision", BigInteger, nullable=False),
    ]


revision = Table(
    "revision",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("value", BigInteger, nullable=False),
)

schema_migrations = Table(
    "schema_migrations",
    metadata,
    Column("revision", NameText, primary_key=True),
    Column("oldest_reader", NameText, nullable=False),
    Column("version", NameText, nullable=False),
)

announcements = Table(
    "announcements",
    metadata,
    Column("kind", NameText, primary_key=True),
    Column("user_id", NameText, primary_key=True),
    Column("session_id", NameText, primary_key=True),
    Column("revision", BigInteger, nullable=False, index=True),
)

receipts = Table(
    "receipts",
    metadata,
    Column("session_id", NameText, primary_key=True),
    Column("kind", NameText, primary_key=True),
    Column("revision", BigInteger, nullable=False),
    Column("reported", Instant, nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("email", NameText),
    Column("password_hash", NameText),
    Column("disabled", Boolean, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    *stamp_of_row(),
    # Equal for IDs that people could confuse. Not unique, because IDs may be older than this rule.
    Column("collision_key", NameText, nullable=False, server_default=text("''"), index=True),
    Column("service", Boolean, nullable=False, server_default=false()),
    Column("display_name", NameText),
    Column("disabled_since", Instant),
    # Indexes for the orders and filters of lists with many thousands of rows.
    Index("ix_users_created", "created", "id"),
    Index("ix_users_modified", "modified", "id"),
    Index("ix_users_email", "email", "id"),
    Index("ix_users_disabled", "disabled", "id"),
    Index("ix_users_service", "service", "id"),
    Index("ix_users_display_name", "display_name", "id"),
    Index("ix_users_disabled_since", "disabled_since", "id"),
)
Index("ix_users_lower_id", func.lower(users.c.id))
password_links = Table(
    "password_links",
    metadata,
    # One link for each user: a new one replaces the earlier one.
    Column("user_id", NameText, primary_key=True),
    Column("key_hash", NameText, nullable=False),
    # The link is valid only in this epoch of the user.
    Column("epoch", BigInteger, nullable=False),
    Column("created", Instant, nullable=False),
    Column("created_by", NameText, nullable=False),
    Column("expires", Instant, nullable=False),
    Index("ix_password_links_key_hash", "key_hash", unique=True),
)
user_groups = _links("user_groups", "user_id", "group_name", is_long=True)
user_apps = _links("user_apps", "user_id", "app_name", is_long=True)
user_layouts = _links("user_layouts", "user_id", "layout_id")

groups = Table(
    "groups",
    metadata,
    Column("name", NameText, primary_key=True),
    Column("priority", Integer, nullable=False),
    *stamp_of_row(),
)
group_expansions = _links("group_expansions", "group_name", "expands_to")

apps = Table(
    "apps",
    metadata,
    Column("name", NameText, primary_key=True),
    Column("type", NameText, nullable=False),
    Column("title", NameText, nullable=False),
    Column("definition", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("disabled", Boolean, nullable=False),
    *stamp_of_row(),
    _rollout(),
)
app_access = _links("app_access", "app_name", "group_name")

layouts = Table(
    "layouts",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("name", NameText, nullable=False),
    Column("type", NameText, nullable=False),
    Column("owner", NameText, nullable=False),
    Column("definition", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("default", Boolean, nullable=False),
    Column("disabled", Boolean, nullable=False),
    *stamp_of_row(),
    _rollout(),
    UniqueConstraint("owner", "type", "name", name="uq_layouts_owner_type_name"),
)
layout_access = _links("layout_access", "layout_id", "group_name")
default_layouts = Table(
    "default_layouts",
    metadata,
    Column("user_id", NameText, primary_key=True),
    Column("type", NameText, nullable=False),
    Column("name", NameText, nullable=False),
)

preferences = Table(
    "preferences",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("user_id", NameText, nullable=False),
    Column("app", NameText, nullable=False),
    Column("data", Text, nullable=False),
    *stamp_of_row(),
    UniqueConstraint("user_id", "app", name="uq_preferences_user_app"),
)

config_files = Table(
    "config_files",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("file", NameText, nullable=False),
    Column("scope", NameText, nullable=False),
    Column("target", NameText, nullable=False),
    Column("contents", Text, nullable=False),
    *stamp_of_row(),
    _rollout(),
    UniqueConstraint("scope", "target", "file", name="uq_config_files_scope_target_file"),
)

machines = Table(
    "machines",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("name", NameText, nullable=False),
    Column("info", Text, nullable=False),
    Column("first_seen", Instant, nullable=False),
    Column("last_seen", Instant, nullable=False),
    Column("owner", NameText, index=True),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("user_id", NameText, nullable=False, index=True),
    Column("machine_id", NameText, nullable=False, index=True),
    Column("version", NameText, nullable=False),
    Column("env", NameText, nullable=False),
    Column("region", NameText, nullable=False),
    Column("product", NameText, nullable=False),
    Column("commands", Text, nullable=False),
    Column("started", Instant, nullable=False, index=True),
    Column("last_seen", Instant, nullable=False, index=True),
    Column("ended", Instant),
    # The sessions of each day by version are counted from the index alone.
    Index("ix_sessions_version", "version", "started"),
)

commands = Table(
    "commands",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("session_id", NameText, nullable=False, index=True),
    Column("user_id", NameText, nullable=False),
    Column("command", NameText, nullable=False),
    Column("params", Text, nullable=False),
    Column("status", NameText, nullable=False),
    Column("data", Text),
    Column("created", Instant, nullable=False, index=True),
    Column("created_by", NameText, nullable=False),
    Column("delivered", Instant),
    Column("finished", Instant),
    Index("ix_commands_status", "status", "created"),
)

files = Table(
    "files",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("name", NameText, nullable=False),
    Column("media_type", NameText, nullable=False),
    Column("size", BigInteger, nullable=False),
)
file_chunks = Table(
    "file_chunks",
    metadata,
    Column("file_id", NameText, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
)

crashes = Table(
    "crashes",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("user_id", NameText, index=True),
    Column("product", NameText, nullable=False),
    Column("version", NameText, nullable=False),
    Column("platform", NameText, nullable=False),
    Column("process_type", NameText, nullable=False),
    Column("fields", Text, nullable=False),
    Column("received", Instant, nullable=False, index=True),
    *_review(),
    Column("app", NameText, nullable=False, server_default=text("''")),
    Column("machine_id", NameText),
    Column("group_id", NameText, nullable=False, server_default=text("''")),
    Column("dump", Text),
    # Groups are counted from the index alone.
    Index("ix_crashes_group_id", "group_id", "received", "user_id", "machine_id"),
)

crash_groups = Table(
    "crash_groups",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("product", NameText, nullable=False),
    Column("app", NameText, nullable=False),
    Column("version", NameText, nullable=False),
    Column("signature", NameText, nullable=False),
    Column("status", NameText, nullable=False, index=True),
    Column("assignee", NameText, index=True),
    Column("first_seen", Instant, nullable=False),
    Column("last_seen", Instant, nullable=False, index=True),
    Column("changed", Instant),
    Column("changed_by", NameText),
    Column("revision", BigInteger, nullable=False),
    # Finds the groups of earlier versions with the same signature.
    Index("ix_crash_groups_signature", "signature", "product"),
)

report_notes = Table(
    "report_notes",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("kind", NameText, nullable=False),
    Column("key", NameText, nullable=False),
    Column("text", Text, nullable=False),
    Column("created", Instant, nullable=False),
    Column("created_by", NameText, nullable=False),
    Index("ix_report_notes_kind_key", "kind", "key", "created"),
)

feedback = Table(
    "feedback",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("user_id", NameText, nullable=False, index=True),
    Column("session_id", NameText),
    Column("description", NameText, nullable=False),
    Column("received", Instant, nullable=False, index=True),
    *_review(),
    Column("status", NameText, nullable=False, server_default=text("'new'"), index=True),
    Column("assignee", NameText, index=True),
)

revoked_tokens = Table(
    "revoked_tokens",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("expires", Instant, nullable=False, index=True),
)

known_addresses = Table(
    "known_addresses",
    metadata,
    Column("user_id", NameText, primary_key=True),
    Column("address", NameText, primary_key=True),
    Column("last_seen", Instant, nullable=False, index=True),
)

directory_addresses = Table(
    "directory_addresses",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("key_hash", NameText, nullable=False, index=True, unique=True),
    Column("user_id", NameText),
    Column("group_name", NameText),
    Column("description", NameText, nullable=False),
    Column("created", Instant, nullable=False),
    Column("created_by", NameText, nullable=False),
)

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("key_hash", NameText, nullable=False),
    Column("user_id", NameText, nullable=False),
    Column("name", NameText, nullable=False),
    Column("permissions", Text, nullable=False),
    Column("created", Instant, nullable=False),
    Column("created_by", NameText, nullable=False),
    Column("expires", Instant, nullable=False, index=True),
    Column("last_used", Instant),
    UniqueConstraint("user_id", "name", name="uq_api_tokens_user_id_name"),
)

history = Table(
    "history",
    metadata,
    Column("kind", NameText, primary_key=True),
    Column("key", NameText, primary_key=True),
    Column("revision", BigInteger, primary_key=True, autoincrement=False),
    Column("previous", BigInteger),
    Column("action", NameText, nullable=False),
    Column("at", Instant, nullable=False),
    Column("actor", NameText, nullable=False),
    Column("operation", NameText, nullable=False),
    Column("created", Instant, nullable=False),
    Column("created_by", NameText, nullable=False),
    Column("body", Text),
    # The user to whom a preference or layout belongs; empty for documents of administrators.
    Column("owner", NameText),
    Column("size", BigInteger, nullable=False, server_default=text("0")),
    Column("batch", NameText),
)
# The size of a user's documents is summed from this index alone. Without it, SQLite would read each body.
_index_of_some_rows(
    "ix_history_owner",
    *(history.c[name] for name in ("owner", "revision", "key", "kind", "size")),
    where=history.c.owner.is_not(None),
)

# For the newest changes of administrators, and their number on each day.
_index_of_some_rows(
    "ix_history_kind_at",
    *(history.c[name] for name in ("kind", "at", "revision")),
    where=history.c.owner.is_(None),
)

# Not columns of the history: they would be after the body, which SQLite would have to read for each row of a list.
revision_reasons = Table(
    "revision_reasons",
    metadata,
    Column("revision", BigInteger, primary_key=True, autoincrement=False),
    Column("comment", NameText, nullable=False),
    Column("ticket", NameText, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("revision", BigInteger),
    Column("at", Instant, nullable=False, index=True),
    Column("actor", NameText, nullable=False, index=True),
    Column("operation", NameText, nullable=False),
    Column("kind", NameText, nullable=False),
    Column("key", NameText, nullable=False),
    Column("entry", Text, nullable=False),
    Column("hash", NameText, nullable=False),
    Column("batch", NameText, index=True),
    # The reason that the author gave.
    Column("comment", NameText),
    Column("ticket", NameText),
    # Not unique: a transaction has one revision, but can have an entry for each of many documents.
    Index("ix_audit_revision", "revision"),
    Index("ix_audit_kind_key", "kind", "key"),
)
_index_of_some_rows("ix_audit_ticket", audit.c.ticket, where=audit.c.ticket.is_not(None))
audit_subjects = Table(
    "audit_subjects",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", NameText, primary_key=True),
    Column("key", NameText, primary_key=True),
    Index("ix_audit_subjects_kind_key", "kind", "key"),
)
audit_head = Table(
    "audit_head",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("number", BigInteger, nullable=False),
    Column("hash", NameText, nullable=False),
    Column("shortened_number", BigInteger, nullable=False),
    Column("shortened_hash", NameText, nullable=False),
)

batches = Table(
    "batches",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("request_key", NameText, nullable=False),
    Column("kind", NameText, nullable=False),
    Column("action", NameText, nullable=False),
    Column("arguments", Text, nullable=False),
    Column("digest", NameText, nullable=False),
    Column("comment", NameText, nullable=False),
    Column("ticket", NameText, nullable=False),
    Column("status", NameText, nullable=False),
    Column("problem", NameText, nullable=False),
    Column("total", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("unchanged", Integer, nullable=False),
    Column("refused", Integer, nullable=False),
    Column("created", Instant, nullable=False, index=True),
    Column("created_by", NameText, nullable=False),
    Column("updated", Instant, nullable=False),
    UniqueConstraint("created_by", "request_key", name="uq_batches_created_by_request_key"),
)
batch_parts = Table(
    "batch_parts",
    metadata,
    Column("batch_id", NameText, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("targets", Text, nullable=False),
    Column("revisions", Text),
    # The values of each target, for actions in which they differ; deleted when the part has been run.
    Column("details", Text),
    # Written by the transaction that changes the documents of the part.
    Column("report", Text),
)

proposals = Table(
    "proposals",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("status", NameText, nullable=False, index=True),
    Column("operation", NameText, nullable=False),
    Column("comment", NameText, nullable=False),
    Column("ticket", NameText, nullable=False),
    Column("changed", Integer, nullable=False),
    Column("created", Instant, nullable=False, index=True),
    Column("created_by", NameText, nullable=False),
    Column("decided", Instant),
    Column("decided_by", NameText),
    Column("decision", NameText, nullable=False),
    Column("revision", BigInteger),
)
proposal_documents = Table(
    "proposal_documents",
    metadata,
    Column("proposal_id", NameText, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", NameText, nullable=False),
    Column("key", NameText, nullable=False),
    Column("action", NameText, nullable=False),
    Column("base", BigInteger),
    Column("before", Text),
    Column("after", Text),
    # Never shown, and deleted when the proposal is decided.
    Column("secret", Text),
)
proposal_effects = Table(
    "proposal_effects",
    metadata,
    Column("proposal_id", NameText, primary_key=True),
    Column("digest", NameText, nullable=False),
    Column("effect", Text, nullable=False),
)

command_runs = Table(
    "command_runs",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("request_key", NameText, nullable=False),
    Column("digest", NameText, nullable=False),
    Column("command", NameText, nullable=False),
    Column("params", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("amounts", Text, nullable=False),
    Column("waves", Text, nullable=False),
    Column("wave", Integer, nullable=False),
    Column("pause", Integer, nullable=False),
    Column("answer_timeout", Integer, nullable=False),
    Column("max_failures", NameText),
    Column("max_crashes", NameText),
    Column("start_at", Instant),
    Column("expires", Instant),
    Column("comment", NameText, nullable=False),
    Column("ticket", NameText, nullable=False),
    Column("status", NameText, nullable=False, index=True),
    Column("reason", NameText, nullable=False),
    Column("total", Integer, nullable=False),
    Column("accepted_failures", Integer, nullable=False),
    Column("accepted_crashes", Integer, nullable=False),
    Column("crashed", Integer, nullable=False),
    Column("created", Instant, nullable=False, index=True),
    Column("created_by", NameText, nullable=False),
    Column("token_id", NameText),
    Column("started", Instant),
    Column("finished", Instant),
    Column("updated", Instant, nullable=False),
    UniqueConstraint("created_by", "request_key", name="uq_command_runs_created_by_request_key"),
)
command_run_targets = Table(
    "command_run_targets",
    metadata,
    Column("run_id", NameText, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("wave", Integer, nullable=False),
    Column("user_id", NameText, nullable=False),
    Column("machine_id", NameText, nullable=False),
    Column("product", NameText, nullable=False),
    Column("state", NameText, nullable=False),
    Column("session_id", NameText),
    Column("command_id", NameText),
    Column("message", NameText),
    Column("sent", Instant),
    Column("finished", Instant),
    # Runs are checked frequently for desktops that have answered.
    Index("ix_command_run_targets_state", "state", "run_id"),
    Index("ix_command_run_targets_user_id", "run_id", "user_id"),
)
rollouts = Table(
    "rollouts",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("kind", NameText, nullable=False),
    Column("key", NameText, nullable=False),
    Column("name", NameText, nullable=False),
    Column("candidate", Text, nullable=False),
    Column("stages", Text, nullable=False),
    Column("stage", Integer, nullable=False),
    Column("since", Instant, nullable=False),
    Column("max_failures", NameText),
    Column("max_crashes", NameText),
    Column("apply_timeout", Integer, nullable=False),
    Column("comment", NameText, nullable=False),
    Column("ticket", NameText, nullable=False),
    Column("status", NameText, nullable=False, index=True),
    Column("reason", NameText, nullable=False),
    Column("created", Instant, nullable=False, index=True),
    Column("created_by", NameText, nullable=False),
    Column("token_id", NameText),
    Column("finished", Instant),
    Column("updated", Instant, nullable=False),
    # The proposal whose approver has seen the new version.
    Column("approval", NameText),
    Index("ix_rollouts_kind_key", "kind", "key"),
)
