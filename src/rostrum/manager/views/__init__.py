"""Saved views of lists: filters, sorting, columns and density under a name."""
