"""The listener: real sockets, hostile clients, slow ones, silent ones."""

import asyncio
import json
import logging
import socket
import struct
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from rostrum.base.clock import SettableClock
from rostrum.gateway import GatewayOptions
from rostrum.gateway.errors import CannotListen
from rostrum.gateway.server import listener
from tests.gateway.sockets import PATIENCE, Talker, quick, running, talking, until
from tests.plain_http import NO_TLS


@pytest.mark.rule("R-2.10-1", "R-2.11-5")
async def test_a_free_port_is_taken_and_reported_and_a_taken_one_is_refused() -> None:
    assert GatewayOptions().port == 8385
    async with running() as gateway, running() as other:
        assert 0 < gateway.port != other.port > 0
        assert gateway.address == f"ws://127.0.0.1:{gateway.port}"
        with pytest.raises(CannotListen, match="address already in use"):
            async with running(replace(quick(), port=gateway.port)):
                pass


async def test_any_path_will_do() -> None:
    async with running() as gateway, talking(gateway.address + "/gw/x?y=1", "user1") as talker:
        assert talker.peer_id


@pytest.mark.parametrize(
    ("origin", "allowed", "may"),
    [
        (None, (), True),
        ("http://localhost:3000", (), True),
        ("https://app.localhost", (), True),
        ("http://127.0.0.1:8080", (), True),
        ("http://[::1]:8080", (), True),
        ("https://app.example.com", (), False),
        ("https://app.example.com", ("https://app.example.com",), True),
        ("https://app.example.com:444", ("https://app.example.com",), False),
        ("https://app.example.com", ("*",), True),
        ("http://localhost.evil.example", (), False),
        ("http://127.0.0.1.evil.example", (), False),
        ("null", (), False),
        ("null", ("null",), True),
        ("file://", (), False),
        ("http://[broken", (), False),
    ],
)
async def test_pages_of_other_origins_are_refused(origin: str | None, allowed: tuple[str, ...], may: bool) -> None:
    async with running(replace(quick(), origins=allowed)) as gateway:
        if may:
            async with talking(gateway, "user1", origin=origin) as talker:
                assert talker.peer_id
        else:
            with pytest.raises(InvalidStatus, match="403"):
                await connect(gateway.address, origin=None if origin is None else Origin(origin))


async def test_browsers_that_name_more_than_upgrade_are_let_in() -> None:
    async with running() as gateway:
        reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
        writer.write(
            b"GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        assert b"101" in await reader.readline()
        writer.close()


async def test_a_browser_that_opens_the_address_gets_an_explanation() -> None:
    async with running() as gateway, httpx.AsyncClient(trust_env=False, verify=NO_TLS) as client:
        answer = await client.get(gateway.address.replace("ws:", "http:"))

    assert answer.status_code == 426
    assert "WebSocket" in answer.text


@pytest.mark.parametrize("frame", ["nonsense", "[]", '{"type":', '{"a":' * 10_000, '{"type":"hello","identity":7}'])
async def test_an_invalid_message_is_answered_and_affects_no_other_client(frame: str) -> None:
    async with running() as gateway, talking(gateway, "user1", "agm") as other, talking(gateway) as talker:
        await talker.socket.send(frame)

        assert (await talker.get())["type"] == "error"
        assert (await other.ask(type="join", destination="bus"))["type"] == "success"


async def test_fragments_are_put_together() -> None:
    text = json.dumps({"type": "create-token", "request_id": "x", "note": "ü" * 50})
    async with running() as gateway, talking(gateway, "user1") as talker:
        whole = text.replace("{", f'{{"peer_id": "{talker.peer_id}", ', 1)

        await talker.socket.send([whole[:10], "", whole[10:60], whole[60:]])

        assert (await talker.get())["type"] == "token"


async def test_binary_frames_are_refused() -> None:
    async with running() as gateway, talking(gateway, "user1") as talker:
        await talker.socket.send(b"{}")

        assert (await talker.closed())[0] == 1003


async def raw_socket(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


def masked(first: int, payload: bytes) -> bytes:
    return bytes([first, 0x80 | len(payload)]) + b"\x00\x00\x00\x00" + payload


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (masked(0x80, b"{}"), 1002),
        (masked(0x01, b"{") + masked(0x81, b"}"), 1002),
        (masked(0xC1, b"{}"), 1002),
        (masked(0xA1, b"{}"), 1002),
        (masked(0x83, b"{}"), 1002),
        (b"\x81\x02{}", 1002),
        (masked(0x09, b""), 1002),
        (b"\x81\xff" + (2**62).to_bytes(8) + b"\0\0\0\0", 1009),
        (b"\x81\xff" + (33 * 1024 * 1024).to_bytes(8) + b"\0\0\0\0", 1009),
    ],
)
async def test_broken_frames_end_only_the_connection_they_came_on(sent: bytes, code: int) -> None:
    async with running() as gateway, talking(gateway, "user1") as other:
        reader, writer = await raw_socket(gateway.port)

        writer.write(sent)

        async with asyncio.timeout(PATIENCE):
            answer = await reader.read()
        writer.close()
        assert answer[0] == 0x88
        assert struct.unpack(">H", answer[2:4])[0] == code
        assert (await other.ask(type="create-token"))["type"] == "token"


