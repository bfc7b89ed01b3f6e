"""Who may do what with things of a user: every message of the gateway, sent in every role, against one table.

A new message without a line in the table fails here, and so does one that does more than its line says.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from rostrum.gateway import Gateway
from tests.gateway.sockets import Frame, Talker, quick, running, talking
from tests.gateway.test_wrong_types import MESSAGES

DOMAINS = ("agm", "bus", "activity", "metrics")
SECRET = "what only the owner's programs may see"
ROLES = ("nobody", "another-user", "external", "app", "service")
"""Not signed in; signed in as another user; and as the owner: a program that the platform has not started, an app that
it has started. Last, a service inside the process, which is meant to see every user."""

REFUSED, NOTHING, READS, REACHES = "-", "0", "reads", "acts"
"""An error; an answer or silence without any effect for the owner; the owner's data in the answer; a message to the
owner's program."""

TABLE = """
domain    message                nobody  another-user  external  app    service
global    create-context         -       0             reads     reads  acts
global    create-token           -       0             0         0      0
global    destroy-context        -       -             acts      acts   acts
global    hello                  0       -             -         -      -
global    join                   -       0             0         0      0
global    leave                  -       0             0         0      0
global    ping                   0       0             0         0      0
global    subscribe-context      -       -             reads     reads  reads
global    unsubscribe-context    -       -             0         0      0
global    update-context         -       -             acts      acts   acts
agm       accepted               -       0             0         0      0
agm       call                   -       -             acts      acts   acts
agm       drop-subscription      -       0             0         0      0
agm       error                  -       -             -         -      -
agm       post                   -       0             0         0      0
agm       publish                -       0             0         0      0
agm       register               -       0             acts      acts   acts
agm       subscribe              -       -             acts      acts   acts
agm       unregister             -       -             -         -      -
agm       unsubscribe            -       -             -         -      -
agm       yield                  -       0             0         0      0
context   create-context         -       0             reads     reads  acts
context   destroy-context        -       -             acts      acts   acts
context   subscribe-context      -       -             reads     reads  reads
context   unsubscribe-context    -       -             0         0      0
context   update-context         -       -             acts      acts   acts
bus       publish                -       0             acts      acts   acts
bus       subscribe              -       0             0         0      0
bus       unsubscribe            -       0             0         0      0
activity  add-peer-factories     -       0             acts      acts   acts
activity  add-types              -       0             acts      acts   acts
activity  create                 -       -             acts      acts   -
activity  create-peer            -       -             acts      acts   acts
activity  destroy                -       -             -         -      -
activity  destroy-peer           -       -             acts      acts   acts
activity  error                  -       -             -         -      -
activity  join-activity          -       -             -         -      -
activity  leave-activity         -       -             -         -      -
activity  ready                  -       -             -         -      -
activity  reload                 -       0             0         0      0
activity  remove-peer-factories  -       0             0         0      0
activity  remove-types           -       0             acts      acts   0
activity  subscribe              -       0             0         0      0
activity  unsubscribe            -       0             0         0      0
activity  update-context         -       -             acts      acts   acts
metrics   define                 -       0             0         0      0
metrics   publish                -       0             0         0      0
"""


@dataclass
class World:
    """A gateway with the owner's program, and one client in each role."""

    gateway: Gateway
    owner: Talker
    things: dict[str, Any]
    callers: dict[str, "Caller"] = field(default_factory=dict)


class Caller:
    """A client in a role."""

    peer_id: str | None = None

    async def exchange(self, message: Frame) -> list[Frame]:
        """Send a message; give everything that comes until all of it is done."""
        raise NotImplementedError


class Connected(Caller):
    def __init__(self, talker: Talker) -> None:
        self.talker = talker
        self.peer_id = talker.peer_id

    async def exchange(self, message: Frame) -> list[Frame]:
        await self.talker.socket.send(json.dumps(message))
        await self.talker.socket.send(json.dumps({"type": "nonsense", "request_id": "end", "peer_id": self.peer_id}))
        frames: list[Frame] = []
        # A sign-in is answered when its credentials are checked.
        missing = {"end", "r"} if message["type"] == "hello" else {"end"}
        while missing:
            frame = await self.talker.get()
            missing.discard(str(frame.get("request_id")))
            frames += [frame] if frame.get("request_id") != "end" else []
        return frames


