"""Collapsing a window of a classic group to its title bar, and expanding it again; pure."""

from collections.abc import Mapping
from dataclasses import replace

from rostrum.desktop.windows.geometry import Bounds, box
from rostrum.desktop.windows.groups import WindowGroup
from rostrum.settings.sections.window_management import CollapseExpand

COLLAPSED = 30
"""The height of a collapsed window."""


def collapse(group: WindowGroup, instance: str, settings: CollapseExpand) -> WindowGroup:
    """Collapse a window and give its space to its column; has no effect in a web group."""
    window = group.windows[instance]
    if group.type != "Classic" or instance in group.collapsed or window.height <= COLLAPSED:
        return group
    taken = _share(group, instance, window.height - COLLAPSED, settings)
    heights = {instance: COLLAPSED, **{name: group.windows[name].height + more for name, more in taken.items()}}
    return replace(
        group,
        windows=_stacked(group, instance, heights),
        collapsed={**group.collapsed, instance: window.height},
    )


def expand(group: WindowGroup, instance: str, settings: CollapseExpand) -> WindowGroup:
    """Expand a collapsed window, using space of its column."""
    if group.type != "Classic" or instance not in group.collapsed:
        return group
    wanted = group.collapsed[instance]
    given = _share(group, instance, COLLAPSED - wanted, settings)
    heights = {instance: wanted, **{name: group.windows[name].height + less for name, less in given.items()}}
    windows = _stacked(group, instance, heights)
    if settings.align_bottom_borders_when_expanding:
        last = max(_column(group, instance), key=lambda name: windows[name].top)
        windows = {**windows, last: windows[last].with_edge("bottom", box(windows.values()).bottom)}
    return replace(
        group,
        windows=windows,
        collapsed={name: height for name, height in group.collapsed.items() if name != instance},
    )


def _column(group: WindowGroup, instance: str) -> list[str]:
    window = group.windows[instance]
    same = [name for name, one in group.windows.items() if (one.left, one.width) == (window.left, window.width)]
    return sorted(same, key=lambda name: group.windows[name].top)


def _share(group: WindowGroup, instance: str, room: float, settings: CollapseExpand) -> dict[str, float]:
    """Distribute height: to the next window of the column, or to all in proportion to their heights."""
    column = _column(group, instance)
    place = column.index(instance)
    # The next window below is preferred, otherwise the nearest above.
    order = [*column[place + 1 :], *reversed(column[:place])]
    others = [name for name in order if name not in group.collapsed]
    if settings.mode == "Single":
        others = others[:1]
    total = sum(group.windows[name].height for name in others)
    return {name: room * group.windows[name].height / total for name in others}


def _stacked(group: WindowGroup, instance: str, heights: Mapping[str, float]) -> dict[str, Bounds]:
    """Stack a column again, with new heights and the same distances."""
    windows = dict(group.windows)
    column = _column(group, instance)
    top = windows[column[0]].top
    for number, name in enumerate(column):
        one = group.windows[name]
        height = heights.get(name, one.height)
        following = group.windows[column[number + 1]].top - one.bottom if number + 1 < len(column) else 0
        windows[name] = Bounds(one.left, top, one.width, height)
        top += height + following
    return windows
