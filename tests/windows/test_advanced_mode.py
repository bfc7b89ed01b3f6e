"""What only the advanced mode has, with real pointer input: HTML windows, classic groups and their borders."""

import asyncio
from functools import partial

import pytest

from rostrum.desktop.hosts.actions import Find
from rostrum.desktop.windows.geometry import Bounds
from tests.windows.desk import BORDER, CAPTION, DeskOfTests
from tests.windows.pages import page, pdf
from tests.windows.screen import Rectangle, Window
from tests.windows.test_tabs import ACCENT

pytestmark = pytest.mark.asyncio(loop_scope="module")

SURFACE = (0xF4, 0xF6, 0xF9)
GREEN, BUTTON = (0, 255, 0), (0x33, 0x40, 0x4F)
HEADER = CAPTION + BORDER
HTML = {"mode": "html", "left": 100, "top": 100, "width": 500, "height": 400}
PLACE = {"left": 100, "top": 150, "width": 400, "height": 250}
PAGES = {
    "/pdf": pdf("alpha beta", "beta gamma"),
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
    "pdf": {"url": "/pdf", **PLACE},
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


def find_bar(window: Window) -> tuple[int, int]:
    """Return a point of the bar that searches a page, beside its field."""
    return window.bounds.x + BORDER + 3, window.bounds.bottom - BORDER - 17


def find_field(window: Window) -> tuple[int, int]:
    """Return a point of the field for the text, right of what it shows."""
    return window.bounds.x + BORDER + 180, window.bounds.bottom - BORDER - 8


def count_of_matches(window: Window) -> Rectangle:
    """Return where the bar shows how often a text was found."""
    return Rectangle(window.bounds.right - 175, window.bounds.bottom - BORDER - 30, 40, 26)


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
    # The window manager changes the state and the place one after the other.
    full = await desk.now(
        window, "maximized", lambda now: now.is_maximized and now.bounds == Rectangle(0, 0, 1600, 900)
    )
    # The corner has left the pointer, which follows it in one move.
    await desk.screen.until("no buttons", lambda: desk.screen.pixel(*html_button(full, 0)) == GREEN)
    desk.screen.move(*html_button(full, 2))
    await desk.screen.until("the buttons", lambda: desk.screen.pixel(*html_button(full, 2)) == BUTTON)
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
    # Its border is not at the edge of the group, but can be dragged nevertheless.
    with desk.screen.held("Alt_L"):
        await asyncio.to_thread(desk.screen.drag, (398, 550), (448, 550))
    await desk.screen.until("wider", lambda: places(upper, Bounds(100, 404, 350, 250)))
    # Without ALT, the whole border moves. Fill does not fit a group with a hole, so all windows share the change.
    await asyncio.to_thread(desk.screen.drag, (498, 250), (578, 250))
    await desk.screen.until("both are wider", lambda: places(Bounds(100, 150, 480, 250), Bounds(100, 404, 420, 250)))
    # The border is where the pointer clicks only when the native window has its new size too.
    wide = Rectangle(100, 150 - HEADER, 480, 504 + HEADER)
    await desk.now(window, "the native window is wider", lambda now: now.bounds == wide)
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


@pytest.mark.rule("R-2.6-16")
async def test_ctrl_f_finds_text_in_a_pdf_file_as_soon_as_the_file_is_there(desk: DeskOfTests) -> None:
    instance, window = await desk.focused("pdf")
    await desk.report("LoadFinished", instance)
    assert await desk.act(instance, Find(text="beta")) == {"matches": 2}
    assert await desk.act(instance, Find(text="nothing")) == {"matches": 0}
    desk.screen.key("Control_L", "f")
    await desk.screen.until("the search", lambda: desk.screen.pixel(*find_bar(window)) == SURFACE)
    empty = desk.screen.image(count_of_matches(window))
    await desk.screen.until("a field", lambda: desk.screen.pixel(*find_field(window)) != SURFACE)
    desk.screen.key("b")
    # "1 of 2", and after the next step "2 of 2".
    await desk.screen.until("the matches", lambda: desk.screen.image(count_of_matches(window)) != empty)
    first = desk.screen.image(count_of_matches(window))
    desk.screen.key("Return")
    await desk.screen.until("the next match", lambda: desk.screen.image(count_of_matches(window)) not in (empty, first))
    desk.screen.key("Escape")
    await desk.screen.until("no search", lambda: desk.screen.pixel(*find_bar(window)) != SURFACE)
