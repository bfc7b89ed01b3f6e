"""Storage of apps, layouts and preferences, with change notifications."""
