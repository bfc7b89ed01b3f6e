"""Names from outside, made fit for a line of text, and the right name nearest to one."""

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 80
LONGEST_PATH = 4096


def printable(name: object, longest: int = LONGEST) -> str:
    """Make a name from outside fit to stand in one line of text."""
    text = str(name)
    short = text if len(text) <= longest else f"{text[:longest]}…"
    return short if short.isprintable() else ascii(short)


def printable_path(path: object) -> str:
    """Return a path that fits into one line of text, complete, because paths often differ only at the end."""
    return printable(path, LONGEST_PATH)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Find the known name that was most likely meant, whatever its case."""
    by_lower = {each.lower(): each for each in known}
    # The comparison takes time by the product of the lengths.
    close = get_close_matches(name[:LONGEST].lower(), by_lower, n=1)
    return by_lower[close[0]] if close else None
