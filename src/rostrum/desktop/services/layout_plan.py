"""Plans the restoring of a layout, before anything is started; pure."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rostrum.desktop.hosts.reports import WindowState
from rostrum.desktop.services.channels import Restriction
from rostrum.desktop.services.instances import Instance
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.collapse import COLLAPSED
from rostrum.desktop.windows.docking import Docked, docked_from
from rostrum.desktop.windows.geometry import Bounds, Screen, back_on_screen, box, on_display
from rostrum.desktop.windows.tabs import TabRules, restore
from rostrum.stores.layouts.store import Layout

_APPS = frozenset({"window", "exe", "node", "clickonce", "citrix", "childWindow", "workspaceFrame"})

_STATES: tuple[WindowState, ...] = ("normal", "minimized", "maximized")
_SMALLEST_ZOOM, _LARGEST_ZOOM = 25, 500
"""Percent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """An app to start or to keep, with its position.

    Attributes:
        group: Its group of windows.
        tab_group: Its tab group.
        tab_index: Its index among the tabs; negative for the selected one.
        is_pinned: Whether it was a pinned tab.
        restrictions: Its access to the data of channels.
        display: The number of the display that it, or its group, was on.
        is_sticky: Whether it took part in groups, if that was set for it.
        docking: How it was docked; None if it was not.
        placement: The settings of its placement on its display.
        state: The state of its window; None when the layout does not say.
        zoom: The zoom factor of its page; None when the layout does not say.
        expanded: The height to which it expands, if it is collapsed in its group.
        z_order: Its place among the windows, the lowest first.
        load_page: Whether its page is loaded at once.
        titled_by: Who has set the title: a person or code.
        component: The component of the layout, as it is stored.
        problem: Why it cannot be started; empty if it can.
    """

    app: str
    bounds: Bounds | None = None
    state: WindowState | None = None
    zoom: float | None = None
    expanded: float | None = None
    z_order: int = 0
    context: Mapping[str, Any] = field(default_factory=dict)
    title: str | None = None
    titled_by: TitledBy = TitledBy.CODE
    channel: str | None = None
    keep: str | None = None
    group: str | None = None
    group_title: str | None = None
    tab_group: str | None = None
    tab_index: int = 0
    is_pinned: bool = False
    restrictions: Mapping[str, Restriction] = field(default_factory=dict)
    display: int | None = None
    is_sticky: bool | None = None
    docking: Docked | None = None
    placement: Mapping[str, Any] = field(default_factory=dict, repr=False)
    load_page: bool = True
    component: Mapping[str, Any] = field(default_factory=dict, repr=False)
    problem: str = ""

    @property
    def in_front(self) -> bool:
        """Return whether it was the selected tab."""
        return self.tab_index < 0

    @property
    def tab_place(self) -> int:
        """Return its index among the tabs, from 0."""
        return -self.tab_index - 1 if self.in_front else self.tab_index


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The apps to start and to close, and the problems."""

    apps: tuple[Planned, ...]
    close: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def plan_restore(
    layout: Layout,
    running: Iterable[Instance],
    *,
    screens: tuple[Screen, ...],
    max_size: float,
    known: Iterable[str],
    stays: Iterable[str] = (),
    tab_rules: TabRules | None = None,
    can_collapse: bool = False,
) -> Plan:
    """Plan the restoring of a layout; ``stays`` names instances that no layout closes.

    A component uses such an instance instead of a second one. The same applies to apps that were started with the
    platform; they stay open if the layout does not contain them. ``can_collapse`` states whether windows collapse
    inside groups.
    """
    names, left = set(known), {instance.id: instance for instance in running}
    kept = set(stays)
    listed = {component.get("application") for component in layout.get("components", ())}
    kept |= {one.id for one in left.values() if one.automatic and one.app not in listed}
    free = _Reusable(left.values(), kept, {_instance_id(one) for one in layout.get("components", ())})
    apps: list[Planned] = []
    notes: list[str] = []
    for number, component in enumerate(layout.get("components", ())):
        state = component.get("state") or {}
        app = component.get("application")
        if component.get("type") not in _APPS or not isinstance(app, str):
            notes.append(f"components[{number}] of type {component.get('type')} is not supported")
        else:
            bounds, note = _fitted(state.get("bounds"), screens, max_size)
            if note:
                notes.append(f"components[{number}] ({app}) {note}")
            same = left.get(str(state.get("instanceId")))
            keep = same.id if same is not None and same.app == app else free.take(app, state.get("context") or {})
            problem = "" if app in names or keep is not None else f"there is no app {app!r}"
            if problem:
                notes.append(f"components[{number}]: {problem}")
            if keep is not None:
                kept.add(keep)
            apps.append(
                Planned(
                    app=app,
                    bounds=bounds,
                    state=_window_state(state),
                    zoom=_zoom(state.get("zoomFactor")),
                    context=state.get("context") or {},
                    title=state.get("userTitle") or state.get("customTitle"),
                    titled_by=TitledBy.PERSON if state.get("userTitle") else TitledBy.CODE,
                    channel=state.get("channelId"),
                    restrictions=_restrictions(state.get("channelRestrictions")),
                    docking=docked_from(state.get("dockingPlacement")),
                    placement=_mapping(state.get("placement")),
                    keep=keep,
                    component=component,
                    problem=problem,
                    **_grouped(state),
                )
            )
    if can_collapse:
        apps = [_collapsed(one) for one in apps]
    apps = _on_screen(apps, screens)
    if tab_rules is not None:
        apps = _loaded(apps, tab_rules)
    return Plan(apps=tuple(apps), close=tuple(one for one in left if one not in kept), notes=tuple(notes))


class _Reusable:
    """Running instances that a component may use although the layout is from another run of the platform."""

    def __init__(self, running: Iterable[Instance], stays: Collection[str], named: Collection[str]) -> None:
        self._left = [one for one in running if one.id not in named and (one.automatic or one.id in stays)]
        self._stays = frozenset(stays)

    def take(self, app: str, context: Mapping[str, Any]) -> str | None:
        """Claim a running instance of an app; an instance that could be closed must have the same context."""
        for one in self._left:
            if one.app == app and (one.id in self._stays or one.context == context):
                self._left.remove(one)
                return one.id
        return None


def _instance_id(component: Mapping[str, Any]) -> str:
    return str((component.get("state") or {}).get("instanceId"))


def _grouped(state: Mapping[str, Any]) -> dict[str, Any]:
    kept = _mapping(state.get("restoreSettings"))
    return {
        "group": _text(kept.get("groupId")),
        "group_title": _text(kept.get("groupUserTitle")),
        "z_order": _whole(kept.get("groupZOrder", state.get("zOrder"))),
        "tab_group": _text(state.get("tabGroupId")),
        "tab_index": _whole(state.get("tabIndex")),
        "is_pinned": state.get("isPinned") is True,
        "is_sticky": _flag(state.get("isSticky")),
        "display": _number(kept.get("groupDisplayId") if kept.get("groupId") else state.get("displayId")),
    }


def _restrictions(written: object) -> dict[str, Restriction]:
    listed = _mapping(written).get("channels")
    every = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    return {
        name: Restriction(read=one.get("read") is not False, write=one.get("write") is not False)
        for one in every
        if (name := _text(one.get("name"))) is not None
    }


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _window_state(state: Mapping[str, Any]) -> WindowState | None:
    if state.get("isCollapsed") is True:
        return "collapsed"
    return next((one for one in _STATES if one == state.get("windowState")), None)


def _zoom(percent: object) -> float | None:
    if not isinstance(percent, (int, float)) or isinstance(percent, bool):
        return None
    return percent / 100 if _SMALLEST_ZOOM <= percent <= _LARGEST_ZOOM else None


def _whole(value: object) -> int:
    return _number(value) or 0


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _loaded(apps: list[Planned], rules: TabRules) -> list[Planned]:
    """Return the apps; by the rules of their tab groups, some pages are loaded only when they are selected."""
    groups: dict[str, list[int]] = {}
    for number, planned in enumerate(apps):
        if planned.tab_group is not None:
            groups.setdefault(planned.tab_group, []).append(number)
    hidden: set[int] = set()
    for numbers in groups.values():
        numbers.sort(key=lambda number: apps[number].tab_place)
        front = next((str(number) for number in numbers if apps[number].in_front), None)
        loaded = restore([str(number) for number in numbers], front, rules).loaded
        hidden |= {number for number in numbers if str(number) not in loaded}
    return [replace(planned, load_page=number not in hidden) for number, planned in enumerate(apps)]


def _fitted(
    bounds: Mapping[str, Any] | None, screens: tuple[Screen, ...], max_size: float
) -> tuple[Bounds | None, str]:
    if not bounds:
        return None, ""
    left, top = float(bounds.get("left") or 0), float(bounds.get("top") or 0)
    width, height = float(bounds.get("width") or 0), float(bounds.get("height") or 0)
    if width <= 0 or height <= 0:
        return None, ""
    if width > max_size or height > max_size:
        return _screen_of(left, top, screens).work_area, f"is {width:g} x {height:g} and is fitted to the screen"
    return Bounds(left, top, width, height), ""


def _collapsed(planned: Planned) -> Planned:
    """Plan a window that was collapsed in its group with the height of its bar, and store its expanded height."""
    if planned.group is None or planned.state != "collapsed" or planned.bounds is None:
        return planned
    bounds = replace(planned.bounds, height=COLLAPSED)
    return replace(planned, state="normal", bounds=bounds, expanded=planned.bounds.height)


def _on_screen(apps: list[Planned], screens: tuple[Screen, ...]) -> list[Planned]:
    """Move windows if their display has moved, or back to a visible position if it no longer exists.

    Windows of a group move together.
    """
    together: dict[str, list[int]] = {}
    for number, planned in enumerate(apps):
        if planned.bounds is not None:
            together.setdefault(planned.group or planned.tab_group or f"#{number}", []).append(number)
    result = [*apps]
    for numbers in together.values():
        places = [bounds for number in numbers if (bounds := apps[number].bounds) is not None]
        before = box(places)
        display = next((one for one in screens if one.number == apps[numbers[0]].display), None)
        after = back_on_screen(before if display is None else on_display(before, display, screens), screens)
        for number, place in zip(numbers, places, strict=True):
            moved = replace(place, left=place.left + after.left - before.left, top=place.top + after.top - before.top)
            result[number] = replace(apps[number], bounds=after if len(places) == 1 else moved)
    return result


def _screen_of(left: float, top: float, screens: tuple[Screen, ...]) -> Screen:
    for screen in screens:
        area = screen.work_area
        if area.left <= left < area.left + area.width and area.top <= top < area.top + area.height:
            return screen
    return next((screen for screen in screens if screen.primary), screens[0])