async def test_a_close_without_a_code_is_answered_with_a_good_one() -> None:
    async with running() as gateway:
        reader, writer = await raw_socket(gateway.port)

        writer.write(masked(0x88, b""))

        async with asyncio.timeout(PATIENCE):
            assert await reader.read() == b"\x88\x02\x03\xe8"
        writer.close()


async def test_a_message_in_too_many_pieces_is_refused() -> None:
    async with running(quick(frame=100_000)) as gateway, talking(gateway, "user1") as talker:
        with suppress(ConnectionClosed):
            await talker.socket.send(["x" * 60_000] * 3)

        assert (await talker.closed())[0] == 1009


@pytest.mark.long
async def test_sixteen_mebibytes_pass() -> None:
    argument = "x" * (16 * 1024 * 1024)
    async with running() as gateway, talking(gateway, "user1", "agm") as talker:
        await talker.ask(domain="agm", type="register", methods=[{"id": "0", "name": "m"}])
        call = {"domain": "agm", "type": "call", "server_id": talker.peer_id, "method_id": "0"}
        await talker.send(**call, arguments_kv={"a": argument}, request_id="c")

        invoked = await talker.get_of("invoke")

        assert invoked["arguments_kv"]["a"] == argument


@pytest.mark.rule("R-2.10-8", "X-D-12")
async def test_the_connection_that_is_one_too_many_gets_the_reason(caplog: pytest.LogCaptureFixture) -> None:
    async with running(quick(connections=2)) as gateway:
        async with talking(gateway, "user1") as first, talking(gateway, "user1"), talking(gateway) as third:
            refused = await third.hello("user1")
            assert refused["reason_uri"] == "global.errors.limits_exceeded"
            assert "2 connections" in refused["reason"]
            code, reason = await third.closed()
            assert (code, "2 connections" in reason) == (1013, True)
            assert (await first.ask(type="create-token"))["type"] == "token"
            assert "refused" in caplog.text
        await until(lambda: not gateway.status()["peers"])
        async with talking(gateway, "user1") as again:
            assert again.peer_id


async def test_clients_with_the_control_key_connect_above_the_limit_of_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listener, "_MOST_CONTROLLING", 1)
    options = replace(quick(connections=1), control_key="open sesame")
    known, guessed = ({"Authorization": f"Bearer {key}"} for key in ("open sesame", "open barley"))
    async with running(options) as gateway, talking(gateway, "user1"):
        for headers in (guessed, {"Authorization": "Bearer "}, {}):
            async with talking(gateway, additional_headers=headers) as refused:
                assert (await refused.hello("user1"))["reason_uri"] == "global.errors.limits_exceeded"
        async with (
            talking(gateway, "user1", additional_headers=known) as control,
            talking(gateway, additional_headers=known) as second,
        ):
            assert control.peer_id
            # The key opens a bounded number of connections.
            assert (await second.hello("user1"))["reason_uri"] == "global.errors.limits_exceeded"
        await until(lambda: len(gateway.status()["peers"]) == 1)
        async with talking(gateway, "user1", additional_headers=known) as again:
            assert again.peer_id


