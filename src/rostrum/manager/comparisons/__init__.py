"""Comparison of two users or groups, now or at earlier points in time."""
