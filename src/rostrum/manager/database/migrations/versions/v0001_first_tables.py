"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
oldest_reader = "0001"
branch_labels = None
depends_on = None

NAME = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create all tables, and the revision counter."""
    op.create_table(
        "app_access",
        sa.Column("app_name", NAME, nullable=False),
        sa.Column("group_name", NAME, nullable=False),
        sa.PrimaryKeyConstraint("app_name", "group_name"),
    )
    op.create_index("ix_app_access_group_name", "app_access", ["group_name"])
    op.create_table(
        "apps",
        sa.Column("name", NAME, nullable=False),
        sa.Column("type", NAME, nullable=False),
        sa.Column("title", NAME, nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("modified_by", NAME, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "commands",
        sa.Column("id", NAME, nullable=False),
        sa.Column("session_id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("command", NAME, nullable=False),
        sa.Column("params", sa.Text(), nullable=False),
        sa.Column("status", NAME, nullable=False),
        sa.Column("data", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("delivered", sa.BigInteger(), nullable=True),
        sa.Column("finished", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_commands_created", "commands", ["created"])
    op.create_index("ix_commands_session_id", "commands", ["session_id"])
    op.create_table(
        "config_files",
        sa.Column("id", NAME, nullable=False),
        sa.Column("file", NAME, nullable=False),
        sa.Column("scope", NAME, nullable=False),
        sa.Column("target", NAME, nullable=False),
        sa.Column("contents", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("modified_by", NAME, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("scope", "target", "file", name="uq_config_files_scope_target_file"),
    )
    op.create_table(
        "crashes",
        sa.Column("id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=True),
        sa.Column("product", NAME, nullable=False),
        sa.Column("version", NAME, nullable=False),
        sa.Column("platform", NAME, nullable=False),
        sa.Column("process_type", NAME, nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.Column("file_id", NAME, nullable=True),
        sa.Column("reviewed", sa.Boolean(), nullable=False),
        sa.Column("reviewed_by", NAME, nullable=True),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_crashes_received", "crashes", ["received"])
    op.create_index("ix_crashes_user_id", "crashes", ["user_id"])
    op.create_table(
        "default_layouts",
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("type", NAME, nullable=False),
        sa.Column("name", NAME, nullable=False),
        sa.PrimaryKeyConstraint("user_id"),
    )
    op.create_table(
        "feedback",
        sa.Column("id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("session_id", NAME, nullable=True),
        sa.Column("description", NAME, nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.Column("file_id", NAME, nullable=True),
        sa.Column("reviewed", sa.Boolean(), nullable=False),
        sa.Column("reviewed_by", NAME, nullable=True),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_feedback_received", "feedback", ["received"])
    op.create_index("ix_feedback_user_id", "feedback", ["user_id"])
    op.create_table(
        "file_chunks",
        sa.Column("file_id", NAME, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("file_id", "number"),
    )
    op.create_table(
        "files",
        sa.Column("id", NAME, nullable=False),
        sa.Column("name", NAME, nullable=False),
        sa.Column("media_type", NAME, nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "group_expansions",
        sa.Column("group_name", NAME, nullable=False),
        sa.Column("expands_to", NAME, nullable=False),
        sa.PrimaryKeyConstraint("group_name", "expands_to"),
    )
    op.create_index("ix_group_expansions_expands_to", "group_expansions", ["expands_to"])
    op.create_table(
        "groups",
        sa.Column("name", NAME, nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("modified_by", NAME, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "layout_access",
        sa.Column("layout_id", NAME, nullable=False),
        sa.Column("group_name", NAME, nullable=False),
        sa.PrimaryKeyConstraint("layout_id", "group_name"),
    )
    op.create_index("ix_layout_access_group_name", "layout_access", ["group_name"])
    op.create_table(
        "layouts",
        sa.Column("id", NAME, nullable=False),
        sa.Column("name", NAME, nullable=False),
        sa.Column("type", NAME, nullable=False),
        sa.Column("owner", NAME, nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("default", sa.Boolean(), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("modified_by", NAME, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("owner", "type", "name", name="uq_layouts_owner_type_name"),
    )
    op.create_table(
        "machines",
        sa.Column("id", NAME, nullable=False),
        sa.Column("name", NAME, nullable=False),
        sa.Column("info", sa.Text(), nullable=False),
        sa.Column("first_seen", sa.BigInteger(), nullable=False),
        sa.Column("last_seen", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "preferences",
        sa.Column("id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("app", NAME, nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("modified_by", NAME, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("user_id", "app", name="uq_preferences_user_app"),
    )
    op.create_table(
        "revision",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "revoked_tokens",
        sa.Column("id", NAME, nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_revoked_tokens_expires", "revoked_tokens", ["expires"])
    op.create_table(
        "sessions",
        sa.Column("id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("machine_id", NAME, nullable=False),
        sa.Column("version", NAME, nullable=False),
        sa.Column("env", NAME, nullable=False),
        sa.Column("region", NAME, nullable=False),
        sa.Column("product", NAME, nullable=False),
        sa.Column("commands", sa.Text(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("last_seen", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_sessions_last_seen", "sessions", ["last_seen"])
    op.create_index("ix_sessions_machine_id", "sessions", ["machine_id"])
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])
    op.create_table(
        "user_apps",
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("app_name", NAME, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "app_name"),
    )
    op.create_index("ix_user_apps_app_name", "user_apps", ["app_name"])
    op.create_table(
        "user_groups",
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("group_name", NAME, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "group_name"),
    )
    op.create_index("ix_user_groups_group_name", "user_groups", ["group_name"])
    op.create_table(
        "user_layouts",
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("layout_id", NAME, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "layout_id"),
    )
    op.create_index("ix_user_layouts_layout_id", "user_layouts", ["layout_id"])
    op.create_table(
        "users",
        sa.Column("id", NAME, nullable=False),
        sa.Column("email", NAME, nullable=True),
        sa.Column("password_hash", NAME, nullable=True),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_by", NAME, nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("modified_by", NAME, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.execute("INSERT INTO revision (id, value) VALUES (1, 0)")
