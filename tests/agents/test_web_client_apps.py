"""Apps, instances and windows, as client libraries see them."""

from tests.agents.web_clients import Place, ready
from tests.chromium import until


async def test_an_app_starts_another_with_a_context_and_on_a_channel(place: Place) -> None:
    async with place.desk() as main:
        blotter = await main.open("blotter", "blotter-1")
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


async def test_an_app_uses_the_window_of_another(place: Place) -> None:
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


async def test_a_window_is_opened_by_the_address_of_an_app(place: Place) -> None:
    async with place.desk() as main:
        blotter = await main.open("blotter", "blotter-1")
        async with main.context.expect_page() as opened:
            name = await blotter.evaluate(
                "address => io.windows.open('more', address).then(({name}) => name)", f"{main.apps}/orders.html?a=1"
            )
        assert name == "orders"
        await ready(await opened.value)
        definitions = await blotter.evaluate("io.appManager.inMemory.export()")
        assert {one["name"]: one["details"]["url"] for one in definitions}["orders"] == f"{main.apps}/orders.html"


async def test_apps_in_a_workspace_are_not_moved_by_apps(place: Place) -> None:
    async with place.desk(frames=("blotter",)) as main:
        blotter = await main.show("blotter", "blotter-1")
        message = await blotter.evaluate("io.windows.my().moveTo(1, 1).catch(error => error.message)")
        assert "windows.moveResize is not available" in message
