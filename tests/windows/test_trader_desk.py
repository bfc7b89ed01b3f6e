"""The desktop of a trader: arranged by hand on two monitors, saved, killed and restored; it looks the same.

Twelve windows become three groups. Each has windows side by side and windows behind others as tabs.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rostrum.stores.layouts.file_store import LayoutFolder
from rostrum.stores.layouts.store import LayoutKey
from tests.end_to_end.processes import PATIENCE, Running, run, serving
from tests.ports import free_port
from tests.windows import processes
from tests.windows.desk import BORDER, CAPTION, caption, engine_wanted, page_area, window_environment, write_desk
from tests.windows.display import Display
from tests.windows.pages import page, served
from tests.windows.screen import Rectangle, Screen, Window

LEFT, RIGHT = Rectangle(0, 0, 800, 900), Rectangle(800, 0, 800, 900)
WIDTH, WIDE, HEIGHT, GAP, HEADER = 240, 380, 160, 4, CAPTION + BORDER
NAMES = [f"window {number}" for number in range(12)]
IN_CHANNEL, ZOOMED = 5, 6
HOLDERS = (0, 4, 8)
"""Windows on which others are dropped as tabs."""
COLORS = [(0, 0, 255 - 10 * number) for number in range(12)]
"""The box in each page, so that no two pages look the same."""
PAGES = {
    f"/{number}": page(name, f"<div style='width:100px;height:40px;background:rgb{COLORS[number]}'>{number}</div>")
    for number, name in enumerate(NAMES)
}
APPS = {
    name: {"url": f"/{number}", **({"mode": "tab"} if number in HOLDERS else {})} for number, name in enumerate(NAMES)
}
SETTINGS: dict[str, Any] = {
    "channels": {"definitions": [{"name": "Red", "meta": {"color": "#ff0000"}}]},
    "windows": {"channelSelector": {"enabled": True}},
    "windowManagement": {"snapping": {"approachingDistance": 20}},
}
RED = (255, 0, 0)
OWN = ("Launcher", "Rostrum menu")
START, DESK = LayoutKey("Global", "Start"), LayoutKey("Global", "Desk")
# The native windows of the groups: the first is two windows above a third one, the others are rows.
GROUPS = (
    Rectangle(20, 430 - HEADER, 2 * WIDTH + GAP, HEADER + 2 * HEIGHT + GAP),
    Rectangle(840, 430 - HEADER, 3 * WIDTH + 2 * GAP, HEADER + HEIGHT),
    Rectangle(140, 700 - HEADER, WIDE + WIDTH + GAP, HEADER + HEIGHT),
)


def first_place(number: int) -> Rectangle:
    """Return where a window is before it is arranged: in two rows at the top of both monitors."""
    return Rectangle(15 + number % 6 * 265, 10 + number // 6 * 180, WIDE if number == HOLDERS[2] else WIDTH, HEIGHT)


def start_layout() -> dict[str, Any]:
    """Return a layout with all windows in no group."""
    sides = ("left", "top", "width", "height")
    return {
        "name": START.name,
        "type": START.type,
        "components": [
            {
                "type": "window",
                "application": name,
                "state": {"bounds": dict(zip(sides, first_place(number), strict=True))},
            }
            for number, name in enumerate(NAMES)
        ],
    }


def windows(screen: Screen) -> list[Window]:
    return [window for window in screen.windows() if window.title not in OWN]


def look(screen: Screen) -> list[tuple[Any, ...]]:
    """Return all native windows, the lowest first, and which one has the keyboard."""
    active = screen.active()
    return [(one.title, one.bounds, one.states, one.is_minimized, one == active) for one in windows(screen)]


def saved(root: Path, environment: dict[str, str], key: LayoutKey) -> dict[str, Any]:
    """Save the layout; return what it has of each app, with the members of its groups in place of their ids."""
    done = run("desktop", "layout", "save", key.name, cwd=root, **environment)
    assert done.returncode == 0, done.stderr
    states = {one["application"]: one["state"] for one in LayoutFolder(layouts(root)).read()[key]["components"]}
    found = {}
    for app, state in states.items():
        del state["instanceId"]
        found[app] = {**state.pop("restoreSettings"), **state}
    members: dict[str, list[str]] = {}
    for app, state in sorted(found.items()):
        for name in ("groupId", "tabGroupId"):
            if name in state:
                members.setdefault(state[name], []).append(app)
    return {
        app: {name: members[value] if name in ("groupId", "tabGroupId") else value for name, value in state.items()}
        for app, state in found.items()
    }


def layouts(root: Path) -> Path:
    return root / "UserData" / "layouts"


def close_launcher(screen: Screen) -> None:
    screen.ask_to_close(screen.window("Launcher"))
    screen.wait_for("no launcher", lambda: screen.find("Launcher") is None)


def active(screen: Screen, what: str, fits: Callable[[Window], bool]) -> Window:
    """Wait until the window that has the keyboard fulfils a condition."""
    return screen.wait_for(what, lambda: now if (now := screen.active()) and fits(now) else None)


def focused(screen: Screen, title: str) -> Window:
    """Give a window the keyboard as a taskbar does, and wait until it has it.

    A window that was dropped a moment ago may take it once more, so the window is activated again until it keeps it.
    """
    window, activated = screen.window(title), 0.0

    def has_keyboard() -> Window | None:
        nonlocal activated
        if (now := screen.active()) and now.title == title:
            return now
        if time.monotonic() > activated + 1:
            activated = time.monotonic()
            screen.activate(window)
        return None

    return screen.wait_for(f"focus of {title}", has_keyboard)


def active_at(screen: Screen, place: Rectangle) -> Window:
    """Wait until the native window at a place has the keyboard: before that, it may still take it from another one."""
    return active(screen, f"focus at {place}", lambda now: now.bounds == place)


def drop(screen: Screen, number: int, x: int, y: int) -> None:
    """Drag a window by its caption bar, with its upper left corner to a place."""
    window = focused(screen, NAMES[number])
    start = caption(window)
    screen.drag(start, (start[0] + x - window.bounds.x, start[1] + y - window.bounds.y))


def drop_as_tab(screen: Screen, number: int, x: int, y: int) -> None:
    """Drag a window by its caption bar, with the pointer onto the caption bar or the tabs of the window at a place."""
    window = focused(screen, NAMES[number])
    screen.drag(caption(window), (x + 100, y + BORDER + CAPTION // 2))
    screen.wait_for("a tab", lambda: screen.if_open(window) is None)


def box_of(place: Rectangle) -> tuple[int, int]:
    """Return a point of the box in the page of the window at a place."""
    area = page_area(Window(id=0, title="", pid=None, bounds=place, states=frozenset(), is_minimized=False))
    return area.x + 90, area.y + 30


def arrange(screen: Screen) -> None:
    """Make the three groups with the pointer, of windows that are in two rows above."""
    # Two windows beside each other, one below them, and a tab.
    x, y, *_ = GROUPS[0]
    y += HEADER
    drop(screen, 0, x, y)
    active_at(screen, Rectangle(x, y, WIDTH, HEIGHT))
    drop(screen, 1, x + WIDTH + 12, y + 9)
    active_at(screen, Rectangle(x, y - HEADER, 2 * WIDTH + GAP, HEADER + HEIGHT))
    drop(screen, 2, x + 9, y + HEIGHT + 12)
    active_at(screen, GROUPS[0])
    drop_as_tab(screen, 3, x, y)
    active_at(screen, GROUPS[0])
    # A row on the other monitor.
    x, y, *_ = GROUPS[1]
    y += HEADER
    drop(screen, 4, x, y)
    active_at(screen, Rectangle(x, y, WIDTH, HEIGHT))
    drop(screen, 5, x + WIDTH + 12, y + 9)
    active_at(screen, Rectangle(x, y - HEADER, 2 * WIDTH + GAP, HEADER + HEIGHT))
    drop(screen, 6, x + 2 * WIDTH + 15, y + 9)
    active_at(screen, GROUPS[1])
    drop_as_tab(screen, 7, x, y)
    active_at(screen, GROUPS[1])
    # Three tabs and a window, below that row; the first tab is selected again.
    y += 250
    drop(screen, 8, x, y)
    active_at(screen, Rectangle(x, y, WIDE, HEIGHT))
    for number in (9, 10):
        drop_as_tab(screen, number, x, y)
        active_at(screen, Rectangle(x, y, WIDE, HEIGHT))
    drop(screen, 11, x + WIDE + 12, y + 9)
    group = active_at(screen, Rectangle(x, y - HEADER, *GROUPS[2][2:]))
    screen.click(x + BORDER + 30, y + BORDER + CAPTION // 2)
    screen.wait_for("its page", lambda: screen.pixel(*box_of(Rectangle(x, y, WIDE, HEIGHT))) == COLORS[8])
    # The group moves to the first monitor, over a corner of the first group.
    start = caption(group)
    screen.drag(start, (start[0] + GROUPS[2].x - group.bounds.x, start[1] + GROUPS[2].y - group.bounds.y))
    active_at(screen, GROUPS[2])
    # The row comes to the front.
    x, y, *_ = GROUPS[1]
    screen.click(x + 200, y + BORDER + CAPTION // 2)
    active_at(screen, GROUPS[1])


def join_channel(screen: Screen) -> None:
    window = focused(screen, NAMES[IN_CHANNEL])
    screen.click(window.bounds.x + 23, window.bounds.y + BORDER + CAPTION // 2)
    (menu,) = screen.wait_for("the menu", screen.menus)
    screen.click(menu.x + 40, menu.y + 14)
    bar = window.bounds.x + 13, window.bounds.y + BORDER + 6
    screen.wait_for("the colour of the channel", lambda: screen.pixel(*bar) == RED)


def zoom(screen: Screen) -> None:
    area = page_area(focused(screen, NAMES[ZOOMED]))
    screen.key("Control_L", "plus")
    screen.wait_for("a larger page", lambda: screen.pixel(area.x + 104, area.y + 10) == COLORS[ZOOMED])


@contextmanager
def desktop(root: Path, environment: dict[str, str]) -> Iterator[Running]:
    """Run the desktop; all of its processes are gone at the end."""
    with (
        processes.none_left(),
        serving("desktop", "--config", str(root / "config"), environment=environment, cwd=root) as running,
    ):
        yield running
        running.stop()


def kill(running: Running, screen: Screen) -> None:
    """Kill the desktop and the process of its windows."""
    host = windows(screen)[0].pid
    assert host is not None
    assert host != running.process.pid
    running.process.kill()
    os.kill(host, signal.SIGKILL)
    running.process.wait(PATIENCE)
    screen.wait_for("no windows", lambda: not screen.windows())


@pytest.mark.long
def test_a_desk_on_two_monitors_looks_the_same_after_it_was_saved_killed_and_restored(
    display: Display, screen: Screen, tmp_path: Path
) -> None:
    engine_wanted()
    screen.set_monitors(("left", LEFT), ("right", RIGHT))
    environment = window_environment(display, tmp_path, free_port())
    folder = LayoutFolder(layouts(tmp_path))
    folder.write(start_layout())
    folder.write_default(START)
    with served(PAGES) as pages:
        write_desk(tmp_path, APPS, SETTINGS, pages.address)
        with desktop(tmp_path, environment) as running:
            running.line_with("ready:")
            close_launcher(screen)
            for number, color in enumerate(COLORS):
                place = box_of(first_place(number))
                screen.wait_for(f"page {number}", partial(screen.shows, place, color))
            join_channel(screen)
            zoom(screen)
            arrange(screen)
            screen.move(0, 0)
            kept = saved(tmp_path, environment, DESK)
            # The selected tab is in the group, and represents the others.
            together = [[NAMES[one] for one in some] for some in ((1, 2, 3), (5, 6, 7), (11, 8))]
            assert sorted(one["groupId"] for one in kept.values() if "groupId" in one) == sorted(
                one for one in together for _ in one
            )
            assert {app: one["tabIndex"] for app, one in kept.items() if "tabIndex" in one} == {
                NAMES[number]: place for number, place in {0: 0, 3: -2, 4: 0, 7: -2, 8: -1, 10: 1, 9: 2}.items()
            }
            assert kept[NAMES[ZOOMED]]["zoomFactor"] > 100
            assert kept[NAMES[IN_CHANNEL]]["channelId"] == "Red"
            folder.write_default(DESK)
            before, picture = look(screen), screen.image().data
            assert [one[1] for one in before] == [GROUPS[0], GROUPS[2], GROUPS[1]]
            kill(running, screen)

        with desktop(tmp_path, environment) as running:
            with screen.watched() as seen:
                running.line_with("ready:")
                close_launcher(screen)
                screen.wait_for("the same windows", lambda: look(screen) == before)
                screen.wait_for("the same picture", lambda: screen.image().data == picture)
            assert look(screen) == before
            # Each group was seen at its place only, and no window of an app on its own, not even for a moment.
            for one in windows(screen):
                assert seen.pop(screen.outer(one)) == [one.bounds]
            assert {WIDTH, WIDE}.isdisjoint(place.width for places in seen.values() for place in places)
            assert saved(tmp_path, environment, LayoutKey("Global", "Again")) == kept