class Inside(Caller):
    def __init__(self, source: Any, peer_id: str) -> None:
        self.source, self.peer_id = source, peer_id
        self.frames: list[Frame] = []
        source.on_frame = self.frames.append

    async def exchange(self, message: Frame) -> list[Frame]:
        self.frames.clear()
        self.source.send(message)
        # What a peer inside the process gets is handed over in the next turn of the loop.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return list(self.frames)


@asynccontextmanager
async def world() -> AsyncIterator[World]:
    options = replace(quick(), unbound_identity={"external": True})
    async with (
        running(options) as gateway,
        talking(gateway, "owner", *DOMAINS, "context") as owner,
        talking(gateway) as nobody,
        talking(gateway, "another", *DOMAINS) as another,
        talking(gateway, "owner", *DOMAINS) as external,
        talking(gateway) as app,
    ):
        token = gateway.one_time_token(gateway.bind("owner", "app", instance="one"))
        login = {"method": "gateway-token", "token": token}
        app.peer_id = (await app.ask(type="hello", authentication=login))["peer_id"]
        for domain in DOMAINS:
            await app.ask(type="join", destination=domain)
        service = await gateway.local_peer("service", "platform", is_service=True)
        inside = Inside(service._transport, service.id)
        for domain in ("activity", "metrics"):
            await inside.exchange({"type": "join", "destination": domain, "request_id": "j", "peer_id": service.id})
        known = World(gateway, owner, await _things(owner))
        known.callers = {
            "nobody": Connected(nobody),
            "another-user": Connected(another),
            "external": Connected(external),
            "app": Connected(app),
            "service": inside,
        }
        yield known


async def _things(owner: Talker) -> dict[str, Any]:
    """What the owner has: a method, a stream, a context, a topic, a type of activities with a factory, an activity."""
    methods = [{"id": "m", "name": "Method"}, {"id": "s", "name": "Stream", "flags": {"streaming": True}}]
    await owner.ask(domain="agm", type="register", methods=methods)
    data = {"secret": SECRET}
    context = await owner.ask(type="create-context", name="Context", data=data, lifetime="retained")
    bus = await owner.ask(domain="bus", type="subscribe", topic="topic")
    await owner.ask(
        domain="activity", type="add-peer-factories", factories=[{"id": "f", "peer_type": "win", "flags": {}}]
    )
    kind = {"name": "act", "owner_type": {"type": "win", "name": "own"}, "helper_types": []}
    await owner.ask(domain="activity", type="add-types", types=[kind])
    await owner.ask(domain="activity", type="subscribe", activity_types=["act"])
    return {
        "server": owner.peer_id,
        "context": context["context_id"],
        "subscription": bus["subscription_id"],
    }


