"""The composition of windows in groups and tabs, and its change events for clients."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.window_registry import WindowRecord
from rostrum.desktop.windows.geometry import Bounds, Side
from rostrum.desktop.windows.groups import cells

_SIDES: tuple[Side, ...] = ("top", "left", "right", "bottom")

Event = tuple[str, str, Any]
"""The type of an event, its window, and its data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """The position of a window among others.

    Attributes:
        group: The id of its group; that of its tab group or of the window itself if it is in no group.
        frame: The id of its tab group; the id of the window if it has no tabs beside it.
        index: Its index among the tabs; -1 without tabs.
        selected: The selected tab of its frame.
        header: Whether its group has a bar above it.
        tab_header: Whether its tabs are shown.
        neighbours: The ids of adjacent windows, by side.
    """

    group: str
    frame: str
    selected: str
    index: int = -1
    sticky: bool = True
    pinned: bool = False
    header: bool = True
    tab_header: bool = True
    neighbours: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def data(self, window: str) -> dict[str, Any]:
        """Return the data of the event CompositionChanged."""
        return {
            "windowId": window,
            "groupId": self.group,
            "frameId": self.frame,
            "neighbors": self.neighbour_lists(),
            "index": self.index,
        }

    def neighbour_lists(self) -> dict[str, list[str]]:
        """Return the neighbours on all four sides."""
        return {side: list(self.neighbours.get(side, ())) for side in _SIDES}


def composition_of(record: WindowRecord, groups: WindowGroups, tabs: TabGroups) -> Composition:
    """Compute the composition of a window."""
    window = record.id
    found = tabs.of(window)
    frame, tab = found if found is not None else (window, None)
    selected = window if tab is None or tab.selected is None else tab.selected
    # One tab represents all of them in a group; while another one is selected, it may be the previous one.
    every = (window,) if tab is None else tab.tabs
    group = next((joined for one in every if (joined := groups.of(one)) is not None), None)
    return Composition(
        group=frame if group is None else group.id,
        frame=frame,
        selected=selected,
        index=-1 if tab is None else tab.tabs.index(window),
        sticky=groups.is_sticky(window),
        pinned=tabs.is_pinned(window),
        header=record.details.get("hideGroupHeader") is not True if group is None else groups.has_header(group),
        tab_header=tabs.has_header(window),
        neighbours=_touching(window, cells(group.windows, group.edge)) if group and window in group.windows else {},
    )


def composition_events(before: Mapping[str, Composition], after: Mapping[str, Composition]) -> Iterator[Event]:
    """Return the events of windows that were open before, in the order that clients expect: frames, then groups."""
    both = {window: (before[window], one) for window, one in after.items() if window in before}
    yield from _frame_events(both, {one.frame for one in before.values()})
    for window, (old, new) in both.items():
        if old.data(window) != new.data(window):
            yield "CompositionChanged", window, new.data(window)
        if old.header != new.header:
            changed = {"windowId": window, "groupId": new.group, "groupHeaderVisible": new.header}
            yield "GroupHeaderVisibilityChanged", window, changed
        if old.sticky != new.sticky:
            yield "IsStickyChanged", window, new.sticky
        if old.pinned != new.pinned:
            yield "IsPinnedChanged", window, new.pinned


def _frame_events(both: Mapping[str, tuple[Composition, Composition]], known: Collection[str]) -> Iterator[Event]:
    for window, (old, new) in both.items():
        if old.frame != new.frame and _is_renamed(window, new, known):
            yield "WindowFrameChanged", window, {"frameId": new.frame, "isTabHeaderVisible": new.tab_header}
    for window, (old, new) in both.items():
        if old.frame != new.frame and not _is_renamed(window, new, known):
            yield "WindowFrameRemoved", window, {"frameId": old.frame}
            yield "WindowFrameAdded", window, {"frameId": new.frame, "isTabHeaderVisible": new.tab_header}
        elif old.tab_header != new.tab_header:
            yield "TabHeaderVisibilityChanged", window, {"isTabHeaderVisible": new.tab_header}
    before = {old.frame: old.selected for old, _ in both.values()}
    for window, (old, new) in both.items():
        moved = old.frame != new.frame and not _is_renamed(window, new, known)
        # Clients treat a window that has left a frame as not selected.
        if moved or (old.selected != new.selected and old.frame == new.frame):
            data = {"newWindowId": new.selected, "prevWindowId": before.get(new.frame)}
            yield "FrameSelectionChanged", window, data


def _is_renamed(window: str, new: Composition, known: Collection[str]) -> bool:
    """Return whether a window only got other tabs: its frame is new, and it was the first tab."""
    return new.frame != window and new.frame not in known and new.index == 0


def _touching(window: str, places: Mapping[str, Bounds]) -> dict[str, tuple[str, ...]]:
    own = places[window]
    others = [(one, place) for one, place in places.items() if one != window]
    return {
        "top": tuple(one for one, place in others if place.bottom == own.top and place.above_or_below(own)),
        "bottom": tuple(one for one, place in others if place.top == own.bottom and place.above_or_below(own)),
        "left": tuple(one for one, place in others if place.right == own.left and place.beside(own)),
        "right": tuple(one for one, place in others if place.left == own.right and place.beside(own)),
    }
