"""All texts that platforms and apps can leave stored in an agent have a bound."""

import msgspec
import pytest
from msgspec import inspect

from rostrum.agents.link_messages import FromPlatform, Sent
from rostrum.fdc3 import DesktopAgent, Directory, messages
from tests.agents.agents import agents, page
from tests.fdc3.platform import RECORDS, START, Platform

UNSTORED = {"AppMessage.message", "Delivered.message"}
"""Messages of apps: the agent refuses large ones, and stores only the parts that it bounds itself."""


def unbounded(type_: inspect.Type, where: str, seen: set[type]) -> list[str]:
    """List the texts of a type without a maximum length."""
    if isinstance(type_, inspect.Metadata):
        return unbounded(type_.type, where, seen)
    if isinstance(type_, inspect.StrType):
        return [where] if type_.max_length is None else []
    if isinstance(type_, inspect.UnionType):
        return [found for each in type_.types for found in unbounded(each, where, seen)]
    if isinstance(type_, inspect.VarTupleType):
        return [*([] if type_.max_length else [where]), *unbounded(type_.item_type, where, seen)]
    if isinstance(type_, inspect.StructType) and type_.cls not in seen:
        seen.add(type_.cls)
        name = type_.cls.__name__
        return [found for each in type_.fields for found in unbounded(each.type, f"{name}.{each.name}", seen)]
    harmless = (inspect.StructType, inspect.NoneType, inspect.IntType, inspect.LiteralType)
    return [] if isinstance(type_, harmless) else [where]


def test_each_text_of_a_platform_has_a_bound() -> None:
    found = unbounded(inspect.type_info(FromPlatform), "", set())

    assert set(found) == UNSTORED
    assert unbounded(inspect.type_info(Sent.__annotations__["link"]), "Sent.link", set()) == []


STORED = {"connection", "place", "origin", "app_id", "instance_id"}


@pytest.mark.parametrize("fact", sorted(STORED))
def test_the_agent_accepts_no_connection_with_a_long_text(fact: str) -> None:
    agent = DesktopAgent(Directory(RECORDS))
    facts = {"connection": "c", fact: "x" * 501}

    assert not agent.connect(facts.pop("connection"), START, **facts)
    assert not agent._state.connections


async def test_a_platform_with_a_long_text_is_answered() -> None:
    async with agents() as (gateway, service), page(gateway) as main:
        refused = await main.send({"kind": "Connect", "connection": "1", "place": "x" * 1_000_000})

        assert (refused["type"], "place" in refused["reason"]) == ("error", True)
        await main.start("chart", "2", place="https://apps.example/" + "x" * 400)
        assert len((await service.agent_of(service.users[0])).instances) == 1


PAYLOADS = {
    "addContextListener": {"channelId": None, "contextType": "TEXT"},
    "addIntentListener": {"intent": "TEXT"},
    "getOrCreateChannel": {"channelId": "TEXT"},
    "broadcast": {"channelId": "red", "context": {"type": "TEXT"}},
    "raiseIntent": {"intent": "ViewChart", "context": {"type": "TEXT"}},
}
"""The requests whose texts are stored."""
LOOKED_UP = {
    "AddContextListener.channel_id",
    "AppId.app_id",
    "AppId.desktop_agent",
    "AppId.instance_id",
    "Broadcast.channel_id",
    "CurrentContext.channel_id",
    "CurrentContext.context_type",
    "FindIntent.intent",
    "FindIntent.result_type",
    "FindIntentsByContext.result_type",
    "HeartbeatAcknowledgement.heartbeat_event_uuid",
    "IntentResult.intent_event_uuid",
    "IntentResult.raise_intent_request_uuid",
    "PrivateChannelAddEventListener.private_channel_id",
    "Unsubscribe.listener",
}
"""Texts of apps that are only compared with stored ones."""
CHECKED = {
    "AddContextListener.context_type",
    "AddIntentListener.intent",
    "OneChannel.channel_id",
    "RaiseIntent.intent",
}
"""Texts of apps that are stored, and whose length a handler checks."""


def test_each_text_of_an_app_is_looked_up_or_checked() -> None:
    found = {
        text
        for kind in messages.REQUESTS.values()
        for text in unbounded(inspect.type_info(kind.payload), "", set())
        # Contexts count with their bytes.
        if not text.endswith((".context", ".intent_result"))
    }

    assert found == LOOKED_UP | CHECKED


@pytest.mark.parametrize("kind", PAYLOADS)
def test_long_texts_of_apps_are_refused(kind: str) -> None:
    app = Platform().start("chart")
    payload = msgspec.json.decode(msgspec.json.encode(PAYLOADS[kind]).replace(b"TEXT", b"x" * 501))

    assert "error" in app.ask(f"{kind}Request", **payload)


def test_an_intent_with_a_long_name_is_not_raised() -> None:
    app = Platform().start("chart")
    answer = app.ask("raiseIntentRequest", intent="x" * 501, context={"type": "test"})

    assert answer == {"error": "NoAppsFound"}
