"""Computers that desktops run on."""
