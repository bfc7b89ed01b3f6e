"""Command runs: one command for many desktops, sent in waves."""
