"""Preferences of apps."""
