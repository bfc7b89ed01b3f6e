"""Random operations with windows, groups, tabs and layouts, by programs and with the pointer; each seed has its own.

An operation ends when its effect is seen, and when the screen shows what the model of the platform says.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from functools import partial
from random import Random
from typing import Any

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import SetLocked
from rostrum.desktop.hosts.reports import Dropped, LoadFinished, TornOut
from rostrum.desktop.services.window_registry import WindowRecord
from rostrum.desktop.windows.geometry import Bounds, Side
from rostrum.desktop.windows.resize import drag_edge, shared_edges
from rostrum.stores.layouts.store import LayoutKey
from tests.windows.desk import BORDER, CAPTION, DeskOfTests, button
from tests.windows.desk_model import HEADER, WHOLE, DeskModel, rectangle
from tests.windows.screen import Rectangle, Window

COLORS = {
    "a": (255, 0, 0),
    "b": (0, 255, 0),
    "c": (0, 0, 255),
    "d": (255, 255, 0),
    "e": (0, 255, 255),
}
TAB = 160
"""How wide a tab is while there is room."""
BUTTONS = 100
"""The room for the buttons at the end of a caption bar or a tab strip."""
_TRIES = 200
_SIDES: tuple[Side, ...] = ("left", "right", "top", "bottom")
_GESTURES = ("GroupGestures._in_turn", "TabGroups._reported", "WindowManager._ungroup")
"""The work of the platform that begins with a report and that nothing else waits for."""
LAYOUT = LayoutKey("Global", "Random")

Point = tuple[int, int]


class RandomOperations:
    """Does one thing after the other, chosen at random from what is possible.

    Attributes:
        log: What was done so far.

    """

    def __init__(self, desk: DeskOfTests, seed: int) -> None:
        self.desk = desk
        self.random = Random(seed)
        self.model = DeskModel(desk, COLORS)
        self.log: list[str] = [f"seed {seed}"]
        self._has_layout = False
        self._dragged = False
        services = desk.platform.services
        self.groups, self.tabs, self.control = services.windows.groups, services.windows.tabs, services.windows.control
        self.registry, self.layouts, self.instances = services.windows.registry, services.layouts, services.instances
        self._operations: dict[Callable[[], Awaitable[bool]], int] = {
            self.open: 6,
            self.close: 1,
            self.close_by_button: 1,
            self.move: 3,
            self.move_by_hand: 3,
            self.resize_by_hand: 2,
            self.group_by_drop: 5,
            self.group: 3,
            self.ungroup: 1,
            self.move_group_by_hand: 2,
            self.drag_common_edge: 2,
            self.tear_out: 2,
            self.tab: 4,
            self.tab_by_drop: 3,
            self.untab: 1,
            self.select_tab: 2,
            self.select_tab_by_hand: 2,
            self.reorder_tabs: 1,
            self.reorder_tabs_by_hand: 1,
            self.tear_tab_out: 2,
            self.change_state: 4,
            self.change_state_by_button: 3,
            self.collapse_or_expand: 2,
            self.lock_or_unlock: 1,
            self.drag_locked: 1,
            self.hide: 2,
            self.show: 3,
            self.focus: 2,
            self.save_layout: 1,
            self.restore_layout: 1,
        }

    async def next(self) -> None:
        """Do something, and compare the screen with the model afterwards."""
        screen = self.desk.screen
        # Nothing has changed since the last comparison.
        assert (left := self.model.differences()) == [], self._failure("the screen changes by itself", left)
        before = self._places()
        self.desk.reported.clear()
        self._dragged = False
        with screen.watched() as seen:
            try:
                await self._one()
                await self._settled()
            except (AssertionError, DesktopError) as error:
                raise AssertionError(self._failure(str(error), self.model.differences())) from error
        if self._dragged:
            return
        allowed = before | self._places()
        for window in self.desk.windows():
            first = next(iter(seen.get(screen.outer(window), [])), None)
            others = [*map(tuple, seen.get(screen.outer(window), []))]
            wrong = f"{window.title} was mapped at {first} (of {others}) and not in {sorted(map(tuple, allowed))}"
            assert first is None or first in allowed, self._failure(wrong, [])

    async def _one(self) -> None:
        names, weights = [*self._operations], [*self._operations.values()]
        for _ in range(_TRIES):
            if await self.random.choices(names, weights)[0]():
                return
        raise AssertionError("nothing can be done")

    async def _settled(self) -> None:
        """Wait until the platform has handled every report, and the screen shows the result."""
        left: list[str] = ["not compared"]

        def is_settled() -> bool:
            nonlocal left
            if any(getattr(task.get_coro(), "__qualname__", "") in _GESTURES for task in asyncio.all_tasks()):
                return False
            left = self.model.differences()
            return not left

        try:
            await self.desk.screen.until("the model on the screen", is_settled, 10)
        except AssertionError:
            raise AssertionError("the screen differs from the model") from None

    def _failure(self, what: str, left: list[str]) -> str:
        return "\n".join([what, *left, "Operations:", *self.log])

    def _places(self) -> set[Rectangle]:
        frames = {frame.bounds for frame in self.model.frames()}
        return frames | {rectangle(one.bounds) for one in self.model.records.values()}

    # What can be chosen

    def _note(self, what: str, *windows: str, **details: Any) -> None:
        names = [self.model.records[one].title if one in self.model.records else one for one in windows]
        self.log.append(f"{len(self.log)} {what} {' '.join(names)} {details or ''}".rstrip())

    def _choose(self, condition: Callable[[WindowRecord], bool]) -> str | None:
        found = [one.id for one in self.model.records.values() if condition(one)]
        return self.random.choice(found) if found else None

    def _is_alone(self, one: WindowRecord) -> bool:
        return self.groups.of(one.id) is None and one.id not in self.model.covered

    def _is_untabbed(self, one: WindowRecord) -> bool:
        return self._is_alone(one) and self.tabs.of(one.id) is None

    def _is_free(self, one: WindowRecord) -> bool:
        """Return whether people can drag the frame of a window now."""
        frame = self.model.frame_of(one.id)
        members = () if frame is None else frame.members
        return (
            one.visible
            and one.state == "normal"
            and not one.collapsed
            and one.id not in self.model.covered
            and bool(members)
            and not any(self.model.records[tab].locked for member in members for tab in self._tabs_of(member))
        )

    def _tabs_of(self, instance: str) -> tuple[str, ...]:
        found = self.tabs.of(instance)
        return (instance,) if found is None else found[1].tabs

    def _place(self, bounds: Bounds) -> Bounds:
        """Return a random place on the screen for a window of some size, with room for a header above it."""
        left = self.random.randrange(0, max(1, WHOLE.width - round(bounds.width)))
        top = self.random.randrange(HEADER, max(HEADER + 1, WHOLE.height - round(bounds.height)))
        return Bounds(left, top, bounds.width, bounds.height)

    def _grip(self, instance: str) -> Point:
        """Return a point of the caption bar of a window without tabs."""
        place = rectangle(self.model.records[instance].bounds)
        return place.x + place.width // 2, place.y + BORDER + CAPTION // 2

    def _tab_point(self, instance: str) -> Point | None:
        """Return the middle of a tab, where its strip has room for all."""
        found = self.tabs.of(instance)
        if found is None or len(found[1].tabs) < 2:
            return None
        place = rectangle(self.model.records[instance].bounds)
        if place.width < len(found[1].tabs) * TAB + BUTTONS:
            return None
        return place.x + BORDER + found[1].tabs.index(instance) * TAB + TAB // 2, place.y + BORDER + CAPTION // 2

    def _strip_end(self, instance: str) -> Point | None:
        """Return a point behind the last tab of a strip, where it has room."""
        number = len(self._tabs_of(instance))
        place = rectangle(self.model.records[instance].bounds)
        room = place.width - number * TAB - BUTTONS
        if self.tabs.of(instance) is None or room < 20:
            return None
        return place.x + BORDER + number * TAB + room // 2, place.y + BORDER + CAPTION // 2

    async def _front(self, instance: str) -> Window:
        """Show a window above all others, as a person does before it is used."""
        window = self.model.native(instance)
        assert window is not None, "the window is not on the screen"
        screen = self.desk.screen
        active = screen.active()
        if active is None or active.id != window.id:
            screen.activate(window)
        await screen.until(
            "the focus", lambda: (now := screen.active()) and now.id == window.id and self._is_top(window)
        )
        return window

    def _is_top(self, window: Window) -> bool:
        return [one.id for one in self.desk.windows() if not one.is_minimized][-1:] == [window.id]

    def _can_drag(self, *points: Point) -> bool:
        """Return whether points are on the screen, and not where the button of the platform is above all windows."""
        return all(0 < x < WHOLE.width - 1 and 0 < y < WHOLE.height - 1 and (x > 60 or y < 840) for x, y in points)

    async def _drag(self, instance: str, start: Point, end: Point, *, alt: bool = False) -> None:
        await self._front(instance)
        self._dragged = True
        with self.desk.screen.held("Alt_L") if alt else nullcontext():
            self.desk.screen.drag(start, end)

    async def _dropped(self, instance: str) -> None:
        await self.desk.report(Dropped.__name__, instance)

    async def _record(self, instance: str, what: str, condition: Callable[[WindowRecord], bool]) -> None:
        await self.desk.screen.until(
            f"{what}, and it is {self.model.records.get(instance)}",
            lambda: (one := self.registry.get(instance)) is not None and condition(one),
        )

    # Windows

    async def open(self) -> bool:
        """Start an app that does not run."""
        missing = sorted(COLORS.keys() - {one.app for one in self.model.records.values()})
        if not missing:
            return False
        app = self.random.choice(missing)
        self._note("open", app)
        instance = await self.instances.start(app)
        await self.desk.report(LoadFinished.__name__, instance.id)
        return True

    async def close(self) -> bool:
        """Close a window."""
        one = self._choose(lambda _: True) if len(self.model.records) > 2 else None
        if one is None:
            return False
        self._note("close", one)
        await self.control.close(one)
        return True

    async def close_by_button(self) -> bool:
        """Close a window by the button of its caption bar."""
        one = self._choose(lambda one: self._is_free(one) and self._is_untabbed(one))
        if one is None or len(self.model.records) <= 2:
            return False
        point = button(_seen(rectangle(self.model.records[one].bounds)), "close")
        if not self._can_drag(point):
            return False
        self._note("close by button", one)
        await self._front(one)
        self.desk.screen.click(*point)
        await self.desk.screen.until("the end of the window", lambda: self.registry.get(one) is None)
        return True

    async def move(self) -> bool:
        """Move a window, or the group of a window, to another place."""
        one = self._choose(lambda one: one.visible and one.state == "normal" and one.id not in self.model.covered)
        if one is None:
            return False
        place = self._place(self.model.records[one].bounds)
        self._note("move", one, left=place.left, top=place.top)
        await self.control.move(one, left=place.left, top=place.top)
        if self.groups.of(one) is None:
            assert self.model.records[one].bounds == place, f"the window is at {self.model.records[one].bounds}"
        return True

    async def move_by_hand(self) -> bool:
        """Drag a window by its caption bar; with ALT it snaps to nothing."""
        one = self._choose(lambda one: self._is_free(one) and self._is_untabbed(one))
        if one is None:
            return False
        bounds, start = self.model.records[one].bounds, self._grip(one)
        place = self._place(bounds)
        end = (start[0] + round(place.left - bounds.left), start[1] + round(place.top - bounds.top))
        alt = self.random.random() < 0.7
        if not self._can_drag(start, end) or max(abs(start[0] - end[0]), abs(start[1] - end[1])) < 20:
            return False
        self._note("drag", one, start=start, end=end, alt=alt)
        await self._drag(one, start, end, alt=alt)
        await self._dropped(one)
        if alt:
            await self._record(one, f"the window at {place}", lambda record: record.bounds == place)
        return True

    async def resize_by_hand(self) -> bool:
        """Drag the lower right corner of a window."""
        one = self._choose(lambda one: self._is_free(one) and self._is_alone(one))
        if one is None:
            return False
        bounds = self.model.records[one].bounds
        start = (round(bounds.right) - 2, round(bounds.bottom) - 2)
        width, height = self.random.randrange(430, 620), self.random.randrange(200, 330)
        end = (start[0] + width - round(bounds.width), start[1] + height - round(bounds.height))
        if not self._can_drag(start, end):
            return False
        self._note("resize", one, width=width, height=height)
        await self._drag(one, start, end)
        wanted = Bounds(bounds.left, bounds.top, width, height)
        await self._record(one, f"the window at {wanted}", lambda record: record.bounds == wanted)
        return True

    # Groups

    async def group_by_drop(self) -> bool:
        """Drop a window beside another one."""
        one = self._choose(lambda one: self._is_free(one) and self._is_untabbed(one))
        to = self._choose(lambda other: self._is_free(other) and other.id != one)
        if one is None or to is None:
            return False
        own, other = self.model.records[one].bounds, self.model.records[to].bounds
        side = self.random.choice(_SIDES)
        left = {"left": other.left - own.width - 9, "right": other.right + 9}.get(side, other.left + 5)
        top = {"top": other.top - own.height - 9, "bottom": other.bottom + 9}.get(side, other.top + 5)
        start = self._grip(one)
        end = (start[0] + round(left - own.left), start[1] + round(top - own.top))
        if not self._can_drag(start, end) or max(abs(start[0] - end[0]), abs(start[1] - end[1])) < 20 or top < HEADER:
            return False
        self._note("drop beside", one, to, side=side, start=start, end=end)
        await self._drag(one, start, end)
        await self._dropped(one)
        return True

    async def group(self) -> bool:
        """Put a window beside another one, as programs do."""
        shown = [one.id for one in self.model.records.values() if self._is_free(one)]
        if len(shown) < 2:
            return False
        one, to = self.random.sample(shown, 2)
        side = self.random.choice(_SIDES)
        self._note("group", one, to, side=side)
        try:
            await self.groups.join(one, to, side)
        except DesktopError as error:
            self.log.append(f"  refused: {error}")
        return True

    async def ungroup(self) -> bool:
        """Take a window out of its group, as programs do."""
        one = self._choose(lambda one: self.groups.of(one.id) is not None)
        if one is None:
            return False
        self._note("ungroup", one)
        await self.groups.leave(one)
        return True

    async def move_group_by_hand(self) -> bool:
        """Drag a group by its header."""
        one = self._choose(lambda one: self._is_free(one) and self.groups.of(one.id) is not None)
        frame = None if one is None else self.model.frame_of(one)
        if one is None or frame is None:
            return False
        start = (frame.bounds.x + frame.bounds.width // 2, frame.bounds.y + BORDER + CAPTION // 2)
        by = (self.random.randrange(-300, 300), self.random.randrange(-200, 200))
        end = (start[0] + by[0], start[1] + by[1])
        if not self._can_drag(start, end) or max(map(abs, by)) < 20 or frame.bounds.y + by[1] < 0:
            return False
        bounds = self.model.records[one].bounds
        self._note("drag group of", one, start=start, end=end)
        await self._drag(one, start, end, alt=True)
        wanted = Bounds(bounds.left + by[0], bounds.top + by[1], bounds.width, bounds.height)
        await self._record(one, f"the group at {wanted}", lambda record: record.bounds == wanted)
        return True

    async def drag_common_edge(self) -> bool:
        """Drag the line between neighbours."""
        one = self._choose(lambda one: self._is_free(one) and self.groups.of(one.id) is not None)
        group = None if one is None else self.groups.of(one)
        if one is None or group is None:
            return False
        edges = shared_edges(group.windows, group.edge)
        if not edges:
            return False
        edge = self.random.choice(edges)
        area = rectangle(edge.area(group.windows))
        by = self.random.randrange(-60, 60)
        start = (area.x + area.width // 2, area.y + area.height // 2)
        end = (start[0] + by, start[1]) if edge.sideways else (start[0], start[1] + by)
        wanted = drag_edge(group.windows, edge, by)
        if not self._can_drag(start, end) or wanted == group.windows or any(_is_small(one) for one in wanted.values()):
            return False
        self._note("drag common edge", *group.windows, start=start, end=end)
        await self._drag(one, start, end)

        def is_at(bounds: Bounds, record: WindowRecord) -> bool:
            return record.bounds == bounds

        for member, bounds in wanted.items():
            await self._record(member, f"{bounds}", partial(is_at, bounds))
        return True

    async def tear_out(self) -> bool:
        """Drag a window out of its group by its caption bar."""
        one = self._choose(
            lambda one: self._is_free(one) and self.groups.of(one.id) is not None and self.tabs.of(one.id) is None
        )
        if one is None:
            return False
        bounds, start = self.model.records[one].bounds, self._grip(one)
        place = self._place(bounds)
        end = (start[0] + round(place.left - bounds.left), start[1] + round(place.top - bounds.top))
        if not self._can_drag(start, end) or abs(start[0] - end[0]) + abs(start[1] - end[1]) < 40:
            return False
        self._note("tear out", one, start=start, end=end)
        await self._drag(one, start, end, alt=True)
        await self.desk.report(TornOut.__name__, one)
        await self._dropped(one)
        await self.desk.screen.until("the window alone", lambda: self.groups.of(one) is None)
        await self._record(one, f"the window at {place}", lambda record: record.bounds == place)
        return True

    # Tabs

    async def tab(self) -> bool:
        """Make a window a tab of another one, as programs do."""
        shown = [one.id for one in self.model.records.values() if self._is_free(one)]
        if len(shown) < 2:
            return False
        one, into = self.random.sample(shown, 2)
        self._note("tab", one, into)
        await self.tabs.join(one, into)
        return True

    async def tab_by_drop(self) -> bool:
        """Drop a window on a tab strip."""
        one = self._choose(lambda one: self._is_free(one) and self._is_untabbed(one))
        into = self._choose(
            lambda other: self._is_free(other) and other.id != one and self._strip_end(other.id) is not None
        )
        end = None if into is None else self._strip_end(into)
        if one is None or into is None or end is None:
            return False
        start = self._grip(one)
        if not self._can_drag(start, end) or max(abs(start[0] - end[0]), abs(start[1] - end[1])) < 20:
            return False
        self._note("drop on tabs", one, into, start=start, end=end)
        # The strip must be seen: nothing covers it but the window that is dragged.
        await self._front(into)
        await self._drag(one, start, end)
        await self._dropped(one)
        return True

    def _tabbed(self) -> str | None:
        return self._choose(lambda one: len(self._tabs_of(one.id)) > 1)

    async def untab(self) -> bool:
        """Take a window out of its tabs, as programs do."""
        one = self._tabbed()
        if one is None:
            return False
        self._note("untab", one)
        await self.tabs.leave(one)
        return True

    async def select_tab(self) -> bool:
        """Show a tab, as programs do."""
        one = self._choose(lambda one: one.id in self.model.covered)
        if one is None:
            return False
        self._note("select tab", one)
        await self.tabs.select(one)
        return True

    def _tab_in_front(self, one: str) -> str | None:
        """Return the window in front of the tabs of a window, if people can use them."""
        found = self.tabs.of(one)
        front = None if found is None else found[1].selected
        return front if front is not None and self._is_free(self.model.records[front]) else None

    async def select_tab_by_hand(self) -> bool:
        """Click on a tab."""
        one = self._choose(lambda one: one.id in self.model.covered)
        point, front = (None, None) if one is None else (self._tab_point(one), self._tab_in_front(one))
        if one is None or point is None or front is None or not self._can_drag(point):
            return False
        self._note("click tab", one)
        await self._front(front)
        self.desk.screen.click(*point)
        await self.desk.screen.until("the tab", lambda: (found := self.tabs.of(one)) and found[1].selected == one)
        return True

    async def reorder_tabs(self) -> bool:
        """Move a tab to another place, as programs do."""
        one = self._tabbed()
        if one is None:
            return False
        index = self.random.randrange(len(self._tabs_of(one)))
        self._note("reorder tab", one, index=index)
        await self.tabs.reorder(one, index)
        return True

    async def reorder_tabs_by_hand(self) -> bool:
        """Drag a tab to the place of another one."""
        one = self._tabbed()
        other = None if one is None else self.random.choice([each for each in self._tabs_of(one) if each != one])
        if one is None or other is None:
            return False
        start, end, front = self._tab_point(one), self._tab_point(other), self._tab_in_front(one)
        if start is None or end is None or front is None or not self._can_drag(start, end):
            return False
        index = self._tabs_of(one).index(other)
        self._note("drag tab to the place of", one, other)
        await self._drag(front, start, (end[0] + (30 if end[0] > start[0] else -30), end[1]))
        await self.desk.screen.until("the new order", lambda: self._tabs_of(one).index(one) == index)
        await self.desk.screen.until("the tab", lambda: (found := self.tabs.of(one)) and found[1].selected == one)
        return True

    async def tear_tab_out(self) -> bool:
        """Drag a tab out of its strip."""
        one = self._tabbed()
        start, front = (None, None) if one is None else (self._tab_point(one), self._tab_in_front(one))
        if one is None or start is None or front is None:
            return False
        end = (start[0] + self.random.randrange(-300, 300), start[1] + self.random.randrange(60, 300))
        if not self._can_drag(start, end):
            return False
        self._note("tear tab out", one, start=start, end=end)
        await self._drag(front, start, end, alt=True)
        await self.desk.report(TornOut.__name__, one)
        await self._dropped(one)
        await self.desk.screen.until("the window alone", lambda: self._tabs_of(one) == (one,))
        return True

    # States

    async def change_state(self) -> bool:
        """Minimize, maximize or restore a window, as programs do."""
        one = self._choose(lambda one: one.visible and not one.collapsed and one.id not in self.model.covered)
        if one is None:
            return False
        before = self.model.records[one]
        states = ["minimized", "maximized"] if before.state == "normal" else ["normal"]
        state: Any = self.random.choice(states)
        self._note("set state", one, state=state)
        await self.control.set_state(one, state)
        assert self.model.records[one].state == state, f"it is {self.model.records[one].state}"
        await self._record(one, f"the place {before.bounds}", lambda record: record.bounds == before.bounds)
        return True

    async def change_state_by_button(self) -> bool:
        """Minimize or maximize a window by the buttons of its caption bar; a minimized one is restored."""
        one = self._choose(lambda one: self._is_free(one) and self._is_alone(one))
        if one is None:
            return False
        state = self.random.choice(["minimize", "maximize"])
        point = button(_seen(rectangle(self.model.records[one].bounds)), state)
        if not self._can_drag(point):
            return False
        self._note(state, one)
        await self._front(one)
        self.desk.screen.click(*point)
        await self._record(one, state, lambda record: record.state == f"{state}d")
        return True

    async def collapse_or_expand(self) -> bool:
        """Collapse a window to its caption bar, or expand it."""
        one = self._choose(
            lambda one: one.visible and one.state == "normal" and self._is_alone(one) and self._is_untabbed(one)
        )
        if one is None:
            return False
        state: Any = "normal" if self.model.records[one].collapsed else "collapsed"
        self._note("set state", one, state=state)
        await self.control.set_state(one, state)
        await self._record(one, state, lambda record: record.collapsed is (state == "collapsed"))
        return True

    async def lock_or_unlock(self) -> bool:
        """Lock a window that is alone, or unlock it."""
        one = self._choose(lambda one: self._is_alone(one) and self.tabs.of(one.id) is None)
        locked = self._choose(lambda one: one.locked)
        one = locked if locked is not None and self.random.random() < 0.7 else one
        if one is None:
            return False
        wanted = not self.model.records[one].locked
        self._note("lock" if wanted else "unlock", one)
        await self.control.act(one, SetLocked(locked=wanted))
        self.registry.update(one, locked=wanted)
        return True

    async def drag_locked(self) -> bool:
        """Drag a locked window, which stays where it is."""
        one = self._choose(
            lambda one: (
                one.locked and one.visible and one.state == "normal" and not one.collapsed and self._is_untabbed(one)
            )
        )
        if one is None:
            return False
        start, before = self._grip(one), self.model.records[one].bounds
        end, point = (start[0] + 60, start[1] + 60), button(_seen(rectangle(before)), "minimize")
        if not self._can_drag(start, end, point):
            return False
        self._note("drag locked", one)
        await self._drag(one, start, end)
        # What the drag would have done comes before the effect of this click.
        self.desk.screen.click(*point)
        await self._record(one, "minimized", lambda record: record.state == "minimized")
        assert self.model.records[one].bounds == before, f"the locked window is at {self.model.records[one].bounds}"
        return True

    async def hide(self) -> bool:
        """Hide a window."""
        one = self._choose(lambda one: one.visible and one.id not in self.model.covered)
        if one is None or sum(one.visible for one in self.model.records.values()) < 3:
            return False
        self._note("hide", one)
        await self.control.hide(one)
        await self._record(one, "hidden", lambda record: not record.visible)
        return True

    async def show(self) -> bool:
        """Show a hidden window."""
        one = self._choose(lambda one: not one.visible and one.id not in self.model.covered)
        if one is None:
            return False
        self._note("show", one)
        await self.control.show(one)
        await self._record(one, "shown", lambda record: record.visible)
        return True

    async def focus(self) -> bool:
        """Give a window the keyboard."""
        one = self._choose(lambda one: one.visible)
        if one is None:
            return False
        self._note("focus", one)
        await self.control.focus(one)
        await self._record(one, "focused", lambda record: record.focused)
        await self.desk.screen.until(
            "the window with the keyboard",
            lambda: (window := self.model.native(one)) and (now := self.desk.screen.active()) and now.id == window.id,
        )
        return True

    # Layouts

    async def save_layout(self) -> bool:
        """Save the windows as a layout."""
        self._note("save layout")
        await self.layouts.save(LAYOUT.name)
        self._has_layout = True
        return True

    async def restore_layout(self) -> bool:
        """Restore the layout that was saved last."""
        if not self._has_layout:
            return False
        self._note("restore layout")
        notes = await self.layouts.restore(LAYOUT)
        assert notes == (), notes
        return True


def _seen(bounds: Rectangle) -> Window:
    """Return a window of this size, of which the place of its buttons is asked."""
    return Window(0, "", None, bounds, frozenset(), is_minimized=False)


def _is_small(bounds: Bounds) -> bool:
    return bounds.width < 120 or bounds.height < 100
