"""Configuration files of desktops, in scopes from the base to one user."""
