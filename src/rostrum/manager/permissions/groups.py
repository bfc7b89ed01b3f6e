"""Nested groups: which groups a membership expands to."""

from collections.abc import Iterable, Mapping

__all__ = ["expand"]


def expand(direct: Iterable[str], graph: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """Follow the expansions from the direct groups; circles are harmless."""
    reached: set[str] = set()
    waiting = list(direct)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(graph.get(name, ()))
    return frozenset(reached)
