"""The manager server: users, apps, layouts, preferences and configuration for desktops."""
