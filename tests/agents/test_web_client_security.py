"""Which pages the platform answers, and what apps with client libraries cannot do."""

import pytest

from rostrum.gateway import CallFailed
from tests.agents.web_clients import Place

REQUEST = "{glue42core: {type: 'connectionRequest', clientId: 'me', clientType: 'child', bridgeInstanceId: ID}}"
ASK = (
    "id => new Promise(resolve => { addEventListener('message', ({data}) => {"
    " if (data?.glue42core?.clientId === 'me') resolve(data.glue42core.type); });"
    f" opener.postMessage({REQUEST.replace('ID', 'id')}, '*'); }})"
)


async def test_windows_that_the_platform_did_not_open_are_not_answered(place: Place) -> None:
    async with place.desk() as main:
        blotter = await main.open("blotter", "blotter-1")
        async with main.context.expect_page() as opened:
            await blotter.evaluate("address => { window.open(address); }", f"{main.apps}/blotter.html")
        other = await opened.value
        await other.wait_for_function("window.connecting !== undefined")
        error = await other.evaluate("connecting.then(() => 'connected', ({err}) => String(err?.message ?? err))")
        assert "not opened or created by a glue client" in error


async def test_pages_of_another_origin_are_refused(place: Place) -> None:
    async with place.desk() as main:
        blotter = await main.open("blotter", "blotter-1")
        foreign = main.apps.replace("localhost", "127.0.0.1")
        await blotter.evaluate("address => { location.href = address; }", f"{foreign}/blotter.html")
        await main.main.wait_for_function("seen.refusals.length > 0")
        assert await main.main.evaluate("seen.refusals[0]") == (
            f"blotter: A page of {foreign} is shown in the window of blotter"
        )


async def test_an_app_cannot_take_the_window_of_another(place: Place) -> None:
    async with place.desk() as main:
        await main.open("blotter", "blotter-1")
        orders = await main.open("orders", "orders-1")
        assert await orders.evaluate(ASK, "g42-blotter-1") == "connectionRejected"
        assert await orders.evaluate(ASK, "g42-orders-1") == "connectionAccepted"


async def test_apps_get_no_tokens_and_are_no_platforms(place: Place) -> None:
    async with place.desk() as main:
        blotter = await main.open("blotter", "blotter-1")
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
