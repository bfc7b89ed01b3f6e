"""Themes and notifications of client libraries."""

import pytest

from tests.agents.web_clients import Place


@pytest.mark.long
async def test_apps_follow_and_select_the_theme_and_raise_notifications_whose_clicks_reach_them(place: Place) -> None:
    async with place.desk() as main:
        blotter, orders = await main.open("blotter", "blotter-1"), await main.open("orders", "orders-1")
        assert await blotter.evaluate("io.themes.getCurrent()") == {"name": "light", "displayName": "Light"}
        await orders.evaluate("void io.themes.onChanged(({name}) => { window.theme = name; })")
        await blotter.evaluate("io.themes.select('dark')")
        await orders.wait_for_function("window.theme === 'dark'")
        assert await main.main.evaluate("seen.theme") == "dark"
        message = await blotter.evaluate("io.themes.select('pink').catch(error => error.message)")
        assert "themes.select: there is no theme pink" in message

        ticket = await main.open("ticket", "ticket-1")
        await blotter.evaluate("void io.notifications.onRaised(({title}) => { window.raised = title; })")
        await blotter.evaluate("io.interop.register('Show', ({order}) => { window.shown = order; })")
        await main.main.wait_for_function("true")
        await ticket.evaluate(
            "io.notifications.raise({title: 'Filled', body: 'Order 7', clickInterop: {method: 'Show',"
            " arguments: {order: 7}}}).then(raised => { raised.onclick = () => { window.clicked = true; }; })"
        )
        await blotter.wait_for_function("window.raised === 'Filled'")
        assert await main.main.evaluate("seen.toasts") == ["Filled"]
        [notification] = await blotter.evaluate("io.notifications.list()")
        assert (notification["body"], notification["state"]) == ("Order 7", "Active")
        await main.main.evaluate("id => clients.clickNotification(id)", notification["id"])
        await ticket.wait_for_function("window.clicked === true")
        await blotter.wait_for_function("window.shown === 7")
        assert (await main.main.evaluate("seen.notifications"))[0]["state"] == "Acknowledged"
        await blotter.evaluate("io.notifications.clearOld()")
        assert await main.main.evaluate("seen.notifications") == []
        await blotter.evaluate("io.notifications.configure({sourceFilter: {allowed: ['*'], blocked: ['ticket']}})")
        refused = await ticket.evaluate("io.notifications.raise({title: 'More'}).catch(error => error.message)")
        assert "notifications of ticket are disabled" in refused
