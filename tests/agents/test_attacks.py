"""Users whose apps broadcast much: what it costs, and that other users do not wait for it."""

import asyncio
import json
import time
from typing import Any

import pytest
from msgspec import Raw

from rostrum.agents import Profile, gateway_link, user_work
from rostrum.agents.delivery_lease import DeliveryLease
from rostrum.agents.link_messages import Connect
from rostrum.agents.user_agent import UserAgent
from rostrum.agents.user_work import LARGE, Turns, pause
from rostrum.fdc3 import Directory
from rostrum.gateway.costs import Costs
from rostrum.gateway.local.connection import PeerConnection
from rostrum.gateway.local.methods import LocalStream
from tests.agents.agents import Page, agents, page
from tests.fdc3.platform import RECORDS, request
from tests.gateway.sockets import PATIENCE, talking, until

CONTEXT = {"type": "test", "data": "x" * 200_000}


def broadcast(number: int, context: dict[str, Any]) -> dict[str, Any]:
    message = request("broadcastRequest", f"b{number}", {"channelId": "all", "context": {**context, "number": number}})
    return {"kind": "AppMessage", "connection": "0", "message": json.dumps(message)}


async def start_listeners(main: Page, count: int) -> None:
    for number in range(count):
        await main.start("chart", str(number))
        await main.ask(str(number), "getOrCreateChannelRequest", channelId="all")
        await main.ask(str(number), "addContextListenerRequest", channelId="all", contextType=None)


async def test_a_page_gets_a_broadcast_once_for_all_of_its_apps() -> None:
    async with agents() as (gateway, _), page(gateway, lists=True) as main, page(gateway) as older:
        await start_listeners(main, 4)
        await older.start("news", "9")
        await older.ask("9", "addContextListenerRequest", channelId="all", contextType=None)

        await main.send(broadcast(0, {"type": "test"}))

        event = await main.event("message", connections=["1", "2", "3"])
        assert event["payload"]["payload"]["context"]["number"] == 0
        assert (await older.message("9", "broadcastEvent"))["context"]["number"] == 0


async def test_an_older_page_gets_an_event_for_each_app_in_order() -> None:
    async with agents() as (gateway, _), page(gateway) as main:
        await start_listeners(main, 3)

        await main.send(broadcast(0, CONTEXT), broadcast(1, {"type": "test"}))

        for connection in ("1", "2"):
            for number in (0, 1):
                assert (await main.message(connection, "broadcastEvent"))["context"]["number"] == number


async def test_another_user_is_answered_between_the_messages_of_a_large_call(monkeypatch: pytest.MonkeyPatch) -> None:
    processed: list[str] = []
    handle = UserAgent._handle

    def noted(self: UserAgent, link: Any, message: Any) -> None:
        processed.append(self.user)
        handle(self, link, message)

    async with agents() as (gateway, _), page(gateway, "ada", lists=True) as main, page(gateway, "bob") as other:
        await start_listeners(main, 3)
        await other.start("news", "1")
        monkeypatch.setattr(UserAgent, "_handle", noted)
        reading = asyncio.create_task(main.send(*(broadcast(number, CONTEXT) for number in range(15))))
        await until(lambda: "ada" in processed)

        await other.ask("1", "getInfoRequest")

        assert "bob" in processed[:15]
        await reading
        # The order of the calls of a user stays.
        for number in range(15):
            event = await main.event("message", connections=["1", "2"])
            assert event["payload"]["payload"]["context"]["number"] == number


async def test_another_user_is_answered_between_many_intents_of_an_app(monkeypatch: pytest.MonkeyPatch) -> None:
    """200 small messages in one call, each of which registers a method on the gateway."""
    processed: list[str] = []
    handle = UserAgent._handle

    def noted(self: UserAgent, link: Any, message: Any) -> None:
        processed.append(self.user)
        handle(self, link, message)

    async with agents() as (gateway, _), page(gateway, "ada") as main, page(gateway, "bob") as other:
        await main.start("chart", "0")
        await other.start("news", "1")
        monkeypatch.setattr(UserAgent, "_handle", noted)
        listen = [request("addIntentListenerRequest", f"i{number}", {"intent": f"i{number}"}) for number in range(200)]
        call = [{"kind": "AppMessage", "connection": "0", "message": json.dumps(each)} for each in listen]
        sending = asyncio.create_task(main.send(*call))
        await until(lambda: "ada" in processed)

        await other.ask("1", "getInfoRequest")

        assert processed.index("bob") < 200
        assert (await sending)["type"] == "result"
        assert processed.count("ada") >= 200


