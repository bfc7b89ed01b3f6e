"""Windows docked to an edge, placed on a display, and shown as popups, with the unmodified client library."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.windows.cdp import Page
from tests.windows.desk import DeskOfTests
from tests.windows.pages import page
from tests.windows.screen import Rectangle, Window
from tests.windows.test_services import START, library

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGES = {
    "/one": page("One", head=START),
    "/two": page("Two"),
    "/popup": page("Popup", "popup", color="#0000ff"),
    "/library.js": library,
}
PLACE = Rectangle(200, 150, 500, 400)
APPS = {
    "one": {"url": "/one", "left": 200, "top": 150, "width": 500, "height": 400},
    "two": {"url": "/two", "left": 900, "top": 500, "width": 300, "height": 200},
    "bar": {
        "url": "/one", "left": 200, "top": 150, "width": 500, "height": 400,
        "docking": {"enabled": True, "allowedPositions": ["top", "left"], "height": 90, "claimScreenArea": True},
    },
    "first": {
        "url": "/two", "width": 300, "height": 200,
        "docking": {"enabled": True, "allowedPositions": ["left"], "initialPosition": "left"},
    },
    "side": {
        "url": "/two", "width": 300, "height": 200,
        "placement": {"snapped": True, "horizontalAlignment": "right", "verticalAlignment": "bottom", "right": "10%"},
    },
}  # fmt: skip
LEFT, RIGHT = ("LEFT", Rectangle(0, 0, 800, 900)), ("RIGHT", Rectangle(800, 0, 800, 900))
EVENTS = """
  window.events = [];
  io.windows.my().onDockingChanged((one, docking) => events.push(docking.docked));
  io.windows.my().onPlacementSettingsChanged((one) => events.push(one.placementSettings.snapped));
  true"""


@asynccontextmanager
async def ready(desk: DeskOfTests, path: str) -> AsyncIterator[Page]:
    async with desk.cdp.page(path) as found:
        await found.until("window.io && true")
        await found.evaluate(EVENTS)
        yield found


async def at(desk: DeskOfTests, window: Window, place: Rectangle) -> None:
    await desk.now(window, f"at {place}", lambda now: now.bounds == place)


async def test_a_window_is_docked_to_an_edge_and_a_person_drags_it_away(desk: DeskOfTests) -> None:
    _, window = await desk.loaded("one")
    async with ready(desk, "/one") as client:
        docked = await client.evaluate("io.windows.my().dock({ position: 'right', width: 300, saveBounds: true })")
        assert docked == {"docked": True, "position": "right", "claimScreenArea": False}
        await at(desk, window, Rectangle(1300, 0, 300, 900))
        await client.until("events.includes(true)")
        await client.evaluate("io.windows.my().undock({ restoreBounds: true })")
        await at(desk, window, PLACE)
        assert await client.evaluate("io.windows.my().getDockingPlacement()") == {"docked": False}
        await client.evaluate("io.windows.my().dock({ position: 'bottom', height: 200 })")
        await at(desk, window, Rectangle(0, 700, 1600, 200))
        await client.evaluate("events.length = 0")
        x, y = 800, 700 + 19
        desk.screen.drag((x, y), (x, y - 300))
        await client.until("events.includes(false)")
        refused = "io.windows.my().undock().then(() => '', (error) => error.message)"
        assert "The window is not docked" in await client.evaluate(refused)


async def test_a_docked_window_that_claims_its_area_makes_the_work_area_smaller(desk: DeskOfTests) -> None:
    _, window = await desk.loaded("bar")
    _, other = await desk.loaded("two")
    async with ready(desk, "/one") as client:
        refused = "io.windows.my().dock({ position: 'right' }).then(() => '', (error) => error.message)"
        assert "docked at top, left only" in await client.evaluate(refused)
        await client.evaluate("io.windows.my().dock({ position: 'top' })")
        await at(desk, window, Rectangle(0, 0, 1600, 90))
        await desk.screen.until("the work area", lambda: desk.platform.host.screens()[0].work_area.top == 90)
        desk.screen.set_maximized(other, on=True)
        await at(desk, other, Rectangle(0, 90, 1600, 810))
        assert desk.screen.now(window).bounds == Rectangle(0, 0, 1600, 90)
        desk.screen.set_maximized(other, on=False)
        await client.evaluate("io.windows.my().undock({ newBounds: { left: 200, top: 150, width: 500, height: 400 } })")
        await at(desk, window, PLACE)
        await desk.screen.until("the whole display", lambda: desk.platform.host.screens()[0].work_area.top == 0)


async def test_a_placed_window_stays_at_its_side_when_the_displays_change(desk: DeskOfTests) -> None:
    _, window = await desk.loaded("one")
    async with ready(desk, "/one") as client:
        await client.evaluate(
            "io.windows.my().place({ snapped: true, horizontalAlignment: 'right', width: 300, saveBounds: true })"
            ".then(() => true)"
        )
        await at(desk, window, Rectangle(1300, 0, 300, 900))
        await client.until("events.includes(true)")
        await desk.divide(LEFT, RIGHT)
        desk.screen.set_monitors(LEFT)
        await at(desk, window, Rectangle(500, 0, 300, 900))
        desk.screen.set_monitors()
        await at(desk, window, Rectangle(1300, 0, 300, 900))
        await client.evaluate("io.windows.my().clearPlacement({ restoreBounds: true }).then(() => true)")
        await at(desk, window, PLACE)


@pytest.mark.long
async def test_a_popup_shows_beside_its_target_and_goes_with_the_focus(desk: DeskOfTests) -> None:
    _, window = await desk.loaded("one")
    popup, hidden = await desk.loaded("two")
    async with ready(desk, "/one") as client:
        await client.evaluate(f"io.windows.findById({popup!r}).hide().then(() => true)")
        show = (
            f"io.windows.my().showPopup({{ windowId: {popup!r}, targetLocation: 'right',"
            " targetBounds: { left: 20, top: 60, width: 100, height: 30 }, size: { width: 260, height: 120 } })"
            ".then(() => true)"
        )
        await client.evaluate(show)
        place = Rectangle(PLACE.x + 120, PLACE.y + 60, 260, 120)
        shown = await desk.screen.until("the popup", lambda: desk.screen.find("two"))
        await at(desk, shown, place)
        await desk.screen.until("its focus", lambda: (one := desk.screen.active()) and one.id == shown.id)
        desk.screen.click(PLACE.x + 400, PLACE.y + 350)
        await desk.screen.until("it is hidden", lambda: desk.screen.find("two") is None)
        assert desk.platform.services.instances.get(popup) is not None
        assert hidden.title == "two"
        assert desk.screen.if_open(window) is not None


@pytest.mark.rule("R-2.6-10")
async def test_an_external_popup_shows_above_its_window_and_a_custom_one_is_refused_in_the_default_mode(
    desk: DeskOfTests,
) -> None:
    instance, window = await desk.loaded("one")
    await desk.report("Focused", instance, lambda report: report.focused)
    client = await desk.platform.gateway.local_peer("client", "ann")
    popup = {
        "instance": instance,
        "url": f"{desk.pages.address}/popup",
        "anchor": {"left": PLACE.x + 20, "top": PLACE.y + 60, "width": 100, "height": 30},
        "width": 260,
        "height": 120,
    }
    with pytest.raises(Exception, match=r"useExternalWindowPopup\(\)"):
        await client.methods.call("Rostrum.Popups.Open", {**popup, "kind": "custom"})

    await client.methods.call("Rostrum.Popups.Open", popup)
    x, y = PLACE.x + 270, PLACE.y + 200
    await desk.screen.until("the popup", lambda: desk.screen.pixel(x, y) == (0, 0, 255))
    # It stays above the window that a person works in.
    desk.reported.clear()
    desk.screen.activate(window)
    await desk.screen.until("the focus", lambda: (one := desk.screen.active()) and one.id == window.id)
    assert desk.screen.pixel(x, y) == (0, 0, 255)


async def test_windows_open_docked_and_placed_as_their_definitions_say(desk: DeskOfTests) -> None:
    with desk.screen.watched() as seen:
        _, docked = await desk.start("first")
        _, placed = await desk.start("side")
        await at(desk, docked, Rectangle(0, 0, 300, 900))
        await at(desk, placed, Rectangle(1140, 700, 300, 200))
    # They were never anywhere else.
    assert sorted(seen.values()) == [[Rectangle(0, 0, 300, 900)], [Rectangle(1140, 700, 300, 200)]]
