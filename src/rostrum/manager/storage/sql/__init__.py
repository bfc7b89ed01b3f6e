"""The tables and the statements: SQLite and PostgreSQL through one set of queries."""
