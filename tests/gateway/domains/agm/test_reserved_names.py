"""No app receives calls that are meant for the gateway's own process: the names of its methods are reserved."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from rostrum.gateway import Gateway, LocalPeer
from tests.gateway.sockets import Frame, Talker, quick, running, talking, until

SHARED = ("T42.Search.", "Tick42.")
OF_APPS = [
    "T42.HC.GetSaveContext",
    "T42.Channels.Command",
    "T42.Notifications.Handler-1_2",
    "T42.Search.Provider",
    "Tick42.FDC3.Intents.ViewChart",
]


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    options = replace(quick(), reserved_methods="Rostrum.", shared_methods=SHARED)
    async with running(options) as gateway:
        yield gateway


@pytest.fixture
async def service(gateway: Gateway) -> LocalPeer:
    return await gateway.local_peer("service", "platform", is_service=True)


async def offer(app: Talker, *names: str) -> Frame:
    methods = [{"id": name, "name": name, "flags": {"streaming": True}} for name in names]
    return await app.ask(domain="agm", type="register", methods=methods)


async def test_a_name_that_a_service_of_the_process_offers_is_refused_to_all_others(
    gateway: Gateway, service: LocalPeer
) -> None:
    method = await service.methods.register("T42.Wnd.Execute", lambda _: "platform")
    await service.methods.stream("T42.Wnd.OnEvent")
    async with talking(gateway, "ada", "agm") as app:
        for name in ("T42.Wnd.Execute", "t42.wnd.EXECUTE", "T42.Wnd.OnEvent", "Rostrum.New"):
            # One reserved name refuses the whole message.
            answer = await offer(app, "Own", name)
            assert (answer["type"], answer["reason_uri"]) == ("error", "agm.errors.registration.failure")
            assert "platform" in answer["reason"]
        assert service.methods.find("Own") is None
        # Only the exact names: apps offer other methods with the same beginning.
        assert (await offer(app, "T42.Wnd.OnEventWithResponse", "T42.Wnd"))["type"] == "success"
        await service.methods.unregister(method)
        assert (await offer(app, "T42.Wnd.Execute"))["type"] == "success"


async def test_names_that_the_protocol_gives_to_apps_can_be_offered_by_several(
    gateway: Gateway, service: LocalPeer
) -> None:
    await service.methods.register("T42.Search.Provider", lambda _: "platform")
    async with talking(gateway, "ada", "agm") as one, talking(gateway, "ada", "agm") as other:
        for app in (one, other):
            assert (await offer(app, *OF_APPS))["type"] == "success"
        await until(lambda: len([each for each in service.methods.known if each.name == "T42.Search.Provider"]) == 3)


async def test_a_service_of_the_process_takes_a_name_back_from_an_app_that_was_first(
    gateway: Gateway, service: LocalPeer
) -> None:
    async with talking(gateway, "ada", "agm") as app, talking(gateway, "ada", "agm") as caller:
        assert (await offer(app, "apps.Command", "Other"))["type"] == "success"
        subscribing = {"server_id": app.peer_id, "method_id": "apps.Command"}
        await caller.send(domain="agm", type="subscribe", request_id="s", **subscribing)
        interest = await app.get_of("add-interest")
        accepted = {"subscription_id": interest["subscription_id"], "stream_id": "0"}
        await app.send(domain="agm", type="accepted", **accepted)
        assert (await caller.get_of("subscribed"))["request_id"] == "s"

        await service.methods.register("apps.command", lambda _: "platform")

        assert (await app.get_of("methods-removed"))["methods"] == ["apps.Command"]
        assert (await caller.get_of("subscription-cancelled"))["subscription_id"] == interest["subscription_id"]
        removed = await caller.get_of("methods-removed")
        assert (removed["server_id"], removed["methods"]) == (app.peer_id, ["apps.Command"])
        call = await caller.ask(domain="agm", type="call", server_id=app.peer_id, method_id="apps.Command")
        assert call["type"] == "error"
        await until(lambda: {each.name for each in service.methods.known} == {"Other", "apps.command"})
        assert (await offer(app, "apps.command"))["type"] == "error"


async def test_only_services_of_the_process_reserve_names(gateway: Gateway) -> None:
    local = await gateway.local_peer("local", "ada")
    await local.methods.register("Shared", lambda _: 1)
    async with talking(gateway, "ada", "agm") as app:
        assert (await offer(app, "Shared"))["type"] == "success"
        await local.methods.register("Rostrum.Own", lambda _: 1)
        assert (await offer(app, "Rostrum.Own"))["type"] == "error"
