"""The database: connections, tables, migrations and queries that all repositories share."""
