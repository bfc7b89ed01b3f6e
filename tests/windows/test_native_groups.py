"""Windows of programs in groups: inside the native window of the group, and back on the desktop when that fails."""

import asyncio
import os
import signal
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.windows.geometry import Bounds
from rostrum.stores.layouts.store import LayoutKey
from tests.windows.desk import BORDER, CAPTION, DeskOfTests
from tests.windows.pages import page
from tests.windows.screen import Rectangle, Window
from tests.windows.test_tabs import cross, tab

pytestmark = pytest.mark.asyncio(loop_scope="module")

PINK, CYAN = (255, 0, 255), (0, 255, 255)
RED, GREEN = (255, 0, 0), (0, 255, 0)
HEADER = CAPTION + BORDER
PROGRAM = Path(__file__).with_name("x_program.py")
PAGES = {"/web": page("web", "web")}
APPS = {
    "web": {"url": "/web", "left": 100, "top": 200, "width": 400, "height": 300},
    "wide": {"url": "/web", "left": 100, "top": 200, "width": 700, "height": 300},
    "calc": {
        "type": "exe", "command": sys.executable, "parameters": f"{PROGRAM} calc 700,400,300,200 ff00ff",
        "channelSelector": {"enabled": True},
    },
    "terminal": {
        "type": "exe", "command": "xterm",
        "parameters": "-geometry 50x15+700+400 -bg #ff00ff -b 0 -e sh -c "
        """'while read line && test "$line" != hello; do :; done; printf "\\033]11;#00ffff\\007"; read line'""",
    },
    "loose": {"type": "exe", "command": "xterm", "parameters": "-geometry 50x15+700+400", "isSticky": False},
}  # fmt: skip
SETTINGS = {
    "advancedMode": True,
    "channels": {"definitions": [{"name": "Red", "meta": {"color": "#ff0000"}}]},
}
WEB, WIDE = Bounds(100, 200, 400, 300), Bounds(100, 200, 700, 300)


async def grouped(desk: DeskOfTests, app: str) -> tuple[str, str, Window]:
    """Put the window of a program beside the page; return the instances and the window of the group."""
    web, window = await desk.loaded("web")
    program, _ = await desk.start(app)
    await desk.platform.services.windows.groups.join(program, web)
    await desk.screen.until("one window", lambda: [one.id for one in desk.windows()] == [window.id])
    return web, program, window


def places(desk: DeskOfTests) -> list[Bounds]:
    return [place for one in desk.platform.services.windows.groups.all for place in one.windows.values()]


async def greet(desk: DeskOfTests, terminal: Bounds) -> None:
    """Type what the terminal waits for until it gets all of it: the focus may still move while the first keys come."""
    for _ in range(2):
        await asyncio.to_thread(desk.screen.type, "hello\n")
        with suppress(AssertionError):
            await shows(desk, terminal, CYAN, within=10)
            return
    await asyncio.to_thread(desk.screen.type, "hello\n")
    await shows(desk, terminal, CYAN)


async def shows(
    desk: DeskOfTests, program: Bounds, color: tuple[int, int, int] = PINK, within: float | None = None
) -> None:
    """Wait until the contents of a window of a group are seen up to their edges."""
    left, top = round(program.left) + BORDER, round(program.top) + BORDER + CAPTION
    right, bottom = round(program.right) - BORDER - 1, round(program.bottom) - BORDER - 1
    # Not the upper left corner, where a terminal has its cursor.
    for x, y in ((right, top), (left, bottom)):
        await desk.screen.until(f"the program at {x}, {y}", partial(desk.screen.shows, (x, y), color), within)


