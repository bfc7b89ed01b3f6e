"""The phases of the start: each takes its inputs as arguments and returns its results."""
