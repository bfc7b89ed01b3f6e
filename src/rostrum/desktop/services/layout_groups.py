"""Groups and tabs in layouts, and how they are restored."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.layout_plan import Planned
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.windows.geometry import Bounds, box
from rostrum.desktop.windows.tabs import TabRules


class Grouping:
    """The groups and tab groups of the running desktop, in the format of layouts."""

    def __init__(self, groups: WindowGroups, tabs: TabGroups) -> None:
        self._groups = groups
        self._tabs = tabs
        self._restored: dict[str, Planned] = {}

    @property
    def tab_rules(self) -> TabRules:
        """Return the tab rules."""
        return self._tabs.rules

    @property
    def can_collapse(self) -> bool:
        """Return whether windows collapse inside groups."""
        return self._groups.can_collapse

    def expanded_height(self, instance: str) -> float | None:
        """Return the expanded height of a window that is collapsed in its group; None for others."""
        return self._groups.expanded_height(instance)

    def frame_of(self, instance: str) -> str:
        """Return the id of the native window of a window: of its group, its tab group, or the window itself."""
        tab = self._tabs.of(instance)
        group = self._groups.of(instance if tab is None or tab[1].selected is None else tab[1].selected)
        if group is not None:
            return group.id
        return instance if tab is None else tab[0]

    def group_bounds(self, instance: str) -> Bounds | None:
        """Return the rectangle around the group of a window; None for a window in no group."""
        group = self._groups.of(instance)
        return None if group is None else box(group.windows.values())

    def state(self, instance: str) -> dict[str, Any]:
        """Return the group and tab of a window as layouts store them; the selected tab has a negative number."""
        state: dict[str, Any] = {}
        group, tab = self._groups.of(instance), self._tabs.of(instance)
        if group is not None:
            title = {} if group.title is None else {"groupUserTitle": group.title}
            state["restoreSettings"] = {"groupId": group.id, **title}
        sticky = self._groups.own_stickiness(instance)
        state |= {} if sticky is None else {"isSticky": sticky}
        if tab is not None:
            place = tab[1].tabs.index(instance)
            state["tabGroupId"] = tab[0]
            state["tabIndex"] = -place - 1 if tab[1].selected == instance else place
            state |= {"isPinned": True} if instance in tab[1].pinned else {}
        return state

    def state_of_missing(self, planned: Planned) -> dict[str, Any]:
        """Return the same for an app that could not be opened: the group and tabs of the windows of its layout."""
        state: dict[str, Any] = {}
        group = self._peer(planned, "group")
        found = None if group is None else self._groups.of(group[0])
        if found is not None:
            settings = (planned.component.get("state") or {}).get("restoreSettings") or {}
            state["restoreSettings"] = {**settings, "groupId": found.id}
        tab = self._peer(planned, "tab_group")
        tabs = None if tab is None else self._tabs.of(tab[0])
        if tabs is not None:
            # Another tab is selected.
            state |= {"tabGroupId": tabs[0], "tabIndex": planned.tab_place}
        return state

    async def take_out(self, instances: Iterable[str]) -> None:
        """Remove windows from their groups and tabs before their layout moves them."""
        for one in instances:
            await self._tabs.leave(one)
            await self._groups.leave(one)

    async def restore(self, opened: Iterable[tuple[str, Planned]]) -> list[str]:
        """Restore groups and tab groups of the opened windows; return the problems."""
        notes: list[str] = []
        groups: dict[str, list[tuple[str, Planned]]] = {}
        tabs: dict[str, list[tuple[str, Planned]]] = {}
        # Workspaces frames are never in groups; layouts of other platforms may contain them in one.
        self._restored = {one: planned for one, planned in opened if not self._groups.stays_apart(one)}
        for instance, planned in self._restored.items():
            self._groups.restore_stickiness(instance, planned.is_sticky)
            if planned.tab_group is not None:
                tabs.setdefault(planned.tab_group, []).append((instance, planned))
        fronts = {name: _front(members) for name, members in tabs.items()}
        for instance, planned in self._restored.items():
            if planned.group is not None and (planned.tab_group is None or instance == fronts[planned.tab_group]):
                groups.setdefault(planned.group, []).append((instance, planned))
        for members in groups.values():
            if len(members) == 1:
                continue
            title = next((one.group_title for _, one in members if one.group_title is not None), None)
            collapsed = {instance: one.expanded for instance, one in members if one.expanded is not None}
            try:
                await self._groups.restore([instance for instance, _ in members], title, collapsed=collapsed)
            except RostrumError as error:
                notes.append(f"a group of {len(members)} windows: {error}")
        for name, members in tabs.items():
            members.sort(key=lambda member: member[1].tab_place)
            pinned = [instance for instance, planned in members if planned.is_pinned]
            try:
                await self._tabs.restore([instance for instance, _ in members], fronts[name], pinned=pinned)
            except RostrumError as error:
                notes.append(f"{len(members)} tabs: {error}")
        return notes

    async def rejoin(self, instance: str, planned: Planned) -> None:
        """Add a window that was opened later to its group and tabs of the layout.

        They may have moved in the meantime. Raise RostrumError if there is no space for the window.
        """
        tab, group = self._peer(planned, "tab_group"), self._peer(planned, "group")
        if tab is not None:
            await self._become_tab(instance, planned, *tab)
        elif group is not None and planned.bounds is not None:
            to, its_plan = group
            there, was = self._groups.bounds(to), its_plan.bounds or planned.bounds
            moved = replace(planned.bounds, left=planned.bounds.left + there.left - was.left)
            moved = replace(moved, top=planned.bounds.top + there.top - was.top)
            await self._groups.add(instance, to, moved, title=planned.group_title)
        self._restored[instance] = planned

    async def _become_tab(self, instance: str, planned: Planned, peer: str, _: Planned) -> None:
        before = self._tabs.of(peer)
        others = () if before is None else before[1].tabs
        places = [self._restored[one].tab_place for one in others if one in self._restored]
        await self._tabs.join(instance, peer, sum(place < planned.tab_place for place in places))
        if planned.is_pinned:
            await self._tabs.pin(instance)
        selected = None if before is None else before[1].selected
        if selected is not None and not planned.in_front:
            await self._tabs.select(selected)

    def _peer(self, planned: Planned, member: str) -> tuple[str, Planned] | None:
        """Return an open window of the same group or tab group in the layout, preferably one that is in a group."""
        wanted = getattr(planned, member)
        every = [
            (instance, one)
            for instance, one in self._restored.items()
            if wanted is not None and getattr(one, member) == wanted and self._groups.is_open(instance)
        ]
        joined = self._tabs.of if member == "tab_group" else self._groups.of
        return next((one for one in every if joined(one[0]) is not None), next(iter(every), None))


def _front(members: list[tuple[str, Planned]]) -> str:
    """Return the selected tab, or the first one if that could not be opened."""
    first = min(members, key=lambda member: member[1].tab_place)
    return next((instance for instance, planned in members if planned.in_front), first[0])
