"""Who may do what; pure."""
