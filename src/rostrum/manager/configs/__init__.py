"""Configuration files of desktops. Each belongs to a scope: base, a version, a group or a user."""
