"""Agents on a gateway, used by platforms over WebSockets."""

import asyncio

from rostrum.agents import ProgramPeer
from rostrum.gateway import CallFailed
from rostrum.gateway.local.methods import Invocation
from tests.agents.agents import FixedProfiles, Page, agents, page
from tests.fdc3.platform import CONTACT, INSTRUMENT, ORIGIN
from tests.gateway.sockets import talking, until


async def test_two_pages_of_one_user_share_the_agent_and_its_channels() -> None:
    async with agents() as (gateway, _), page(gateway) as one, page(gateway) as two:
        assert [channel["id"] for channel in one.channels] == ["red", "Green"]
        await one.start("chart", "1")
        await two.start("news", "1")
        await one.ask("1", "joinUserChannelRequest", channelId="red")
        await two.ask("1", "joinUserChannelRequest", channelId="red")
        await two.ask("1", "addContextListenerRequest", channelId=None, contextType=None)

        await one.ask("1", "broadcastRequest", channelId="red", context=INSTRUMENT)

        assert (await two.message("1", "broadcastEvent"))["context"] == INSTRUMENT


async def test_users_do_not_see_each_other() -> None:
    async with agents() as (gateway, service), page(gateway, "ada") as ada, page(gateway, "bob") as bob:
        await ada.start("chart", "1")
        await bob.start("news", "1")

        found = await bob.ask("1", "findInstancesRequest", app={"appId": "chart"})

        assert found == {"appIdentifiers": []}
        assert sorted(service.users) == ["ada", "bob"]
        # Not even with the link of the other user.
        refused = await bob.send({"kind": "Disconnect", "connection": "1"}, link=ada.link)
        assert (refused["type"], refused["reason"]) == (
            "error",
            "There is no such link. Subscribe to Rostrum.FDC3.Connect first",
        )
        assert (await ada.ask("1", "findInstancesRequest", app={"appId": "chart"}))["appIdentifiers"]


async def test_a_page_opens_the_apps_that_its_apps_ask_for() -> None:
    async with agents() as (gateway, _), page(gateway) as main, page(gateway) as other:
        await main.start("grid", "1")
        await main.tell(
            "1",
            {
                "type": "openRequest",
                "payload": {"app": {"appId": "chart"}},
                "meta": {"requestUuid": "open", "timestamp": "2026-11-16T10:00:00.000Z"},
            },
        )
        asked = await main.event("open")
        assert asked["appId"] == "chart"
        facts = {"instanceId": asked["instanceId"]}
        await main.send({"kind": "Opened", "request": asked["request"], **facts})

        started = await main.start("chart", "2", **facts)

        assert started["instanceId"] == asked["instanceId"]
        opened = await main.message("1", "openResponse")
        assert opened == {"appIdentifier": {"appId": "chart", "instanceId": asked["instanceId"]}}
        # The other page was not asked.
        await other.start("news", "1")
        assert other.pending("open") == []


async def test_apps_continue_where_they_were_after_their_page_was_interrupted() -> None:
    async with agents() as (gateway, _), page(gateway) as other:
        await other.start("grid", "1")
        await other.ask("1", "joinUserChannelRequest", channelId="red")
        async with page(gateway) as main:
            identity = await main.start("chart", "1", place="window-1")
            await main.ask("1", "joinUserChannelRequest", channelId="red")
            await main.ask("1", "addContextListenerRequest", channelId=None, contextType=None)
        await other.ask("1", "broadcastRequest", channelId="red", context=INSTRUMENT)

        async with page(gateway) as main:
            secret = {"instanceId": identity["instanceId"], "instanceUuid": identity["instanceUuid"]}
            again = {"kind": "Connect", "connection": "9", "place": "window-1", "origin": ORIGIN, "appId": "chart"}
            await main.send({**again, **secret, "connection": "8", "place": "window-2"})
            assert "reload the page of the app" in (await main.event("close", connection="8"))["reason"]
            await main.send({**again, **secret})

            await main.event("resumed", connection="9")
            assert (await main.message("9", "broadcastEvent"))["context"] == INSTRUMENT
            assert (await main.ask("9", "getCurrentChannelRequest"))["channel"]["id"] == "red"


