"""Pages seen from inside, through the remote-debugging port that windows open in tests only."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from tests.plain_http import NO_TLS

WAIT = 30.0
_POLL = 0.02
_LARGEST = 64 * 2**20


class PageError(Exception):
    """The page threw an exception, or the browser refused a command."""


@dataclass(frozen=True)
class Target:
    """A page that can be examined."""

    id: str
    kind: str
    title: str
    url: str
    socket: str


class Page:
    """A connection to one page."""

    def __init__(self, target: Target, socket: ClientConnection) -> None:
        self.target = target
        self._socket = socket
        self._number = 0

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol; return its result."""
        self._number += 1
        await self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        async with asyncio.timeout(WAIT):
            async for text in self._socket:
                message: dict[str, Any] = json.loads(text)
                if message.get("id") == self._number:
                    if "error" in message:
                        raise PageError(f"{method}: {message['error']['message']}")
                    result: dict[str, Any] = message["result"]
                    return result
        raise PageError(f"{method}: the page is gone")

    async def evaluate(self, expression: str) -> Any:
        """Evaluate an expression in the page; a promise is awaited."""
        done = await self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
        )
        if "exceptionDetails" in done:
            details = done["exceptionDetails"]
            raise PageError(details.get("exception", {}).get("description") or details["text"])
        return done["result"].get("value")

    async def until(self, expression: str, within: float = WAIT) -> Any:
        """Evaluate an expression until it is true; return its value. What fails may work later."""
        failure: PageError | None = None
        try:
            async with asyncio.timeout(within):
                while True:
                    try:
                        if found := await self.evaluate(expression):
                            return found
                        failure = None
                    except PageError as error:
                        failure = error
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            if failure is not None:
                raise failure from None
            raise

    async def screenshot(self) -> bytes:
        """Return what the page has drawn, as PNG."""
        return base64.b64decode((await self.call("Page.captureScreenshot", format="png"))["data"])


class Cdp:
    """The debugging port of a running engine."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}"

    async def drawn(self, address: str) -> None:
        """Wait until a page has drawn its text; for half a second before, the engine drops clicks and keys."""
        async with self.page(address) as page:
            await page.until("performance.getEntriesByName('first-contentful-paint').length")

    async def targets(self) -> list[Target]:
        """Return all open pages; none while the port is not open."""
        async with httpx.AsyncClient(trust_env=False, verify=NO_TLS) as client:
            try:
                listed = (await client.get(f"{self._address}/json/list")).json()
            except (httpx.TransportError, ValueError):
                return []
        return [
            Target(one["id"], one["type"], one["title"], one["url"], one["webSocketDebuggerUrl"])
            for one in listed
            if "webSocketDebuggerUrl" in one
        ]

    async def system_info(self) -> dict[str, Any]:
        """Return what the engine says of itself: its command line, and how it draws."""
        async with httpx.AsyncClient(trust_env=False, verify=NO_TLS) as client:
            address = (await client.get(f"{self._address}/json/version")).json()["webSocketDebuggerUrl"]
        async with connect(address, max_size=_LARGEST, proxy=None) as socket:
            return await Page(Target("", "browser", "", "", address), socket).call("SystemInfo.getInfo")

    async def find(self, matches: str | Callable[[Target], bool], within: float = WAIT) -> Target:
        """Wait for a page, by a part of its address or by a condition."""
        fits = matches if callable(matches) else lambda target: matches in target.url
        seen: list[Target] = []
        try:
            async with asyncio.timeout(within):
                while True:
                    seen = await self.targets()
                    if found := next(filter(fits, seen), None):
                        return found
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            raise AssertionError(f"no page with {matches!r} within {within:g} s; pages: {seen}") from None

    @asynccontextmanager
    async def page(self, matches: str | Callable[[Target], bool], within: float = WAIT) -> AsyncIterator[Page]:
        """Connect to a page when its document is there."""
        target = await self.find(matches, within)
        async with connect(target.socket, max_size=_LARGEST, proxy=None) as socket:
            page = Page(target, socket)
            if isinstance(matches, str):
                # The browser lists the address that a page goes to while the document before, often an empty one, is
                # still there: what is evaluated in it ends with it, such as requests.
                await page.until(f"location.href.includes({json.dumps(matches)})", within)
            yield page
