"""A tab group: its order, loaded pages, the next tab, and the taskbar title; pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from rostrum.desktop.windows.groups import GroupType

if TYPE_CHECKING:
    # For annotations only: without the settings, the window process starts faster.
    from rostrum.settings.sections.window_groups import GroupTabs


NARROWEST = 80
"""The minimum width of a tab."""
PINNED = 40
"""The width of a pinned tab, which shows its icon only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TabRules:
    """The settings for tabs in groups of one type."""

    loading: Literal["direct", "lazy"]
    overflow: bool
    select_previous: bool
    flat_when_single: bool
    selected_title_in_taskbar: bool
    default_taskbar_title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TabGroup:
    """Tabs, in the order of the strip: the pinned ones first.

    Attributes:
        loaded: The tabs with loaded pages.
        chosen: The previously selected tabs, the last one at the end.
        pinned: The tabs that stay at the start of the strip.
        headless: The tabs that the strip does not show.
    """

    tabs: tuple[str, ...]
    selected: str | None
    loaded: frozenset[str] = frozenset()
    chosen: tuple[str, ...] = ()
    pinned: frozenset[str] = frozenset()
    headless: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """A drawn tab.

    Attributes:
        header: Whether the strip shows it; a tab without a header is selected by programs only.
        closable: Whether it has a close button.
    """

    instance: str
    title: str
    pinned: bool = False
    header: bool = True
    closable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TabDrawing:
    """The data with which a host draws a tab group.

    The group stays at the position of its tabs; a new one has the position of its selected tab.

    Attributes:
        tabs: Every tab, in the order of the strip.
        loaded: The tabs whose pages must be loaded.
        overflow: Whether tabs that do not fit are in a menu at the end of the strip, see ``shown``.
        flat: Whether a single tab looks like a window without tabs.
        returned: The tabs that the user has dragged out, but that remain tabs. The host removes every other dragged tab
            immediately; drawings that were made before do not bring it back.
    """

    id: str
    tabs: tuple[Tab, ...]
    selected: str | None
    loaded: frozenset[str]
    overflow: bool
    flat: bool
    taskbar_title: str
    returned: frozenset[str] = frozenset()

    @property
    def instances(self) -> tuple[str, ...]:
        """Return the windows of the tab group."""
        return tuple(tab.instance for tab in self.tabs)

    @property
    def has_strip(self) -> bool:
        """Return whether the strip is drawn."""
        return not self.flat and any(tab.header for tab in self.tabs)


def rules_for(settings: "GroupTabs", group: GroupType) -> TabRules:
    """Read the settings; overflow and selection of the previous tab exist in web groups only."""
    web = group == "Web"
    return TabRules(
        loading=settings.loading_strategy,
        overflow=settings.overflow and web,
        select_previous=settings.select_previous_on_close and web,
        flat_when_single=settings.flat_when_single,
        selected_title_in_taskbar=settings.show_selected_tab_title_in_taskbar,
        default_taskbar_title=settings.default_taskbar_title,
    )


def restore(tabs: Iterable[str], selected: str | None, rules: TabRules, *, pinned: Collection[str] = ()) -> TabGroup:
    """Restore a saved tab group: load all pages now, or only the selected one and the others when they are selected."""
    every = tuple(dict.fromkeys(tabs))
    first = selected if selected in every else next(iter(every), None)
    group = TabGroup(tabs=every, selected=first, pinned=frozenset(pinned) & frozenset(every))
    wanted = every if rules.loading == "direct" else [] if first is None else [first]
    return replace(group, tabs=_ordered(group, every), loaded=frozenset(wanted))


def add(group: TabGroup, tab: str, rules: TabRules, *, index: int | None = None, select_it: bool = True) -> TabGroup:
    """Add a tab at an index or at the end; unpinned tabs come after pinned ones."""
    tabs = [one for one in group.tabs if one != tab]
    tabs.insert(len(tabs) if index is None else _within(index, len(tabs)), tab)
    loaded = group.loaded | {tab} if rules.loading == "direct" else group.loaded
    grown = replace(group, tabs=_ordered(group, tabs), loaded=loaded)
    return select(grown, tab) if select_it or group.selected is None else grown


def select(group: TabGroup, tab: str) -> TabGroup:
    """Select a tab, and load its page if necessary."""
    if tab not in group.tabs:
        return group
    before = [one for one in group.chosen if one not in (tab, group.selected)]
    if group.selected not in (None, tab):
        before.append(str(group.selected))
    return replace(group, selected=tab, loaded=group.loaded | {tab}, chosen=tuple(before))


