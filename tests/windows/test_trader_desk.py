"""The desktop of a trader: arranged by hand on two monitors, saved, killed and restored; it looks the same."""

import json
import os
from pathlib import Path
from typing import Any

from tests.end_to_end.processes import PATIENCE, run
from tests.long_form import LONG
from tests.windows.desk import (
    BORDER,
    CAPTION,
    button,
    caption,
    engine_wanted,
    free_port,
    page_area,
    window_environment,
    write_desk,
)
from tests.windows.display import Display
from tests.windows.pages import page, served
from tests.windows.screen import Rectangle, Screen, Window
from tests.windows.test_start import desktop, ready

LEFT, RIGHT = Rectangle(0, 0, 800, 900), Rectangle(800, 0, 800, 900)
NUMBER = 12 if LONG else 6
NAMES = [f"window {number}" for number in range(NUMBER)]
MAXIMIZED, MINIMIZED, IN_CHANNEL, ZOOMED = NAMES[1], NAMES[2], NAMES[-2], NAMES[-1]
PAGES = {"/": page("Prices", "<div style='width:100px;height:40px;background:#0000ff'></div>")}
SIZE = (240, 180)
APPS = {name: {"url": "/", "left": 500, "top": 350, "width": SIZE[0], "height": SIZE[1]} for name in NAMES}
SETTINGS: dict[str, Any] = {
    "channels": {"definitions": [{"name": "Red", "meta": {"color": "#ff0000"}}]},
    "windows": {"channelSelector": {"enabled": True}},
    # Windows that snap to each other are grouped.
    "windowManagement": {"snapping": {"enabled": False}},
}
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)
OWN = ("Launcher", "Rostrum menu")


def place_of(number: int) -> tuple[int, int]:
    """Return the upper left corner of a window: half of them are on each monitor, in rows of three."""
    monitor = LEFT if number % 2 == 0 else RIGHT
    column, row = number // 2 % 3, number // 6
    return monitor.x + 20 + column * 265, 40 + row * 400 + column * 20


def windows(screen: Screen) -> list[Window]:
    return [window for window in screen.windows() if window.title not in OWN]


def look(screen: Screen) -> list[tuple[Any, ...]]:
    """Return all windows as a person sees them, the lowest first; minimized ones, which have no place, at the end."""
    found = sorted(windows(screen), key=lambda one: one.is_minimized)
    return [(one.title, one.bounds, one.is_maximized, one.is_minimized) for one in found]


def command(root: Path, environment: dict[str, str], *arguments: str) -> None:
    done = run("desktop", *arguments, cwd=root, **environment)
    assert done.returncode == 0, done.stderr


def saved(root: Path, environment: dict[str, str], name: str) -> dict[str, Any]:
    """Save the layout; return what it has of each app, except what is new in every run."""
    command(root, environment, "layout", "save", name)
    command(root, environment, "layout", "export", name, "-o", f"{name}.json")
    (layout,) = json.loads((root / f"{name}.json").read_text())["layouts"]
    kept = ("bounds", "windowState", "zoomFactor", "channelId", "context")
    return {
        one["application"]: {member: value for member, value in one["state"].items() if member in kept}
        for one in layout["components"]
    }


def close_launcher(screen: Screen) -> None:
    screen.ask_to_close(screen.window("Launcher"))
    screen.wait_for("no launcher", lambda: screen.find("Launcher") is None)


def focused(screen: Screen, title: str) -> Window:
    """Wait until a window has the keyboard."""
    return screen.wait_for(f"focus of {title}", lambda: (now := screen.active()) and now.title == title and now)


def arrange(screen: Screen, title: str, number: int) -> None:
    """Drag a new window to its place, by its caption bar."""
    window = focused(screen, title)
    x, y = place_of(number)
    start = caption(window)
    screen.drag(start, (start[0] + x - window.bounds.x, start[1] + y - window.bounds.y))

    def is_there() -> bool:
        now = screen.now(window)
        return now is not None and (now.bounds.x, now.bounds.y) == (x, y)

    screen.wait_for(f"{title} at its place", is_there)


def channel_bar(window: Window) -> tuple[int, int]:
    """Return a point of the caption bar that has the colour of the channel."""
    return window.bounds.x + 13, window.bounds.y + BORDER + 6


def zoom_mark(screen: Screen) -> tuple[int, int]:
    """Return a point that the box of the page covers only when the page is shown larger."""
    area = page_area(screen.window(ZOOMED))
    return area.x + 104, area.y + 10


def join_channel(screen: Screen) -> None:
    screen.activate(screen.window(IN_CHANNEL))
    window = focused(screen, IN_CHANNEL)
    screen.click(window.bounds.x + 23, window.bounds.y + BORDER + CAPTION // 2)
    (menu,) = screen.wait_for("the menu", screen.menus)
    screen.click(menu.x + 40, menu.y + 14)
    screen.wait_for("the colour of the channel", lambda: screen.pixel(*channel_bar(window)) == RED)


def test_a_desk_on_two_monitors_looks_the_same_after_it_was_saved_killed_and_restored(
    display: Display, screen: Screen, tmp_path: Path
) -> None:
    engine_wanted()
    screen.set_monitors(("left", LEFT), ("right", RIGHT))
    environment = window_environment(display, tmp_path, free_port()) | {"PATH": os.environ["PATH"]}
    with served(PAGES) as pages:
        write_desk(tmp_path, APPS, SETTINGS, pages.address)
        with desktop(tmp_path, environment) as running:
            ready(running)
            close_launcher(screen)
            for number, name in enumerate(NAMES):
                command(tmp_path, environment, "start", name)
                arrange(screen, name, number)
            join_channel(screen)
            for name, state in ((MAXIMIZED, "maximize"), (MINIMIZED, "minimize")):
                screen.activate(screen.window(name))
                screen.click(*button(focused(screen, name), state))
            screen.wait_for("one maximized", lambda: screen.window(MAXIMIZED).is_maximized)
            screen.wait_for("one minimized", lambda: screen.window(MINIMIZED).is_minimized)
            screen.activate(screen.window(ZOOMED))
            focused(screen, ZOOMED)
            screen.wait_for("its page", lambda: screen.pixel(*zoom_mark(screen)) == GREEN)
            screen.key("Control_L", "plus")
            screen.wait_for("a larger page", lambda: screen.pixel(*zoom_mark(screen)) == BLUE)
            kept = saved(tmp_path, environment, "Desk")
            assert kept[ZOOMED]["zoomFactor"] > 100
            command(tmp_path, environment, "layout", "default", "Desk")
            before = look(screen)
            running.kill()
            running.wait(PATIENCE)
            screen.wait_for("no windows", lambda: not screen.windows())

        with desktop(tmp_path, environment) as running:
            with screen.watched() as seen:
                ready(running)
                close_launcher(screen)
                screen.wait_for("the same desk", lambda: look(screen) == before)
                in_channel = screen.window(IN_CHANNEL)
                screen.wait_for("the channel", lambda: screen.pixel(*channel_bar(in_channel)) == RED)
                screen.wait_for("the larger page", lambda: screen.pixel(*zoom_mark(screen)) == BLUE)
            mapped = {place for places in seen.values() for place in places}
            expected = {bounds for _, bounds, _, is_minimized in before if not is_minimized}
            assert expected <= mapped
            # None was seen anywhere else, not even for a moment.
            assert {place for place in mapped if place[2:] == SIZE} <= expected
            assert look(screen) == before
            assert saved(tmp_path, environment, "Again") == kept