@pytest.mark.rule("R-2.10-7", "X-7-7", "L-8-5")
async def test_large_messages_are_logged_with_sender_type_and_size(caplog: pytest.LogCaptureFixture) -> None:
    async with running(quick(large_message=1000)) as gateway, talking(gateway, "user1") as talker:
        large = await talker.ask(type="create-context", name="c", data={"x": "y" * 1000}, lifetime="retained")
        assert large["type"] == "context-created"
        await talker.ask(type="create-context", name="d", data={"x": "y" * 10}, lifetime="retained")

    [line] = [message for message in caplog.messages if "large message" in message]
    assert "create-context" in line
    assert f"test ({talker.peer_id})" in line
    assert "bytes (above 1000)" in line


@pytest.mark.long
async def test_a_slow_reader_is_disconnected_with_the_reason_and_delays_no_other_client(
    caplog: pytest.LogCaptureFixture,
) -> None:
    small = quick(unread=2 * 1024 * 1024, farewell=PATIENCE)
    async with (
        running(small) as gateway,
        talking(gateway, "user1", "bus") as brisk,
        talking(gateway, "user1", "bus") as publisher,
    ):
        await brisk.ask(domain="bus", type="subscribe", topic="t")
        slow = await connect(gateway.address, compression=None, max_size=None, max_queue=1, ping_interval=None)
        talker = Talker(slow)
        await talker.hello("user1", application="sleepy")
        await talker.ask(type="join", destination="bus")
        await talker.ask(domain="bus", type="subscribe", topic="t")

        for number in range(60):
            await publisher.send(domain="bus", type="publish", topic="t", data=[number, "x" * 500_000])
            assert (await brisk.get_of("event"))["data"][0] == number

        await until(lambda: all(peer["application"] != "sleepy" for peer in gateway.status()["peers"]))
        assert "disconnected sleepy" in caplog.text
        with suppress(ConnectionClosed):
            async for _ in slow:
                pass
        assert slow.close_code == 1008
        assert "too slowly" in str(slow.close_reason)


async def test_one_who_goes_without_a_word_fails_the_calls_to_it() -> None:
    async with running() as gateway, talking(gateway, "user1", "agm") as caller:
        callee = await connect(gateway.address, compression=None)
        talker = Talker(callee)
        await talker.hello("user1")
        await talker.ask(type="join", destination="agm")
        await talker.ask(domain="agm", type="register", methods=[{"id": "0", "name": "m"}])
        call = {"domain": "agm", "type": "call", "server_id": talker.peer_id, "method_id": "0"}
        await caller.send(**call, request_id="c")
        await talker.get_of("invoke")

        callee.transport.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
        )
        callee.transport.abort()

        error = await caller.get_of("error")
        assert (error["request_id"], error["reason_uri"]) == ("c", "agm.errors.invocation.failure")


async def test_the_silent_are_pinged_and_the_dead_are_closed() -> None:
    clock = SettableClock()
    async with (
        running(quick(tick=0.01), clock=clock) as gateway,
        talking(gateway, "user1", ping_interval=None) as alive,
    ):
        [living] = gateway._server.sources
        reader, writer = await raw_socket(gateway.port)
        login = {"method": "secret", "login": "user2", "secret": "s"}
        writer.write(text_frame({"type": "hello", "request_id": "h", "authentication": login}))
        await read_frame(reader, "welcome")

        clock.advance(21)
        async with asyncio.timeout(PATIENCE):
            assert await reader.readexactly(2) == b"\x89\x00"
        await until(lambda: living.last_seen == 21)
        clock.advance(40)

        async with asyncio.timeout(PATIENCE):
            answer = await reader.read()
        writer.close()
        assert struct.unpack(">H", answer[2:4])[0] == 1001
        assert b"silent for 60 seconds" in answer
        assert (await alive.ask(type="create-token"))["type"] == "token"


