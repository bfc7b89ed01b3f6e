"""Settings of the desktop: declarations, merging, validation and descriptions."""
