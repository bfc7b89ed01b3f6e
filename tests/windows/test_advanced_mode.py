"""What only the advanced mode has, with real pointer input: HTML windows, classic groups and their borders."""

import asyncio
from functools import partial

import pytest

from rostrum.desktop.hosts.port import Bounds
from tests.windows.desk import BORDER, CAPTION, DeskOfTests
from tests.windows.pages import page
from tests.windows.screen import Rectangle, Window
from tests.windows.test_tabs import ACCENT

pytestmark = pytest.mark.asyncio(loop_scope="module")

GREEN, BUTTON = (0, 255, 0), (0x33, 0x40, 0x4F)
HEADER = CAPTION + BORDER
HTML = {"mode": "html", "left": 100, "top": 100, "width": 500, "height": 400}
PLACE = {"left": 100, "top": 150, "width": 400, "height": 250}
PAGES = {
    "/html": page("HTML", "text<script>let clicks = 0; onclick = () => ++clicks</script>"),
    **{f"/{name}": page(name, name) for name in ("one", "two", "three")},
}
APPS = {
    "demanded": {"url": "/html", **HTML},
    "always": {
        "url": "/html", **HTML, "buttonsVisibility": "always",
        "moveAreaThickness": "30, 0, 0, 0", "moveAreaLeftMargin": "0, 200, 0, 0",
    },
    "focused": {"url": "/html", **HTML, "buttonsVisibility": "onFocus", "hasMoveAreas": False},
    "one": {"url": "/one", **PLACE},
    "two": {"url": "/two", **PLACE, "left": 700},
    "three": {"url": "/three", **PLACE, "left": 700, "top": 500},
}  # fmt: skip
SETTINGS = {
    "advancedMode": True,
    "windowManagement": {"group": {"tabs": {"overflow": True, "selectPreviousOnClose": True}}},
}


def html_button(window: Window, number: int) -> tuple[int, int]:
    """Return a point of a button of an HTML window, beside its symbol: minimize, maximize, close."""
    border = 0 if window.is_maximized else BORDER
    return window.bounds.right - border - 78 + 26 * number + 3, window.bounds.y + border + 3


async def test_an_html_window_is_moved_by_its_move_area_and_shows_buttons_on_demand(desk: DeskOfTests) -> None:
    _, window = await desk.loaded("demanded")
    await desk.drawn("/html")
    assert desk.screen.pixel(*html_button(window, 0)) == GREEN
    start = (window.bounds.x + 200, window.bounds.y + BORDER + 6)
    await asyncio.to_thread(desk.screen.drag, start, (start[0] + 300, start[1] + 200))
    window = await desk.now(window, "moved", lambda now: now.bounds == Rectangle(400, 300, 500, 400))
    # Below the move area, the pointer is that of the page; the buttons are shown in the corner only.
    async with desk.cdp.page("/html") as shown:
        desk.screen.click(window.bounds.x + 200, window.bounds.y + BORDER + 20)
        await shown.until("clicks === 1")
    assert desk.screen.pixel(*html_button(window, 0)) == GREEN
    desk.screen.move(*html_button(window, 1))
    await desk.screen.until("the buttons", lambda: desk.screen.pixel(*html_button(window, 1)) == BUTTON)
    desk.screen.click(*html_button(window, 1))
    full = await desk.now(window, "maximized", lambda now: now.is_maximized)
    desk.screen.move(*full.bounds.center)
    await desk.screen.until("no buttons", lambda: desk.screen.pixel(*html_button(full, 0)) == GREEN)
    desk.screen.move(*html_button(full, 2))
    await desk.screen.until("the buttons", lambda: desk.screen.pixel(*html_button(full, 2)) == BUTTON)
    desk.screen.click(*html_button(full, 2))
    await desk.screen.until("closed", lambda: not desk.windows())


async def test_move_areas_and_buttons_of_html_windows_are_as_their_definition_says(desk: DeskOfTests) -> None:
    _, window = await desk.loaded("always")
    await desk.drawn("/html")
    await desk.screen.until("the buttons", lambda: desk.screen.pixel(*html_button(window, 0)) == BUTTON)
    # The margin leaves the upper part to the page.
    above, below = ((window.bounds.x + BORDER + 15, window.bounds.y + BORDER + down) for down in (100, 300))
    async with desk.cdp.page("/html") as shown:
        desk.screen.click(*above)
        await shown.until("clicks === 1")
    await asyncio.to_thread(desk.screen.drag, below, (below[0] + 700, below[1] + 100))
    window = await desk.now(window, "moved", lambda now: now.bounds == Rectangle(800, 200, 500, 400))
    _, other = await desk.loaded("focused")
    buttons = partial(desk.screen.pixel, *html_button(other, 0))
    await desk.screen.until("the buttons", lambda: buttons() == BUTTON)
    desk.screen.activate(window)
    await desk.screen.until("no buttons", lambda: buttons() == GREEN)


