"""Client sessions: one for each run of a desktop."""
