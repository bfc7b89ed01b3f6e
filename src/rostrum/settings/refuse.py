"""Local-only settings, taken out of documents that came from elsewhere."""

from collections.abc import Iterable
from typing import Any

Path = tuple[str, ...]


def refuse(document: Any, local_only: Iterable[Path]) -> tuple[Any, tuple[Path, ...]]:
    """Return the document without what must be local, and the paths that were taken out; the input stays as it is.

    A value in place of an object that holds a local-only setting is taken out too: it would hide the local one.
    """
    refused: dict[Path, None] = {}
    for path in local_only:
        document, at = _without(document, path, 0)
        if at:
            refused[path[:at]] = None
    return document, tuple(refused)


def _without(document: Any, path: Path, depth: int) -> tuple[Any, int]:
    """Return the document without the path, and how many of its steps lead to what was taken out (0 for nothing)."""
    step = path[depth]
    if not isinstance(document, dict) or step not in document:
        return document, 0
    value = document[step]
    depth += 1
    if depth == len(path) or not isinstance(value, dict):
        return {key: other for key, other in document.items() if key != step}, depth
    smaller, at = _without(value, path, depth)
    if not at:
        return document, 0
    # An object that holds nothing else is gone with it: an empty one could replace something.
    rest = {key: (smaller if key == step else other) for key, other in document.items() if key != step or smaller}
    return rest, at
