"""The FDC3 agent of the desktop: apps of windows and programs, with the channels, starts and intents of the desktop."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from rostrum.gateway.local.methods import Invocation
from tests.agents.agents import Page
from tests.desktop.test_platform import APPS, Desk, desk, until
from tests.gateway.sockets import talking

__all__ = ["desk"]

RED = {"name": "Red", "meta": {"color": "red", "fdc3": {"id": "fdc3.red"}}}
BLUE = {"name": "Blue", "meta": {"color": "#00f"}}
VIEW = {"name": "ViewClock", "contexts": ["fdc3.instrument"]}


@asynccontextmanager
async def app(platform: Any, instance: str, name: str) -> AsyncIterator[Page]:
    """The page of a window that is connected to the agent with the token of its app."""
    gateway = platform.gateway
    token = platform.running_gateway.app_tokens.token(instance, name, "window")
    async with talking(gateway) as talker:
        answer = await talker.ask(type="hello", authentication={"method": "gateway-token", "token": token})
        talker.peer_id = answer["peer_id"]
        page = Page(talker)
        await page.open()
        started = await page.start(name, "1")
        assert (started["appId"], started["instanceId"]) == (name, instance)
        yield page


async def test_apps_of_the_desktop_use_its_channels_starts_and_intents(desk: Desk) -> None:
    selector = {"enabled": True, "channelId": "Blue"}
    desk.write_app("clock", intents=[VIEW], details={"url": "https://x", "channelSelector": selector})
    desk.write_app("mail", details={"url": "https://y", "channelSelector": selector})
    desk.system(**APPS, channels={"definitions": [RED, BLUE]})
    async with desk.running() as platform:
        channels, instances = platform.services.channels, platform.services.instances
        clock, mail = (await instances.start("clock")).id, (await instances.start("mail")).id
        async with app(platform, clock, "clock") as one, app(platform, mail, "mail") as two:
            # The selector of the window and the app follow each other.
            await one.ask("1", "joinUserChannelRequest", channelId="fdc3.red")
            assert channels.of(clock) == ("Red",)
            channels.join(mail, "Red")
            assert (await two.message("1", "channelChangedEvent"))["newChannelId"] == "fdc3.red"
            # An app without FDC3 reads what is broadcast.
            await one.ask(
                "1", "broadcastRequest", channelId="fdc3.red", context={"type": "fdc3.contact", "name": "Ada"}
            )
            await until_data(channels, {"fdc3_fdc3&contact": {"name": "Ada"}})
            # An app is started, and connects as the instance that was started.
            await two.tell("1", {
                "type": "openRequest",
                "payload": {"app": {"appId": "clock"}},
                "meta": {"requestUuid": "open", "timestamp": "2026-11-16T10:00:00.000Z"},
            })  # fmt: skip
            await until(lambda: len(instances.all) == 3)
            opened = next(each.id for each in instances.all if each.id not in (clock, mail))
            async with app(platform, opened, "clock"):
                answer = await two.message("1", "openResponse")
                assert answer == {"appIdentifier": {"appId": "clock", "instanceId": opened}}


async def until_data(channels: Any, data: dict[str, Any]) -> None:
    for _ in range(500):
        if await channels.data("Red") == data:
            return
    raise AssertionError(await channels.data("Red"))


async def test_an_intent_reaches_a_handler_of_the_client_libraries(desk: Desk) -> None:
    desk.write_app("clock", intents=[VIEW])
    desk.write_app("mail")
    desk.system(**APPS, channels={"definitions": [RED]})
    async with desk.running() as platform:
        instances = platform.services.instances
        clock, mail = (await instances.start("clock")).id, (await instances.start("mail")).id
        gateway = platform.gateway
        user = gateway.user_of(platform.running_gateway.peer.id)
        assert user is not None
        library = await gateway.local_peer("clock", user, instance=clock)
        heard: list[Any] = []

        def handle(invocation: Invocation) -> dict[str, Any]:
            heard.append(invocation.arguments)
            return {"type": "fdc3.nothing", "shown": True}

        await library.methods.register("Tick42.FDC3.Intents.ViewClock", handle, flags={"intent": {}})
        async with app(platform, mail, "mail") as page:
            context = {"type": "fdc3.instrument", "id": {"ticker": "IBM"}}

            answer = await page.ask("1", "raiseIntentRequest", intent="ViewClock", context=context)

            assert answer["intentResolution"]["source"] == {"appId": "clock", "instanceId": clock}
            result = await page.message("1", "raiseIntentResultResponse")
            assert result["intentResult"]["context"]["shown"] is True
            # Handlers of the client libraries read the members in `data`, those of FDC3 in the context itself.
            assert heard == [{**context, "data": context}]


async def test_apps_of_an_fdc3_directory_handle_the_intents_of_their_records(desk: Desk) -> None:
    interop = {"intents": {"listensFor": {"ViewClock": {"contexts": ["fdc3.instrument"], "resultType": "fdc3.order"}}}}
    record = {"appId": "watch", "type": "web", "title": "Watch", "details": {"url": "https://x"}, "interop": interop}
    desk.write_app("mail")
    (desk.root / "apps" / "watch.json").write_text(json.dumps(record))
    desk.system(**APPS)
    async with desk.running() as platform:
        mail = (await platform.services.instances.start("mail")).id
        async with app(platform, mail, "mail") as page:
            found = await page.ask("1", "findIntentRequest", intent="ViewClock", resultType="fdc3.order")

            assert [one["appId"] for one in found["appIntent"]["apps"]] == ["watch"]
            described = await page.ask("1", "getAppMetadataRequest", app={"appId": "watch"})
            assert described["appMetadata"]["title"] == "Watch"


async def test_the_user_chooses_among_several_handlers_of_an_intent(desk: Desk) -> None:
    for name in ("clock", "watch"):
        desk.write_app(name, title=name.title(), intents=[VIEW], details={"url": "https://x"})
    desk.write_app("mail")
    desk.system(**APPS)
    async with desk.running() as platform:
        host, instances = desk.host, platform.services.instances
        clock, mail = (await instances.start("clock")).id, (await instances.start("mail")).id
        async with app(platform, clock, "clock") as handler, app(platform, mail, "mail") as page:
            await handler.ask("1", "addIntentListenerRequest", intent="ViewClock")
            raised = {"intent": "ViewClock", "context": {"type": "fdc3.instrument"}}

            # Nobody can be asked without windows.
            assert (await page.ask("1", "raiseIntentRequest", **raised)) == {"error": "ResolverUnavailable"}
            (choice,) = [value for name, value in host.calls if name == "choose app"]
            assert (choice.source, choice.title) == (mail, 'Choose an app for "ViewClock"')
            assert [(one.section, one.title) for one in choice.options] == [
                ("Running", "Clock"),
                ("Start", "Clock"),
                ("Start", "Watch"),
            ]

            host.answers[choice.title] = "Clock"
            answer = await page.ask("1", "raiseIntentRequest", **raised)
            assert answer["intentResolution"]["source"] == {"appId": "clock", "instanceId": clock}
            await until(lambda: host.focused == clock)

            host.answers[choice.title] = "none of them"
            assert (await page.ask("1", "raiseIntentRequest", **raised)) == {"error": "UserCancelledResolution"}


async def test_programs_that_the_platform_did_not_start_cannot_use_the_agent(desk: Desk) -> None:
    desk.system()
    async with desk.running() as platform, talking(platform.gateway) as talker:
        authentication = {"method": "secret", "login": "ann", "secret": platform.running_gateway.secret}
        answer = await talker.ask(type="hello", authentication=authentication)
        talker.peer_id = answer["peer_id"]
        stranger = Page(talker)
        await stranger.find()

        refused = await stranger.subscribe()

        assert refused["reason"] == "Only apps that the platform has started can use the FDC3 agent of the desktop"
