"""Run by Alembic: the migrations use the connection and the transaction of the caller."""

from typing import Any

from alembic import context

from rostrum import __version__
from rostrum.manager.database.tables import metadata, schema_migrations

_FIRST_RECORDED = "0021"
"""The migration that adds the table of executed migrations."""


def _record(ctx: Any, step: Any, *_others: Any, **_more: Any) -> None:
    """Record the declaration of a migration in the database, where older versions of Rostrum read it."""
    script = step.up_revision
    if script.revision >= _FIRST_RECORDED:
        row = {"revision": script.revision, "oldest_reader": script.module.oldest_reader, "version": __version__}
        ctx.connection.execute(schema_migrations.insert(), row)


context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, on_version_apply=_record
)
context.run_migrations()
