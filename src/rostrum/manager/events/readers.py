"""Finds the users affected by a change through their groups and their own lists."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from sqlalchemy import Select, Table, select, union
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.audiences import ADMINISTRATORS, Audience, Circle, EventKind, Readers, without_repetition
from rostrum.manager.database import tables
from rostrum.manager.database.links import Links

_MOST_USERS = 2000
"""Above this number, notifying all users is cheaper than finding the affected ones."""

_MOST_NAMES = 500
_MOST_CIRCLES = 20

_EXPANSIONS = Links(tables.group_expansions)
_MEMBERS = Links(tables.user_groups)
_LISTS: Mapping[EventKind, Table] = {EventKind.APPS: tables.user_apps, EventKind.LAYOUTS: tables.user_layouts}


async def named(connection: AsyncConnection, audiences: Iterable[Audience | Readers]) -> list[Audience]:
    """Return the users of an audience and the administrators; if they are too many, everyone."""
    known: set[Audience] = set()
    circles: defaultdict[tuple[EventKind, Circle], list[Circle]] = defaultdict(list)
    for each in audiences:
        if not isinstance(each, Readers):
            known.add(each)
            continue
        circles[each.kind, each.spared].append(each.circle)
        if not each.is_private:
            known.add((each.kind, ADMINISTRATORS, ""))
    has_groups = any(circle.groups for (_, spared), found in circles.items() for circle in (spared, *found))
    leading = _leading(await _EXPANSIONS.everything(connection)) if has_groups else {}
    for (kind, spared), found in circles.items():
        if (kind, "", "") in known:
            continue
        joined = Circle(
            frozenset[str]().union(*(circle.groups for circle in found)),
            frozenset[str]().union(*(circle.given for circle in found)),
        )
        users = None
        if len(circles) <= _MOST_CIRCLES:
            users = await _users(connection, kind, _widened(joined, leading), _widened(spared, leading))
        known |= {(kind, "", "")} if users is None else {(kind, user, "") for user in users}
    return without_repetition(known)


def _leading(graph: Mapping[str, Iterable[str]]) -> Mapping[str, set[str]]:
    """Return the inheriting groups of each group."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, further in graph.items():
        for group in further:
            found[group].add(name)
    return found


def _widened(circle: Circle, leading: Mapping[str, set[str]]) -> Circle:
    """Add all groups that inherit from these groups."""
    found = set(circle.groups)
    waiting = list(found)
    while waiting:
        more = leading.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return circle._replace(groups=frozenset(found))


async def _users(connection: AsyncConnection, kind: EventKind, circle: Circle, spared: Circle) -> list[str] | None:
    if sum(len(names) for each in (circle, spared) for names in each) > _MOST_NAMES:
        return None
    inside, outside = _query(kind, circle), _query(kind, spared)
    if not inside:
        return []
    users = union(*inside).subquery().c[0]
    statement = select(users).limit(_MOST_USERS + 1)
    if outside:
        statement = statement.where(users.not_in(union(*outside)))
    found = list(await connection.scalars(statement))
    return found if len(found) <= _MOST_USERS else None


def _query(kind: EventKind, circle: Circle) -> list[Select[tuple[str]]]:
    parts = []
    if circle.groups:
        parts.append(select(_MEMBERS.owner).where(_MEMBERS.value.in_(sorted(circle.groups))))
    if circle.given and kind in _LISTS:
        lists = Links(_LISTS[kind])
        parts.append(select(lists.owner).where(lists.value.in_(sorted(circle.given))))
    return parts
