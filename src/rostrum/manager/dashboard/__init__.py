"""The figures of the dashboard, the first page of the admin UI."""
