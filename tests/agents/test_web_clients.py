"""Start-up, methods and connections of apps with `@interopio/browser` and `@glue42/web`."""

import pytest

from tests.agents.web_clients import Place
from tests.chromium import until


@pytest.mark.long
async def test_apps_of_both_libraries_call_each_other_and_connect_again_after_an_interruption(place: Place) -> None:
    async with place.desk() as main:
        blotter, ticket = await main.open("blotter", "blotter-1"), await main.open("ticket", "ticket-1")
        assert await blotter.evaluate("io.interop.instance.application") == "blotter"
        assert await ticket.evaluate("[io.interop.instance.instance, io.interop.instance.user]") == [
            "ticket-1",
            main.user,
        ]
        await ticket.evaluate("io.interop.register('Add', ({a, b}) => ({sum: a + b}))")
        await blotter.wait_for_function("io.interop.methods('Add').length > 0")
        answer = await blotter.evaluate("io.interop.invoke('Add', {a: 1, b: 2}).then(result => result.returned)")
        assert answer == {"sum": 3}

        orders = await main.open("orders", "orders-1")
        await orders.evaluate("io.intents.register('ViewOrders', () => ({type: 'done'}))")
        await orders.evaluate(
            "io.connection.connected(() => { window.reconnections += 1; }); window.reconnections = 0; undefined"
        )
        await main.interrupt()
        await orders.wait_for_function("reconnections > 0")
        # The library registers its methods again when it has connected again.
        await blotter.wait_for_function("io.interop.methods({name: 'Tick42.FDC3.Intents.ViewOrders'}).length > 0")
        await until(
            blotter,
            "io.intents.find('ViewOrders').then(([found]) => found?.handlers.some(({type}) => type === 'instance'))",
        )
        raised = await blotter.evaluate(
            "io.intents.raise({intent: 'ViewOrders', target: {app: 'orders', instance: 'g42-orders-1'},"
            " context: {type: 'fdc3.instrument', data: {id: {ticker: 'AAPL'}}}})"
        )
        assert raised["result"]["type"] == "done"


@pytest.mark.long
async def test_apps_in_frames_connect_are_not_moved_by_apps_and_end_with_their_frame(place: Place) -> None:
    async with place.desk(frames=("blotter", "ticket")) as main:
        blotter, ticket = await main.show("blotter", "blotter-1"), await main.show("ticket", "ticket-1")
        assert await blotter.evaluate("[io.windows.my().id, io.appManager.myInstance.id]") == ["g42-blotter-1"] * 2
        assert await ticket.evaluate("io.appManager.myInstance.application.name") == "ticket"
        message = await blotter.evaluate("io.windows.my().moveTo(1, 1).catch(error => error.message)")
        assert "windows.moveResize is not available" in message
        await blotter.evaluate("io.interop.register('Ping', () => ({}))")
        await ticket.wait_for_function("io.interop.methods('Ping').length > 0")
        await ticket.evaluate("io.windows.findById('g42-blotter-1').close()")
        await ticket.wait_for_function("io.interop.methods('Ping').length === 0")
        assert await ticket.evaluate("io.windows.list().map(({id}) => id)") == ["g42-ticket-1"]
