"""Apps with the unmodified `@interopio/browser`, `@glue42/web` and `@interopio/fdc3` in panels and windows."""

import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Frame, Page

from tests.agents.web_clients import LIBRARIES, PACKAGES, PAGE, SCRIPTS
from tests.chromium import expect, until
from tests.end_to_end.platform_ui.conftest import Desk, at_desk
from tests.end_to_end.platform_ui.interop import (
    INSTRUMENT,
    ConnectedFirm,
    connected_firm,
    frame_titled,
    open_app,
    select_channel,
)

TITLES = {"blotter": "Blotter", "orders": "Orders", "ticket": "Ticket", "quotes": "Quotes", "chart": "Chart"}
"""Blotter, Orders and Quotes use `@interopio/browser`, Ticket uses `@glue42/web`, Chart uses FDC3."""
WINDOWS = ("orders", "ticket")
HANDLE = "io.intents.register('ViewOrders', context => { window.got = context; return {type: 'done', by: 'orders'}; })"


@dataclass
class Open:
    """The page of the platform with the apps of all libraries open."""

    firm: ConnectedFirm
    desk: Desk
    blotter: Frame
    chart: Frame
    orders: Page
    ticket: Page


async def ready(page: Frame | Page) -> None:
    await page.wait_for_function("window.connecting !== undefined")
    await page.evaluate("connecting.then(agent => { window.agent = agent; })")


async def launch(desk: Desk, title: str) -> Page:
    """Open an app in a window; return its page once its library is connected."""
    async with desk.page.expect_popup() as opened:
        await desk.launch(title)
    page = await opened.value
    await ready(page)
    return page


async def add_apps(firm: ConnectedFirm) -> None:
    pages = firm.folder / "pages"
    for name, path in LIBRARIES.items():
        shutil.copy(PACKAGES / path, pages / name)
    for name, scripts in SCRIPTS.items():
        (pages / f"{name}.html").write_text(PAGE.format(name=name, scripts=scripts))
        details: dict[str, Any] = {"url": f"{firm.site.address}/{name}.html"}
        if name in WINDOWS:
            details |= {"openInBrowser": "window", "width": 420, "height": 300}
        definition: dict[str, Any] = {"name": name, "title": TITLES[name], "type": "window", "details": details}
        if name == "orders":
            definition["intents"] = [
                {"name": "ViewOrders", "displayName": "View orders", "contexts": ["fdc3.instrument"]}
            ]
        await firm.admin("POST", "/admin/apps", {"definition": definition, "public": True})


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Open]:
    async with connected_firm(tmp_path_factory.mktemp("clients")) as firm:
        with firm.gateway():
            await add_apps(firm)
            async with at_desk(browser, firm) as desk:
                await desk.enter()
                await desk.launch("Blotter")
                blotter = await app_frame(desk, "Blotter")
                chart = await open_app(desk, "Chart")
                yield Open(firm, desk, blotter, chart, await launch(desk, "Orders"), await launch(desk, "Ticket"))
                # The libraries report what the gateway refuses, such as the context of an app that has ended.
                desk.complaints[:] = [text for text in desk.complaints if not text.startswith("Gateway error")]


async def app_frame(desk: Desk, title: str, *, at: int = 0) -> Frame:
    frame = await frame_titled(desk, title, at=at)
    await ready(frame)
    return frame


async def test_apps_in_panels_and_windows_connect_and_call_each_other(opened: Open) -> None:
    assert await opened.blotter.evaluate("[io.interop.instance.application, io.interop.instance.user]") == [
        "blotter",
        "ann",
    ]
    await opened.ticket.evaluate("io.interop.register('Add', ({a, b}) => ({sum: a + b}))")
    await opened.blotter.wait_for_function("io.interop.methods('Add').length > 0")
    answer = await opened.blotter.evaluate("io.interop.invoke('Add', {a: 1, b: 2}).then(result => result.returned)")
    assert answer == {"sum": 3}


