"""Layouts of the running desktop: captured, planned, restored."""
