"""Clients of the event stream, in this process: they read as fast, or as slowly, as a test wants."""

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.conftest import ADMIN, Api
from tests.manager.http.plain_requests import request_scope

PATIENCE = 30
"""How long a test waits for what must come; it never waits for what must not."""


@dataclass(frozen=True)
class Event:
    """One event as a browser would give it to a page; the id is that of the stream, not only of this event."""

    name: str
    revision: int
    id: str | None = None


@dataclass
class Stream:
    """A connection to ``GET /events``."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    text: str = ""
    retry: int = 0
    heartbeats: int = 0
    task: Any = None
    _parsed: int = 0
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _reads: asyncio.Event = field(default_factory=asyncio.Event)
    _gone: asyncio.Event = field(default_factory=asyncio.Event)
    ended: bool = False

    async def event(self) -> Event:
        """Wait for the next event."""
        while True:
            async with asyncio.timeout(PATIENCE), self._news:
                await self._news.wait_for(lambda: "\n\n" in self.text[self._parsed :] or self.ended)
            block, found, _ = self.text[self._parsed :].partition("\n\n")
            assert found, f"the stream ended: {self.status} {self.text}"
            self._parsed += len(block) + 2
            event = self._event(block)
            if event is not None:
                return event

    async def events(self, count: int) -> list[tuple[str, int]]:
        """Wait for several events: name and revision of each."""
        found = [await self.event() for _ in range(count)]
        return [(event.name, event.revision) for event in found]

    async def end(self) -> None:
        """Wait until the server has ended the stream."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: self.ended)

    async def until(self, words: str) -> None:
        """Wait until these words have come."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: words in self.text)

    async def close(self) -> None:
        """Go away, as a client does that is shut down."""
        self._gone.set()
        self._reads.set()
        await self.task

    def stop_reading(self) -> None:
        """Let the server wait with whatever it sends from now on."""
        self._reads.clear()

    def read_on(self) -> None:
        """Take what the server sends again."""
        self._reads.set()

    async def receive(self) -> dict[str, Any]:
        """The request is there; then nothing comes until the client goes away."""
        if not self.task:
            self.task = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        """Take a piece of the answer, once the client reads."""
        await self._reads.wait()
        async with self._news:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            else:
                self.text += message.get("body", b"").decode()
                self.ended = not message.get("more_body", False)
            self._news.notify_all()

    def _event(self, block: str) -> Event | None:
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if not fields:
            self.heartbeats += 1
        if "retry" in fields:
            self.retry = int(fields["retry"])
        if "event" not in fields:
            return None
        return Event(fields["event"], json.loads(fields["data"])["revision"], fields.get("id"))


def basic(user: str, password: str) -> dict[str, str]:
    """The header of a Basic sign-in."""
    return {"authorization": f"Basic {b64encode(f'{user}:{password}'.encode()).decode()}"}


@asynccontextmanager
async def listening(
    api: Api, headers: dict[str, str] | None = None, query: str = "", method: str = "GET"
) -> AsyncIterator[Stream]:
    """Open a stream, by default the administrator's; it has answered when the block begins."""
    given = {"host": "manager.example.com", **(basic(*ADMIN) if headers is None else headers)}
    named = [(name.encode(), value.encode()) for name, value in given.items()]
    scope = request_scope(method, b"/api/events", query.encode(), named)
    stream = Stream()
    stream.read_on()
    task = asyncio.create_task(api.app(scope, stream.receive, stream.send))
    try:
        # The first words: how long to wait before coming back, or a refusal.
        async with asyncio.timeout(PATIENCE), stream._news:
            await stream._news.wait_for(lambda: stream.text != "" or stream.ended)
        stream.task = task
        yield stream
    finally:
        stream.task = task
        await stream.close()
