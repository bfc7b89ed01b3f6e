"""UnknownKey: a name in a document that no setting has."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple

from rostrum.base.problems import json_path

MOST_GUESSES = 100
"""After that many wrong names or words the document is of another kind, and guessing only costs time."""

Steps = tuple[str | int, ...]

# Likeness costs time that grows with the length of a name, and documents are hostile.
_LONGEST_NAME = 80


class UnknownKey(NamedTuple):
    """A name that no setting has, and the names that settings have in its place."""

    steps: Steps
    value: Any
    known: Collection[str]

    @property
    def name(self) -> str:
        return str(self.steps[-1])

    def sibling(self) -> str | None:
        """Find the way to the setting beside it that is most like it."""
        close = close_to(self.name, self.known)
        return None if close is None else json_path((*self.steps[:-1], close))


def close_to(name: str, known: Iterable[str]) -> str | None:
    """Find the name most like a given one, whatever its case."""
    if len(name) > _LONGEST_NAME:
        return None
    names = {one.lower(): one for one in known}
    close = get_close_matches(name.lower(), names, n=1, cutoff=0.7)
    return names[close[0]] if close else None
