"""Saved views of lists: search, filters, sorting, columns and row height under a name."""
