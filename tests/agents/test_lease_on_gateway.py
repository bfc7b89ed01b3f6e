"""The lease of a platform on a gateway: who can have it, what ends it, and contexts of client libraries beside it."""

import json
from typing import Any

from rostrum.agents import PlatformPeer, ProgramPeer
from rostrum.gateway import Gateway
from tests.agents.agents import Page, agents, page
from tests.fdc3.platform import CONTACT, INSTRUMENT, request

RED = "___channel___Red"


async def listen(main: Page, app_id: str, connection: str) -> None:
    """Start an app that listens on the red channel."""
    await main.start(app_id, connection)
    await main.ask(connection, "joinUserChannelRequest", channelId="red")
    await main.ask(connection, "addContextListenerRequest", channelId=None, contextType=None)


async def take_lease(main: Page) -> str:
    """Broadcast a context, after which the agent gives the lease to the platform; return it."""
    await main.ask("1", "broadcastRequest", channelId="red", context=INSTRUMENT)
    return str((await main.event("lease"))["lease"])


def delivered(lease: str, context: dict[str, Any], number: int = 1) -> dict[str, Any]:
    """The report of a broadcast that a platform has delivered."""
    message = json.dumps(request("broadcastRequest", f"delivered-{number}", {"channelId": "red", "context": context}))
    return {"kind": "Delivered", "connection": "1", "message": message, "lease": lease, "number": number}


def sign_out(gateway: Gateway, main: Page) -> None:
    """End the connection of a page, as the gateway does when the session of its user ends."""
    source = gateway._router.state.peers[str(main.talker.peer_id)].source
    source.revoke("the session has ended")
    gateway.disconnect(source)


async def test_programs_do_not_deliver_even_if_they_ask_for_it() -> None:
    kinds: dict[str, PlatformPeer | ProgramPeer] = {}

    def accept(peer: str) -> PlatformPeer | ProgramPeer:
        return kinds.setdefault(peer, ProgramPeer("chart", "chart-7") if not kinds else PlatformPeer())

    async with agents(accept=accept) as (gateway, _), page(gateway, delivers=True) as program:
        await listen(program, "chart", "1")
        await program.ask("1", "broadcastRequest", channelId="red", context=INSTRUMENT)
        for kind in (delivered("forged", CONTACT), {"kind": "LeaseReturned", "lease": "forged"}):
            assert (await program.send(kind))["reason"] == f"Apps cannot send {kind['kind']}"
        current = await program.ask("1", "getCurrentContextRequest", channelId="red", contextType=None)
        assert current["context"] == INSTRUMENT
        assert program.pending("lease") == []
        # A platform that asks for it gets the lease, one that does not ask gets none.
        async with page(gateway, delivers=True) as main, page(gateway) as other:
            for each in (main, other):
                await listen(each, "news", "1")
            await other.ask("1", "broadcastRequest", channelId="red", context=INSTRUMENT)
            assert await take_lease(main)
            await other.ask("1", "getCurrentContextRequest", channelId="red", contextType=None)
            assert other.pending("lease") == []


async def test_signing_out_ends_the_lease_and_what_was_delivered_is_kept() -> None:
    async with agents() as (gateway, _), page(gateway, delivers=True) as main, page(gateway, delivers=True) as other:
        await listen(main, "chart", "1")
        await listen(other, "news", "1")
        lease = await take_lease(main)
        await other.message("1", "broadcastEvent")
        await main.send(delivered(lease, CONTACT))
        assert (await other.message("1", "broadcastEvent"))["context"] == CONTACT

        sign_out(gateway, main)
        # Nobody is asked to return the lease: the answer comes at once, and the other platform has the lease now.
        assert await take_lease(other) != lease


async def test_signing_out_while_others_wait_for_the_lease_lets_them_continue() -> None:
    async with agents() as (gateway, _), page(gateway, delivers=True) as main, page(gateway) as other:
        await listen(main, "chart", "1")
        await listen(other, "news", "1")
        lease = await take_lease(main)
        await other.message("1", "broadcastEvent")
        asked = request("broadcastRequest", "waits", {"channelId": "red", "context": CONTACT})
        await other.tell("1", asked)
        assert (await main.event("recall"))["lease"] == lease
        # It was delivered before the recall, so it comes before what waits.
        await main.send(delivered(lease, {**CONTACT, "name": "before"}))
        assert other.pending("message") == []

        sign_out(gateway, main)

        assert (await other.message("1", "broadcastEvent"))["context"]["name"] == "before"
        assert await other.message("1", "broadcastResponse") == {}
        current = await other.ask("1", "getCurrentContextRequest", channelId="red", contextType="fdc3.contact")
        assert current["context"] == CONTACT


async def test_a_broadcast_that_is_reported_late_does_not_replace_a_newer_context_of_a_client_library() -> None:
    async with agents() as (gateway, _), page(gateway, delivers=True) as main:
        client = await gateway.local_peer("blotter", "ada", instance="blotter-1")
        await listen(main, "chart", "1")
        lease = await take_lease(main)
        written = {"data.fdc3_fdc3&instrument": {"id": {"ticker": "NEW"}}, "latest_fdc3_type": "fdc3&instrument"}
        await client.contexts.update(RED, written)
        await main.event("recall")
        # Delivered before the recall: first the type that the library has written, then another one.
        old = {"type": "fdc3.instrument", "id": {"ticker": "OLD"}}
        await main.send(delivered(lease, old), delivered(lease, CONTACT, 2))
        channel = await client.contexts.get(RED)
        contact = {name: value for name, value in CONTACT.items() if name != "type"}
        assert channel["data"] == {"fdc3_fdc3&instrument": {"id": {"ticker": "NEW"}}, "fdc3_fdc3&contact": contact}
        assert channel["latest_fdc3_type"] == "fdc3&instrument"

        await main.send({"kind": "LeaseReturned", "lease": lease})

        # The agent has the same order: the context of the library is the newest.
        event = await main.message("1", "broadcastEvent")
        assert event["context"] == {"type": "fdc3.instrument", "id": {"ticker": "NEW"}}
        current = await main.ask("1", "getCurrentContextRequest", channelId="red", contextType=None)
        assert current["context"] == event["context"]
        # After that, the newest broadcast is the one that counts on the channel as well.
        await main.ask("1", "broadcastRequest", channelId="red", context=old)
        channel = await client.contexts.get(RED)
        assert channel["data"]["fdc3_fdc3&instrument"] == {"id": {"ticker": "OLD"}}
