"""A gateway on a real port, and clients that are not ours."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from rostrum.gateway import Gateway, GatewayOptions, Limits

Frame = dict[str, Any]
PATIENCE = 30


def quick(**limits: Any) -> GatewayOptions:
    """Options of a gateway on a free port that does not wait long for those it has closed."""
    return GatewayOptions(port=0, limits=Limits(**{"farewell": 0.1, **limits}))


@asynccontextmanager
async def running(options: GatewayOptions | None = None, **parts: Any) -> AsyncIterator[Gateway]:
    """A gateway on a free port; it is gone at the end, whatever happens."""
    gateway = Gateway(options or quick(), **parts)
    await gateway.start()
    try:
        yield gateway
    finally:
        await gateway.stop()


class Talker:
    """A client by the independent WebSocket library."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.peer_id: str | None = None
        self._requests = 0

    async def send(self, **message: Any) -> None:
        if self.peer_id is not None:
            message.setdefault("peer_id", self.peer_id)
        await self.socket.send(json.dumps(message))

    async def get(self) -> Frame:
        async with asyncio.timeout(PATIENCE):
            frame: Frame = json.loads(await self.socket.recv())
        return frame

    async def get_of(self, kind: str) -> Frame:
        """Read on until a frame of a type comes."""
        while (frame := await self.get())["type"] != kind:
            pass
        return frame

    async def ask(self, **message: Any) -> Frame:
        """Send a request; give its answer, and forget what comes before."""
        self._requests += 1
        request_id = message.setdefault("request_id", str(self._requests))
        await self.send(**message)
        while (frame := await self.get()).get("request_id") != request_id:
            pass
        return frame

    async def closed(self) -> tuple[int | None, str]:
        """Read on until the other side closes; show how it did."""
        async with asyncio.timeout(PATIENCE):
            await self.socket.wait_closed()
        return self.socket.close_code, self.socket.close_reason or ""

    async def hello(self, user: str = "user1", secret: str = "s", **identity: Any) -> Frame:
        authentication = {"method": "secret", "login": user, "secret": secret}
        frame = await self.ask(type="hello", identity=identity, authentication=authentication)
        self.peer_id = frame["peer_id"]
        return frame


@asynccontextmanager
async def talking(gateway: Gateway | str, user: str = "", *domains: str, **options: Any) -> AsyncIterator[Talker]:
    """Connect; with a user's name, sign in and join domains."""
    address = gateway if isinstance(gateway, str) else gateway.address
    async with connect(address, compression=None, max_size=None, close_timeout=1, **options) as socket:
        talker = Talker(socket)
        if user:
            welcome = await talker.hello(user, application="test")
            assert welcome["type"] == "welcome", welcome
        for domain in domains:
            await talker.ask(type="join", destination=domain)
        yield talker


async def until(condition: Any) -> None:
    """Wait for a condition, within bounds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - what is waited for happens in another process or in the kernel
            await asyncio.sleep(0.005)
