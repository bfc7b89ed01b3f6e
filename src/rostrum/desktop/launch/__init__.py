"""Launchers, one module for each type of app."""
