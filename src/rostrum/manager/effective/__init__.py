"""The effective apps, layouts and settings of users, with their reasons."""
