"""Preferences of apps, stored for each user."""
