"""The figures of the first page of the admin UI."""
