"""Intents of client libraries are those of the user's FDC3 agent."""

import pytest
from playwright.async_api import Page

from tests.agents.web_clients import Desk, Place
from tests.chromium import until
from tests.fdc3.platform import INSTRUMENT

HANDLE = "io.intents.register('ViewOrders', context => { window.got = context; return {type: 'done', by: 'orders'}; })"
RAISE = "io.intents.raise({intent: 'ViewOrders', context: {type: 'fdc3.instrument', data: {id: {ticker: 'AAPL'}}}})"


@pytest.mark.long
async def test_apps_of_client_libraries_and_with_fdc3_handle_intents_of_each_other(place: Place) -> None:
    async with place.desk() as main:
        orders, chart = await main.open("orders", "orders-1"), await main.open("chart", "chart-1")
        await orders.evaluate(HANDLE)
        await until(
            chart, "agent.findIntent('ViewOrders').then(({apps}) => apps.some(app => app.instanceId === 'orders-1'))"
        )
        target = {"appId": "orders", "instanceId": "orders-1"}
        result = await chart.evaluate(
            "([context, app]) => agent.raiseIntent('ViewOrders', context, app).then(found => found.getResult())",
            [INSTRUMENT, target],
        )
        assert result == {"type": "done", "by": "orders"}
        got = await orders.evaluate("got")
        assert (got["type"], got["data"]["id"]) == ("fdc3.instrument", {"ticker": "AAPL"})

        # The other way round.
        blotter = await main.open("blotter", "blotter-1")
        await chart.evaluate(
            "agent.addIntentListener('ViewChart', async context => { window.got = context; return context; })"
        )
        await until(blotter, "io.intents.find('ViewChart').then(found => found.length > 0)")
        raised = await blotter.evaluate(
            "io.intents.raise({intent: 'ViewChart', context: {type: 'fdc3.instrument', data: {id: {ticker: 'AAPL'}}}})"
        )
        assert raised["handler"]["applicationName"] == "chart"
        assert INSTRUMENT.items() <= raised["result"].items()
        assert await chart.evaluate("got") == INSTRUMENT
        await choose_handler(main, blotter)

        # Apps with the FDC3 library of the vendor share intents and channels.
        quotes = await main.open("quotes", "quotes-1")
        await quotes.evaluate("fdc3.addContextListener(null, context => { window.got = context; })")
        await quotes.evaluate("fdc3.joinUserChannel('red')")
        await chart.evaluate("agent.joinUserChannel('red')")
        await chart.evaluate("context => agent.broadcast(context)", INSTRUMENT)
        await quotes.wait_for_function("window.got?.id.ticker === 'AAPL'")
        await chart.evaluate("window.got = undefined")
        await quotes.evaluate("context => fdc3.raiseIntent('ViewChart', context).then(() => true)", INSTRUMENT)
        assert await chart.evaluate("got") == INSTRUMENT


async def choose_handler(main: Desk, blotter: Page) -> None:
    """Find the handlers of an intent: an app, and an instance of it that runs. The user chooses the instance."""
    await until(blotter, "io.intents.find('ViewOrders').then(([{handlers}]) => handlers.length === 2)")
    found = await blotter.evaluate("io.intents.filterHandlers({intent: 'ViewOrders'})")
    assert [(one["type"], one.get("instanceId")) for one in found["handlers"]] == [
        ("app", None),
        ("instance", "g42-orders-1"),
    ]
    intents = await blotter.evaluate("io.intents.getIntents({applicationName: 'orders', type: 'app'})")
    assert {one["intent"] for one in intents["intents"]} == {"ViewOrders"}
    await main.main.evaluate("seen.choice = {intent: 'ViewOrders', appId: 'orders', instanceId: 'orders-1'}; undefined")
    chosen = await blotter.evaluate("io.intents.filterHandlers({intent: 'ViewOrders', openResolver: true})")
    assert [one["instanceId"] for one in chosen["handlers"]] == ["g42-orders-1"]
    raised = await blotter.evaluate(RAISE)
    assert (raised["handler"]["instanceId"], raised["result"]["by"]) == ("g42-orders-1", "orders")


@pytest.mark.long
async def test_an_intent_opens_the_app_that_handles_it(place: Place) -> None:
    async with place.desk() as main:
        page = place.folder / "orders.html"
        page.write_text(page.read_text() + f"<script>connecting.then(() => {HANDLE})</script>")
        ticket = await main.open("ticket", "ticket-1")
        async with main.context.expect_page() as opened:
            raised = await ticket.evaluate(RAISE)
        assert (raised["result"]["type"], raised["result"]["by"]) == ("done", "orders")
        assert raised["handler"]["type"] == "instance"
        assert await (await opened.value).evaluate("got.data.id.ticker") == "AAPL"
