"""Methods, calls and streams."""
