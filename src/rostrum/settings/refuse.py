"""Removes local-only settings from documents of other sources."""

from collections.abc import Iterable
from typing import Any

Path = tuple[str, ...]


def refuse(document: Any, local_only: Iterable[Path]) -> tuple[Any, tuple[Path, ...]]:
    """Return the document without local-only settings, and the removed paths; the input is not changed.

    A value that replaces an object with a local-only setting is removed too: it would hide the local setting.
    """
    refused: dict[Path, None] = {}
    for path in local_only:
        document, at = _without(document, path, 0)
        if at:
            refused[path[:at]] = None
    return document, tuple(refused)


def _without(document: Any, path: Path, depth: int) -> tuple[Any, int]:
    """Return the document without the path, and the number of steps to the removed value (0 for nothing)."""
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
    # An object without other members is removed too: an empty object could replace a value.
    rest = {key: (smaller if key == step else other) for key, other in document.items() if key != step or smaller}
    return rest, at
