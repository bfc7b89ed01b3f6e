"""UnknownKey: a name in a document that no setting has."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple

from rostrum.base.problems import json_path

MOST_GUESSES = 100
"""The maximum number of suggestions: a document with more invalid names is probably of another kind."""

Steps = tuple[str | int, ...]

# The time for a comparison grows with the length of a name, and documents are untrusted.
_LONGEST_NAME = 80


class UnknownKey(NamedTuple):
    """An unknown name, and the valid names in its place."""

    steps: Steps
    value: Any
    known: Collection[str]

    @property
    def name(self) -> str:
        return str(self.steps[-1])

    def sibling(self) -> str | None:
        """Find the path of the sibling setting with the most similar name."""
        close = close_to(self.name, self.known)
        return None if close is None else json_path((*self.steps[:-1], close))


def close_to(name: str, known: Iterable[str]) -> str | None:
    """Find the most similar name, ignoring letter case."""
    if len(name) > _LONGEST_NAME:
        return None
    names = {one.lower(): one for one in known}
    close = get_close_matches(name.lower(), names, n=1, cutoff=0.7)
    return names[close[0]] if close else None
