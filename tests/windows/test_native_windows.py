"""Windows of programs: found on the screen, with a channel selector, and saved and restored with layouts."""

import asyncio
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.hosts.start import child_environment
from rostrum.desktop.windows.geometry import Bounds
from rostrum.stores.layouts.store import LayoutKey
from tests.windows.desk import DeskOfTests, engine_wanted, window_environment
from tests.windows.display import Display
from tests.windows.pages import page
from tests.windows.processes import stopped, window_manager
from tests.windows.screen import Rectangle, Window

pytestmark = pytest.mark.asyncio(loop_scope="module")

RED = (255, 0, 0)
PROGRAM, EVENTS = (Path(__file__).with_name(name) for name in ("x_program.py", "x_events.py"))


def program(name: str, place: str, *, child: bool = False, **more: Any) -> dict[str, Any]:
    """Return the details of a program with one window, which a process below the program's own may show."""
    command = f"{PROGRAM} {name} {place} ff00ff"
    through = f"-c 'import subprocess, sys; subprocess.run([sys.executable, *sys.argv[1:]])' {command}"
    return {"type": "exe", "command": sys.executable, "parameters": through if child else command, **more}


PAGES = {"/one": page("One")}
APPS = {
    "calc": program("calc", "100,200,300,200", channelSelector={"enabled": True}),
    "below": program("below", "600,200,300,200", child=True, channelSelector={"enabled": True, "readOnly": True}),
    "placed": program("placed", "600,500,300,200", left=700, top=550, width=320, height=220),
}
SETTINGS = {"channels": {"definitions": [{"name": "Red", "meta": {"color": "#ff0000"}}]}}


async def selector_of(desk: DeskOfTests, window: Window) -> Window:
    """Return the selector at a window, when it is there."""

    def found() -> Window | None:
        now = desk.screen.if_open(window)
        every = [one for one in desk.screen.windows() if one.title == "Channel selector"]
        if now is None:
            return None
        return next((one for one in every if one.bounds[:2] == (now.bounds.x + 28, now.bounds.y)), None)

    return await desk.screen.until(f"the selector of {window.title}", found)


async def started(desk: DeskOfTests, app: str) -> tuple[str, Window]:
    instance, window = await desk.start(app)
    await desk.report("ProgramWindowChanged", instance, lambda one: one.bounds is not None)
    return instance, window


@pytest.mark.rule("R-2.17-1")
async def test_the_channel_selector_of_a_program_is_at_its_window_and_follows_it(desk: DeskOfTests) -> None:
    instance, window = await started(desk, "calc")
    selector = await selector_of(desk, window)
    menu = await desk.screen.menu_at(*selector.bounds.center)
    desk.screen.click(menu.x + 40, menu.y + 14)
    await desk.screen.until("the channel", lambda: desk.platform.services.channels.of(instance) == ("Red",))
    x, y = selector.bounds.x, selector.bounds.y
    await desk.screen.until("its colour", lambda: desk.screen.pixel(x + 2, y + 3) == RED)
    desk.screen.place(window, Rectangle(400, 300, 350, 250))
    await desk.now(window, "moved", lambda now: now.bounds == Rectangle(400, 300, 350, 250))
    await selector_of(desk, window)
    desk.screen.minimize(window)
    await desk.now(window, "minimized", lambda now: now.is_minimized)
    await desk.report("ProgramWindowChanged", instance, lambda one: one.state == "minimized")
    await desk.screen.until("no selector", lambda: desk.screen.find("Channel selector") is None)
    desk.screen.activate(window)
    await selector_of(desk, window)
    await desk.platform.services.instances.stop(instance)
    await desk.screen.until("no selector", lambda: desk.screen.find("Channel selector") is None)