async def test_stopping_closes_all_connections_even_of_clients_that_do_not_read() -> None:
    async with running() as gateway, talking(gateway, "user1") as polite:
        _, writer = await raw_socket(gateway.port)
        async with asyncio.timeout(PATIENCE):
            await gateway.stop()
        code, reason = await polite.closed()
        writer.close()
    assert (code, reason) == (1001, "the gateway is stopping")


async def test_an_internal_error_is_answered_and_ends_no_connection(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with running() as gateway, talking(gateway, "user1") as talker:
        with monkeypatch.context() as patch:
            patch.setattr(gateway._router, "receive", lambda *_: 1 / 0)
            answer = await talker.ask(domain="agm", type="register")
            assert (answer["domain"], answer["type"], answer["peer_id"]) == ("agm", "error", talker.peer_id)
            assert "could not be carried out" in caplog.text

        assert (await talker.ask(type="create-token"))["type"] == "token"


@pytest.mark.long
@pytest.mark.rule("L-8-4")
async def test_a_thousand_subscribers_get_every_event_in_order() -> None:
    crowded = quick(unsigned_connections=2000, unsigned_seconds=PATIENCE)
    async with running(crowded) as gateway, talking(gateway, "user0", "agm") as publisher:
        logging.getLogger("websockets").setLevel(logging.WARNING)
        service = gateway._router.state.peers[str(publisher.peer_id)]
        service.is_service = True
        gateway._router.state.services[service.id] = service
        await publisher.ask(
            domain="agm", type="register", methods=[{"id": "s", "name": "s", "flags": {"streaming": True}}]
        )
        connections = [await raw_socket(gateway.port) for _ in range(1000)]
        for number, (_, writer) in enumerate(connections):
            login = {"method": "secret", "login": f"user{number}", "secret": "s"}
            writer.write(text_frame({"type": "hello", "request_id": "h", "authentication": login}))
        for reader, writer in connections:
            peer_id = (await read_frame(reader, "welcome"))["peer_id"]
            writer.write(text_frame({"type": "join", "destination": "agm", "request_id": "j", "peer_id": peer_id}))
            subscribe = {"server_id": publisher.peer_id, "method_id": "s", "request_id": "s", "peer_id": peer_id}
            writer.write(text_frame({"domain": "agm", "type": "subscribe", **subscribe}))
        for _ in connections:
            interest = await publisher.get_of("add-interest")
            accept = {"subscription_id": interest["subscription_id"], "stream_id": "0"}
            await publisher.send(domain="agm", type="accepted", **accept)
        for number in range(5):
            await publisher.send(domain="agm", type="publish", stream_id="0", data=number)

        for reader, _ in connections:
            assert [(await read_frame(reader, "event"))["data"] for _ in range(5)] == [0, 1, 2, 3, 4]
        for _, writer in connections:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for _, writer in connections))


def text_frame(message: dict[str, Any]) -> bytes:
    payload = json.dumps(message).encode()
    return (
        b"\x81\xfe" + len(payload).to_bytes(2) + b"\0\0\0\0" + payload if len(payload) > 125 else masked(0x81, payload)
    )


async def read_frame(reader: asyncio.StreamReader, kind: str) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        while True:
            _, size = await reader.readexactly(2)
            if size == 126:
                size = int.from_bytes(await reader.readexactly(2))
            frame: dict[str, Any] = json.loads(await reader.readexactly(size))
            if frame["type"] == kind:
                return frame


ANYWHERE = "https://apps.example.com"


