"""Preferences that apps keep for users."""