def reorder(group: TabGroup, tab: str, index: int) -> TabGroup:
    """Move a tab to an index of the strip, counted without it; pinned tabs stay before the others."""
    if tab not in group.tabs:
        return group
    tabs = [one for one in group.tabs if one != tab]
    tabs.insert(_within(index, len(tabs)), tab)
    return replace(group, tabs=_ordered(group, tabs))


def pin(group: TabGroup, tab: str, *, pinned: bool) -> TabGroup:
    """Pin a tab as the last of the pinned ones, or unpin it as the first of the others."""
    if tab not in group.tabs or (tab in group.pinned) is pinned:
        return group
    changed = replace(group, pinned=group.pinned | {tab} if pinned else group.pinned - {tab})
    others = [one for one in group.tabs if one != tab]
    place = sum(one in changed.pinned for one in others)
    return replace(changed, tabs=(*_ordered(changed, others)[:place], tab, *_ordered(changed, others)[place:]))


def show_header(group: TabGroup, tab: str, *, visible: bool) -> TabGroup:
    """Show or hide a tab in the strip."""
    if tab not in group.tabs:
        return group
    return replace(group, headless=group.headless - {tab} if visible else group.headless | {tab})


def close(group: TabGroup, tab: str, rules: TabRules) -> TabGroup:
    """Close a tab; if it is selected, the adjacent or the previously selected tab follows."""
    if tab not in group.tabs:
        return group
    place = group.tabs.index(tab)
    tabs = tuple(one for one in group.tabs if one != tab)
    chosen = tuple(one for one in group.chosen if one != tab)
    left = replace(
        group,
        tabs=tabs,
        chosen=chosen,
        loaded=group.loaded - {tab},
        pinned=group.pinned - {tab},
        headless=group.headless - {tab},
    )
    if group.selected != tab:
        return left
    left = replace(left, selected=None)
    if not tabs:
        return left
    return select(left, chosen[-1] if rules.select_previous and chosen else tabs[min(place, len(tabs) - 1)])


def shown(
    tabs: Sequence[Tab], selected: str | None, width: float, *, overflow: bool
) -> tuple[tuple[Tab, ...], tuple[Tab, ...]]:
    """Return the tabs that fit into a strip, and those of its overflow menu; without overflow, all share the strip."""
    headed = [tab for tab in tabs if tab.header]
    if not overflow or sum(map(_least, headed)) <= width:
        return tuple(headed), ()
    strip: list[Tab] = []
    for tab in headed:
        if strip and sum(map(_least, (*strip, tab))) > width:
            break
        strip.append(tab)
    front = next((tab for tab in headed if tab.instance == selected), None)
    if front is not None and front not in strip:
        strip[-1] = front
    return tuple(strip), tuple(tab for tab in headed if tab not in strip)


def taskbar_title(group: TabGroup, titles: Mapping[str, str], group_title: str, rules: TabRules) -> str:
    """Return the taskbar title: of the selected tab, the default of a single tab, or of the group."""
    if rules.selected_title_in_taskbar and group.selected is not None:
        return titles.get(group.selected, group_title)
    return rules.default_taskbar_title if len(group.tabs) == 1 else group_title


def draw(
    group: TabGroup,
    rules: TabRules,
    *,
    identity: str,
    titles: Mapping[str, str],
    group_title: str,
    fixed: Collection[str] = (),
    returned: Collection[str] = (),
) -> TabDrawing:
    """Compute the drawing of a tab group; ``fixed`` are the tabs that users cannot close."""
    tabs = tuple(
        Tab(
            instance=one,
            title=titles.get(one, ""),
            pinned=one in group.pinned,
            header=one not in group.headless,
            closable=one not in fixed,
        )
        for one in group.tabs
    )
    return TabDrawing(
        id=identity,
        tabs=tabs,
        selected=group.selected,
        loaded=group.loaded,
        overflow=rules.overflow,
        flat=rules.flat_when_single and len(group.tabs) == 1,
        taskbar_title=taskbar_title(group, titles, group_title, rules),
        returned=frozenset(returned),
    )


def _least(tab: Tab) -> int:
    return PINNED if tab.pinned else NARROWEST


def _within(index: int, most: int) -> int:
    return min(max(index, 0), most)


def _ordered(group: TabGroup, tabs: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(tabs, key=lambda one: one not in group.pinned))
