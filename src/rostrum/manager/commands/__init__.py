"""Commands of administrators to connected desktops."""
