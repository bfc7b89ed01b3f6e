"""Groups: the stored record, and which groups a user is in after expansion."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.manager.stamp import Stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A named set of users; its members are also members of the groups it expands to."""

    name: str
    priority: int = 0
    expands_to: tuple[str, ...] = ()
    stamp: Stamp

    def as_json(self, members: int) -> dict[str, Any]:
        return {
            "name": self.name,
            "priority": self.priority,
            "expandsTo": self.expands_to,
            "members": members,
            **self.stamp.as_json(),
        }


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