def _broadcasts(main: Page) -> list[dict[str, Any]]:
    return [each for each in main.pending("message") if each["payload"]["type"] == "broadcastEvent"]


async def test_calls_of_a_user_are_processed_in_order_and_before_the_page_leaves() -> None:
    async with agents() as (gateway, _), page(gateway, "ada") as watching:
        await watching.start("news", "1")
        await watching.ask("1", "getOrCreateChannelRequest", channelId="all")
        await watching.ask("1", "addContextListenerRequest", channelId="all", contextType=None)
        async with page(gateway, "ada", lists=True) as main:
            await start_listeners(main, 1)
            sending = asyncio.gather(
                *(main.talker.send(**_call(main, broadcast(number, CONTEXT))) for number in range(5)),
                main.talker.send(**_call(main, broadcast(5, {"type": "test"}))),
            )
            await sending
            for number in range(6):
                assert (await watching.message("1", "broadcastEvent"))["context"]["number"] == number


def _call(main: Page, message: dict[str, Any]) -> dict[str, Any]:
    arguments = {"link": main.link, "messages": [message]}
    method = main._methods["Rostrum.FDC3.Send"]
    return {"type": "call", "domain": "agm", "request_id": "many", "arguments_kv": arguments, **method}


async def test_an_invalid_message_in_a_large_call_changes_nothing() -> None:
    async with agents() as (gateway, _), page(gateway, "ada") as main:
        await start_listeners(main, 2)

        refused = await main.send(broadcast(0, CONTEXT), {"kind": "Nonsense"})

        assert (refused["type"], "invalid" in refused["reason"]) == ("error", True)
        await main.ask("1", "getInfoRequest")
        assert _broadcasts(main) == []


@pytest.mark.long
async def test_broadcasts_for_a_page_that_does_not_read_are_bounded() -> None:
    """The apps of an older page, for which each broadcast is sent many times."""
    async with agents() as (gateway, service), page(gateway, "bob") as other, page(gateway, "ada") as main:
        await other.start("news", "1")
        await start_listeners(main, 60)
        source = gateway._router.state.peers[str(main.talker.peer_id)].source
        main.talker.socket.transport.pause_reading()
        large = {**CONTEXT, "data": "x" * 900_000}
        most = 0
        await main.talker.send(**_call(main, broadcast(0, large)))
        async with asyncio.timeout(PATIENCE):
            while source.is_open:
                await other.ask("1", "getInfoRequest")
                most = max(most, source.unread)
        assert most <= gateway.options.limits.unread
        assert gateway.costs_of("ada").held < gateway.options.limits.unread
        async with talking(gateway, "bob") as fresh:
            assert fresh.peer_id
        assert set(service.users) == {"ada", "bob"}


async def test_services_send_nothing_more_while_much_waits_to_be_written() -> None:
    """Otherwise a broadcast would be stored once for each page of the user."""
    costs = Costs(1024, 1024, 1024, time.monotonic)
    costs.queued = 8 * 1024 * 1024
    waiting = asyncio.create_task(pause(costs))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not waiting.done()

    costs.queued = 0

    async with asyncio.timeout(PATIENCE):
        await waiting


async def test_bytes_wait_to_be_written_until_the_client_has_read_them_or_does_not_read() -> None:
    async with agents() as (gateway, _), page(gateway, "ada") as main:
        costs = gateway.costs_of("ada")
        source = gateway._router.state.peers[str(main.talker.peer_id)].source
        source.deliver_large(b"{", b'"type":"x","a":"' + b"x" * 500_000 + b'"}')
        assert costs.queued > 500_000
        await main.talker.get_of("x")
        await until(lambda: costs.queued == 0)

        main.talker.socket.transport.pause_reading()
        for _ in range(20):
            source.deliver_large(b"{", b'"type":"x","a":"' + b"x" * 1_000_000 + b'"}')
        await until(lambda: source.is_paused)
        assert costs.queued == 0
        assert costs.unread > 1_000_000


async def test_a_page_that_has_left_is_sent_nothing_more() -> None:
    async with agents() as (gateway, service), page(gateway, "ada") as main:
        link, _ = service._links[str(main.link)]
        link.close()

        link.send({"kind": "message", "connection": "1", "payload": Raw(b'"' + b"x" * LARGE + b'"')})

        assert not link._waiting
        assert gateway.costs_of("ada").held == 0


