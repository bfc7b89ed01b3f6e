"""The demo on a screen: windows in one channel follow each other, and the launcher starts apps by keyboard."""

from collections.abc import AsyncIterator
from functools import partial

import pytest
import pytest_asyncio

from rostrum.demo_apps.server import AppServer
from rostrum.manager.demo.read import read_demo
from tests.windows.cdp import Page
from tests.windows.desk import DeskOfTests, engine_wanted, page_area, running_desk
from tests.windows.display import Display
from tests.windows.pages import Pages
from tests.windows.screen import Screen, Window

CHANNELS = next(item["contents"] for item in read_demo().configs if item["file"] == "channels.json")
SELECTOR = {"enabled": True, "channelId": "Harbour Blue"}
SETTINGS = {
    "channels": {"definitions": CHANNELS},
    "themes": {"availableThemes": [{"name": "day"}, {"name": "night"}]},
    "windows": {"channelSelector": SELECTOR},
}
APPS = {
    "Market Watch": {"url": "/watch/", "left": 500, "top": 20, "width": 460, "height": 420},
    "Price Chart": {"url": "/chart/", "left": 980, "top": 20, "width": 460, "height": 420},
}
DARK, LIGHT = (0x17, 0x19, 0x1D), (0xF6, 0xF8, 0xFB)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def running_platform(
    display: Display, connected_screen: Screen, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[DeskOfTests]:
    """A platform whose apps come from the server of the demo."""
    engine_wanted()
    server = AppServer()
    server.start()
    pages = Pages(server.origin, {})
    try:
        root = tmp_path_factory.mktemp("desk")
        async with running_desk(root, display, connected_screen, pages, APPS, SETTINGS) as desk:
            yield desk
    finally:
        server.stop()


async def click(desk: DeskOfTests, window: Window, page: Page, selector: str) -> None:
    """Click an element with the pointer, where it is on the screen."""
    found = f"document.querySelector({selector!r}).getBoundingClientRect()"
    left, top = await page.evaluate(f"(box => [box.x + box.width / 2, box.y + box.height / 2])({found})")
    area = page_area(window)
    desk.screen.click(area.x + round(left), area.y + round(top))


@pytest.mark.long
async def test_a_click_in_one_window_changes_the_other_one_of_its_channel(desk: DeskOfTests) -> None:
    _, watch = await desk.loaded("Market Watch")
    _, chart = await desk.loaded("Price Chart")
    async with desk.cdp.page("/watch/") as left, desk.cdp.page("/chart/") as right:
        for page in (left, right):
            await page.until("document.querySelector('#channel').textContent === 'Harbour Blue'")
        await right.until("document.querySelector('#name').textContent === 'Pine Creek Timber'")
        await click(desk, watch, left, 'tr[data-ticker="HRBR"]')
        await right.until("document.querySelector('#name').textContent === 'Harbour Shipping'")
        # The chart is drawn on the screen, in the colour of its line.
        area = page_area(chart)
        await desk.screen.until("the line of the chart", lambda: desk.screen.image(area).count((0x1F, 0x5F, 0xBF)) > 50)


async def test_the_launcher_starts_an_app_by_keyboard(desk: DeskOfTests) -> None:
    await desk.platform.services.own_pages.show("launcher")
    launcher = await desk.screen.until("the launcher", lambda: desk.screen.find("Launcher"))
    async with desk.cdp.page("rostrum-page://launcher/") as page:
        await page.until("document.querySelectorAll('#apps .option').length === 2")
        await page.until("document.hasFocus() && document.activeElement.id === 'search'")
        desk.screen.type("chart")
        await page.until("document.querySelectorAll('#found .option').length === 1")
        desk.screen.key("Return")
        window = await desk.screen.until("the chart", lambda: desk.screen.find("Price Chart"))
        assert window.bounds[:2] == (980, 20)
        await page.until("document.querySelector('#tab-running').textContent === 'Running (1)'")
    desk.screen.ask_to_close(launcher)


async def test_a_theme_changes_pages_of_the_platform_and_of_apps(desk: DeskOfTests) -> None:
    await desk.platform.services.own_pages.show("launcher")
    launcher = await desk.screen.until("the launcher", lambda: desk.screen.find("Launcher"))
    _, watch = await desk.loaded("Market Watch")

    def shows(window: Window, expected: tuple[int, int, int]) -> bool:
        x, y, _, height = page_area(window)
        # In a corner, where no text is.
        return desk.screen.pixel(x + 4, y + height - 4) == expected

    for theme, expected in (("night", DARK), ("day", LIGHT)):
        await desk.platform.services.themes.select(theme)
        for window in (launcher, watch):
            await desk.screen.until(f"{window.title} in {theme}", partial(shows, window, expected))
    desk.screen.ask_to_close(launcher)


async def test_a_page_that_cannot_be_loaded_is_reloaded_by_keyboard_when_its_server_is_back(desk: DeskOfTests) -> None:
    gone = AppServer()
    gone.stop()
    instance, window = await desk.loaded("Price Chart")
    async with desk.cdp.page("/chart/") as page:
        await page.evaluate(f"location.href = '{gone.origin}/news/'")
    await desk.report("LoadFailed", instance)
    back = AppServer(int(gone.origin.rpartition(":")[2]))
    back.start()
    try:
        desk.screen.activate(window)
        await desk.screen.until("the window in front", lambda: desk.screen.has_focus(window))
        desk.screen.key("space")
        async with desk.cdp.page(f"{back.origin}/news/") as page:
            # The token and the globals of the app are for its own origin.
            await page.until("document.querySelector('#channel').textContent.startsWith('Open this page')")
    finally:
        back.stop()
