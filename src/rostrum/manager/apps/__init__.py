"""App definitions: stored, shared with users and served to desktops."""
