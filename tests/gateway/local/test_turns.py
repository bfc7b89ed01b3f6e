"""Peers of this process take turns, so that those of one user do not delay others."""

import asyncio
from typing import Any

import pytest

from rostrum.gateway.costs import Costs
from rostrum.gateway.local import turns
from rostrum.gateway.local.source import LocalSource
from rostrum.gateway.local.turns import LocalTurns
from tests.gateway.sockets import running, talking


class Source:
    """A source with a number of frames, each of which ends a step."""

    def __init__(self, order: list[str], owner: str, turns: LocalTurns, frames: int) -> None:
        self.order = order
        self.owner = owner
        self.turns = turns
        self.frames = frames

    def hand_over(self, _: Any) -> None:
        self.order.append(self.owner)
        self.frames -= 1
        if self.frames:
            self.turns.add(self)  # type: ignore[arg-type]


async def test_users_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    local = LocalTurns(lambda _: None)
    # A clock that advances with each look: a step has time for one frame.
    clock = iter(range(10_000))
    monkeypatch.setattr("rostrum.gateway.local.turns.time.perf_counter", lambda: next(clock))
    monkeypatch.setattr(turns, "_STEP", 2)
    for owner, frames in (("ada", 5), ("bob", 2)):
        local.add(Source(order, owner, local, frames))  # type: ignore[arg-type]

    for _ in range(10):
        await asyncio.sleep(0)

    assert order == ["ada", "bob", "ada", "bob", "ada", "ada", "ada"]


async def test_the_time_of_a_user_with_costs_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = Costs(1024, 1024, 1024, lambda: 0.0)
    worked: list[float] = []
    monkeypatch.setattr(Costs, "worked", lambda _, seconds: worked.append(seconds))
    monkeypatch.setattr(turns, "_LONG", 0.0)
    local = LocalTurns({"ada": costs}.get)
    for owner in ("ada", "bob"):
        local.add(Source([], owner, local, 1))  # type: ignore[arg-type]

    await asyncio.sleep(0)

    assert len(worked) == 1


async def test_frames_after_one_that_fails_are_processed() -> None:
    async with running() as gateway:
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        local = await gateway.local_peer("service", "ada")
        source = next(iter(gateway._local))
        received: list[str] = []

        def on_frame(frame: dict[str, Any]) -> None:
            received.append(frame["type"])
            if frame["type"] == "bad":
                raise RuntimeError(frame["type"])

        source.on_frame = on_frame
        source.deliver(b"{", b'"type":"bad"}')
        source.deliver(b"{", b'"type":"good"}')
        for _ in range(5):
            await asyncio.sleep(0)
        asyncio.get_running_loop().set_exception_handler(None)
        assert received == ["bad", "good"]
        assert local.id


async def test_a_peer_that_does_not_observe_others_provides_methods() -> None:
    async with running() as gateway, talking(gateway, "ada", "agm") as client:
        local = await gateway.local_peer("provider", "ada", observes=False)
        await local.methods.register("provided", lambda _: {"a": 1})
        found = await client.get_of("methods-added")
        method = {"server_id": found["server_id"], "method_id": found["methods"][0]["id"]}
        await client.ask(domain="agm", type="register", methods=[{"id": "1", "name": "other"}])

        assert (await client.ask(domain="agm", type="call", **method))["result"] == {"a": 1}
        observing = await gateway.local_peer("observer", "ada")
        assert [each.name for each in observing.methods.known if each.name == "other"] == ["other"]
        assert "other" not in [each.name for each in local.methods.known]


def test_announcements_are_recognized_by_their_beginning() -> None:
    source = LocalSource(None, lambda _: None, observes=False)  # type: ignore[arg-type]
    source.deliver(b"{", b'"type":"methods-added","domain":"agm"}')
    source.deliver(b"{", memoryview(b'"type":"peer-added","domain":"agm"}'))
    assert not source._waiting
    source.deliver(b"{", b'"type":"invoke","domain":"agm"}')
    assert len(source._waiting) == 1
