"""Channels of client libraries are those of the user's FDC3 agent."""

import pytest

from tests.agents.web_clients import Place
from tests.fdc3.platform import INSTRUMENT

RECORD = "void io.channels.subscribe(data => { (window.got ??= []).push(data); })"


@pytest.mark.long
async def test_apps_and_the_platform_know_who_is_on_which_channel_and_contexts_reach_all_libraries(
    place: Place,
) -> None:
    async with place.desk() as main:
        blotter, orders = await main.open("blotter", "blotter-1"), await main.open("orders", "orders-1")
        await blotter.evaluate("io.channels.join('Red')")
        assert await main.main.evaluate("seen.channels['blotter-1']") == ["Red"]
        # The user selects a channel in the page of the platform; an app does this for another app.
        assert await main.main.evaluate("clients.selectChannel('orders-1', 'Green')")
        await orders.wait_for_function("io.channels.my() === 'Green'")
        await blotter.evaluate("io.channels.join('Red', 'g42-orders-1')")
        assert await orders.evaluate("io.channels.my()") == "Red"
        ids = "io.channels.getWindowsOnChannel('Red').then(found => found.map(({id}) => id))"
        assert await blotter.evaluate(ids) == ["g42-blotter-1", "g42-orders-1"]
        await blotter.evaluate("io.channels.leave()")
        found = await orders.evaluate(
            "io.channels.getWindowsWithChannels({application: 'blotter'})"
            ".then(all => all.map(one => one.channel ?? null))"
        )
        assert found == [None]
        assert not await main.main.evaluate("clients.selectChannel('nobody', 'Red')")

        # The page is loaded again, and is on its channel again.
        await orders.reload()
        await orders.wait_for_function("window.io?.channels.my() === 'Red'")

        # Contexts of one library reach the others.
        ticket, chart = await main.open("ticket", "ticket-1"), await main.open("chart", "chart-1")
        assert await blotter.evaluate("io.channels.all()") == ["Red", "Green"]
        await chart.evaluate("agent.joinUserChannel('red')")
        for page in (blotter, ticket):
            await page.evaluate("io.channels.join('Red')")
            await page.evaluate(RECORD)
        await chart.evaluate("context => agent.broadcast(context)", INSTRUMENT)
        for page in (blotter, ticket):
            # @glue42/web gives the data as the channel holds it.
            await page.wait_for_function("JSON.stringify(window.got ?? []).includes('AAPL')")
        assert (await blotter.evaluate("got.at(-1).fdc3")) == INSTRUMENT

        await blotter.evaluate("io.channels.publish({type: 'fdc3.contact', name: 'Ada'}, {fdc3: true})")
        await chart.wait_for_function("contexts.length > 0")
        assert await chart.evaluate("contexts.at(-1)") == {"type": "fdc3.contact", "name": "Ada"}
        await ticket.wait_for_function("got.at(-1)['fdc3_fdc3&contact']?.name === 'Ada'")

        # Channels are those of the administrators. An app can restrict its own use of them.
        message = await blotter.evaluate(
            "io.channels.add({name: 'Blue', meta: {color: 'blue'}}).catch(error => error.message)"
        )
        assert "channels.addChannel is not available" in message
        await blotter.evaluate("io.channels.restrict({name: 'Red', read: true, write: false})")
        refused = await blotter.evaluate("io.channels.publish({a: 1}).catch(error => error.message)")
        assert "due to restrictions" in refused
