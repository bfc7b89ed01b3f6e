"""Addresses of app directories for agents that cannot sign in."""
