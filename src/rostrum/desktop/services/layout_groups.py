"""Grouping: what a layout keeps of groups and tabs, and how they are put back."""

from collections.abc import Iterable
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.layout_plan import Planned
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.windows.tabs import TabRules

__all__ = ["Grouping"]


class Grouping:
    """The groups and tab groups of the running desktop, as layouts know them."""

    def __init__(self, groups: WindowGroups, tabs: TabGroups) -> None:
        """Take both."""
        self._groups = groups
        self._tabs = tabs

    @property
    def tab_rules(self) -> TabRules:
        """Return the rules of tabs."""
        return self._tabs.rules

    def state(self, instance: str) -> dict[str, Any]:
        """Return what a layout says of a window's group and tab; the tab in front has a number below zero."""
        state: dict[str, Any] = {}
        group, tab = self._groups.of(instance), self._tabs.of(instance)
        if group is not None:
            title = {} if group.title is None else {"groupUserTitle": group.title}
            state["restoreSettings"] = {"groupId": group.id, **title}
        if tab is not None:
            place = tab[1].tabs.index(instance)
            state["tabGroupId"] = tab[0]
            state["tabIndex"] = -place - 1 if tab[1].selected == instance else place
        return state

    async def restore(self, opened: Iterable[tuple[str, Planned]]) -> list[str]:
        """Make groups and tab groups of the windows that were opened; return what could not be made."""
        notes: list[str] = []
        groups: dict[str, list[tuple[str, Planned]]] = {}
        tabs: dict[str, list[tuple[str, Planned]]] = {}
        for instance, planned in opened:
            # A window that was kept may be in another group now.
            await self._tabs.leave(instance)
            await self._groups.leave(instance)
            if planned.tab_group is not None:
                tabs.setdefault(planned.tab_group, []).append((instance, planned))
            if planned.group is not None and (planned.tab_group is None or planned.in_front):
                groups.setdefault(planned.group, []).append((instance, planned))
        for members in groups.values():
            title = next((one.group_title for _, one in members if one.group_title is not None), None)
            try:
                await self._groups.restore([instance for instance, _ in members], title)
            except RostrumError as error:
                notes.append(f"a group of {len(members)} windows: {error}")
        for members in tabs.values():
            members.sort(key=lambda member: member[1].tab_place)
            front = next((instance for instance, planned in members if planned.in_front), None)
            await self._tabs.restore([instance for instance, _ in members], front)
        return notes
