"""Tabs on the screen: windows that share one place, their strip, and drags in and out of it."""

import os
import signal

import pytest

from rostrum.desktop.hosts.actions import Flash
from rostrum.desktop.hosts.reports import HostRestored
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.tabs import TabGroup
from tests.windows.desk import BORDER, DeskOfTests, caption, page_area
from tests.windows.pages import page
from tests.windows.screen import Rectangle, Window

pytestmark = pytest.mark.asyncio(loop_scope="module")

ACCENT = (0x25, 0x63, 0xC9)
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)
PLACE = Rectangle(200, 150, 700, 300)
PAGES = {
    "/one": page("One", "one", color="#ff0000"),
    "/two": page("Two", "two", color="#00ff00"),
    "/three": page("Three", "three", color="#0000ff"),
    "/fixed": page("Fixed", "fixed", color="#0000ff"),
}
_SIZE = {"width": 700, "height": 300}
APPS = {
    "one": {"url": "/one", "left": 200, "top": 150, **_SIZE},
    "two": {"url": "/two", "left": 100, "top": 500, **_SIZE},
    "three": {"url": "/three", "left": 850, "top": 500, **_SIZE, "mode": "tab"},
    "fixed": {"url": "/fixed", "left": 850, "top": 500, **_SIZE, "allowExtract": False},
}
SETTINGS = {
    "windowManagement": {
        "snapping": {"enabled": False},
        "group": {
            "tabs": {
                "showSelectedTabTitleInTaskbar": True,
                "selectPreviousOnClose": True,
                "overflow": True,
                "flatWhenSingle": True,
            }
        },
    }
}
TAB = 160
"""How wide a tab is while there is room."""


def tab(window: Window, number: int) -> tuple[int, int]:
    """Return the middle of a tab."""
    return window.bounds.x + BORDER + number * TAB + TAB // 2, window.bounds.y + BORDER + 15


def cross(window: Window, number: int) -> tuple[int, int]:
    """Return the middle of the close button of a tab."""
    return window.bounds.x + BORDER + (number + 1) * TAB - 16, window.bounds.y + BORDER + 15


def group(desk: DeskOfTests, instance: str) -> TabGroup:
    """Return the tab group of a window, as the platform knows it."""
    found = desk.platform.services.windows.tabs.of(instance)
    assert found is not None
    return found[1]


async def tabbed(desk: DeskOfTests, *apps: str) -> tuple[list[str], Window]:
    """Open apps as tabs of the first one; return their instances, and the window that all of them share."""
    found = [await desk.loaded(app) for app in apps]
    for app in apps:
        await desk.drawn(f"/{app}")
    for instance, _ in found[1:]:
        await desk.platform.services.windows.tabs.join(instance, found[0][0])
    window = found[0][1]
    await desk.screen.until("one window", lambda: [one.id for one in desk.windows()] == [window.id])
    await selected(desk, window, len(apps) - 1)
    return [instance for instance, _ in found], window


async def only(desk: DeskOfTests) -> Window:
    """Wait until there is one window, and return it."""
    return (await desk.screen.until("one window", lambda: found if len(found := desk.windows()) == 1 else None))[0]


async def selected(desk: DeskOfTests, window: Window, number: int) -> None:
    """Wait until the strip shows a tab as selected."""
    x, y = tab(window, number)
    await desk.screen.until("the selected tab", lambda: desk.screen.pixel(x, y - 15) == ACCENT)


async def shown(desk: DeskOfTests, window: Window, color: tuple[int, int, int], title: str | None = None) -> None:
    """Wait until a window shows a page, and the taskbar its title."""
    middle = page_area(window).center
    await desk.screen.until("the page", lambda: desk.screen.pixel(*middle) == color)
    if title is not None:
        await desk.now(window, "the title", lambda now: now.title == title)


async def visibility(desk: DeskOfTests, *apps: str) -> list[str]:
    """Return what pages know of their visibility."""
    states = []
    for app in apps:
        async with desk.cdp.page(f"/{app}") as inside:
            states.append(await inside.evaluate("document.visibilityState"))
    return states


@pytest.mark.long
@pytest.mark.rule("R-2.16-4")
async def test_a_click_shows_the_page_of_a_tab_and_hides_the_others(desk: DeskOfTests) -> None:
    (one, two, three), window = await tabbed(desk, "one", "two", "three")
    assert window.bounds == PLACE
    await shown(desk, window, BLUE, "three")
    assert [desk.host.bounds(instance) for instance in (one, two, three)] == [Bounds(*PLACE)] * 3

    desk.reported.clear()
    desk.screen.click(*tab(window, 0))
    await desk.report("Focused", one, lambda report: report.focused)
    await shown(desk, window, RED, "one")
    assert group(desk, one).selected == one
    assert await visibility(desk, "one", "two", "three") == ["visible", "hidden", "hidden"]
    desk.screen.click(*tab(window, 1))
    await shown(desk, window, GREEN, "two")
    assert await visibility(desk, "one", "two", "three") == ["hidden", "visible", "hidden"]
    await desk.platform.services.windows.manager.retitle(two, "Renamed", TitledBy.CODE)
    await desk.now(window, "the new title", lambda now: now.title == "Renamed")


