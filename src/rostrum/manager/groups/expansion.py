"""Nested groups: which groups a membership expands to, and by which way."""

from collections import deque
from collections.abc import Iterable, Mapping

Graph = Mapping[str, Iterable[str]]


def expand(direct: Iterable[str], graph: Graph) -> frozenset[str]:
    """Follow the expansions from the direct groups; circles are harmless."""
    return frozenset(reach(direct, graph))


def reach(direct: Iterable[str], graph: Graph) -> Mapping[str, str | None]:
    """Tell for every group a member is in which group led to it; ``None`` for those they were put into."""
    reached: dict[str, str | None] = dict.fromkeys(sorted(direct))
    waiting = deque(reached)
    while waiting:
        name = waiting.popleft()
        for further in sorted(graph.get(name, ())):
            if further not in reached:
                reached[further] = name
                waiting.append(further)
    return reached


def way(reached: Mapping[str, str | None], group: str) -> tuple[str, ...]:
    """List the groups from the one a member was put into to this one, the shortest way there is."""
    steps: list[str] = []
    name: str | None = group
    while name is not None:
        steps.append(name)
        name = reached[name]
    return tuple(reversed(steps))
