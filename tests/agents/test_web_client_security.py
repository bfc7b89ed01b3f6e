"""Which pages the platform answers, and what apps with client libraries cannot do."""

import pytest
from playwright.async_api import Page

from rostrum.gateway import CallFailed
from tests.agents.web_clients import Desk, Place

REQUEST = "{glue42core: {type: 'connectionRequest', clientId: 'me', clientType: 'child', bridgeInstanceId: ID}}"
ASK = (
    "id => new Promise(resolve => { addEventListener('message', ({data}) => {"
    " if (data?.glue42core?.clientId === 'me') resolve(data.glue42core.type); });"
    f" opener.postMessage({REQUEST.replace('ID', 'id')}, '*'); }})"
)


@pytest.mark.long
async def test_only_apps_that_the_platform_opened_are_answered_in_their_windows_and_others_are_refused(
    place: Place,
) -> None:
    async with place.desk() as main:
        blotter, orders = await main.open("blotter", "blotter-1"), await main.open("orders", "orders-1")
        assert await orders.evaluate(ASK, "g42-blotter-1") == "connectionRejected"
        assert await orders.evaluate(ASK, "g42-orders-1") == "connectionAccepted"

        # A window that an app has opened by itself.
        async with main.context.expect_page() as opened:
            await blotter.evaluate("address => { window.open(address); }", f"{main.apps}/blotter.html")
        other = await opened.value
        await other.wait_for_function("window.connecting !== undefined")
        error = await other.evaluate("connecting.then(() => 'connected', ({err}) => String(err?.message ?? err))")
        assert "not opened or created by a glue client" in error

        await refuse_operations(main, blotter)

        # A page of another origin in the window of an app.
        await main.main.evaluate("seen.refusals.length = 0")
        foreign = main.apps.replace("localhost", "127.0.0.1")
        await blotter.evaluate("address => { location.href = address; }", f"{foreign}/blotter.html")
        await main.main.wait_for_function("seen.refusals.length > 0")
        assert await main.main.evaluate("seen.refusals[0]") == (
            f"blotter: A page of {foreign} is shown in the window of blotter"
        )


async def refuse_operations(main: Desk, blotter: Page) -> None:
    """Apps get no tokens and are no platforms; operations that are not supported are refused by name."""
    refused = "await_.then(() => 'accepted', error => String(error.message ?? error.reason))"
    token = await blotter.evaluate(refused.replace("await_", "io.connection.authToken()"))
    assert "does not allow apps to use tokens" in token
    assert await blotter.evaluate("io.connection.token ?? null") is None
    raised = "io.interop.invoke('Rostrum.FDC3.RaiseIntent', {intent: 'ViewOrders', source: 'x'})"
    assert "Only platforms can call" in await blotter.evaluate(refused.replace("await_", raised))
    # A peer of the same user that this platform has not opened.
    peer = await main.gateway.local_peer("other", main.user, instance="other-1")
    with pytest.raises(CallFailed, match="Only apps that this platform has opened"):
        await peer.methods.call("T42.Web.Platform.Control", {"domain": "system", "operation": "getBase"})
    await peer.close()

    calls = {
        "io.appManager.inMemory.clear()": "appManager.clear",
        "io.appManager.inMemory.import([])": "appManager.import",
        "io.windows.open('x', 'https://elsewhere.example/')": "windows.openWindow",
        "io.channels.remove('Red')": "removeChannel",
    }
    for call, operation in calls.items():
        message = await blotter.evaluate(f"{call}.then(() => 'accepted', error => error.message)")
        assert operation in message, message
        assert "not available" in message or "does not support" in message, message