async def test_a_page_of_a_foreign_origin_signs_in_with_a_bound_token_only() -> None:
    async with running(replace(quick(), bound_origins=("*",))) as gateway:
        bound = gateway.bind("ada", "chart", instance="i1", window="w1")
        for origin in (ANYWHERE, "null", "file://", "http://[broken"):
            async with talking(gateway, origin=origin) as page:
                # The gateway believes every user name and password here, and the page still gets nothing.
                refused = await page.hello("ada", "s", application="chart")
                assert refused["reason_uri"] == "global.errors.authentication.failure"
                assert "a token of the app" in refused["reason"]
                joined = await page.ask(type="join", destination="agm", peer_id="p-1")
                assert (joined["type"], joined["reason_uri"]) == ("error", "global.errors.invalid_peer")
                proof = {"method": "gateway-token", "token": gateway.one_time_token(bound)}
                welcome = await page.ask(type="hello", identity={"instance": "forged"}, authentication=proof)
                assert (welcome["type"], welcome["resolved_identity"]["instance"]) == ("welcome", "i1")
                page.peer_id = welcome["peer_id"]
                # Tokens that a page makes are bound to the same app, so that frames of it can connect, too.
                token = (await page.ask(type="create-token"))["token"]
                async with talking(gateway, origin=origin) as frame:
                    proof = {"method": "gateway-token", "token": token}
                    assert (await frame.ask(type="hello", identity={}, authentication=proof))["type"] == "welcome"
        async with talking(gateway, "user1", origin="http://localhost:3000") as local:
            made = (await local.ask(type="create-token"))["token"]
        async with talking(gateway, origin=ANYWHERE) as page:
            proof = {"method": "gateway-token", "token": made}
            refused = await page.ask(type="hello", identity={}, authentication=proof)
            assert (refused["type"], "a token of the app" in refused["reason"]) == ("error", True)
        assert "chart" not in {peer["identity"].get("application") for peer in gateway.status()["peers"]}


async def test_only_the_named_origins_may_use_bound_tokens() -> None:
    async with running(replace(quick(), bound_origins=(ANYWHERE,))) as gateway:
        async with talking(gateway, origin=ANYWHERE) as page:
            assert (await page.hello("user1"))["type"] == "error"
        with pytest.raises(InvalidStatus, match="403"):
            await connect(gateway.address, origin=Origin("https://evil.example"))


async def test_web_sites_that_connect_without_a_token_block_no_other_client(caplog: pytest.LogCaptureFixture) -> None:
    limits = quick(connections=12, unsigned_pages=8, unsigned_seconds=PATIENCE * 10, tick=0.01)
    async with running(replace(limits, bound_origins=("*",))) as gateway, AsyncExitStack() as stack:
        bound = gateway.bind("ada", "chart")
        flood = [await stack.enter_async_context(talking(gateway, origin="https://evil.example")) for _ in range(30)]
        assert (await flood[0].closed())[0] == 1013
        await until(lambda: len(gateway._server.sources) == 8)
        for number in range(8):
            app = await stack.enter_async_context(talking(gateway, f"user{number}"))
            assert (await app.ask(type="create-token"))["type"] == "token"
        page = await stack.enter_async_context(talking(gateway, origin=ANYWHERE))
        proof = {"method": "gateway-token", "token": gateway.one_time_token(bound)}
        assert (await page.ask(type="hello", identity={}, authentication=proof))["type"] == "welcome"
        await until(lambda: "or 8 of web pages" in caplog.text)
        # One line for many, and none for each connection.
        assert "connection from" not in caplog.text
        assert "evil.example" not in caplog.text


async def test_a_silent_web_site_is_disconnected_after_a_few_seconds() -> None:
    options = replace(quick(unsigned_seconds=0.05, tick=0.01), bound_origins=("*",))
    async with running(options) as gateway, talking(gateway, origin=ANYWHERE) as page:
        code, reason = await page.closed()
        assert (code, "no sign-in" in reason) == (1008, True)