@pytest.mark.long
async def test_a_tab_is_dragged_to_another_place_of_the_strip(desk: DeskOfTests) -> None:
    (one, two, three), window = await tabbed(desk, "one", "two", "three")

    desk.screen.drag(tab(window, 0), (tab(window, 2)[0] + 20, tab(window, 2)[1]))
    await desk.report("TabReordered", one)
    await desk.screen.until("the new order", lambda: group(desk, one).tabs == (two, three, one))
    await shown(desk, window, RED, "one")
    desk.screen.click(*tab(window, 0))
    await shown(desk, window, GREEN, "two")


@pytest.mark.long
async def test_a_closed_tab_leads_back_to_the_one_selected_before(desk: DeskOfTests) -> None:
    (one, two, three), window = await tabbed(desk, "one", "two", "three")
    desk.screen.click(*tab(window, 0))
    await shown(desk, window, RED)

    desk.screen.click(*cross(window, 0))
    await desk.report("WindowClosed", one)
    await shown(desk, window, BLUE, "three")
    assert group(desk, two).tabs == (two, three)
    assert desk.platform.services.instances.get(one) is None


@pytest.mark.long
async def test_a_tab_that_is_dragged_out_is_a_window_with_the_same_document_and_process(desk: DeskOfTests) -> None:
    (one, two), window = await tabbed(desk, "one", "two")
    async with desk.cdp.page("/one") as inside:
        await inside.evaluate("globalThis.kept = 'kept'")
        process = (await desk.report("RendererStarted", one)).process
        desk.reported.clear()
        start, end = tab(window, 0), (1200, 600)
        desk.screen.drag(start, end)
        await desk.report("TornOut", one)
        await desk.report("Dropped", one)
        await desk.screen.until("it has left the tabs", lambda: group(desk, two).tabs == (two,))
        torn = await desk.screen.until(
            "a window of its own", lambda: next((each for each in desk.windows() if each.id != window.id), None)
        )
        torn = await desk.now(torn, "the place of the pointer", lambda now: now.bounds.y + BORDER + 15 == end[1])
        assert torn.bounds.x < end[0] < torn.bounds.right
        await shown(desk, torn, RED, "one")
        await shown(desk, window, GREEN, "two")
        assert await inside.evaluate("kept") == "kept"
        assert not [each for each in desk.reported if type(each).__name__ == "RendererStarted"]
        assert process > 0
        assert await visibility(desk, "one", "two") == ["visible", "visible"]

        # Back again. A single tab is flat, and takes windows by its caption bar, unless ALT is held.
        desk.reported.clear()
        back = (window.bounds.x + 100, window.bounds.y + BORDER + 15)
        with desk.screen.held("Alt_L"):
            desk.screen.drag(caption(torn), back)
            await desk.report("Dropped", one, lambda report: report.alt and report.over == two)
        torn = await desk.now(torn, "its place", lambda now: now.bounds.y == window.bounds.y)
        assert group(desk, two).tabs == (two,)
        desk.reported.clear()
        x, y = caption(torn)
        desk.screen.drag((x, y), (x, y + 200))
        await desk.report("Dropped", one, lambda report: report.over is None)
        torn = await desk.now(torn, "its place", lambda now: now.bounds.y == window.bounds.y + 200)
        desk.reported.clear()
        desk.screen.drag(caption(torn), back)
        await desk.report("Dropped", one, lambda report: report.over == two)
        await desk.screen.until("it is a tab again", lambda: group(desk, two).tabs == (two, one))
        await desk.screen.until("one window", lambda: [each.id for each in desk.windows()] == [window.id])
        await shown(desk, window, RED, "one")
        assert await inside.evaluate("kept") == "kept"


