"""Groups: the stored record, and the effective groups of a user."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from rostrum.base.errors import Invalid
from rostrum.base.ids import collision_key, problem_of_new_id
from rostrum.base.problems import Problem
from rostrum.manager.access.permissions import RIGHT_GROUPS
from rostrum.manager.audiences import BY_GROUPS, Audience
from rostrum.manager.document import Document, Stamp, sorted_names
from rostrum.manager.kinds import Kind

_key = lru_cache(maxsize=50_000)(collision_key)


def problems_of_new_groups(names: Iterable[str], existing: Iterable[str]) -> dict[str, str]:
    """Return, by name, why groups cannot be created. Groups that exist already keep their names."""
    existing = set(existing)
    new = sorted(set(names) - existing - RIGHT_GROUPS)
    problems = {name: f"its name {problem}" for name in new if (problem := problem_of_new_id(name)) is not None}
    if len(problems) < len(new):
        taken = {_key(name): name for name in (*existing, *RIGHT_GROUPS)}
        for name in new:
            other = name if name in problems else taken.setdefault(_key(name), name)
            if other != name:
                problems[name] = f"its name is too similar to that of the group {other!r}"
    return problems


def refuse_new_groups(problems: Mapping[str, str], path: str = "") -> None:
    """Raise Invalid if there are problems with the names of new groups."""
    if problems:
        found = [f"the group {name!r} cannot be created: {problem}" for name, problem in problems.items()]
        raise Invalid(found[0], [Problem(path=path, message=message) for message in found])


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(Document):
    """A named set of users; its members are also members of the groups it inherits from."""

    kind: ClassVar = Kind.GROUP

    name: str
    priority: int = 0
    expands_to: tuple[str, ...] = ()
    stamp: Stamp

    @property
    def key(self) -> str:
        return self.name

    def members(self) -> dict[str, Any]:
        return {"name": self.name, "priority": self.priority, "expandsTo": sorted_names(self.expands_to)}

    @classmethod
    def audiences(cls, before: "Group | None", after: "Group | None") -> Iterator[Audience]:
        """Yield all users, unless the group is new and has no effect yet."""
        if before is not None or (after is not None and (after.expands_to or after.priority)):
            yield from ((kind, "", "") for kind in BY_GROUPS)

    def as_json(self, members: int) -> dict[str, Any]:
        return {
            "name": self.name,
            "priority": self.priority,
            "expandsTo": self.expands_to,
            "members": members,
            **self.stamp.as_json(),
        }


Graph = Mapping[str, Iterable[str]]

_MOST_WAYS = 10


def expand(direct: Iterable[str], graph: Graph) -> frozenset[str]:
    """Return the direct groups and all groups that they inherit from; cycles are allowed."""
    return frozenset(reach(direct, graph))


def reach(direct: Iterable[str], graph: Graph) -> Mapping[str, str | None]:
    """Return each effective group of a member, with the group through which it is inherited; ``None`` if direct."""
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
    """List the groups on the shortest path from a direct group of a member to this group."""
    steps: list[str] = []
    name: str | None = group
    while name is not None:
        steps.append(name)
        name = reached[name]
    return tuple(reversed(steps))


def leading_to(group: str, graph: Graph) -> Mapping[str, str | None]:
    """Return each group whose members are also members of this group, with the next group on the shortest path."""
    inheriting: dict[str, list[str]] = {}
    for name in sorted(graph):
        for further in graph[name]:
            inheriting.setdefault(further, []).append(name)
    following: dict[str, str | None] = {group: None}
    waiting = deque(following)
    while waiting:
        name = waiting.popleft()
        for before in inheriting.get(name, ()):
            if before not in following:
                following[before] = name
                waiting.append(before)
    return following


def ways_from(direct: Iterable[str], following: Mapping[str, str | None]) -> tuple[tuple[str, ...], ...]:
    """List the paths from a member's direct groups to the group of ``leading_to``, shortest first, up to a limit."""
    ways = sorted((_forward(name, following) for name in direct if name in following), key=lambda way: (len(way), way))
    return tuple(ways[:_MOST_WAYS])


def _forward(start: str, following: Mapping[str, str | None]) -> tuple[str, ...]:
    steps = [start]
    while (name := following[steps[-1]]) is not None:
        steps.append(name)
    return tuple(steps)
