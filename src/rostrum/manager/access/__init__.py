"""Permissions of callers, and the apps, layouts and settings that are available to users."""
