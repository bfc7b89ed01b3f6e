"""A tab group: which pages are loaded, which tab comes next, and what the taskbar says; pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from rostrum.desktop.windows.groups import GroupType

if TYPE_CHECKING:
    # For annotations only: the window process starts sooner without the settings.
    from rostrum.settings.sections.window_groups import GroupTabs

__all__ = [
    "NARROWEST",
    "TabDrawing",
    "TabGroup",
    "TabRules",
    "add",
    "close",
    "draw",
    "restore",
    "rules_for",
    "select",
    "shown",
    "taskbar_title",
]

NARROWEST = 80
"""No tab is squeezed below this width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TabRules:
    """What the settings mean for tabs in groups of one type."""

    loading: Literal["direct", "lazy"]
    overflow: bool
    select_previous: bool
    flat_when_single: bool
    selected_title_in_taskbar: bool
    default_taskbar_title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TabGroup:
    """Tabs, in the order of the strip.

    Attributes:
        loaded: The tabs whose pages are there.
        chosen: The tabs that were selected before, the last one at the end.

    """

    tabs: tuple[str, ...]
    selected: str | None
    loaded: frozenset[str] = frozenset()
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TabDrawing:
    """All that a host needs to draw a tab group.

    Attributes:
        strip: The tabs that are in sight.
        overflow: The tabs of the menu at the end of the strip.
        loaded: The tabs whose pages are to be there.
        flat: Whether a single tab looks like a window without tabs.

    """

    id: str
    strip: tuple[str, ...]
    overflow: tuple[str, ...]
    selected: str | None
    loaded: frozenset[str]
    flat: bool
    taskbar_title: str


def rules_for(settings: "GroupTabs", group: GroupType) -> TabRules:
    """Read the settings; overflow and the way back to the tab before exist in web groups only."""
    web = group == "Web"
    return TabRules(
        loading=settings.loading_strategy,
        overflow=settings.overflow and web,
        select_previous=settings.select_previous_on_close and web,
        flat_when_single=settings.flat_when_single,
        selected_title_in_taskbar=settings.show_selected_tab_title_in_taskbar,
        default_taskbar_title=settings.default_taskbar_title,
    )


def restore(tabs: Iterable[str], selected: str | None, rules: TabRules) -> TabGroup:
    """Put a saved tab group back: all pages at once, or the selected one now and the others when they are chosen."""
    every = tuple(dict.fromkeys(tabs))
    first = selected if selected in every else next(iter(every), None)
    group = TabGroup(tabs=every, selected=first)
    wanted = every if rules.loading == "direct" else [] if first is None else [first]
    return replace(group, loaded=frozenset(wanted))


def add(group: TabGroup, tab: str, rules: TabRules, *, select_it: bool = True) -> TabGroup:
    """Add a tab at the end."""
    tabs = tuple(one for one in group.tabs if one != tab)
    loaded = group.loaded | {tab} if rules.loading == "direct" else group.loaded
    grown = replace(group, tabs=(*tabs, tab), loaded=loaded)
    return select(grown, tab) if select_it or group.selected is None else grown


def select(group: TabGroup, tab: str) -> TabGroup:
    """Show a tab; a page that is not there yet is loaded now."""
    if tab not in group.tabs:
        return group
    before = [one for one in group.chosen if one not in (tab, group.selected)]
    if group.selected not in (None, tab):
        before.append(str(group.selected))
    return replace(group, selected=tab, loaded=group.loaded | {tab}, chosen=tuple(before))


def close(group: TabGroup, tab: str, rules: TabRules) -> TabGroup:
    """Close a tab; of a selected one the neighbour follows, or the tab selected before it."""
    if tab not in group.tabs:
        return group
    place = group.tabs.index(tab)
    tabs = tuple(one for one in group.tabs if one != tab)
    chosen = tuple(one for one in group.chosen if one != tab)
    left = replace(group, tabs=tabs, chosen=chosen, loaded=group.loaded - {tab})
    if group.selected != tab:
        return left
    left = replace(left, selected=None)
    if not tabs:
        return left
    return select(left, chosen[-1] if rules.select_previous and chosen else tabs[min(place, len(tabs) - 1)])


def shown(group: TabGroup, width: float, rules: TabRules) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tabs of the strip and those of the overflow menu; without overflow all share the strip."""
    room = max(1, int(width // NARROWEST))
    if not rules.overflow or len(group.tabs) <= room:
        return group.tabs, ()
    strip = list(group.tabs[:room])
    if group.selected is not None and group.selected not in strip:
        strip[-1] = group.selected
    return tuple(strip), tuple(one for one in group.tabs if one not in strip)


def taskbar_title(group: TabGroup, titles: Mapping[str, str], group_title: str, rules: TabRules) -> str:
    """Say what the taskbar shows: the selected tab's title, or the default of a single tab, or the group's title."""
    if rules.selected_title_in_taskbar and group.selected is not None:
        return titles.get(group.selected, group_title)
    return rules.default_taskbar_title if len(group.tabs) == 1 else group_title


def draw(
    group: TabGroup, rules: TabRules, *, identity: str, width: float, titles: Mapping[str, str], group_title: str
) -> TabDrawing:
    """Work out what a host draws for a tab group of some width."""
    strip, overflow = shown(group, width, rules)
    return TabDrawing(
        id=identity,
        strip=strip,
        overflow=overflow,
        selected=group.selected,
        loaded=group.loaded,
        flat=rules.flat_when_single and len(group.tabs) == 1,
        taskbar_title=taskbar_title(group, titles, group_title, rules),
    )
