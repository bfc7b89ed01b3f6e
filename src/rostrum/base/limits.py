"""Limits that every reader of text from strangers shares."""

MAX_DEPTH = 100
"""Deeper documents are refused: no real one comes near, and recursion must stay bounded everywhere."""