async def test_the_intents_of_an_app_are_registered_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """One message for each intent would take long for all pages of the user."""
    registered: list[int] = []
    request_of = PeerConnection.request

    async def noted(self: PeerConnection, kind: str, **members: Any) -> Any:
        if kind == "register":
            registered.append(len(members["methods"]))
        return await request_of(self, kind, **members)

    async with agents() as (gateway, _), page(gateway, "ada") as main:
        await main.start("chart", "0")
        await main.ask("0", "addIntentListenerRequest", intent="first")
        await until(lambda: any(peer.identity.get("application") == "chart" for peer in _peers(gateway)))
        await until(lambda: _methods_of(gateway, "chart") == 1)
        monkeypatch.setattr(PeerConnection, "request", noted)
        listen = [request("addIntentListenerRequest", f"i{number}", {"intent": f"i{number}"}) for number in range(150)]
        await main.send(*({"kind": "AppMessage", "connection": "0", "message": json.dumps(each)} for each in listen))
        await until(lambda: _methods_of(gateway, "chart") == 151)
        assert sum(registered) == 150
        assert len(registered) <= 20

        await main.tell("0", {"type": "WCP6Goodbye", "meta": {"timestamp": "2026-11-16T10:00:00.000Z"}})
        await until(lambda: _methods_of(gateway, "chart") == 0)


def _peers(gateway: Any) -> list[Any]:
    return list(gateway._router.state.peers.values())


def _methods_of(gateway: Any, application: str) -> int:
    ids = [peer.id for peer in _peers(gateway) if peer.identity.get("application") == application]
    return sum(len(gateway._router.state.agm_peers[one].methods) for one in ids)


async def test_tasks_of_a_user_have_their_turns_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """200 intents that a page raises at once would otherwise be processed without a pause."""
    monkeypatch.setattr(user_work, "_STEP", 0.0)
    turns = Turns(Costs(1024, 1024, 1024, time.monotonic))
    order: list[str] = []

    async def work() -> None:
        async with turns.turn():
            order.append("work")

    async def other() -> None:
        for _ in range(20):
            await asyncio.sleep(0)
            order.append("other")

    await asyncio.gather(*(work() for _ in range(5)), other())

    assert order.count("work") == 5
    assert "work,work" not in ",".join(order)


async def test_many_small_events_are_sent_in_several_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_link, "_STEP", 0.0)
    async with agents() as (gateway, service), page(gateway, "ada") as main:
        link, _ = service._links[str(main.link)]
        sent: list[int] = []
        send = LocalStream.send

        def noted(self: LocalStream, subscriber: Any, event: dict[str, Any]) -> None:
            sent.append(event["number"])
            send(self, subscriber, event)

        monkeypatch.setattr(LocalStream, "send", noted)

        for number in range(10):
            link.send({"kind": "test", "number": number})

        assert len(sent) <= 1
        await until(lambda: len(sent) == 10)
        assert sent == list(range(10))
        assert gateway.costs_of("ada").held == 0


def test_the_end_of_a_link_looks_at_its_own_connections_only() -> None:
    class Counted(dict[str, Any]):
        looks = 0

        def items(self) -> Any:
            Counted.looks += 1
            return super().items()

    class Link:
        is_platform, is_external, can_deliver = True, True, False

        def __init__(self, id_: str) -> None:
            self.id = id_

        def send(self, _: dict[str, Any]) -> None:
            pass

    agent = UserAgent("ada", Profile(Directory(RECORDS), ()), lambda: 0.0, "1")
    links = [Link(str(number)) for number in range(5)]
    agent._connections = Counted()
    for link in links:
        agent.attach(link)
        agent.handle(link, [Connect(connection=str(number)) for number in range(10)])

    for link in links:
        agent.detach(link)

    assert Counted.looks == 0
    assert not agent._connections
    assert not agent._of_link
    assert agent.is_idle


def test_messages_that_wait_for_the_lease_have_a_bound() -> None:
    lease = DeliveryLease(lambda: 0.0)
    page_, other = Holder(), Holder()
    lease.routed(page_, {})
    lease.report(page_, 1, 1)
    assert lease.must_wait(other, lambda: True)

    for _ in range(5):
        assert lease.overdue is None
        lease.hold(lambda: None, 1024 * 1024)

    assert lease.overdue is page_
    lease.left(page_)
    assert lease._held_bytes == 0


class Holder:
    """A platform that answers nothing."""

    id = "holder"

    def send(self, _: dict[str, Any]) -> None:
        """Receive an event."""