ABOUT_CONTEXTS: dict[str, dict[str, Any]] = {
    "create-context": {"name": "Context", "data": {}, "lifetime": "retained"},
    "subscribe-context": {"context_id": "$context"},
    "unsubscribe-context": {"context_id": "$context"},
    "update-context": {"context_id": "$context", "delta": {"added": {"x": 1}}},
    "destroy-context": {"context_id": "$context"},
}
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("global", "hello"): {"authentication": {"method": "secret", "login": "someone", "secret": "s"}},
    ("global", "ping"): {},
    ("global", "join"): {"destination": "agm"},
    ("global", "leave"): {"destination": "metrics"},
    ("global", "create-token"): {},
    ("agm", "register"): {"methods": [{"id": "x", "name": "Own"}]},
    ("agm", "unregister"): {"methods": ["m"]},
    ("agm", "call"): {"server_id": "$server", "method_id": "m", "arguments_kv": {}},
    ("agm", "yield"): {"invocation_id": "$subscription", "result": {}},
    ("agm", "error"): {"reason": "x"},
    ("agm", "subscribe"): {"server_id": "$server", "method_id": "s"},
    ("agm", "accepted"): {"subscription_id": "$subscription", "stream_id": "1"},
    ("agm", "publish"): {"stream_id": "1", "sequence": 1, "data": {}},
    ("agm", "post"): {"subscription_id": "$subscription", "sequence": 1, "data": {}},
    ("agm", "drop-subscription"): {"subscription_id": "$subscription"},
    ("agm", "unsubscribe"): {"subscription_id": "$subscription"},
    ("bus", "subscribe"): {"topic": "topic"},
    ("bus", "unsubscribe"): {"subscription_id": "$subscription"},
    ("bus", "publish"): {"topic": "topic", "data": {}},
    ("metrics", "define"): {"metrics": []},
    ("metrics", "publish"): {"values": []},
    ("activity", "add-types"): {"types": [{"name": "mine", "owner_type": {"type": "win"}, "helper_types": []}]},
    ("activity", "remove-types"): {"types": ["act"]},
    ("activity", "add-peer-factories"): {"factories": [{"id": "g", "peer_type": "other", "flags": {}}]},
    ("activity", "remove-peer-factories"): {"factory_ids": ["f"]},
    ("activity", "subscribe"): {"activity_types": ["act"]},
    ("activity", "unsubscribe"): {"activity_types": ["act"]},
    ("activity", "join-activity"): {"target_id": "$server", "activity_id": "a-1"},
    ("activity", "leave-activity"): {},
    ("activity", "destroy"): {"activity_id": "a-1"},
    ("activity", "destroy-peer"): {"destroy_peer_id": "$server"},
    ("activity", "update-context"): {"context_id": "$context", "delta": {"added": {"x": 1}}},
    ("activity", "create"): {"activity_type": "act", "initial_context": {}},
    ("activity", "create-peer"): {"peer_type": "win", "peer_name": "p"},
    ("activity", "reload"): {},
    ("activity", "ready"): {},
    ("activity", "error"): {"reason": "x"},
    **{(domain, kind): body for domain in ("global", "context") for kind, body in ABOUT_CONTEXTS.items()},
}
"""Each message, aimed at what the owner has; ``$`` stands for the id of one of the owner's things."""

ALL = {("global", "hello"), ("global", "ping"), *((domain, kind) for domain, kind, _ in MESSAGES)}


def expected() -> dict[tuple[str, str], list[str]]:
    rows = [line.split() for line in TABLE.strip().splitlines()[1:]]
    return {(domain, kind): cells for domain, kind, *cells in rows}


async def outcome(known: World, role: str, domain: str, kind: str) -> str:
    """Send one message in a role; show what it did."""
    caller = known.callers[role]
    owner = Connected(known.owner)
    await owner.exchange({"type": "ping"})
    body = {
        name: known.things[value[1:]] if isinstance(value, str) and value.startswith("$") else value
        for name, value in BODIES[domain, kind].items()
    }
    # Somebody who is not signed in can only claim to be somebody else.
    peer_id = known.owner.peer_id if role == "nobody" and kind not in ("hello", "ping") else caller.peer_id
    message = {"domain": domain, "type": kind, "request_id": "r", **body}
    answers = await caller.exchange({**message, "peer_id": peer_id} if peer_id else message)
    heard = await owner.exchange({"type": "ping"})
    if any(answer["type"] == "error" and answer.get("request_id") == "r" for answer in answers):
        return REFUSED if not heard else "error after an effect"
    if heard:
        return REACHES
    return READS if SECRET in json.dumps(answers) else NOTHING


def test_every_message_is_in_the_table() -> None:
    assert set(BODIES) == ALL
    assert set(expected()) == ALL
    assert {len(cells) for cells in expected().values()} == {len(ROLES)}


@pytest.mark.parametrize(("domain", "kind"), sorted(ALL), ids=lambda value: value)
async def test_a_message_does_in_each_role_what_the_table_says(domain: str, kind: str) -> None:
    found = {}
    # The first two change nothing for the owner, so the third may come after them.
    for roles in (ROLES[:3], ROLES[3:4], ROLES[4:]):
        async with world() as known:
            for role in roles:
                found[role] = await outcome(known, role, domain, kind)

    assert found == dict(zip(ROLES, expected()[domain, kind], strict=True))