@pytest.mark.long
async def test_apps_start_find_and_stop_each_other(opened: Open) -> None:
    blotter, desk = opened.blotter, opened.desk
    names = await blotter.evaluate("io.appManager.applications().map(({name}) => name).toSorted()")
    assert names == ["blotter", "chart", "orders", "quotes", "ticket"]
    started = await blotter.evaluate(
        "io.appManager.application('quotes').start({account: 7}, {channelId: 'Channel 2'}).then(({id}) => id)"
    )
    quotes = await app_frame(desk, "Quotes")
    assert await quotes.evaluate("io.windows.my().id") == started
    assert await quotes.evaluate("io.windows.my().getContext()") == {"account": 7}
    await quotes.wait_for_function("io.channels.my() === 'Channel 2'")
    await expect(desk.page.get_by_role("button", name="Channel of Quotes: Channel 2")).to_be_visible()
    # The new app is beside the one that started it.
    await expect(desk.page.locator(".dv-groupview")).to_have_count(2)

    await blotter.evaluate("id => void (window.other = io.windows.findById(id))", started)
    assert await blotter.evaluate("other.getURL()") == f"{opened.firm.site.address}/quotes.html"
    await opened.ticket.evaluate(
        "id => void io.windows.findById(id).focus()", await blotter.evaluate("io.windows.my().id")
    )
    await blotter.evaluate("other.close().then(() => undefined)")
    await expect(desk.page.locator('iframe[title="Quotes"]')).to_have_count(0)
    await blotter.wait_for_function("io.appManager.application('quotes').instances.length === 0")
    # A window by the address of an app, with the bounds that the app wants.
    async with desk.page.expect_popup() as popup:
        await blotter.evaluate(
            "address => io.windows.open('more', address, {width: 500, height: 350}).then(() => undefined)",
            f"{opened.firm.site.address}/ticket.html",
        )
    more = await popup.value
    await ready(more)
    assert await more.evaluate("innerWidth") == 500
    await blotter.evaluate("io.appManager.application('ticket').instances.at(-1).stop()")
    await blotter.wait_for_function("io.appManager.application('ticket').instances.length === 1")


@pytest.mark.long
async def test_apps_of_all_libraries_share_the_channels(opened: Open) -> None:
    desk, blotter, chart = opened.desk, opened.blotter, opened.chart
    await desk.tab("Chart").click()
    await select_channel(desk, "Chart", "Channel 1")
    await desk.tab("Blotter").click()
    await select_channel(desk, "Blotter", "Channel 1")
    assert await blotter.evaluate("io.channels.my()") == "Channel 1"
    await opened.ticket.evaluate("io.channels.join('Channel 1')")
    for page in (blotter, opened.ticket):
        await page.evaluate("void io.channels.subscribe(data => { window.got = data; })")
    await chart.evaluate("context => agent.broadcast(context)", INSTRUMENT)
    for page in (blotter, opened.ticket):
        await page.wait_for_function("JSON.stringify(window.got ?? {}).includes('ZEN')")
    await blotter.evaluate("io.channels.publish({type: 'fdc3.contact', name: 'Ada'}, {fdc3: true})")
    await chart.wait_for_function("contexts.some(one => one.name === 'Ada')")
    # Windows are listed with their channel, too. @glue42/web does not report its channel.
    await opened.orders.evaluate("io.channels.join('Channel 1')")
    await desk.page.get_by_role("button", name="2 windows").press("Enter")
    selector = desk.page.get_by_label("Channel of Orders")
    await expect(selector).to_have_value("fdc3.channel.1")
    await expect(desk.page.get_by_label("Channel of Ticket")).to_have_count(0)
    await selector.select_option("Channel 3")
    await opened.orders.wait_for_function("io.channels.my() === 'Channel 3'")
    assert await desk.violations() == []
    await desk.page.keyboard.press("Escape")
    await blotter.evaluate("io.channels.leave()")
    await expect(desk.page.get_by_role("button", name="Channel of Blotter: No channel")).to_be_visible()


