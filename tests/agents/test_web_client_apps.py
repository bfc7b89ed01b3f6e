"""Apps, instances and windows, as client libraries see them."""

import pytest

from tests.agents.web_clients import Place, ready
from tests.chromium import until


@pytest.mark.long
async def test_an_app_uses_the_window_of_another_and_starts_apps_with_a_context_and_on_a_channel_or_by_address(
    place: Place,
) -> None:
    async with place.desk() as main:
        blotter, ticket = await main.open("blotter", "blotter-1"), await main.open("ticket", "ticket-1")
        await blotter.wait_for_function("io.windows.findById('g42-ticket-1') !== undefined")
        await blotter.evaluate("void (window.other = io.windows.findById('g42-ticket-1'))")
        assert await blotter.evaluate("other.getTitle()") == "ticket"
        assert await blotter.evaluate("other.getURL()") == f"{main.apps}/ticket.html"
        await blotter.evaluate("other.setTitle('Order 7').then(() => undefined)")
        assert await ticket.title() == "Order 7"
        assert (await blotter.evaluate("other.getBounds()"))["width"] > 0
        await blotter.evaluate("other.updateContext({order: 7}).then(() => undefined)")
        await until(ticket, "io.windows.my().getContext().then(({order}) => order === 7)")
        await blotter.evaluate("other.close().then(() => undefined)")
        await blotter.wait_for_function("io.windows.list().length === 1")

        # The app starts another one.
        names = await blotter.evaluate("io.appManager.applications().map(({name}) => name).toSorted()")
        assert names == ["blotter", "chart", "orders", "quotes", "ticket"]
        async with main.context.expect_page() as opened:
            started = await blotter.evaluate(
                "io.appManager.application('orders').start({account: 7}, {channelId: 'Green'})"
                ".then(({id, application, agm}) => [id, application.name, agm.application])"
            )
        orders = await opened.value
        await ready(orders)
        assert started == [await orders.evaluate("io.windows.my().id"), "orders", "orders"]
        assert await orders.evaluate("io.windows.my().getContext()") == {"account": 7}
        assert await orders.evaluate("io.appManager.myInstance.getContext()") == {"account": 7}
        await orders.wait_for_function("io.channels.my() === 'Green'")
        await blotter.wait_for_function("io.appManager.instances().length === 2")
        await blotter.evaluate("io.appManager.application('orders').instances[0].stop()")
        await blotter.wait_for_function("io.appManager.instances().length === 1")
        assert orders.is_closed()

        # A window by the address of an app.
        async with main.context.expect_page() as opened:
            name = await blotter.evaluate(
                "address => io.windows.open('more', address).then(({name}) => name)", f"{main.apps}/orders.html?a=1"
            )
        assert name == "orders"
        await ready(await opened.value)
        definitions = await blotter.evaluate("io.appManager.inMemory.export()")
        assert {one["name"]: one["details"]["url"] for one in definitions}["orders"] == f"{main.apps}/orders.html"
