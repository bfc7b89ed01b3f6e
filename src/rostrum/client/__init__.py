"""HTTP clients for the manager and REST services."""
