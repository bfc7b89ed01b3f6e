"""How long the tests run that can go on for as long as one likes."""

import os

LONG = int(os.environ.get("LONG", "0"))
"""How many cycles the long forms run; 0 for the short forms."""


def cycles(short: int) -> int:
    """Return how many cycles to run, where so many are enough each time."""
    return max(short, LONG)
