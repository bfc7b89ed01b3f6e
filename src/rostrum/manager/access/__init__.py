"""Who may do what, and who gets which apps, layouts and settings."""
