"""How much memory agents take: idle ones little, and no app can make one grow without end."""

import gc
import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from rostrum.fdc3 import DesktopAgent, Directory, Limits
from tests.fdc3.platform import CHANNELS, ORIGIN, RECORDS, START, request

AGENTS = 200


def grown_by(make: Callable[[], Any]) -> int:
    gc.collect()
    tracemalloc.start()
    kept = make()
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept
    return size


def say(agent: DesktopAgent, connection: str, type_: str, **payload: Any) -> None:
    agent.receive(connection, json.dumps(request(type_, "r", payload)).encode(), START)


def start(agent: DesktopAgent, connection: str, app_id: str) -> None:
    url = f"{ORIGIN}/{app_id}/"
    agent.connect(connection, START, origin=ORIGIN)
    meta = {"connectionAttemptUuid": "x", "timestamp": "2026-11-16T10:00:00Z"}
    payload = {"identityUrl": url, "actualUrl": url}
    message = {"type": "WCP4ValidateAppIdentity", "payload": payload, "meta": meta}
    agent.receive(connection, json.dumps(message).encode(), START)


def idle(directory: Directory) -> DesktopAgent:
    """An agent whose only app has joined, listened, broadcast and ended."""
    agent = DesktopAgent(directory, CHANNELS)
    start(agent, "c", "chart")
    say(agent, "c", "joinUserChannelRequest", channelId="red")
    say(agent, "c", "addContextListenerRequest", channelId=None, contextType=None)
    say(agent, "c", "broadcastRequest", channelId="red", context={"type": "fdc3.instrument"})
    agent.disconnect("c", START)
    agent.expire(START + 1000)
    assert agent.is_idle
    return agent


@pytest.mark.long
def test_an_idle_agent_takes_less_than_40_kib() -> None:
    directory = Directory(RECORDS)
    size = grown_by(lambda: [idle(directory) for _ in range(AGENTS)])

    assert size / AGENTS < 40 * 1024


@pytest.mark.long
def test_an_app_that_asks_for_everything_cannot_make_an_agent_grow_without_end() -> None:
    limits = Limits(
        message_bytes=20_000,
        instances=3,
        connections=5,
        listeners=50,
        app_channels=20,
        private_channels=20,
        contexts=50,
        context_bytes=100_000,
        pending=10,
        pending_bytes=100_000,
        results=20,
        departed=10,
        queued_bytes=20_000,
    )

    def greedy(rounds: int) -> DesktopAgent:
        agent = DesktopAgent(Directory(RECORDS), CHANNELS, limits=limits)
        for number in range(rounds):
            start(agent, f"c{number}", "chart")
            if number % 3 == 0:
                agent.suspend(f"c{number}", START)
            elif number % 3 == 1:
                agent.disconnect(f"c{number - 1}", START)
            text = "x" * 10_000
            for connection in (f"c{number}", "c1", "c2"):
                say(agent, connection, "getOrCreateChannelRequest", channelId=f"channel {number}")
                say(agent, connection, "createPrivateChannelRequest")
                say(agent, connection, "addContextListenerRequest", channelId=None, contextType=f"type {number}")
                say(agent, connection, "addIntentListenerRequest", intent="ViewChart")
                context = {"type": f"type {number}", "text": text}
                say(agent, connection, "broadcastRequest", channelId="red", context=context)
                say(agent, connection, "openRequest", app={"appId": "mail"}, context=context)
                instrument = {"type": "fdc3.instrument", "text": text}
                say(agent, connection, "raiseIntentRequest", intent="ViewChart", context=instrument)
        return agent

    few, many = grown_by(lambda: greedy(50)), grown_by(lambda: greedy(300))

    assert many < few * 1.2 + 50_000
    assert many < 1_000_000