@pytest.mark.long
@pytest.mark.rule("R-2.6-22")
async def test_a_program_is_in_a_group_moves_with_it_and_is_resized_torn_out_and_closed(desk: DeskOfTests) -> None:
    _, program, window = await grouped(desk, "calc")
    there = Bounds(504, 200, 308, 300)
    assert places(desk) == [WEB, there]
    await shows(desk, there)
    await desk.now(window, "one window", lambda now: now.bounds == Rectangle(100, 200 - HEADER, 712, 300 + HEADER))
    # Moved by the header of the group, and resized by the borders beside the line between both.
    desk.reported.clear()
    grip = (350, 200 - HEADER + BORDER + CAPTION // 2)
    await asyncio.to_thread(desk.screen.drag, grip, (grip[0] + 100, grip[1] + 50))
    moved = Bounds(604, 250, 308, 300)
    await desk.screen.until("moved", lambda: places(desk) == [Bounds(200, 250, 400, 300), moved])
    await shows(desk, moved)
    await asyncio.to_thread(desk.screen.drag, (598, 400), (548, 400))
    wider = Bounds(554, 250, 358, 300)
    await desk.screen.until("wider", lambda: places(desk) == [Bounds(200, 250, 350, 300), wider])
    await shows(desk, wider)
    await desk.report("ProgramWindowChanged", program, lambda one: one.bounds == Bounds(558, 284, 350, 262))
    # Torn out by its caption bar: it has a frame of its own, and comes back on request.
    start = (700, 250 + BORDER + CAPTION // 2)
    await asyncio.to_thread(desk.screen.drag, start, (start[0] + 400, start[1] + 200))
    alone = Bounds(954, 450, 358, 300)
    await desk.screen.until("alone", lambda: places(desk) == [] and len(desk.windows()) == 2)
    await shows(desk, alone)
    await desk.screen.until("its place", lambda: desk.host.bounds(program) == alone)
    (web,) = (one.id for one in desk.platform.services.instances.all if one.app == "web")
    await desk.platform.services.windows.groups.join(program, web)
    back = Bounds(554, 250, 358, 300)
    await desk.screen.until("grouped again", lambda: len(desk.windows()) == 1)
    await shows(desk, back)
    # Its close button asks the program, which ends.
    desk.screen.click(round(back.right) - BORDER - 15, round(back.top) + BORDER + CAPTION // 2)
    await desk.screen.until("no group", lambda: places(desk) == [])
    await desk.screen.until("ended", lambda: len(desk.platform.services.instances.all) == 1)
    await desk.screen.until("the page alone", lambda: desk.screen.find("web"))


@pytest.mark.long
async def test_a_terminal_in_a_group_gets_the_keys_and_survives_the_end_of_the_window_process(
    desk: DeskOfTests,
) -> None:
    web, program, window = await grouped(desk, "terminal")
    place = places(desk)[1]
    await shows(desk, place)
    desk.screen.click(*Rectangle(*map(round, (place.left, place.top, place.width, place.height))).center)
    await desk.report("Focused", program, lambda one: one.focused)
    # Also while the pointer is elsewhere.
    desk.screen.move(1200, 800)
    await greet(desk, place)
    # And back to the page.
    await desk.drawn("/web")
    desk.reported.clear()
    desk.screen.click(300, 400)
    await desk.report("Focused", web, lambda one: one.focused)
    process = window.pid
    assert process is not None
    # The new process finds the window on the desktop, and the group comes back.
    os.kill(process, signal.SIGKILL)
    await desk.report("HostRestored", "")
    await desk.screen.until("the group", lambda: len(desk.windows()) == 1 and desk.screen.find("Group"))
    await shows(desk, place, CYAN)
    assert places(desk) == [WEB, place]


@pytest.mark.long
async def test_a_program_goes_back_to_the_desktop_when_the_platform_forgets_it(desk: DeskOfTests) -> None:
    _, program, _ = await grouped(desk, "calc")
    # It keeps the size that it has in the group, once it has it.
    await shows(desk, Bounds(504, 200, 308, 300))
    await desk.platform.host.forget_program(program)
    alone = await desk.screen.until("its own window", lambda: desk.screen.find("calc"))
    await desk.now(alone, "its place", lambda now: now.bounds == Rectangle(508, 234, 300, 262))
    with pytest.raises(DesktopError, match="the process of the program is not known"):
        await desk.platform.host.adopt_window(program, None)


@pytest.mark.long
async def test_a_terminal_and_another_program_are_tabs_of_a_page(desk: DeskOfTests) -> None:
    tabs, instances = desk.platform.services.windows.tabs, desk.platform.services.instances
    web, window = await desk.loaded("wide")
    await desk.drawn("/web")
    terminal, _ = await desk.start("terminal")
    await tabs.join(terminal, web)
    await desk.screen.until("one window", lambda: [one.id for one in desk.windows()] == [window.id])
    await shows(desk, WIDE)
    # The keys go to the tab that a person selects.
    desk.screen.click(*tab(window, 0))
    await desk.screen.until("the page", lambda: desk.screen.pixel(300, 400) == GREEN)
    await desk.report("Focused", web, lambda one: one.focused)
    desk.reported.clear()
    desk.screen.click(*tab(window, 1))
    await shows(desk, WIDE)
    await desk.report("Focused", terminal, lambda one: one.focused)
    await greet(desk, WIDE)
    # Behind another tab, it outlives the window process.
    calc, _ = await desk.start("calc")
    await tabs.join(calc, web)
    await shows(desk, WIDE)
    assert window.pid is not None
    os.kill(window.pid, signal.SIGKILL)
    await desk.report("HostRestored", "")
    await desk.screen.until("one window again", lambda: len(desk.windows()) == 1 and desk.screen.find("Group"))
    await shows(desk, WIDE)
    (window,) = desk.windows()
    desk.screen.click(*tab(window, 1))
    await shows(desk, WIDE, CYAN)
    # Dragged out, it is a window again; the cross of its tab asks a program to close.
    x, y = tab(window, 1)
    # Not where it was clicked, which would be a double click.
    await asyncio.to_thread(desk.screen.drag, (x - 40, y), (x + 260, y + 250))
    await desk.screen.until("two windows", lambda: len(desk.windows()) == 2 and tabs.of(terminal) is None)
    alone = Bounds(WIDE.left + 300, WIDE.top + 250, WIDE.width, WIDE.height)
    await desk.screen.until("its place", lambda: desk.host.bounds(terminal) == alone)
    await shows(desk, alone, CYAN)
    desk.screen.click(*cross(window, 1))
    await desk.screen.until("ended", lambda: instances.get(calc) is None)
    await desk.screen.until("the page", lambda: desk.screen.pixel(300, 400) == GREEN)


async def dragged(desk: DeskOfTests, app: str) -> tuple[str, Bounds]:
    """Start a program and drop it near the right edge of the page, held by its title bar; return where it belongs."""
    program, window = await desk.start(app)
    shown = await desk.report("ProgramWindowChanged", program, lambda one: one.bounds is not None)
    # A window that is seen first has no title bar yet.
    window = await desk.now(window, "decorated", lambda now: Bounds(*now.bounds) == shown.bounds)
    left, right, top, _ = desk.screen.values(window, "_NET_FRAME_EXTENTS")
    assert top > 0
    x, y, width, height = window.bounds
    grip, near = (x + width // 2, y - top // 2), Bounds(510, 240, width, height)
    end = (grip[0] + 510 - x, grip[1] + 240 - y)
    await desk.screen.drag_until(grip, end, lambda: desk.screen.now(window).bounds != window.bounds)
    await desk.report("ProgramWindowChanged", program, lambda one: one.bounds == near)
    desk.screen.release()
    await desk.report("ProgramDropped", program)
    return program, Bounds(504, 200, width + left + right, 300)


async def test_a_terminal_that_is_dragged_beside_a_window_joins_its_group(desk: DeskOfTests) -> None:
    _, window = await desk.loaded("web")
    await desk.drawn("/web")
    loose, _ = await dragged(desk, "loose")
    await desk.platform.services.instances.stop(loose)
    await desk.screen.until("only the page", lambda: [one.id for one in desk.windows()] == [window.id])
    assert places(desk) == []
    _, there = await dragged(desk, "terminal")
    await desk.screen.until("a group", lambda: places(desk) == [WEB, there])
    await desk.screen.until("one window", lambda: [one.id for one in desk.windows()] == [window.id])
    await shows(desk, there)


@pytest.mark.rule("R-2.17-1")
async def test_a_layout_brings_a_group_with_a_program_back_with_its_place_and_its_channel(desk: DeskOfTests) -> None:
    channels, layouts = desk.platform.services.channels, desk.platform.services.layouts
    _, program, _ = await grouped(desk, "calc")
    there = Bounds(504, 200, 308, 300)
    await shows(desk, there)
    # The channel selector of a program in a group is in its caption bar.
    selector = Rectangle(508 + 6, 200 + BORDER + 3, 26, 24)
    menu = await desk.screen.menu_at(*selector.center)
    desk.screen.click(menu.x + 40, menu.y + 14)
    await desk.screen.until("the channel", lambda: channels.of(program) == ("Red",))
    await desk.screen.until("its colour", lambda: desk.screen.pixel(selector.x + 2, selector.y + 3) == RED)
    await desk.report("ProgramWindowChanged", program, lambda one: one.bounds == Bounds(508, 234, 300, 262))
    await layouts.save("both")
    # Windows that stay are put back into their group.
    await desk.platform.services.windows.groups.leave(program)
    await desk.platform.host.move_window(program, Bounds(900, 500, 400, 300))
    await shows(desk, Bounds(900, 500, 400, 300))
    assert await layouts.restore(LayoutKey("Global", "both")) == ()
    await desk.screen.until("the group", lambda: places(desk) == [WEB, there])
    await shows(desk, there)
    # Programs that have ended are started again.
    await desk.close_all()
    assert await layouts.restore(LayoutKey("Global", "both")) == ()
    await desk.screen.until("the group again", lambda: places(desk) == [WEB, there])
    await desk.screen.until("one window", lambda: len(desk.windows()) == 1)
    await shows(desk, there)
    await desk.screen.until("its colour", lambda: desk.screen.pixel(selector.x + 2, selector.y + 3) == RED)