@pytest.mark.long
async def test_a_drag_after_a_click_is_no_double_click_and_a_tab_flashes_until_it_is_selected(
    desk: DeskOfTests,
) -> None:
    (one, two, three), window = await tabbed(desk, "one", "two", "three")
    x, y = tab(window, 1)
    line = x, window.bounds.y + BORDER + 28

    def flashes() -> bool:
        return desk.screen.pixel(*line) == ACCENT

    for instance in (two, three):
        await desk.act(instance, Flash(tab=True))
    await desk.screen.until("the line", flashes)
    await desk.screen.until("no line", lambda: not flashes())
    await desk.screen.until("the line again", flashes)
    assert "DEMANDS_ATTENTION" not in desk.screen.now(window).states
    # The selected tab does not flash.
    assert desk.screen.pixel(line[0] + TAB, line[1]) != ACCENT
    desk.reported.clear()
    desk.screen.click(x, y)
    # At once: within the time of a double click.
    desk.screen.drag((x, y), (1200, 600))
    await desk.report("TabSelected", two)
    await desk.report("TornOut", two)
    await desk.screen.until("it has left the tabs", lambda: group(desk, one).tabs == (one, three))
    await desk.report("Dropped", two)
    # Qt asks for the focus again when it learns that the window is mapped, which may be after the window manager
    # has given it: only after the report does the focus stay where it is set next.
    await desk.report("Focused", two, lambda report: report.focused)
    # Now a double click: the press and the release are at the same place.
    await selected(desk, window, 1)
    desk.screen.activate(window)
    await desk.screen.until("its focus", lambda: desk.screen.has_focus(window))
    desk.screen.click(x, y, times=2)
    await desk.screen.until("the editor", lambda: desk.screen.pixel(x, y - 12) == ACCENT)
    desk.screen.type("mine\n")
    assert (await desk.report("Retitled", three)).title == "mine"


async def test_a_tab_that_its_app_does_not_give_away_goes_back_when_it_is_dropped(desk: DeskOfTests) -> None:
    (one, fixed), window = await tabbed(desk, "one", "fixed")

    desk.screen.drag(tab(window, 1), (1200, 600))
    await desk.report("TornOut", fixed)
    await desk.screen.until("one window", lambda: [each.id for each in desk.windows()] == [window.id])
    await selected(desk, window, 1)
    await shown(desk, window, BLUE, "fixed")
    assert group(desk, one).tabs == (one, fixed)


async def test_a_window_dropped_on_the_caption_bar_of_a_tab_window_makes_tabs_of_both(desk: DeskOfTests) -> None:
    three, lower = await desk.loaded("three")
    two, upper = await desk.loaded("two")
    await desk.report("Focused", two, lambda report: report.focused)

    desk.screen.drag(caption(upper), (lower.bounds.x + 100, lower.bounds.y + BORDER + 15))
    await desk.report("Dropped", two, lambda report: report.over == three)
    await desk.screen.until("both are tabs", lambda: desk.platform.services.windows.tabs.of(two) is not None)
    await desk.screen.until("one window", lambda: [each.id for each in desk.windows()] == [lower.id])
    assert group(desk, three).tabs == (three, two)
    await shown(desk, lower, GREEN, "two")


@pytest.mark.long
async def test_tabs_without_room_are_in_a_menu(desk: DeskOfTests) -> None:
    (one, two, _), window = await tabbed(desk, "one", "two", "three")
    await desk.host.move_window(one, Bounds(200, 150, 330, 300))
    narrow = await desk.now(window, "the new width", lambda now: now.bounds.width == 330)

    menu = await desk.screen.menu_at(narrow.bounds.x + BORDER + 213, narrow.bounds.y + BORDER + 15)
    desk.screen.click(*menu.center)
    # The selected tab is always in the strip, so the second one had no room.
    await desk.report("TabSelected", two)
    await shown(desk, narrow, GREEN, "two")
    assert group(desk, one).selected == two


async def test_a_tab_is_pinned_by_its_menu_and_hidden_by_a_program(desk: DeskOfTests) -> None:
    (one, two), window = await tabbed(desk, "one", "two")

    desk.screen.click(*tab(window, 1), button=3)
    menu = (await desk.screen.until("a menu", desk.screen.menus))[0]
    desk.screen.click(menu.x + 40, menu.y + 14)
    await desk.report("TabPinned", two)
    await desk.screen.until("the new order", lambda: group(desk, one).tabs == (two, one))
    corner = window.bounds.x + BORDER, window.bounds.y + BORDER
    await desk.screen.until("the narrow tab", lambda: desk.screen.pixel(corner[0] + 20, corner[1]) == ACCENT)
    assert desk.screen.pixel(corner[0] + 60, corner[1]) != ACCENT
    tabs = desk.platform.services.windows.tabs
    await tabs.show_header(two, visible=False)
    await desk.screen.until("no selected tab", lambda: desk.screen.pixel(corner[0] + 20, corner[1]) != ACCENT)
    await tabs.show_header(two, visible=True)
    await desk.screen.until("the tab again", lambda: desk.screen.pixel(corner[0] + 20, corner[1]) == ACCENT)


@pytest.mark.long
async def test_tabs_are_there_again_after_a_restart_of_the_window_process(desk: DeskOfTests) -> None:
    _, window = await tabbed(desk, "one", "two")
    assert desk.host.process is not None

    os.kill(desk.host.process, signal.SIGKILL)
    await desk.screen.until("the restart", lambda: any(isinstance(each, HostRestored) for each in desk.reported))
    again = await only(desk)
    assert again.bounds == window.bounds
    await selected(desk, again, 1)
    await shown(desk, again, GREEN, "two")
    desk.screen.click(*tab(again, 0))
    await shown(desk, again, RED, "one")
