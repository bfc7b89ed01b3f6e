"""App definitions."""
