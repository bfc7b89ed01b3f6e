"""A problem in a document, with its position."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MAX_DEPTH = 100
"""Deeper documents are refused, which bounds all recursion. Real documents are far below this limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A problem in a document, with its path."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


def json_path(steps: Iterable[str | int]) -> str:
    """Format the path of a member: ``components[0].state.bounds``."""
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        else:
            path += f".{step}" if path else step
    return path


def outwards(path: str) -> Iterator[str]:
    """Yield a path and all enclosing paths, from the inside out."""
    while path:
        yield path
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
