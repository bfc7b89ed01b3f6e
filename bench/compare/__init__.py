"""Compares the speed of the working tree with a commit."""
