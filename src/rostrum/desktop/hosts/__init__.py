"""Windowing systems: the port that the platform talks to, and its implementations."""
