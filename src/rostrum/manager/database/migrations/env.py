"""Run by Alembic: the migrations use the connection and the transaction of the caller."""

from alembic import context

from rostrum.manager.database.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
