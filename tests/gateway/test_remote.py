"""Joining a gateway from another process: real sockets, gateways that refuse, are silent, or end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from rostrum.gateway import CallFailed, NotConnected
from rostrum.gateway.remote import connected
from rostrum.gateway.users_file import UsersFile, add_user
from tests.gateway.sockets import PATIENCE, quick, running, until

ADA: dict[str, Any] = {"login": "ada", "secret": "s", "application": "terminal"}


@asynccontextmanager
async def serving(answer: bytes) -> AsyncIterator[str]:
    """Another server; at the end, all connections are closed."""
    gone = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await reader.read()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        gone.set()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        await asyncio.wait_for(gone.wait(), PATIENCE)


async def test_it_is_a_peer_with_methods_contexts_and_the_bus() -> None:
    heard: list[Any] = []
    async with running() as gateway:
        inside = await gateway.local_peer("desktop", "ada")
        await inside.methods.register("Demo.Add", lambda asked: {"sum": asked.arguments["a"] + asked.arguments["b"]})
        await inside.bus.subscribe("t", lambda data, _: heard.append(data))
        async with connected(gateway.address, **ADA) as peer:
            await peer.join("agm", "bus")
            assert (peer.identity["user"], peer.identity["application"]) == ("ada", "terminal")
            assert await peer.methods.call("Demo.Add", {"a": 1, "b": 2}) == {"sum": 3}
            await peer.methods.register("Demo.Long", lambda asked: asked.arguments["text"] * 100_000)
            assert await peer.methods.call("Demo.Long", {"text": "long "}) == "long " * 100_000
            peer.bus.publish("t", 1)
            await until(lambda: heard == [1])
            await until(lambda: inside.methods.find("Demo.Long") is not None)
        await until(lambda: inside.methods.find("Demo.Long") is None)
        with pytest.raises(NotConnected):
            await peer.methods.call("Demo.Add")


async def test_a_wrong_secret_is_refused(tmp_path: Path) -> None:
    add_user(tmp_path / "users", "ada", "the right one")
    async with running(secrets=UsersFile(tmp_path / "users", case_sensitive=False)) as gateway:
        with pytest.raises(CallFailed, match="secret is wrong"):
            async with connected(gateway.address, **{**ADA, "secret": "a wrong one"}):
                pass
        async with connected(gateway.address, **{**ADA, "secret": "the right one"}) as peer:
            assert peer.identity["user"] == "ada"


async def test_pending_calls_get_an_error_when_the_gateway_ends() -> None:
    never: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    called = asyncio.Event()

    async def wait(_: Any) -> None:
        called.set()
        await never

    async with running() as gateway, connected(gateway.address, **ADA) as peer:
        await peer.join("agm")
        await peer.methods.register("Demo.Never", wait)
        call = asyncio.create_task(peer.methods.call("Demo.Never"))
        await asyncio.wait_for(called.wait(), PATIENCE)
        await gateway.stop()
        with pytest.raises(NotConnected):
            await asyncio.wait_for(call, PATIENCE)
        never.cancel()


async def test_an_unused_address_and_a_server_that_is_not_a_gateway_are_reported() -> None:
    async with running(quick()) as gateway:
        address = gateway.address
    with pytest.raises(NotConnected, match="cannot be reached: connection refused"):
        async with connected(address, **ADA):
            pass

    async with serving(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi") as other:
        with pytest.raises(NotConnected, match="not a gateway"):
            async with connected(other, **ADA):
                pass


async def test_a_silent_gateway_is_given_up() -> None:
    async with serving(b"") as other:
        with pytest.raises(NotConnected, match="did not answer within 1 seconds"):
            async with connected(other, timeout_seconds=1, **ADA):
                pass
