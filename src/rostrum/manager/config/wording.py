"""Formats external names for messages, and finds the most similar known name."""

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 80
LONGEST_PATH = 4096


def printable(name: object, longest: int = LONGEST) -> str:
    """Format an external name for one line of text."""
    text = str(name)
    short = text if len(text) <= longest else f"{text[:longest]}…"
    return short if short.isprintable() else ascii(short)


def printable_path(path: object) -> str:
    """Format a path for one line of text. It is not shortened, because paths often differ only at the end."""
    return printable(path, LONGEST_PATH)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Find the known name that was probably intended, ignoring letter case."""
    by_lower = {each.lower(): each for each in known}
    # The time of the comparison is proportional to the product of the lengths.
    close = get_close_matches(name[:LONGEST].lower(), by_lower, n=1)
    return by_lower[close[0]] if close else None