async def test_channels_are_those_of_clients_without_fdc3() -> None:
    async with agents() as (gateway, _), page(gateway) as main:
        client = await gateway.local_peer("blotter", "ada", instance="blotter-1")
        await main.start("chart", "1")
        await main.ask("1", "joinUserChannelRequest", channelId="red")
        await main.ask("1", "addContextListenerRequest", channelId=None, contextType=None)

        # As @interopio/desktop and @interopio/fdc3 write it.
        written = {"data.fdc3_fdc3&instrument": {"id": {"ticker": "IBM"}}, "latest_fdc3_type": "fdc3&instrument"}
        await client.contexts.update("___channel___Red", written)

        event = await main.message("1", "broadcastEvent")
        assert event["context"] == {"type": "fdc3.instrument", "id": {"ticker": "IBM"}}
        assert event["originatingApp"] == {"appId": "blotter", "instanceId": "blotter-1"}
        # Other data of the channel is not a context of FDC3.
        await client.contexts.update("___channel___Red", {"data.price": 7})
        await main.ask("1", "broadcastRequest", channelId="red", context=INSTRUMENT)
        assert main.pending("message") == []
        assert await client.contexts.get("___channel___Red") == {
            "name": "Red",
            "meta": {"color": "#ff0000", "fdc3": {"id": "red", "displayMetadata": {"name": "Red channel"}}},
            "data": {"fdc3_fdc3&instrument": {"id": {"ticker": "AAPL"}}, "price": 7},
            "latest_fdc3_type": "fdc3&instrument",
        }


async def test_an_agent_begins_with_the_contexts_that_the_channels_hold() -> None:
    async with agents() as (gateway, _):
        client = await gateway.local_peer("blotter", "ada")
        held = {"fdc3_fdc3&contact": {"name": "Ada"}, "fdc3_fdc3&instrument": {"id": {"ticker": "IBM"}}}
        await client.contexts.set(
            "___channel___Green", {"name": "Green", "meta": {}, "data": held, "latest_fdc3_type": "fdc3&contact"}
        )
        async with page(gateway) as main:
            await main.start("chart", "1")

            newest = await main.ask("1", "getCurrentContextRequest", channelId="Green", contextType=None)

            assert newest["context"] == {"type": "fdc3.contact", "name": "Ada"}


async def test_programs_are_the_apps_that_the_platform_started_and_nothing_else() -> None:
    async with (
        agents(accept=lambda _: ProgramPeer("chart", "chart-7")) as (gateway, _),
        page(gateway) as program,
    ):
        started = await program.start("chart", "1", appId="news", instanceId="news-1")
        assert (started["appId"], started["instanceId"]) == ("chart", "chart-7")

        refused = await program.send({"kind": "SelectChannel", "instanceId": "chart-7", "channelId": "red"})

        assert refused["reason"] == "Apps cannot send SelectChannel"


async def test_peers_that_may_not_use_the_agent_get_the_reason() -> None:
    def nobody(_: str) -> ProgramPeer:
        raise CallFailed(None, "Only apps can use it")

    async with agents(accept=nobody) as (gateway, _), talking(gateway, "ada") as talker:
        stranger = Page(talker)
        await stranger.find()

        assert (await stranger.subscribe())["reason"] == "Only apps can use it"


async def test_invalid_messages_are_refused_and_change_nothing() -> None:
    async with agents() as (gateway, _), page(gateway) as main:
        for wrong in (
            {"kind": "Nonsense"},
            {"kind": "Connect"},
            {"kind": "AppMessage", "connection": 7, "message": "{}"},
            {"connection": "1"},
        ):
            answer = await main.send({"kind": "Connect", "connection": "1"}, wrong)
            assert answer["type"] == "error", wrong
            assert "invalid" in answer["reason"]
        too_many = [{"kind": "Disconnect", "connection": "1"}] * 201
        assert (await main.send(*too_many))["reason"] == "At most 200 messages can be sent at once"
        # The refused calls have connected nothing: the same connection can still be made.
        assert (await main.start("chart", "1"))["appId"] == "chart"
        # Invalid messages of an app are ignored, and its connection stays open.
        await main.send({"kind": "AppMessage", "connection": "1", "message": "{" * 5000})
        assert (await main.ask("1", "getInfoRequest"))["implementationMetadata"]["provider"] == "Rostrum"


