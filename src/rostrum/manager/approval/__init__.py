"""Which changes require the approval of a second administrator."""
