"""Random frames on real sockets: broken, fragmented, cut short, and messages with any content.

The short form runs for seconds, LONG=200 for minutes. Each cycle has its own seed, so a failure comes back.
"""

import asyncio
import json
import logging
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.gateway.sockets import PATIENCE, Talker, quick, running, talking, until
from tests.gateway.test_wrong_types import MESSAGES
from tests.long_form import cycles

CYCLES = cycles(3)
CONNECTIONS = 25
FRAMES = 12
DOMAINS = ("agm", "bus", "context", "activity", "metrics")
UPGRADE = (
    b"GET /gw HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
TEXTS = ("", "x", "?", "*", "a.>", "$user == #user", "$a ? '(a+)+'", "\x00", "\ud800", "é" * 50, "../" * 20, "9" * 400)
LITERALS = (b"null", b"1e400", b"-0", b"NaN", b'"\\ud800"', b"[" * 300, b"9" * 5000, b'{"a":1,"a":2}', b'"\xff"')


class Fuzz:
    """What one client sends, by a seed."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)

    def value(self, known: list[str], depth: int = 0) -> Any:
        """Any JSON value; often one that means something to the gateway."""
        pick = self.random.random()
        if pick < 0.35 and known:
            return self.random.choice(known)
        if pick < 0.55:
            return self.random.choice(TEXTS)
        if pick < 0.7:
            return self.random.choice((None, True, False, 0, -1, 2**63, 10**30, 1.5, -1e308))
        if depth > 3:
            return {}
        names = [self.random.choice((*TEXTS, "id", "name", "type", "peer_id", "commands", "path")) for _ in range(3)]
        if pick < 0.85:
            return [self.value(known, depth + 1) for _ in range(self.random.randrange(4))]
        return {name: self.value(known, depth + 1) for name in names}

    def message(self, peer_id: str | None, known: list[str]) -> bytes:
        """One message of any type, or what is left of one."""
        domain, kind, fields = self.random.choice([*MESSAGES, ("global", "hello", ("identity", "authentication"))])
        message: dict[str, Any] = {"domain": domain, "type": kind, "request_id": self.value(known), "peer_id": peer_id}
        message |= {name: self.value(known) for name in fields if name != "peer_id" and self.random.random() < 0.7}
        if self.random.random() < 0.1:
            message[self.random.choice(("domain", "type", "peer_id", "request_id"))] = self.value(known)
        text = json.dumps(message, ensure_ascii=self.random.random() < 0.8).encode("utf-8", "surrogatepass")
        return self.mutated(text) if self.random.random() < 0.3 else text

    def mutated(self, text: bytes) -> bytes:
        at = self.random.randrange(len(text))
        return self.random.choice(
            (
                lambda: text[:at],
                lambda: text[at:],
                lambda: text[:at] + self.random.randbytes(self.random.randrange(1, 5)) + text[at + 1 :],
                lambda: text.replace(b"null", self.random.choice(LITERALS)),
                lambda: text[:at] + self.random.choice(LITERALS) + text[at:],
                lambda: text + text,
            )
        )()

    def whole(self, payload: bytes) -> bytes:
        """A message in good frames: in one or in several, with pings in between."""
        if self.random.random() < 0.6 or not payload:
            return self.frame(0x81, payload)
        cuts = sorted(self.random.randrange(len(payload) + 1) for _ in range(self.random.randrange(1, 5)))
        parts = [payload[a:b] for a, b in zip([0, *cuts], [*cuts, len(payload)], strict=True)]
        sent = b""
        for number, part in enumerate(parts):
            opcode = 0x01 if number == 0 else 0x00
            last = 0x80 if number == len(parts) - 1 else 0
            sent += self.frame(opcode | last, part)
            if self.random.random() < 0.3:
                sent += self.frame(self.random.choice((0x89, 0x8A)), self.random.randbytes(self.random.randrange(126)))
        return sent

    def broken(self, payload: bytes) -> bytes:
        """What no good client sends."""
        size = self.random.choice((0, 125, 126, 65_535, 2**31, 2**62, 2**63 + 5))
        header = bytes([self.random.choice((0x81, 0x01, 0x80, 0x89)), 0xFF]) + size.to_bytes(8) + b"\0\0\0\0"
        return self.random.choice(
            (
                lambda: self.frame(self.random.randrange(256), payload),
                lambda: self.frame(0x82, payload),
                lambda: self.frame(0x00, payload),
                lambda: self.frame(0x01, payload) + self.frame(0x81, payload),
                lambda: self.frame(0x88, self.random.randbytes(self.random.randrange(5))),
                lambda: bytes([0x81, min(len(payload), 125)]) + payload,
                lambda: header + payload,
                lambda: self.frame(0x81, payload)[: self.random.randrange(1, 12)],
                lambda: self.random.randbytes(self.random.randrange(1, 60)),
                lambda: self.frame(0x81, b'{"x":"' + b"y" * 200_000),
            )
        )()

    def frame(self, first: int, payload: bytes) -> bytes:
        mask = self.random.randbytes(4)
        repeated = (mask * (len(payload) // 4 + 1))[: len(payload)]
        masked = (int.from_bytes(payload) ^ int.from_bytes(repeated)).to_bytes(len(payload))
        if len(payload) < 126:
            size = bytes([0x80 | len(payload)])
        elif len(payload) < 65_536:
            size = b"\xfe" + len(payload).to_bytes(2)
        else:
            size = b"\xff" + len(payload).to_bytes(8)
        return bytes([first]) + size + mask + masked


async def next_frame(reader: asyncio.StreamReader) -> tuple[int, bytes] | None:
    """One frame of the gateway, which must be a good one; none when it has closed."""
    try:
        first, size = await reader.readexactly(2)
        size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8)) if size > 125 else size
        payload = await reader.readexactly(size)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    assert first in (0x81, 0x88, 0x89, 0x8A)
    if first == 0x81:
        assert isinstance(json.loads(payload)["type"], str)
    return first, payload


async def answered(reader: asyncio.StreamReader, request_id: str) -> dict[str, Any] | None:
    """Read until an answer; none when the gateway closes the connection."""
    async with asyncio.timeout(PATIENCE):
        while (frame := await next_frame(reader)) is not None:
            if frame[0] == 0x81 and (found := json.loads(frame[1])).get("request_id") == request_id:
                return dict(found)
    return None


async def attack(fuzz: Fuzz, port: int, known: list[str], *, signs_in: bool, is_broken: bool) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(UPGRADE)
        await reader.readuntil(b"\r\n\r\n")
        peer_id: str | None = None
        if signs_in:
            login = {"method": "secret", "login": "user1", "secret": "s"}
            hello = {"type": "hello", "request_id": "hello", "authentication": login}
            writer.write(fuzz.frame(0x81, json.dumps(hello).encode()))
            welcome = await answered(reader, "hello")
            assert welcome is not None
            peer_id = welcome["peer_id"]
            for domain in DOMAINS:
                join = {"type": "join", "destination": domain, "peer_id": peer_id, "request_id": "join"}
                writer.write(fuzz.frame(0x81, json.dumps(join).encode()))
        for _ in range(FRAMES):
            writer.write(fuzz.whole(fuzz.message(peer_id, [*known, *([peer_id] if peer_id else [])])))
        if is_broken:
            writer.write(fuzz.broken(fuzz.message(peer_id, known)))
            return
        writer.write(fuzz.frame(0x81, b'{"type":"nonsense","request_id":"the last one"}'))
        last = await answered(reader, "the last one")
        # A peer may leave by a message of its own; nothing else ends a connection that sends good frames.
        assert last is None or last["type"] == "error"
    except ConnectionError:
        pass
    finally:
        writer.close()


@pytest.mark.long
@pytest.mark.timeout(300 + 10 * CYCLES)
@pytest.mark.parametrize("signs_in", [False, True], ids=["before sign-in", "signed in"])
async def test_no_frame_harms_the_gateway_or_another_peer(caplog: pytest.LogCaptureFixture, *, signs_in: bool) -> None:
    caplog.set_level(logging.ERROR)
    options = quick(unsigned_seconds=PATIENCE)
    for cycle in range(CYCLES):
        async with (
            running(options) as gateway,
            talking(gateway, "user1", *DOMAINS) as witness,
            talking(gateway, "user2", *DOMAINS) as stranger,
        ):
            known = [*await _things(witness), str(stranger.peer_id), *DOMAINS, "Method", "0"]
            await asyncio.gather(
                *(
                    attack(
                        Fuzz(f"{cycle} {number} {signs_in}"),
                        gateway.port,
                        known,
                        signs_in=signs_in,
                        is_broken=number % 3 == 0,
                    )
                    for number in range(CONNECTIONS)
                )
            )
            await until(_gone(gateway))

            for talker in (witness, stranger):
                assert (await talker.ask(type="create-token"))["type"] == "token", cycle
            assert gateway.status()["counts"]["peers"] == 2
            theirs = [context for context in gateway.status()["contexts"] if context["user"] == "user2"]
            assert theirs == [], "nobody writes another user's contexts"
        assert caplog.records == [], f"cycle {cycle}"


def _gone(gateway: Any) -> Callable[[], bool]:
    return lambda: len(gateway._server.sources) == 2


async def _things(witness: Talker) -> list[str]:
    """Offer a method and a stream, and make a context: what messages can be about."""
    methods = [{"id": "0", "name": "Method"}, {"id": "1", "name": "Stream", "flags": {"streaming": True}}]
    await witness.ask(domain="agm", type="register", methods=methods)
    created = await witness.ask(type="create-context", name="Context", data={"a": {"b": 1}}, lifetime="retained")
    return [str(witness.peer_id), str(created["context_id"]), "Context"]