async def test_apps_and_channels_change_while_the_agent_runs() -> None:
    profiles = FixedProfiles()
    async with agents(profiles) as (gateway, _), page(gateway) as main:
        await main.start("chart", "1")
        profiles.records["ada"] = []
        profiles.channels = [{"name": "Blue", "meta": {"color": "blue"}}]

        profiles.changed.emit("ada")

        assert [one["id"] for one in (await main.event("channels"))["channels"]] == ["Blue"]
        assert (await main.ask("1", "findIntentRequest", intent="ViewNews")) == {"error": "NoAppsFound"}


async def test_a_page_gets_the_reason_while_the_agent_cannot_start() -> None:
    profiles = FixedProfiles()
    profiles.problem = "The manager does not answer"
    async with agents(profiles) as (gateway, _), talking(gateway, "ada") as talker:
        main = Page(talker)
        await main.find()
        await main.subscribe()
        assert (await main.event("unavailable"))["reason"] == "The manager does not answer"
        # The next attempt works once the profile can be read.
        profiles.problem = ""
        async with asyncio.timeout(30), page(gateway) as later:
            assert later.channels


async def test_intents_of_clients_without_fdc3_are_handled_by_apps_with_fdc3() -> None:
    async with agents() as (gateway, _), page(gateway) as main:
        started = await main.start("chart", "1")
        await main.ask("1", "addIntentListenerRequest", intent="ViewChart")
        client = await gateway.local_peer("mail", "ada", instance="mail-1")
        name = "Tick42.FDC3.Intents.ViewChart"
        await until(lambda: client.methods.find(name) is not None)
        method = client.methods.find(name)
        assert method is not None
        assert gateway.identity_of(method.server)["instance"] == started["instanceId"]
        # Client libraries fail on intent handlers without this.
        assert method.definition["flags"]["metadata"] == {"intent": {}}

        calling = asyncio.ensure_future(client.methods.call(method, INSTRUMENT))
        event = await main.event("message", connection="1")
        while event["payload"]["type"] != "intentEvent":
            event = await main.event("message", connection="1")
        raised = event["payload"]
        assert raised["payload"]["context"] == INSTRUMENT
        assert raised["payload"]["originatingApp"] == {"appId": "mail", "instanceId": "mail-1"}
        result = {
            "intentEventUuid": raised["meta"]["eventUuid"],
            "raiseIntentRequestUuid": raised["payload"]["raiseIntentRequestUuid"],
            "intentResult": {"context": {"type": "fdc3.chart", "title": "Done"}},
        }
        await main.ask("1", "intentResultRequest", **result)

        # `@interopio/fdc3` reads the envelope, other client libraries read the members.
        shown = {"type": "fdc3.chart", "title": "Done"}
        envelope = {"contextType": "fdc3.chart", "payload": shown}
        assert await calling == {**shown, "fdc3intentContext": envelope}


async def test_intents_of_apps_with_fdc3_are_handled_by_clients_without_fdc3() -> None:
    async with agents() as (gateway, service), page(gateway) as main:
        client = await gateway.local_peer("mail", "ada", instance="mail-1")
        received: list[object] = []

        def handle(invocation: Invocation) -> dict[str, str]:
            received.append(invocation.arguments)
            return {"type": "fdc3.email", "sent": "yes"}

        await main.start("chart", "1")
        await client.methods.register("Tick42.FDC3.Intents.StartMail", handle, flags={"intent": {}})
        agent = await service.agent_of("ada")
        await until(lambda: {"appId": "mail", "instanceId": "mail-1", "channelId": None} in agent.instances)

        resolved = await main.ask("1", "raiseIntentRequest", intent="StartMail", context=CONTACT)

        assert resolved["intentResolution"]["source"] == {"appId": "mail", "instanceId": "mail-1"}
        result = await main.message("1", "raiseIntentResultResponse")
        assert result["intentResult"] == {"context": {"type": "fdc3.email", "sent": "yes"}}
        assert received == [{**CONTACT, "data": CONTACT}]
        # With the client, its instance is gone.
        await client.close()
        await until(lambda: [one["appId"] for one in agent.instances] == ["chart"])
