"""Proposals: changes that a second administrator must approve."""
