"""The demo's apps in a real browser, on a real gateway: two windows in one channel follow each other."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, CDPSession, Page, expect

from rostrum.demo_apps.server import AppServer
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import ChannelChosen, TokenWanted
from rostrum.desktop.login import Login
from rostrum.desktop.platform import Platform
from rostrum.manager.demo.addresses import at_origin
from rostrum.manager.demo.read import read_demo
from rostrum.settings.parse import NEWEST
from rostrum.sources.load import Start
from tests.desktop.pages.conftest import violations

PATIENCE_MS = 20_000
APPS = ("market-watch", "price-chart", "order-ticket", "order-blotter", "news-wire", "chat-panel")
CHANNELS = next(item["contents"] for item in read_demo().configs if item["file"] == "channels.json")
THEMES = [{"name": "harbour-day"}, {"name": "harbour-night"}]
GLOBALS = """
  window.iodesktop = window.glue42gd = {...%s, gwURL: "%s", getGWToken: () => window.askToken()};
"""

expect.set_options(timeout=PATIENCE_MS)


@dataclass
class Window:
    """A window of the browser. It stays open between apps, empty, because opening one takes long."""

    page: Page
    protocol: CDPSession
    instance: str = ""


class DemoDesk:
    """A platform with the demo's apps, whose windows are pages of a browser."""

    def __init__(self, platform: Platform, host: RecordingHost, browser: Browser, origin: str) -> None:
        self.platform = platform
        self.complaints: list[str] = []
        self._host = host
        self._browser = browser
        self._origin = origin
        self._free: list[Window] = []

    @asynccontextmanager
    async def app(self, name: str, context: dict[str, str] | None = None) -> AsyncIterator[Page]:
        instance = await self.platform.services.instances.start(name, context or {})
        async with self.window(instance.id) as page:
            yield page
        await self.platform.services.instances.stop(instance.id)

    @asynccontextmanager
    async def window(self, instance: str) -> AsyncIterator[Page]:
        request = self._host.windows[instance]
        assert request.access is not None
        window = self._free.pop() if self._free else await self._open()
        window.instance = instance
        # Playwright cannot remove a script that it has added.
        script = GLOBALS % (json.dumps(dict(request.access.info)), request.access.gateway)
        added = await window.protocol.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        await window.page.goto(request.details["url"])
        await expect(window.page.locator("#channel")).to_have_text(request.access.info["initialChannel"])
        yield window.page
        await window.page.goto("about:blank")
        await window.protocol.send("Page.removeScriptToEvaluateOnNewDocument", added)
        self._free.append(window)

    async def _open(self) -> Window:
        context = await self._browser.new_context(viewport={"width": 640, "height": 520})
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        window = Window(page, await context.new_cdp_session(page))
        await window.protocol.send("Page.enable")

        async def token() -> Any:
            return await self.platform.reports.ask(TokenWanted(instance=window.instance, origin=self._origin))

        await page.expose_function("askToken", token)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        return window

    async def close(self) -> None:
        """Close the windows."""
        for window in self._free:
            await window.page.context.close()