async def test_apps_of_all_libraries_share_the_intents(opened: Open) -> None:
    blotter, chart, orders = opened.blotter, opened.chart, opened.orders
    await orders.evaluate(HANDLE)
    await until(chart, "agent.findIntent('ViewOrders').then(({apps}) => apps.some(app => app.instanceId))")
    [target] = await chart.evaluate("agent.findInstances({appId: 'orders'})")
    result = await chart.evaluate(
        "([context, app]) => agent.raiseIntent('ViewOrders', context, app).then(found => found.getResult())",
        [INSTRUMENT, target],
    )
    assert result == {"type": "done", "by": "orders"}
    await chart.evaluate("agent.addIntentListener('ViewChart', async context => { window.shown = context; })")
    await until(blotter, "io.intents.find('ViewChart').then(found => found.length > 0)")
    raised = await blotter.evaluate(
        "io.intents.raise({intent: 'ViewChart', context: {type: 'fdc3.instrument', data: {id: {ticker: 'ZEN'}}}})"
    )
    assert raised["handler"]["applicationName"] == "chart"
    assert (await chart.evaluate("shown"))["id"] == {"ticker": "ZEN"}
    # Two apps that run handle the intent, so the page asks the user.
    await chart.evaluate("agent.addIntentListener('ViewOrders', async () => {})")
    await until(blotter, "io.intents.find('ViewOrders').then(([found]) => found.handlers.length === 3)")
    await blotter.evaluate(
        "void (window.raised = io.intents.raise({intent: 'ViewOrders',"
        " context: {type: 'fdc3.instrument', data: {id: {ticker: 'AAPL'}}}}))"
    )
    dialog = opened.desk.page.get_by_role("dialog", name='Choose an app for "View orders"')
    await expect(dialog).to_be_visible()
    await dialog.get_by_role("region", name="Running").get_by_role("button", name="Orders Window").press("Enter")
    assert (await blotter.evaluate("raised"))["result"]["by"] == "orders"
    assert await orders.evaluate("got.data.id.ticker") == "AAPL"


async def test_layouts_and_preferences_are_those_of_the_manager(opened: Open) -> None:
    blotter, orders, firm = opened.blotter, opened.orders, opened.firm
    await orders.evaluate("void io.prefs.subscribeFor('blotter', ({data}) => { window.prefs = data; })")
    await orders.wait_for_function("window.prefs !== undefined")
    await blotter.evaluate("io.prefs.set({rows: 10})")
    await orders.wait_for_function("prefs.rows === 10")
    # A change that is made elsewhere arrives, too.
    await firm.user("POST", "/prefs", {"app": "blotter", "data": {"rows": 20}})
    await orders.wait_for_function("prefs.rows === 20")
    assert "rostrum-browser-platform" not in [
        one["app"] for one in (await blotter.evaluate("io.prefs.getAll()"))["all"]
    ]

    await blotter.evaluate("io.layouts.save({name: 'Morning', metadata: {a: 1}})")
    stored = (await firm.user("GET", "/layouts"))["layouts"]
    [layout] = [one for one in stored if one["name"] == "Morning"]
    apps = sorted(one["application"] for one in layout["components"])
    assert (layout["type"], apps) == ("Global", ["blotter", "chart", "orders", "ticket"])
    await blotter.evaluate("io.layouts.get('Morning', 'Global').then(found => io.layouts.rename(found, 'Day'))")
    assert [one["name"] for one in await blotter.evaluate("io.layouts.getAll('Global')")] == ["Day"]
    await blotter.evaluate("io.layouts.remove('Global', 'Day')")


