"""Problem: one thing that is wrong in a document, and where."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MAX_DEPTH = 100
"""Deeper documents are refused: no real one comes near, and recursion must stay bounded everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong, with the place in the document."""

    path: str
    message: str

    def __str__(self) -> str:
        """Read well in a log line and on a terminal."""
        return f"{self.path}: {self.message}" if self.path else self.message


def json_path(steps: Iterable[str | int]) -> str:
    """Write the way to a member as people type it: ``components[0].state.bounds``."""
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        else:
            path += f".{step}" if path else step
    return path


def outwards(path: str) -> Iterator[str]:
    """Yield a path and every path around it."""
    while path:
        yield path
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
