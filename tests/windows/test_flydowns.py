"""Flydowns on the screen, with the unmodified client library."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from rostrum.desktop.windows.geometry import Bounds
from tests.windows.cdp import Page
from tests.windows.desk import DeskOfTests
from tests.windows.pages import page
from tests.windows.screen import Rectangle, Window
from tests.windows.test_services import START, library

pytestmark = pytest.mark.asyncio(loop_scope="module")

BLUE = (0, 0, 255)
PAGES = {
    "/owner": page("Owner", head=START),
    "/menu": page("Menu", color="#0000ff"),
    "/html": page("HTML"),
    "/library.js": library,
}
APPS = {
    "owner": {"url": "/owner", "left": 100, "top": 100, "width": 500, "height": 400},
    "menu": {"url": "/menu", "left": 900, "top": 500, "width": 300, "height": 200, "mode": "frameless"},
    "other": {"url": "/html", "left": 100, "top": 100, "width": 500, "height": 400},
}  # fmt: skip
SETTINGS = {"advancedMode": True, "windowManagement": {"flydownWindows": {"showDelay": 300, "hideDelay": 600}}}
FLYDOWN = """io.windows.createFlydown(io.windows.my().id, {
  windowId: %r, targetLocation: "bottom", horizontalOffset: 0, verticalOffset: 0,
  size: (data, cancel) => {
    asked.push(data.zoneId);
    if (data.zoneId === "never") { cancel(); }
    return Promise.resolve({ width: 240, height: 120 });
  },
  zones: [
    { id: "menu", bounds: { left: 50, top: 100, width: 80, height: 40 } },
    { id: "never", bounds: { left: 300, top: 100, width: 80, height: 40 } },
  ],
}).then((made) => { window.flydown = made; })"""


@asynccontextmanager
async def ready(desk: DeskOfTests, path: str) -> AsyncIterator[Page]:
    async with desk.cdp.page(path) as found:
        await found.until("window.io && true")
        yield found


def shown(desk: DeskOfTests, title: str) -> Window | None:
    return desk.screen.find(title)


@pytest.mark.long
@pytest.mark.rule("R-2.16-14")
async def test_a_flydown_shows_while_the_pointer_rests_on_its_zone_and_takes_no_focus(desk: DeskOfTests) -> None:
    owner, window = await desk.loaded("owner")
    menu, _ = await desk.loaded("menu")
    place = Rectangle(150, 240, 240, 120)
    async with ready(desk, "/owner") as client:
        await client.evaluate("window.asked = []")
        await client.evaluate(FLYDOWN % menu)
        await desk.screen.until("the flydown is hidden", lambda: shown(desk, "menu") is None)
        desk.screen.activate(window)
        await desk.screen.until("the focus", lambda: (one := desk.screen.active()) and one.id == window.id)
        # Declined by the app, and then shown for the other zone.
        desk.screen.move(430, 220)
        await client.until("asked.includes('never')")
        assert shown(desk, "menu") is None
        desk.screen.move(180, 220)
        flown = await desk.screen.until("the flydown", lambda: shown(desk, "menu"))
        await desk.now(flown, "its place", lambda now: now.bounds == place)
        await desk.screen.until("its page", lambda: desk.screen.pixel(*place.center) == BLUE)
        assert (active := desk.screen.active()) is not None
        assert active.id == window.id
        # On the flydown itself it stays; elsewhere it goes.
        desk.screen.move(*place.center)
        await desk.report("PointerMoved", "", lambda one: (one.left, one.top) == place.center)
        assert shown(desk, "menu")
        desk.screen.move(1200, 800)
        await desk.screen.until("it is hidden", lambda: shown(desk, "menu") is None)
        # The zones move with their window.
        await client.evaluate("io.windows.my().moveTo(200, 400).then(() => true)")
        await desk.now(window, "it moved", lambda now: (now.bounds.x, now.bounds.y) == (400, 200))
        desk.screen.move(480, 320)
        await desk.now(
            await desk.screen.until("the flydown", lambda: shown(desk, "menu")),
            "beside the zone", lambda now: now.bounds == place.moved(300, 100),
        )  # fmt: skip
        await client.evaluate("flydown.destroy()")
        await desk.screen.until("it is hidden", lambda: shown(desk, "menu") is None)
        desk.reported.clear()
        assert desk.platform.host.bounds(owner) == Bounds(400, 200, 500, 400)


async def test_a_zone_that_another_window_covers_opens_nothing(desk: DeskOfTests) -> None:
    _, window = await desk.loaded("owner")
    menu, _ = await desk.loaded("menu")
    async with ready(desk, "/owner") as client:
        await client.evaluate("window.asked = []")
        await client.evaluate(FLYDOWN % menu)
        _, above = await desk.loaded("other")
        desk.reported.clear()
        desk.screen.move(180, 220)
        moved = await desk.report("PointerMoved", "", lambda one: (one.left, one.top) == (180, 220))
        assert moved.over != window.id
        desk.screen.ask_to_close(above)
        await client.until("asked.includes('menu')")
        assert await client.evaluate("asked.filter((zone) => zone === 'menu').length") == 1