@pytest.mark.rule("R-2.6-21")
async def test_alt_resizes_one_window_of_a_classic_group_and_a_double_click_aligns_it(desk: DeskOfTests) -> None:
    (one, window), (two, _) = await desk.loaded("one"), await desk.loaded("two")
    groups = desk.platform.services.windows.groups
    group = await groups.join(two, one, "bottom")
    assert group.type == "Classic"
    whole = Rectangle(100, 150 - HEADER, 400, 504 + HEADER)
    await desk.now(window, "one native window", lambda now: now.bounds == whole)
    await desk.screen.until("one window", lambda: len(desk.windows()) == 1)
    desktop = desk.screen.pixel(600, 600)
    upper, lower = Bounds(100, 150, 400, 250), Bounds(100, 404, 400, 250)

    def places(*expected: Bounds) -> bool:
        found = groups.of(one)
        return found is not None and tuple(found.windows.values()) == expected

    assert places(upper, lower)
    # Only the window at which the border is held; the desktop is seen beside it.
    with desk.screen.held("Alt_L"):
        await asyncio.to_thread(desk.screen.drag, (498, 550), (398, 550))
    narrow = Bounds(100, 404, 300, 250)
    await desk.screen.until("one is narrower", lambda: places(upper, narrow))
    await desk.screen.until("the desktop", lambda: desk.screen.pixel(450, 550) == desktop)
    # Its border is not at the edge of the group, and is grabbed all the same.
    with desk.screen.held("Alt_L"):
        await asyncio.to_thread(desk.screen.drag, (398, 550), (448, 550))
    await desk.screen.until("wider", lambda: places(upper, Bounds(100, 404, 350, 250)))
    # Without ALT, the whole border moves. Fill does not fit a group with a hole, so all windows share the change.
    await asyncio.to_thread(desk.screen.drag, (498, 250), (578, 250))
    await desk.screen.until("both are wider", lambda: places(Bounds(100, 150, 480, 250), Bounds(100, 404, 420, 250)))
    desk.screen.click(578, 250, times=2)
    await desk.screen.until("aligned", lambda: places(Bounds(100, 150, 480, 250), Bounds(100, 404, 480, 250)))
    await desk.screen.until("no desktop", lambda: desk.screen.pixel(560, 550) == GREEN)


@pytest.mark.rule("R-2.16-6")
async def test_tabs_of_classic_groups_have_no_overflow_menu_and_select_the_neighbour_on_close(
    desk: DeskOfTests,
) -> None:
    found = [await desk.loaded(app) for app in ("one", "two", "three")]
    tabs, window = desk.platform.services.windows.tabs, found[0][1]
    for instance, _ in found[1:]:
        await tabs.join(instance, found[0][0])
    desk.screen.place(window, Rectangle(100, 150, 360, 250))
    await desk.now(window, "narrow", lambda now: now.bounds.width == 360)
    top, left = 150 + BORDER, 100 + BORDER
    # In a web group, the third tab would be the second one of the strip, beside a menu with the others.
    await desk.screen.until("the third tab", lambda: desk.screen.pixel(left + 240, top) == ACCENT)
    assert desk.screen.pixel(left + 130, top) != ACCENT
    desk.screen.click(left + 40, top + 15)
    await desk.screen.until("the first tab", lambda: desk.screen.pixel(left + 40, top) == ACCENT)
    desk.screen.click(left + 190, top + 15)
    await desk.screen.until("the third tab", lambda: desk.screen.pixel(left + 240, top) == ACCENT)
    # In a web group, the first tab would follow, because it was selected before.
    await desk.platform.services.instances.stop(found[2][0])
    await desk.screen.until("its neighbour", lambda: desk.screen.pixel(left + 150, top) == ACCENT)
    assert desk.screen.pixel(left + 40, top) != ACCENT
