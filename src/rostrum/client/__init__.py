"""Talking to the manager and to REST services."""
