"""The FDC3 agents of many users in one process: memory of an idle agent, and time of a broadcast."""

import gc
import json
import statistics
import time
import tracemalloc
from typing import Any

from bench.effort import costs, own_efforts
from bench.figures import Sample
from rostrum.fdc3 import DesktopAgent, Directory, UserChannel

USERS = 1_000
APPS = 200
BROADCASTS = 2_000
SAMPLE_AGENTS, SAMPLE_ROUNDS = 100, 5
LISTENERS = 10
GOAL_KIB = 40
ORIGIN = "https://apps.example"
COLOURS = ("red", "green", "blue", "yellow", "pink", "cyan", "lime", "navy")
CHANNELS = tuple(UserChannel(f"fdc3.channel.{n}", colour.title(), colour) for n, colour in enumerate(COLOURS, 1))


def report() -> str:
    directory = Directory(_records())
    fresh = _memory(lambda: [DesktopAgent(directory, CHANNELS) for _ in range(USERS)])
    idle = _memory(lambda: [_used(directory) for _ in range(USERS)])
    median, slowest = _broadcasts(directory)
    return (
        "## FDC3 agents\n\n"
        f"One process runs an agent for each of {USERS:,} users, who have {APPS} apps and {len(CHANNELS)} user "
        "channels. An idle agent has served an app that joined a channel, added a listener, sent a broadcast and "
        "ended.\n\n"
        "| figure | measured | goal |\n|---|---|---|\n"
        f"| memory of a new agent | {fresh:.1f} KiB | |\n"
        f"| memory of an idle agent | {idle:.1f} KiB | < {GOAL_KIB} KiB |\n"
        f"| a broadcast to {LISTENERS} apps | median {median * 1e6:.0f} µs, p99 {slowest * 1e6:.0f} µs | |\n"
    )


def sample() -> Sample:
    """Measure short lives of agents, and broadcasts."""
    directory = Directory(_records())
    used = own_efforts(lambda: [_used(directory) for _ in range(SAMPLE_AGENTS)], SAMPLE_ROUNDS)
    broadcasts = own_efforts(lambda: _broadcasts(directory), SAMPLE_ROUNDS)
    return costs(f"{SAMPLE_AGENTS} agents with an app", used) | costs(f"{BROADCASTS:,} broadcasts", broadcasts)


def _memory(make: Any) -> float:
    """Measure what one of many objects takes, in KiB."""
    gc.collect()
    tracemalloc.start()
    kept = make()
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(kept) / 1024


def _used(directory: Directory) -> DesktopAgent:
    agent = DesktopAgent(directory, CHANNELS)
    _start(agent, "c")
    agent.receive("c", _request("joinUserChannelRequest", {"channelId": "fdc3.channel.1"}), 0.0)
    agent.receive("c", _request("addContextListenerRequest", {"channelId": None, "contextType": None}), 0.0)
    agent.receive("c", _broadcast(), 0.0)
    agent.disconnect("c", 0.0)
    agent.expire(1_000.0)
    assert agent.is_idle
    return agent


def _broadcasts(directory: Directory) -> tuple[float, float]:
    agent = DesktopAgent(directory, CHANNELS)
    _start(agent, "sender")
    for number in range(LISTENERS):
        _start(agent, f"c{number}")
        agent.receive(f"c{number}", _request("joinUserChannelRequest", {"channelId": "fdc3.channel.1"}), 0.0)
        agent.receive(
            f"c{number}", _request("addContextListenerRequest", {"channelId": None, "contextType": None}), 0.0
        )
    times = []
    for _ in range(BROADCASTS):
        message = _broadcast()
        start = time.perf_counter()
        outputs = agent.receive("sender", message, 0.0)
        times.append(time.perf_counter() - start)
        assert len(outputs) == LISTENERS + 2
    return statistics.median(times), statistics.quantiles(times, n=100)[98]


def _start(agent: DesktopAgent, connection: str) -> None:
    url = f"{ORIGIN}/app-1/"
    agent.connect(connection, 0.0, origin=ORIGIN)
    meta = {"connectionAttemptUuid": "x", "timestamp": "2026-11-16T10:00:00Z"}
    payload = {"identityUrl": url, "actualUrl": url}
    message = {"type": "WCP4ValidateAppIdentity", "payload": payload, "meta": meta}
    agent.receive(connection, json.dumps(message).encode(), 0.0)


def _broadcast() -> bytes:
    context = {"type": "fdc3.instrument", "id": {"ticker": "AAPL", "ISIN": "US0378331005"}, "name": "Apple"}
    return _request("broadcastRequest", {"channelId": "fdc3.channel.1", "context": context})


def _request(type_: str, payload: dict[str, Any]) -> bytes:
    meta = {"requestUuid": "x", "timestamp": "2026-11-16T10:00:00Z"}
    return json.dumps({"type": type_, "payload": payload, "meta": meta}).encode()


def _records() -> list[dict[str, Any]]:
    return [
        {
            "appId": f"app-{number}",
            "title": f"App {number}",
            "details": {"url": f"{ORIGIN}/app-{number}/"},
            "interop": {"intents": {"listensFor": {"ViewChart": {"contexts": ["fdc3.instrument"]}}}},
        }
        for number in range(APPS)
    ]