async def started(desk: DemoDesk, before: set[str]) -> str:
    """Wait for one more running app."""
    news = asyncio.Event()
    instances = desk.platform.services.instances
    disconnect = instances.started.connect(lambda _: news.set())
    try:
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while not (more := {one.id for one in instances.all} - before):
                await news.wait()
                news.clear()
    finally:
        disconnect()
    return more.pop()


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    server = AppServer()
    server.start()
    yield server.origin
    server.stop()


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def desk(browser: Browser, origin: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[DemoDesk]:
    root: Path = tmp_path_factory.mktemp("desk")
    (root / "config").mkdir()
    (root / "apps").mkdir()
    system = {
        "gw": {"configuration": {"port": 0}},
        "appStores": [{"type": "path", "details": {"path": "apps"}}],
        "channels": {"definitions": CHANNELS},
        "themes": {"availableThemes": THEMES},
        "windows": {"channelSelector": {"enabled": True, "channelId": "Harbour Blue"}},
        # Only web groups let people choose several channels.
        "windowManagement": {"group": {"type": "Web"}},
    }
    (root / "config" / "system.json").write_text(json.dumps(system))
    for item in read_demo().apps:
        if item["definition"]["name"] in APPS:
            definition = at_origin(item["definition"], origin)
            (root / "apps" / f"{definition['name']}.json").write_text(json.dumps(definition))

    for name, channel in (("alone", "Heather"), ("untouched", "Signal Red")):
        details = {"url": f"{origin}/chart/", "channelSelector": {"enabled": True, "channelId": channel}}
        (root / "apps" / f"{name}.json").write_text(json.dumps({"name": name, "type": "window", "details": details}))

    async def ask(_: str) -> Login | None:
        return None

    host = RecordingHost()
    start = Start(root=root, variables={"PATH": "/usr/bin:/bin", "USER": "ann"}, version=NEWEST)
    platform = Platform(start, host, ask)
    await platform.start()
    made = DemoDesk(platform, host, browser, origin)
    try:
        yield made
    finally:
        await made.close()
        await platform.stop()
    assert made.complaints == []


@pytest.mark.long
async def test_windows_in_one_channel_follow_each_other(desk: DemoDesk) -> None:
    async with desk.app("market-watch") as watch, desk.app("price-chart") as chart, desk.app("news-wire") as news:
        await watch.get_by_role("row", name="HRBR").click()
        await expect(chart.get_by_role("heading", level=2)).to_have_text("Harbour Shipping")
        await expect(news.get_by_role("button", name="Harbour Shipping orders four new vessels")).to_be_visible()
        await news.get_by_label("All companies").check()
        await news.get_by_role("button", name="Oakwood Energy delays").click()
        await expect(chart.get_by_role("heading", level=2)).to_have_text("Oakwood Energy")
        await expect(watch.locator('tr[data-ticker="OKWD"]')).to_have_attribute("aria-selected", "true")
        await watch.locator('tr[data-ticker="OKWD"]').focus()
        await watch.keyboard.press("ArrowDown")
        await expect(chart.get_by_role("heading", level=2)).to_have_text("Salter & Sons")


@pytest.mark.long
async def test_a_channel_chosen_in_the_title_bar_separates_windows(desk: DemoDesk) -> None:
    async with desk.app("market-watch") as watch, desk.app("price-chart") as chart:
        await watch.get_by_role("row", name="QUAY").click()
        await expect(chart.get_by_role("heading", level=2)).to_have_text("Quayside Foods")
        one = next(each for each in desk.platform.services.instances.all if each.app == "price-chart")
        desk.platform.reports.report(ChannelChosen(instance=one.id, channels=("Pine Green",)))
        await expect(chart.locator("#channel")).to_have_text("Pine Green")
        await watch.get_by_role("row", name="BRCH").click()
        await expect(watch.locator('tr[data-ticker="BRCH"]')).to_have_attribute("aria-selected", "true")
        await expect(chart.get_by_role("heading", level=2)).to_have_text("Quayside Foods")
        desk.platform.reports.report(ChannelChosen(instance=one.id, channels=("Harbour Blue",)))
        await expect(chart.get_by_role("heading", level=2)).to_have_text("Birch Analytics")


@pytest.mark.long
async def test_a_window_in_several_channels_follows_and_changes_all_of_them(desk: DemoDesk) -> None:
    async with desk.app("market-watch") as watch, desk.app("alone") as alone, desk.app("price-chart") as chart:
        one = next(each for each in desk.platform.services.instances.all if each.app == "market-watch")
        desk.platform.reports.report(ChannelChosen(instance=one.id, channels=("Harbour Blue", "Heather")))
        await expect(watch.locator("#channel")).to_have_text("Harbour Blue, Heather")
        await watch.get_by_role("row", name="FJRD").click()
        for page in (alone, chart):
            await expect(page.get_by_role("heading", level=2)).to_have_text("Fjord Minerals")
        desk.platform.reports.report(ChannelChosen(instance=one.id, channels=("Heather",)))
        await expect(watch.locator("#channel")).to_have_text("Heather")
        await watch.get_by_role("row", name="LUMN").click()
        await expect(alone.get_by_role("heading", level=2)).to_have_text("Lumen Instruments")
        await expect(chart.get_by_role("heading", level=2)).to_have_text("Fjord Minerals")


@pytest.mark.long
async def test_an_intent_starts_the_app_that_handles_it(desk: DemoDesk) -> None:
    async with desk.app("market-watch") as watch:
        await watch.get_by_role("row", name="TIDE").click()
        before = {one.id for one in desk.platform.services.instances.all}
        await watch.get_by_role("button", name="New order").click()
        ticket = await started(desk, before)
        async with desk.window(ticket) as page:
            await expect(page.get_by_label("Instrument")).to_have_value("TIDE")
            async with desk.app("order-blotter") as blotter:
                await page.get_by_label("Quantity").fill("250")
                await page.get_by_role("button", name="Send order").click()
                await expect(blotter.get_by_role("row", name="TIDE Buy 250")).to_be_visible()
        await desk.platform.services.instances.stop(ticket)
    raised = desk.platform.services.notifications.all
    assert ("order-ticket", "Order sent") in {(one.app, one.title) for one in raised}


@pytest.mark.long
async def test_apps_follow_the_theme_and_can_be_used_by_everybody(desk: DemoDesk) -> None:
    for name in ("market-watch", "price-chart", "order-ticket", "order-blotter", "news-wire", "chat-panel"):
        async with desk.app(name) as page:
            assert await violations(page) == [], name
    async with desk.app("market-watch") as page:
        await desk.platform.services.themes.select("harbour-night")
        await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        await desk.platform.services.themes.select("harbour-day")
        await expect(page.locator("html")).to_have_attribute("data-theme", "light")


@pytest.mark.long
async def test_a_window_of_a_layout_shows_what_it_showed_when_the_layout_was_saved(desk: DemoDesk) -> None:
    async with desk.app("untouched", {"ticker": "AMBR"}) as chart:
        await expect(chart.get_by_role("heading", level=2)).to_have_text("Amber Optics")
