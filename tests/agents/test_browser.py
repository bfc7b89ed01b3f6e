"""Apps in windows of Chromium with the unmodified client of FINOS, through the page of the platform and the gateway."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import BrowserContext, Page

from rostrum.agents import PlatformPeer
from rostrum.agents.service import AgentService
from rostrum.gateway.authentication import Account, AnyLocalUser
from tests.agents.agents import FixedProfiles
from tests.agents.main_page import build, served, write_setting
from tests.chromium import until
from tests.fdc3.platform import INSTRUMENT, record
from tests.gateway.sockets import quick, running

# Without waiting for the agent's answer.
POST = "text => { void channel.broadcast({ type: 'fdc3.test', text }); }"
JOIN = """async () => {
    await agent.joinUserChannel("red");
    window.channel = await agent.getCurrentChannel();
}"""
# The page ends before the task comes in which the hub reports what it has delivered.
WITHOUT_REPORT_TASK = """() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (...args) {
        if (args[0] !== undefined) post.apply(this, args);
    };
}"""


class TokenIsUser(AnyLocalUser):
    """Accepts each token as the name of its user."""

    async def check_token(self, token: str) -> Account | None:
        return Account(user=token)

    async def check_cookie(self, cookies: str) -> Account | None:
        return None


@dataclass
class Browser:
    """A main page, and the windows that it opens."""

    context: BrowserContext
    main: Page
    gateway: Any
    apps: str

    async def open(self, app_id: str, instance_id: str) -> Page:
        """Let the main page open an app; return its window once the app is connected."""
        async with self.context.expect_page() as opened:
            await self.main.evaluate("([app, id]) => openApp(app, id)", [app_id, instance_id])
        page = await opened.value
        await page.wait_for_function("window.connecting !== undefined")
        await page.evaluate("async () => { window.agent = await connecting; }")
        return page


@asynccontextmanager
async def browser(launched: Chromium, folder: Path) -> AsyncIterator[Browser]:
    """A main page in Chromium, signed in at a gateway with agents."""
    build(folder, "main-page", "app-page")
    profiles = FixedProfiles()
    async with running(quick(), secrets=TokenIsUser()) as gateway:
        service = AgentService(gateway, profiles, lambda _: PlatformPeer(), version="1.2.3")
        await service.start(await gateway.local_peer("Rostrum", "rostrum", is_service=True))
        with served(folder) as site, served(folder) as apps:
            records = [
                record(name, details={"url": f"{apps}/app-page.html?{name}"}, type="web") for name in ("chart", "news")
            ]
            profiles.records["ada"] = records
            write_setting(folder, url=gateway.address, token="ada", records=records)
            async with await launched.new_context() as context:
                main = await context.new_page()
                await main.goto(f"{site}/main-page.html")
                await main.wait_for_function("seen.statuses.length > 0")
                yield Browser(context, main, gateway, apps)
        await service.stop()


@pytest.mark.long
async def test_apps_in_windows_share_channels_over_an_interruption_and_only_windows_of_the_platform_are_answered(
    launched: Chromium, tmp_path: Path
) -> None:
    async with browser(launched, tmp_path) as desk:
        assert await desk.main.evaluate("seen.statuses") == [[True, ""]]
        chart, news = await desk.open("chart", "chart-1"), await desk.open("news", "news-1")
        info = await chart.evaluate("agent.getInfo()")
        assert (info["provider"], info["appMetadata"]["instanceId"]) == ("Rostrum", "chart-1")
        for page in (chart, news):
            await page.evaluate("agent.joinUserChannel('red')")
        assert await desk.main.evaluate("seen.selected") == {"chart-1": "red", "news-1": "red"}

        await chart.evaluate("context => agent.broadcast(context)", INSTRUMENT)
        await news.wait_for_function("contexts.length > 0")
        assert await news.evaluate("contexts") == [INSTRUMENT]

        # Apps notice nothing of an interrupted connection.
        for source in list(desk.gateway._server.sources):
            source.revoke("the test interrupts the connection")
        await desk.main.wait_for_function("seen.statuses.length > 1")
        await chart.evaluate("context => { window.sent = agent.broadcast(context); }", INSTRUMENT)
        await chart.evaluate("sent")
        await news.wait_for_function("contexts.length > 1")
        assert await news.evaluate("contexts") == [INSTRUMENT, INSTRUMENT]
        statuses = await desk.main.evaluate("seen.statuses")
        assert [connected for connected, _ in statuses] == [True, False, True]

        # The user selects another channel in the page of the platform.
        await desk.main.evaluate("seen.agent.selectChannel('news-1', 'Green')")
        await until(news, "agent.getCurrentChannel().then(channel => channel.id === 'Green')")

        # A window that the app opened by itself, and a page of another origin in the window of the app.
        async with desk.context.expect_page() as opened:
            await chart.evaluate("address => { window.open(address); }", f"{desk.apps}/app-page.html?chart")
        other = await opened.value
        await other.wait_for_function("window.connecting !== undefined")
        await other.evaluate("opener.opener.postMessage({type: 'WCP1Hello', meta: {connectionAttemptUuid: 'x'}}, '*')")
        foreign = desk.apps.replace("localhost", "127.0.0.1")
        await chart.evaluate("address => { location.href = address; }", f"{foreign}/app-page.html?chart")
        await desk.main.wait_for_function("seen.refusals.length > 0")
        assert await desk.main.evaluate("seen.refusals") == [
            ["chart", f"A page of {foreign} is shown in the window of chart"]
        ]

        # An app ends with its window.
        await chart.close()
        await until(news, "agent.findInstances({appId: 'chart'}).then(found => found.length === 0)")
        left = await news.evaluate("agent.findInstances({appId: 'news'})")
        assert [one["instanceId"] for one in left] == ["news-1"]


@pytest.mark.long
@pytest.mark.parametrize("ending", ["close", "reload"])
async def test_a_page_that_ends_reports_the_broadcasts_that_it_has_delivered(
    launched: Chromium, tmp_path: Path, ending: str
) -> None:
    async with browser(launched, tmp_path) as desk:
        chart, news = await desk.open("chart", "chart-1"), await desk.open("news", "news-1")
        elsewhere = await launched.new_context()
        other = Browser(elsewhere, await elsewhere.new_page(), desk.gateway, desk.apps)
        await other.main.goto(desk.main.url)
        await other.main.wait_for_function("seen.statuses.length > 0")
        there = await other.open("news", "news-2")
        for page in (chart, news, there):
            await page.evaluate(JOIN)
        # The agent answers with who receives what.
        for text in ("0", "1"):
            await chart.evaluate("text => channel.broadcast({ type: 'fdc3.test', text })", text)
        await there.wait_for_function("contexts.length === 2")

        await desk.main.evaluate(WITHOUT_REPORT_TASK)
        await chart.evaluate(POST, "last")
        await news.wait_for_function("contexts.at(-1).text === 'last'")
        assert await there.evaluate("contexts.length") == 2
        if ending == "close":
            # As the button of the tab does. A script may not close a tab that it has not opened.
            await desk.main.close(run_before_unload=True)
        else:
            await desk.main.evaluate("setTimeout(() => location.reload())")

        await there.wait_for_function("contexts.length === 3")
        assert await there.evaluate("contexts.map(context => context.text)") == ["0", "1", "last"]
