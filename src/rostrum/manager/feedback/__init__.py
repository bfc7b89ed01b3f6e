"""Feedback of users."""
