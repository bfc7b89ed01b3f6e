"""The phases of the start: each takes what it needs, and returns what it has made."""
