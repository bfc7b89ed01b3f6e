"""Numbered changes of the tables, run by Alembic."""
