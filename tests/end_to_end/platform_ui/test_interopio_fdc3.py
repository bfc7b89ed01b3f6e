"""Calls of the unmodified `@interopio/fdc3` in a panel of the platform, with an FDC3 `getAgent()` page beside it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Frame

from tests.chromium import until
from tests.end_to_end.platform_ui.conftest import Desk, at_desk
from tests.end_to_end.platform_ui.interop import CONTACT, INSTRUMENT, connected_firm, frame_of, open_app
from tests.end_to_end.platform_ui.test_client_libraries import add_apps, app_frame

RED, BLUE = "fdc3.channel.1", "fdc3.channel.2"


@dataclass
class Open:
    """The page of the platform with an app that uses `@interopio/fdc3`, and one that uses `getAgent()`."""

    desk: Desk
    quotes: Frame
    chart: Frame


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Open]:
    async with connected_firm(tmp_path_factory.mktemp("fdc3")) as firm:
        with firm.gateway():
            await add_apps(firm)
            await firm.add_fdc3_app("News", "ViewNews")
            async with at_desk(browser, firm) as desk:
                await desk.enter()
                chart = await open_app(desk, "Chart")
                await desk.launch("Quotes")
                quotes = await app_frame(desk, "Quotes")
                await quotes.wait_for_function("window.fdc3 !== undefined")
                yield Open(desk, quotes, chart)
                desk.complaints[:] = [text for text in desk.complaints if not text.startswith("Gateway error")]


async def test_it_reports_the_platform_and_its_own_app(opened: Open) -> None:
    info = await opened.quotes.evaluate("fdc3.getInfo()")

    assert info["appMetadata"]["appId"] == "quotes"
    assert info["appMetadata"]["instanceId"]
    assert info["fdc3Version"].startswith("2.")
    assert info["provider"]


async def test_it_exchanges_contexts_with_fdc3_pages_on_user_channels(opened: Open) -> None:
    quotes, chart = opened.quotes, opened.chart
    found = await quotes.evaluate("fdc3.getUserChannels().then(all => all.map(({id}) => id))")
    assert found == await chart.evaluate("agent.getUserChannels().then(all => all.map(({id}) => id))")
    await quotes.evaluate(
        "fdc3.addContextListener(null, context => { (window.got ??= []).push(context); })"
        ".then(listener => { window.listener = listener; })"
    )
    await quotes.evaluate("id => fdc3.joinUserChannel(id)", RED)
    await chart.evaluate("id => agent.joinUserChannel(id)", RED)
    assert await quotes.evaluate("fdc3.getCurrentChannel().then(({id}) => id)") == RED

    await chart.evaluate("context => agent.broadcast(context)", INSTRUMENT)
    await quotes.wait_for_function("window.got?.some(({id}) => id?.ticker === 'ZEN')")
    await quotes.evaluate("context => fdc3.broadcast(context)", CONTACT)
    await chart.wait_for_function("contexts.some(({type}) => type === 'fdc3.contact')")
    assert await chart.evaluate("contexts.find(({type}) => type === 'fdc3.contact')") == CONTACT
    # The library has both contexts of the channel, each by its type.
    current = "fdc3.getCurrentChannel().then(channel => channel.getCurrentContext('fdc3.instrument'))"
    assert (await quotes.evaluate(current))["id"] == INSTRUMENT["id"]

    # On different channels nothing arrives, and nothing after the listener has ended.
    await quotes.evaluate("id => fdc3.joinUserChannel(id)", BLUE)
    await quotes.evaluate("context => fdc3.broadcast(context)", {"type": "test.other"})
    await quotes.evaluate("listener.unsubscribe()")
    await quotes.evaluate("id => fdc3.joinUserChannel(id)", RED)
    await quotes.evaluate("context => fdc3.broadcast(context)", {"type": "test.last"})
    await chart.wait_for_function("contexts.some(({type}) => type === 'test.last')")
    assert await chart.evaluate("contexts.some(({type}) => type === 'test.other')") is False
    await quotes.evaluate("fdc3.leaveCurrentChannel()")
    assert await quotes.evaluate("fdc3.getCurrentChannel()") is None


async def test_it_listens_to_one_type_of_context(opened: Open) -> None:
    quotes, chart = opened.quotes, opened.chart
    await quotes.evaluate("id => fdc3.joinUserChannel(id)", BLUE)
    await chart.evaluate("id => agent.joinUserChannel(id)", BLUE)
    await quotes.evaluate("fdc3.addContextListener('test.price', context => { (window.prices ??= []).push(context); })")

    await chart.evaluate("agent.broadcast({type: 'test.volume', value: 1})")
    await chart.evaluate("agent.broadcast({type: 'test.price', value: 2})")

    await quotes.wait_for_function("window.prices?.length > 0")
    assert [(one["type"], one["value"]) for one in await quotes.evaluate("prices")] == [("test.price", 2)]


async def test_it_finds_and_raises_intents_of_fdc3_pages_and_gets_results(opened: Open) -> None:
    quotes, chart = opened.quotes, opened.chart
    found = await quotes.evaluate("fdc3.findIntent('ViewNews')")
    assert (found["intent"]["name"], [one["appId"] for one in found["apps"]]) == ("ViewNews", ["news"])
    by_context = await quotes.evaluate("fdc3.findIntentsByContext({type: 'fdc3.instrument'})")
    assert "ViewNews" in [one["intent"]["name"] for one in by_context]

    await chart.evaluate(
        "agent.addIntentListener('ViewChart', async context => { window.shown = context;"
        " return {type: 'test.shown', ticker: context.id.ticker}; }).then(() => undefined)"
    )
    await until(quotes, "fdc3.findIntent('ViewChart').then(({apps}) => apps.length > 0, () => false)")
    raised = (
        "context => fdc3.raiseIntent('ViewChart', context).then(async resolution =>"
        " ({source: resolution.source, intent: resolution.intent, result: await resolution.getResult()}))"
    )
    answer = await quotes.evaluate(raised, INSTRUMENT)
    assert (answer["intent"], answer["source"]["appId"]) == ("ViewChart", "chart")
    assert answer["result"] == {"type": "test.shown", "ticker": "ZEN"}
    assert (await chart.evaluate("shown"))["id"] == INSTRUMENT["id"]


async def test_it_handles_intents_of_fdc3_pages(opened: Open) -> None:
    quotes, chart = opened.quotes, opened.chart
    await quotes.evaluate(
        "fdc3.addIntentListener('ViewQuote', context => { window.asked = context;"
        " return Promise.resolve({type: 'test.quote', price: 42}); }).then(() => undefined)"
    )
    await until(chart, "agent.findIntent('ViewQuote').then(({apps}) => apps.length > 0, () => false)")

    result = await chart.evaluate(
        "context => agent.raiseIntent('ViewQuote', context).then(resolution => resolution.getResult())", INSTRUMENT
    )

    assert result == {"type": "test.quote", "price": 42}
    assert (await quotes.evaluate("asked"))["id"] == INSTRUMENT["id"]


async def test_user_channels_are_results_of_intents_in_both_directions(opened: Open) -> None:
    quotes, chart = opened.quotes, opened.chart
    channel = "getUserChannels().then(all => all.find(({id}) => id === 'fdc3.channel.2'))"
    await chart.evaluate(f"agent.addIntentListener('ChartChannel', () => agent.{channel}).then(() => undefined)")
    await quotes.evaluate(f"fdc3.addIntentListener('QuoteChannel', () => fdc3.{channel}).then(() => undefined)")
    raised = (
        "raiseIntent('{}', {{type: 'fdc3.instrument'}}).then(one => one.getResult()).then(({{id, type}}) => [id, type])"
    )
    for page, call in (
        (quotes, "fdc3." + raised.format("ChartChannel")),
        (chart, "agent." + raised.format("QuoteChannel")),
    ):
        intent = "ChartChannel" if page is quotes else "QuoteChannel"
        agent = call.split(".", 1)[0]
        await until(page, f"{agent}.findIntent('{intent}').then(({{apps}}) => apps.length > 0, () => false)")
        assert await page.evaluate(call) == [BLUE, "user"]


@pytest.mark.long
async def test_it_starts_the_app_of_an_intent_and_opens_apps(opened: Open) -> None:
    desk, quotes = opened.desk, opened.quotes
    await quotes.evaluate(
        "context => void fdc3.raiseIntent('ViewNews', context).then(resolution => resolution.getResult())"
        ".then(result => { window.news = result; }, error => { window.news = String(error); })",
        INSTRUMENT,
    )
    news = await frame_of(desk, "News")
    await news.evaluate(
        "agent.addIntentListener('ViewNews', async ({id}) => ({type: 'test.news', of: id.ticker}))"
        ".then(() => undefined)"
    )
    await quotes.wait_for_function("window.news !== undefined")
    assert (await quotes.evaluate("news")) == {"type": "test.news", "of": "ZEN"}

    started = await quotes.evaluate("fdc3.open({appId: 'news'})")
    assert (started["appId"], bool(started["instanceId"])) == ("news", True)
    await frame_of(desk, "News", at=1)
    instances = await quotes.evaluate("fdc3.findInstances({appId: 'news'})")
    assert started["instanceId"] in [one["instanceId"] for one in instances]
    assert len(instances) == 2
    described = await quotes.evaluate("fdc3.getAppMetadata({appId: 'news'})")
    assert (described["appId"], described["title"]) == ("news", "News")


async def test_it_opens_an_app_with_a_context(opened: Open) -> None:
    desk, quotes = opened.desk, opened.quotes
    await quotes.evaluate(
        "context => void fdc3.open({appId: 'quotes'}, context)"
        ".then(started => { window.started = started; }, error => { window.started = error; })",
        CONTACT,
    )
    second = await app_frame(desk, "Quotes", at=1)
    await second.wait_for_function("window.fdc3 !== undefined")
    await second.evaluate(
        "fdc3.addContextListener('fdc3.contact', context => { window.got = context; }).then(() => undefined)"
    )

    # The call ends when the new app has got the context.
    await quotes.wait_for_function("window.started !== undefined")
    assert (await quotes.evaluate("started"))["appId"] == "quotes"
    assert await second.evaluate("got") == CONTACT


async def test_it_gets_the_errors_of_the_standard(opened: Open) -> None:
    refused = "async call => { try { await eval(call); } catch (error) { return error.message ?? String(error); } }"

    assert await opened.quotes.evaluate(refused, "fdc3.open({appId: 'nothing'})") == "AppNotFound"
    assert await opened.quotes.evaluate(refused, "fdc3.findInstances({appId: 'nothing'})") is not None
    answer = await opened.quotes.evaluate(refused, "fdc3.raiseIntent('Nothing', {type: 'fdc3.instrument'})")
    assert answer == "NoAppsFound"
    assert await opened.quotes.evaluate(refused, "fdc3.joinUserChannel('nothing')") == "NoChannelFound"