async def test_notifications_of_apps_are_listed_and_their_clicks_reach_the_app(opened: Open) -> None:
    desk, ticket = opened.desk, opened.ticket
    await ticket.evaluate(
        "io.notifications.raise({title: 'Filled', body: 'Order 7', actions: [{action: 'more', title: 'Details'}]})"
        ".then(raised => { raised.onclick = () => { window.clicked = true; }; })"
    )
    await desk.notice("Order 7")
    await desk.page.get_by_role("button", name="Notifications, 1 unread").click()
    assert await desk.violations() == []
    await expect(desk.page.get_by_role("button", name="Details: Filled")).to_be_visible()
    await desk.page.get_by_role("button", name="Open: Filled").click()
    await ticket.wait_for_function("window.clicked === true")
    [notification] = await opened.blotter.evaluate("io.notifications.list()")
    assert (notification["title"], notification["state"]) == ("Filled", "Acknowledged")
    await desk.page.get_by_role("button", name="Dismiss: Filled").click()
    await expect(desk.page.get_by_text("There are no notifications.")).to_be_visible()
    await desk.page.keyboard.press("Escape")
    assert await opened.blotter.evaluate("io.notifications.list()") == []


async def test_apps_follow_and_select_the_theme(opened: Open) -> None:
    desk, blotter = opened.desk, opened.blotter
    assert await blotter.evaluate("io.themes.getCurrent().then(({name}) => name)") == "light"
    await opened.orders.evaluate("void io.themes.onChanged(({name}) => { window.theme = name; })")
    await blotter.evaluate("io.themes.select('dark')")
    await opened.orders.wait_for_function("window.theme === 'dark'")
    await expect(desk.page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    await desk.page.get_by_role("button", name="Use light colours").click()
    await opened.orders.wait_for_function("window.theme === 'light'")


@pytest.mark.long
async def test_apps_connect_again_after_reloads_of_the_page_and_of_their_window(opened: Open) -> None:
    desk, orders = opened.desk, opened.orders
    await orders.evaluate("io.channels.join('Channel 3')")
    await orders.evaluate("io.intents.register('ViewTrades', () => ({type: 'done'}))")
    window_id = await orders.evaluate("io.windows.my().id")
    await desk.page.reload()
    await desk.ready()
    blotter = opened.blotter = await app_frame(desk, "Blotter")
    opened.chart = await app_frame(desk, "Chart")
    # The windows have not been loaded again. Their libraries find the new page, and keep their methods and channels.
    await until(
        blotter,
        "io.intents.find('ViewTrades').then(([found]) => found?.handlers.some(({type}) => type === 'instance'))",
    )
    await desk.page.get_by_role("button", name="2 windows").press("Enter")
    await expect(desk.page.get_by_label("Channel of Orders")).to_have_value("fdc3.channel.3")
    await desk.page.keyboard.press("Escape")

    await orders.reload()
    await ready(orders)
    assert await orders.evaluate("io.windows.my().id") == window_id
    await orders.wait_for_function("io.channels.my() === 'Channel 3'")
    await blotter.wait_for_function("io.appManager.application('orders').instances.length === 1")


async def test_only_windows_of_the_platform_with_the_origin_of_the_app_are_answered(opened: Open) -> None:
    answer = """platform => new Promise(resolve => {
        addEventListener("message", ({data}) => resolve(data?.glue42core?.type));
        setTimeout(() => resolve("no answer"), 1000);
        eval(platform).postMessage({glue42core: {type: "platformPing"}}, "*");
    })"""
    assert await opened.orders.evaluate(answer, "opener") == "platformReady"
    async with opened.orders.expect_popup() as popup:
        await opened.orders.evaluate("void window.open('blotter.html')")
    stranger = await popup.value
    assert await stranger.evaluate(answer, "opener.opener") == "no answer"
    await stranger.close()
    foreign = opened.firm.site.address.replace("127.0.0.1", "localhost")
    await opened.orders.evaluate("address => { location.href = address; }", f"{foreign}/chart.html")
    await opened.orders.wait_for_url(f"{foreign}/chart.html")
    assert await opened.orders.evaluate(answer, "opener") == "no answer"
