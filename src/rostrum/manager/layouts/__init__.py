"""Saved layouts."""
