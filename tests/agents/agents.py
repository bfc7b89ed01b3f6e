"""A gateway with agents on a real port, and platforms on it that are not ours."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from rostrum.agents import AgentService, PlatformPeer, Profile
from rostrum.agents.link_messages import CONNECT_STREAM, SEND_METHOD
from rostrum.agents.profile import ProfileUnavailable, channel_definitions
from rostrum.base.signal import Signal
from rostrum.fdc3 import Directory
from rostrum.gateway import Gateway
from tests.fdc3.platform import ORIGIN, RECORDS, request
from tests.gateway.sockets import Talker, running, talking

Message = dict[str, Any]
CHANNELS = [
    {"name": "Red", "meta": {"color": "#ff0000", "fdc3": {"id": "red", "displayMetadata": {"name": "Red channel"}}}},
    {"name": "Green", "meta": {"color": "#00ff00"}},
]


class FixedProfiles:
    """Profiles that a test sets."""

    def __init__(self) -> None:
        self.changed: Signal[str] = Signal()
        self.records: dict[str, list[Message]] = {}
        self.channels: list[Message] = CHANNELS
        self.problem = ""

    async def read(self, user: str) -> Profile:
        if self.problem:
            raise ProfileUnavailable(self.problem)
        return Profile(Directory(self.records.get(user, RECORDS)), channel_definitions(self.channels))


@asynccontextmanager
async def agents(
    profiles: FixedProfiles | None = None, accept: Any = lambda _: PlatformPeer()
) -> AsyncIterator[tuple[Gateway, AgentService]]:
    """A gateway with agents; both are gone at the end."""
    async with running() as gateway:
        service = AgentService(gateway, profiles or FixedProfiles(), accept, version="1.2.3")
        await service.start(await gateway.local_peer("Rostrum", "rostrum", is_service=True))
        try:
            yield gateway, service
        finally:
            await service.stop()


class Page:
    """A main page: it opens apps and carries their messages on one WebSocket."""

    def __init__(self, talker: Talker) -> None:
        self.talker = talker
        self.link = ""
        self.channels: list[Message] = []
        self.instances: list[Message] = []
        self._methods: dict[str, Message] = {}
        self._events: list[Message] = []
        self._count = 0

    async def find(self) -> None:
        """Join the domain of methods, and wait for those of the agent."""
        await self.talker.send(type="join", destination="agm", request_id="join")
        while len(self._methods) < 2:
            frame = await self.talker.get()
            for method in frame.get("methods", ()) if frame["type"] == "methods-added" else ():
                if method["name"] in (CONNECT_STREAM, SEND_METHOD):
                    self._methods[method["name"]] = {"server_id": frame["server_id"], "method_id": method["id"]}

    async def subscribe(self, **arguments: Any) -> Message:
        """Subscribe to the agent; return the answer of the gateway."""
        return await self._ask(type="subscribe", domain="agm", arguments_kv=arguments, **self._methods[CONNECT_STREAM])

    async def open(self, **arguments: Any) -> None:
        """Connect to the agent."""
        await self.find()
        answer = await self.subscribe(**arguments)
        assert answer["type"] == "subscribed", answer
        linked = await self.event("linked")
        self.link, self.channels, self.instances = linked["link"], linked["channels"], linked["instances"]

    async def send(self, *messages: Message, link: str | None = None) -> Message:
        """Send messages; return the answer of the gateway."""
        arguments = {"link": link or self.link, "messages": list(messages)}
        return await self._ask(type="call", domain="agm", arguments_kv=arguments, **self._methods[SEND_METHOD])

    async def event(self, kind: str, **members: Any) -> Message:
        """Take the first event of a kind, with these members."""
        while True:
            for event in self._events:
                if event["kind"] == kind and members.items() <= event.items():
                    self._events.remove(event)
                    return event
            self._take(await self.talker.get())

    def pending(self, kind: str) -> list[Message]:
        """List the events of a kind that have come and were not taken."""
        return [event for event in self._events if event["kind"] == kind]

    async def message(self, connection: str, type_: str) -> Message:
        """Take the first message of a type that an app gets; return its payload."""
        while True:
            event = await self.event("message", connection=connection)
            if event["payload"]["type"] == type_:
                payload: Message = event["payload"].get("payload")
                return payload

    async def start(self, app_id: str, connection: str, **facts: Any) -> Message:
        """Connect an app that introduces itself; return the payload of the answer."""
        facts = {"place": f"place-{connection}", "origin": ORIGIN, "appId": app_id, **facts}
        await self.send({"kind": "Connect", "connection": connection, **facts})
        url = f"{ORIGIN}/{app_id}/"
        payload = {"identityUrl": url, "actualUrl": url}
        meta = {"connectionAttemptUuid": "attempt", "timestamp": "2026-11-16T10:00:00.000Z"}
        await self.tell(connection, {"type": "WCP4ValidateAppIdentity", "payload": payload, "meta": meta})
        return await self.message(connection, "WCP5ValidateAppIdentityResponse")

    async def tell(self, connection: str, message: Message) -> None:
        """Send a message of an app."""
        answer = await self.send({"kind": "AppMessage", "connection": connection, "message": json.dumps(message)})
        assert answer["type"] == "result", answer

    async def ask(self, connection: str, type_: str, **payload: Any) -> Message:
        """Send a request of an app; return the payload of its response."""
        self._count += 1
        await self.tell(connection, request(type_, f"request-{self._count}", payload))
        return await self.message(connection, type_.removesuffix("Request") + "Response")

    async def _ask(self, **message: Any) -> Message:
        self._count += 1
        request_id = f"page-{self._count}"
        await self.talker.send(request_id=request_id, **message)
        while (frame := await self.talker.get()).get("request_id") != request_id:
            self._take(frame)
        return frame

    def _take(self, frame: Message) -> None:
        if frame["type"] == "event":
            self._events.append(frame["data"])


@asynccontextmanager
async def page(gateway: Gateway, user: str = "ada", **arguments: Any) -> AsyncIterator[Page]:
    """A main page of a user that is connected to the agent."""
    async with talking(gateway, user) as talker:
        page = Page(talker)
        await page.open(**arguments)
        yield page