async def test_the_window_of_a_program_stays_open_when_its_selector_was_minimized_with_it(desk: DeskOfTests) -> None:
    instance, window = await started(desk, "calc")
    selector = await selector_of(desk, window)
    assert selector.pid is not None
    with ExitStack() as until_reported:
        with stopped(selector.pid):
            desk.screen.minimize(window)
            await desk.now(selector, "minimized with its window", lambda now: now.is_minimized)
            # The selector stays minimized until the window process has noticed it.
            until_reported.enter_context(stopped(window_manager()))
        await desk.report("ProgramWindowChanged", instance, lambda one: one.state == "minimized")
    await desk.screen.until("no selector", lambda: desk.screen.find("Channel selector") is None)
    desk.reported.clear()
    desk.screen.activate(window)
    await selector_of(desk, window)
    await desk.report("ProgramWindowChanged", instance, lambda one: one.state == "normal")
    await desk.now(window, "open", lambda now: not now.is_minimized)


async def test_a_window_of_a_process_below_the_program_is_found_and_its_selector_may_be_read_only(
    desk: DeskOfTests,
) -> None:
    instance, window = await started(desk, "below")
    selector = await selector_of(desk, window)
    desk.screen.click(*selector.bounds.center)
    desk.reported.clear()
    desk.screen.place(window, Rectangle(300, 300, 300, 200))
    await desk.report("ProgramWindowChanged", instance, lambda one: one.bounds.left == 300)
    await selector_of(desk, window)
    assert desk.screen.menus() == []


async def test_an_event_that_arrives_together_with_an_answer_of_the_x_server_is_reported(
    display: Display, tmp_path: Path
) -> None:
    engine_wanted()
    environment = child_environment(window_environment(display, tmp_path, 0))
    asking = await asyncio.create_subprocess_exec(sys.executable, EVENTS, env=environment)
    assert await asking.wait() == 0


async def test_layouts_bring_windows_of_programs_back_to_their_place_and_state(desk: DeskOfTests) -> None:
    instance, window = await started(desk, "calc")
    placed, other = await started(desk, "placed")
    # Where its definition wants it, not where the program has put it.
    await desk.now(other, "its place", lambda now: now.bounds == Rectangle(700, 550, 320, 220))
    desk.screen.place(window, Rectangle(420, 310, 333, 222))
    await desk.report("ProgramWindowChanged", instance, lambda one: one.bounds.left == 420)
    desk.screen.set_maximized(other, on=True)
    await desk.report("ProgramWindowChanged", placed, lambda one: one.state == "maximized")
    layouts = desk.platform.services.layouts
    saved = await layouts.save("programs")
    states = {one["application"]: one["state"] for one in saved["components"]}
    assert states["calc"]["bounds"] == {"left": 420, "top": 310, "width": 333, "height": 222}
    assert states["placed"]["bounds"] == {"left": 700, "top": 550, "width": 320, "height": 220}
    assert (states["calc"]["windowState"], states["placed"]["windowState"]) == ("normal", "maximized")

    # A window that stays is put back; programs that have ended are started again.
    desk.screen.place(window, Rectangle(50, 50, 300, 200))
    await desk.report("ProgramWindowChanged", instance, lambda one: one.bounds.left == 50)
    await desk.platform.services.instances.stop(placed)
    desk.reported.clear()
    assert await layouts.restore(LayoutKey("Global", "programs")) == ()
    await desk.now(window, "put back", lambda now: now.bounds == Rectangle(420, 310, 333, 222))
    again = await desk.screen.until("the other one", lambda: desk.screen.find("placed"))
    await desk.now(again, "maximized again", lambda now: now.is_maximized)
    desk.screen.set_maximized(again, on=False)
    await desk.now(again, "the place before", lambda now: now.bounds == Rectangle(700, 550, 320, 220))
    # Reports follow when a window has come to rest, which is later than the window is seen at its place.
    await desk.report("ProgramWindowChanged", instance, lambda one: one.bounds == Bounds(420, 310, 333, 222))
    (started_again,) = (one.id for one in desk.platform.services.instances.all if one.app == "placed")
    place = Bounds(700, 550, 320, 220)
    await desk.report("ProgramWindowChanged", started_again, lambda one: (one.bounds, one.state) == (place, "normal"))
