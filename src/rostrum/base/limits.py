"""Limits that every reader of text from strangers shares."""

__all__ = ["MAX_DEPTH"]

MAX_DEPTH = 100
"""Deeper documents are refused: no real one comes near, and recursion must stay bounded everywhere."""
