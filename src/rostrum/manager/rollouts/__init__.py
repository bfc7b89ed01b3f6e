"""Staged roll-outs: a new version of a document first goes to some users."""
