"""Compares the apps and layouts of users in two access snapshots; pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from rostrum.manager.access.reasons import Viewer, default_layout, evaluate_app, evaluate_layouts
from rostrum.manager.effective.snapshot import AccessSnapshot
from rostrum.manager.layouts.model import LayoutAccess

LayoutTitle = tuple[str, str]
"""Type and name of a layout, by which people identify it."""

Viewed = Viewer | None
"""A user; ``None`` for a user who is disabled or does not exist."""


class Shift(Struct, frozen=True):
    """Names that are gained, lost, or changed."""

    gained: tuple[Any, ...] = ()
    lost: tuple[Any, ...] = ()
    changed: tuple[Any, ...] = ()


NO_SHIFT = Shift()


def shift(before: Mapping[Any, object], after: Mapping[Any, object]) -> Shift:
    return Shift(
        gained=tuple(sorted(after.keys() - before.keys())),
        lost=tuple(sorted(before.keys() - after.keys())),
        changed=tuple(sorted(name for name in before.keys() & after.keys() if before[name] != after[name])),
    )


class AppComparison:
    """Compares the apps of users; users with the same groups and lists are compared once."""

    def __init__(self, before: AccessSnapshot, after: AccessSnapshot) -> None:
        self._before, self._after = before, after
        self._all = {*before.apps, *after.apps}
        self._changed = {name for name in self._all if before.apps.get(name) != after.apps.get(name)}
        self._known: dict[Any, Shift] = {}

    def of(self, before: Viewed, after: Viewed) -> Shift:
        """Return the apps that a user gains and loses."""
        had, has = ((viewer.groups, viewer.apps) if viewer else None for viewer in (before, after))
        if (had, has) not in self._known:
            # A user who does not change is affected only by apps that change.
            names = self._changed if had == has else self._all
            self._known[had, has] = shift(_apps(self._before, before, names), _apps(self._after, after, names))
        return self._known[had, has]


def _apps(snapshot: AccessSnapshot, viewer: Viewed, names: Iterable[str]) -> dict[str, int]:
    if viewer is None:
        return {}
    found = [snapshot.apps[name] for name in names if name in snapshot.apps]
    return {app.name: app.revision for app in found if evaluate_app(viewer, app).visible}


class LayoutComparison:
    """Compares the layouts of users, and their default layouts."""

    def __init__(self, before: AccessSnapshot, after: AccessSnapshot) -> None:
        self._before, self._after = _Side(before), _Side(after)
        ids = {*before.layouts, *after.layouts}
        pairs = [(before.layouts.get(key), after.layouts.get(key)) for key in ids]
        self._changed = {_place(each) for one, other in pairs if one != other for each in (one, other) if each}
        self._known: dict[Any, tuple[Shift, tuple[LayoutTitle | None, LayoutTitle | None]]] = {}

    def of(
        self, user: str, before: Viewed, after: Viewed
    ) -> tuple[Shift, tuple[LayoutTitle | None, LayoutTitle | None]]:
        """Return the layouts that a user gains and loses, and the default before and after if it differs."""
        sides = ((self._before, before), (self._after, after))
        had, has = ((viewer.groups, viewer.layouts) if viewer else None for viewer in (before, after))
        chosen = [side.snapshot.chosen.get(user) for side in (self._before, self._after)]
        if had == has and not self._changed and chosen[0] == chosen[1]:
            return NO_SHIFT, (None, None)
        own = tuple(tuple(side.own[user].values()) if user in side.own else () for side, _ in sides)
        key = (had, has, *own, *chosen)
        if key not in self._known:
            self._known[key] = self._compare(user, before, after, is_same=had == has)
        return self._known[key]

    def _compare(
        self, user: str, before: Viewed, after: Viewed, *, is_same: bool
    ) -> tuple[Shift, tuple[LayoutTitle | None, LayoutTitle | None]]:
        places = self._changed if is_same else self._before.places(user, before) | self._after.places(user, after)
        defaults = [side.default(user, viewer) for side, viewer in ((self._before, before), (self._after, after))]
        return (
            shift(self._before.seen(user, before, places), self._after.seen(user, after, places)),
            (defaults[0], defaults[1]) if defaults[0] != defaults[1] else (None, None),
        )


class _Side:
    """The layouts of a snapshot by the users that they can affect; most are personal and affect one user."""

    def __init__(self, snapshot: AccessSnapshot) -> None:
        self.snapshot = snapshot
        self.shared: defaultdict[LayoutTitle, list[LayoutAccess]] = defaultdict(list)
        self.own: defaultdict[str, dict[str, LayoutAccess]] = defaultdict(dict)
        self.flagged: set[LayoutTitle] = set()
        for layout in snapshot.layouts.values():
            if layout.public or layout.access:
                self.shared[_place(layout)].append(layout)
                self.flagged |= {_place(layout)} if layout.default else set()
            if layout.owner in snapshot.users:
                self.own[layout.owner][layout.id] = layout

    def places(self, user: str, viewer: Viewed) -> set[LayoutTitle]:
        """Return all layouts that can affect a user."""
        if viewer is None:
            return set()
        return {*self.shared, *map(_place, self._theirs(user, viewer))}

    def seen(self, user: str, viewer: Viewed, places: Iterable[LayoutTitle]) -> dict[LayoutTitle, tuple[str, int]]:
        """Return the layout that a user has for each of these types and names."""
        if viewer is None:
            return {}
        evaluated = evaluate_layouts(viewer, self._at(user, viewer, set(places)))
        return {_place(layout): (layout.id, layout.revision) for layout, verdict in evaluated if verdict.visible}

    def default(self, user: str, viewer: Viewed) -> LayoutTitle | None:
        """Return the default layout of a user."""
        if viewer is None:
            return None
        chosen = self.snapshot.chosen.get(user)
        theirs = {_place(layout) for layout in self._theirs(user, viewer) if layout.default}
        places = {*self.flagged, *theirs, *([chosen] if chosen else [])}
        found = default_layout(evaluate_layouts(viewer, self._at(user, viewer, places)), chosen)
        return None if found is None else (found.type, found.name)

    def _at(self, user: str, viewer: Viewer, places: set[LayoutTitle]) -> list[LayoutAccess]:
        shared = [layout for place in places for layout in self.shared.get(place, ())]
        theirs = [layout for layout in self._theirs(user, viewer) if _place(layout) in places]
        return list({layout.id: layout for layout in (*shared, *theirs)}.values())

    def _theirs(self, user: str, viewer: Viewer) -> list[LayoutAccess]:
        own = self.own[user].values() if user in self.own else ()
        given = [self.snapshot.layouts[key] for key in viewer.layouts if key in self.snapshot.layouts]
        return [*own, *given]


def _place(layout: LayoutAccess) -> LayoutTitle:
    return layout.type, layout.name
