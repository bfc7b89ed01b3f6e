"""Windowing systems: the port that the platform uses, and its implementations."""
