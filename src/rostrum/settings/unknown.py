"""UnknownKey: a name in a document that no setting has."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple

__all__ = ["Steps", "UnknownKey", "close_to"]

Steps = tuple[str | int, ...]

# Likeness costs time that grows with the length of a name, and documents are hostile.
_LONGEST_NAME = 80


class UnknownKey(NamedTuple):
    """A name that no setting has, and the setting beside it that is most like it."""

    steps: Steps
    value: Any
    sibling: str | None

    @property
    def name(self) -> str:
        """Tell the name itself."""
        return str(self.steps[-1])


def close_to(name: str, known: Iterable[str]) -> str | None:
    """Find the name most like a given one, whatever its case."""
    if len(name) > _LONGEST_NAME:
        return None
    names = {one.lower(): one for one in known}
    close = get_close_matches(name.lower(), names, n=1, cutoff=0.7)
    return names[close[0]] if close else None
