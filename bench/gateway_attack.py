"""A gateway with FDC3 agents under attack by one user: the latency of another user's calls, blocking, and memory.

python -m bench.gateway_attack       about six minutes
python -m bench.gateway_attack bus   only some attacks

The gateway has a core of its own. Attacker and measured user are processes on the other core, and the attacker has a
lower priority: the processor time that it takes from the measured user is no property of the gateway. Other programs
disturb the measurement; on a busy machine, run it with a higher priority (nice -n -15).
"""

import asyncio
import json
import logging
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import uvloop
from picows import WSListener, WSMsgType, WSTransport, ws_connect

from bench.fdc3_agents import ORIGIN
from bench.gateway_soak import Client
from bench.processes import LOAD_CORE, Measured, cpu_seconds, pinned_server, usual_environment
from rostrum.agents import AgentService, PlatformPeer, Profile
from rostrum.base.signal import Signal
from rostrum.fdc3 import Directory
from rostrum.gateway import Gateway, GatewayOptions
from rostrum.gateway.messages.agm import Call
from rostrum.gateway.wire import body_decoder, header

MIB = 1024 * 1024
CALL_PAUSE = 0.002
SECONDS, IDLE_SECONDS, ROUNDS = 3.0, 2.0, 3
"""Each round has one phase without and one with the attack."""
_YIELDS = 10
"""How much lower the priority of the attacker is."""
INSTANCES, BROADCASTS, CONNECTIONS = 290, 15, 40
CONTEXT = "x" * 1_000_000
GOAL_RATIO, GOAL_BLOCKED, GOAL_MIB = 5.0, 1.5, 64
TIME = "2026-11-16T10:00:00Z"

Attack = Callable[["Attacker"], Awaitable[None]]


def report() -> str:
    return _measured(list(ATTACKS))


def _measured(names: list[str]) -> str:
    decoding = _decoding()
    rows = []
    for name in names:
        command = (sys.executable, "-m", "bench.gateway_attack", "--one", name)
        found = Found(*json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
        rows.append(
            f"| {name} | {found.idle:.2f} ms | {found.attacked:.2f} ms | {found.ratio:.1f} × "
            f"| {found.effort_ratio:.1f} × "
            f"| {found.blocked:.1f} ms, {found.callback} | {found.blocked / decoding:.2f} × "
            f"| {found.grown / MIB:.0f} MiB |"
        )
        print(rows[-1], file=sys.stderr)
    return (
        "## Gateway under attack\n\n"
        f"One user attacks for {SECONDS:.0f} s while another user makes calls, at most one every "
        f"{CALL_PAUSE * 1e3:.0f} ms. p99 is the 99th percentile of the time of these calls, without and with the "
        f"attack, on the same gateway; times and ratio are medians of {ROUNDS} rounds. The gateway has a core of its "
        "own; attacker and measured user share the other one, where the attacker has a lower priority. The *ratio of "
        "processor time* compares what the gateway itself does from the call to its result, whatever else the machine "
        "does. *Blocked* is the longest processor time of a callback of the event loop, with everything that it reads "
        "from a socket; the "
        f"largest allowed message takes {decoding:.1f} ms to decode. *Memory* is the growth of the process at its "
        f"peak, from before the attacker connects. Goals: p99 at most {GOAL_RATIO:g} ×, no callback longer than "
        f"{GOAL_BLOCKED:g} × the decoding, {GOAL_MIB} MiB.\n\n"
        "| attack | p99 without | p99 with | ratio | ratio of processor time | blocked | ÷ decoding | memory |\n"
        "|---|---|---|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


class Calls(NamedTuple):
    """The 99th percentile of calls: their time, and the processor time of the gateway meanwhile, in milliseconds."""

    delay: float
    effort: float


class Found(NamedTuple):
    """What one attack did; times in milliseconds."""

    idle: float
    attacked: float
    ratio: float
    effort_ratio: float
    blocked: float
    callback: str
    grown: int


async def _one(name: str) -> Found:
    command = (sys.executable, "-m", "bench.gateway_attack", "--serve")
    rounds: list[tuple[Calls, Calls]] = []
    longest = (0.0, "")
    with pinned_server(command, env=usual_environment()) as server, _victim(server) as measure:
        os.sched_setaffinity(0, {LOAD_CORE})
        os.nice(_YIELDS)
        await asyncio.to_thread(measure, IDLE_SECONDS)
        before = _memory(server.pid, "VmRSS")
        _reset_peak(server.pid)
        for _ in range(ROUNDS):
            idle = await asyncio.to_thread(measure, IDLE_SECONDS)
            attacker = Attacker(server.port)
            await attacker.prepare(name)
            await _longest(server.port)
            attack = asyncio.create_task(attacker.run(name))
            rounds.append((idle, await asyncio.to_thread(measure, SECONDS)))
            attack.cancel()
            with suppress(asyncio.CancelledError):
                await attack
            longest = max(longest, await _longest(server.port))
            await attacker.leave()
        grown = _memory(server.pid, "VmHWM") - before
    figures = [
        (idle.delay, attacked.delay, attacked.delay / idle.delay, attacked.effort / idle.effort)
        for idle, attacked in rounds
    ]
    idle, attacked, ratio, effort_ratio = map(statistics.median, zip(*figures, strict=True))
    return Found(idle, attacked, ratio, effort_ratio, *longest, grown)


def _p99(delays: Sequence[float]) -> float:
    return statistics.quantiles(delays, n=100)[98] * 1e3


def _decoding() -> float:
    """Measure how long the largest message takes to decode, in milliseconds."""
    size = GatewayOptions().limits.frame
    text = b'{"domain":"agm","type":"call","peer_id":"p","server_id":"s","method_id":"1","arguments_kv":{"a":"%s"}}'
    message = text % (b"x" * (size - len(text)))
    decoder = body_decoder(Call)
    times = []
    for _ in range(5):
        began = time.thread_time()
        _, payload = header(message)
        decoder.decode(payload)
        times.append(time.thread_time() - began)
    return statistics.median(times) * 1e3


def _memory(pid: int, kind: str) -> int:
    found = re.search(rf"{kind}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) * 1024 if found else 0


def _reset_peak(pid: int) -> None:
    Path(f"/proc/{pid}/clear_refs").write_text("5")


@contextmanager
def _victim(server: Measured) -> Iterator[Callable[[float], Calls]]:
    """Give a function that makes calls for some seconds, in a process of its own, and returns their times."""
    command = ["taskset", "--cpu-list", str(LOAD_CORE), sys.executable, "-m", "bench.gateway_attack", "--victim"]
    process = subprocess.Popen(
        [*command, str(server.port), str(server.pid)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    asked, answers = process.stdin, process.stdout

    def measure(seconds: float) -> Calls:
        asked.write(f"{seconds}\n")
        asked.flush()
        return Calls(*map(_p99, zip(*json.loads(answers.readline()), strict=True)))

    try:
        yield measure
    finally:
        process.kill()
        process.communicate()


async def _victims(port: int, gateway: int) -> None:
    server = await Client("victim", application="server").connect(port)
    caller = await Client("victim", application="caller").connect(port)
    for each in (server, caller):
        await each.ask(type="join", destination="agm")
    await server.ask(domain="agm", type="register", methods=[{"id": "0", "name": "m", "flags": {}}])

    def answer(frame: dict[str, Any]) -> None:
        if frame["type"] == "invoke":
            server.send(domain="agm", type="yield", invocation_id=frame["invocation_id"], result={})

    server.on_frame = answer
    call = {"domain": "agm", "type": "call", "server_id": server.peer_id, "method_id": "0", "arguments_kv": {}}
    while line := await asyncio.to_thread(sys.stdin.readline):
        calls = []
        until = time.perf_counter() + float(line)
        while (began := time.perf_counter()) < until:
            effort = cpu_seconds(gateway)
            await caller.ask(**call)
            calls.append((time.perf_counter() - began, cpu_seconds(gateway) - effort))
            await asyncio.sleep(CALL_PAUSE)
        print(json.dumps(calls), flush=True)


class _Profiles:
    """The same apps for all users."""

    def __init__(self) -> None:
        self.changed: Signal[str] = Signal()
        record = {"appId": "app", "title": "App", "details": {"url": f"{ORIGIN}/app/"}}
        self._profile = Profile(Directory([record]), ())

    async def read(self, user: str) -> Profile:  # noqa: ARG002 - the interface
        return self._profile


class _Timed(uvloop.Loop):
    """An event loop that records the longest processor time of a single callback, and which one it was."""

    longest = 0.0
    name = ""

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]
        return super().call_soon(self.timed(callback), *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]
        return super().call_at(when, self.timed(callback), *args, context=context)

    def call_later(self, delay: float, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]
        return super().call_later(delay, self.timed(callback), *args, context=context)

    def add_reader(self, fd: Any, callback: Any, *args: Any) -> None:  # type: ignore[override]
        super().add_reader(fd, self.timed(callback), *args)

    def timed(self, callback: Any) -> Any:
        def run(*args: Any) -> None:
            began = time.thread_time()
            try:
                callback(*args)
            finally:
                taken = time.thread_time() - began
                if taken > self.longest:
                    self.longest, self.name = taken, _name_of(callback)

        return run

    def take(self) -> str:
        """Return the longest time in milliseconds with the name of the callback, and begin anew."""
        taken, self.longest = self.longest, 0.0
        return f"{taken * 1e3:.3f} {self.name}"


def _name_of(callback: Any) -> str:
    owner = getattr(callback, "__self__", None)
    if isinstance(owner, asyncio.Task):
        return str(getattr(owner.get_coro(), "__qualname__", "a task"))
    return str(getattr(callback, "__qualname__", type(callback).__name__))


async def _serve() -> None:
    logging.getLogger("rostrum.gateway").setLevel(logging.ERROR)
    gateway = Gateway(GatewayOptions(port=0))
    await gateway.start()
    agents = AgentService(gateway, _Profiles(), lambda _: PlatformPeer(), version="0")
    peer = await gateway.local_peer("Rostrum", "/gateway", is_service=True)
    loop = asyncio.get_running_loop()
    assert isinstance(loop, _Timed)
    await peer.methods.register("Bench.Longest", lambda _: loop.take())
    await agents.start(peer)
    print(gateway.address, flush=True)
    await asyncio.Event().wait()


class Raw(WSListener):
    """A connection of the attacker that counts what it gets, and may stop reading."""

    def __init__(self) -> None:
        self.transport: WSTransport | None = None
        self.waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self.closed = asyncio.Event()
        self.peer_id = ""
        self.methods: dict[str, dict[str, Any]] = {}
        self.link = ""
        self.subscriptions: list[str] = []

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 - picows' shape
        self.closed.set()

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...

    def on_ws_frame(self, transport: WSTransport, frame: Any) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()
        elif frame.payload_size < 200_000:
            self._receive(msgspec.json.decode(frame.get_payload_as_bytes()))

    def _receive(self, message: dict[str, Any]) -> None:
        if message["type"] == "methods-added":
            for each in message["methods"]:
                self.methods[each["name"]] = {"server_id": message["server_id"], "method_id": each["id"]}
        elif message["type"] == "event" and isinstance(message.get("data"), dict):
            self.link = message["data"].get("link", self.link)
        elif message["type"] == "add-interest":
            self.subscriptions.append(message["subscription_id"])
            self.send(domain="agm", type="accepted", subscription_id=message["subscription_id"], stream_id="s")
        waiting = self.waiting.pop(str(message.get("request_id")), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    def send(self, **message: Any) -> None:
        self.text(json.dumps({"peer_id": self.peer_id, **message}).encode())

    def text(self, text: bytes) -> None:
        assert self.transport is not None
        self.transport.send(WSMsgType.TEXT, text)

    async def ask(self, **message: Any) -> dict[str, Any]:
        request_id = f"q{len(self.waiting)}-{time.perf_counter_ns()}"
        future = self.waiting[request_id] = asyncio.get_running_loop().create_future()
        self.send(**message, request_id=request_id)
        async with asyncio.timeout(60):
            found: dict[str, Any] = await future
        return found

    async def drained(self) -> None:
        """Wait until what was sent has left this process, or the gateway has closed the connection."""
        assert self.transport is not None
        while self.transport.underlying_transport.get_write_buffer_size() and not self.closed.is_set():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


class Attacker:
    """The connections of the user who attacks."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.many: list[Raw] = []
        self.all: list[Raw] = []
        self.call = b""

    async def connect(self, *domains: str, application: str = "a", reads: bool = True) -> Raw:
        raw = Raw()
        address = f"ws://127.0.0.1:{self.port}"
        raw.transport, _ = await ws_connect(lambda: raw, address, max_frame_size=256 * MIB)
        login = {"method": "secret", "login": "attacker", "secret": "s"}
        identity = {"application": application}
        if reads:
            raw.peer_id = (await raw.ask(type="hello", identity=identity, authentication=login))["peer_id"]
        else:
            raw.send(type="hello", identity=identity, authentication=login, request_id="h")
            raw.transport.underlying_transport.pause_reading()
        for domain in domains:
            await raw.ask(type="join", destination=domain)
        self.all.append(raw)
        return raw

    async def leave(self) -> None:
        """End all connections, and give the gateway a moment to forget them."""
        for raw in self.all:
            if raw.transport is not None:
                raw.transport.underlying_transport.abort()
        await asyncio.sleep(1.0)

    async def prepare(self, name: str) -> None:
        await ATTACKS[name][0](self)

    async def run(self, name: str) -> None:
        """Repeat the attack until it is cancelled."""
        while True:
            await ATTACKS[name][1](self)

    async def page(self, instances: int, **arguments: Any) -> Raw:
        """Connect a page with apps that listen on a channel."""
        raw = await self.connect("agm")
        await raw.ask(domain="agm", type="subscribe", arguments_kv=arguments, **raw.methods["Rostrum.FDC3.Connect"])
        while not raw.link:  # noqa: ASYNC110 - set by the connection
            await asyncio.sleep(0.01)
        app = {"origin": ORIGIN, "appId": "app"}
        for number in range(instances):
            name = f"c{number}"
            page = {"identityUrl": f"{ORIGIN}/app/", "actualUrl": f"{ORIGIN}/app/"}
            told = [
                {"kind": "Connect", "connection": name, "place": f"{id(raw)}-{number}", **app},
                _told(name, "WCP4ValidateAppIdentity", page),
                _told(name, "getOrCreateChannelRequest", {"channelId": "attack"}),
                _told(name, "addContextListenerRequest", {"channelId": "attack", "contextType": None}),
            ]
            await raw.ask(**_send(raw, told))
        self.many.append(raw)
        broadcast = {"channelId": "attack", "context": {"type": "x", "data": CONTEXT}}
        text = _send(raw, [_told("c0", "broadcastRequest", broadcast)] * BROADCASTS)
        self.call = json.dumps({"peer_id": raw.peer_id, "request_id": "attack", **text}).encode()
        return raw


def _told(connection: str, type_: str, payload: dict[str, Any]) -> dict[str, Any]:
    meta = {"requestUuid": "r", "connectionAttemptUuid": "a", "timestamp": TIME}
    message = json.dumps({"type": type_, "payload": payload, "meta": meta})
    return {"kind": "AppMessage", "connection": connection, "message": message}


def _send(raw: Raw, messages: list[dict[str, Any]]) -> dict[str, Any]:
    arguments = {"link": raw.link, "messages": messages}
    return {"domain": "agm", "type": "call", "arguments_kv": arguments, **raw.methods["Rostrum.FDC3.Send"]}


async def _longest(port: int) -> tuple[float, str]:
    """Return the longest processor time of a callback since the last question, in milliseconds, and its name."""
    raw = Raw()
    raw.transport, _ = await ws_connect(lambda: raw, f"ws://127.0.0.1:{port}")
    login = {"method": "secret", "login": "observer", "secret": "s"}
    raw.peer_id = (await raw.ask(type="hello", identity={"application": "o"}, authentication=login))["peer_id"]
    await raw.ask(type="join", destination="agm")
    found = await raw.ask(domain="agm", type="call", arguments_kv={}, **raw.methods["Bench.Longest"])
    raw.transport.disconnect()
    taken, _, name = str(found["result"]).partition(" ")
    return float(taken), name


async def _again(attacker: Attacker, *raws: Raw) -> None:
    """Send the call on connections, and wait until the gateway has taken it."""
    for raw in raws:
        if not raw.closed.is_set():
            raw.text(attacker.call)
    for raw in raws:
        await raw.drained()
    await asyncio.sleep(0.01)


async def _call_of_page(attacker: Attacker) -> None:
    await _again(attacker, attacker.many[0])


async def _lists(attacker: Attacker) -> None:
    await attacker.page(INSTANCES, delivers=True, lists=True)


async def _older(attacker: Attacker) -> None:
    await attacker.page(INSTANCES)


async def _silent(attacker: Attacker) -> None:
    raw = await attacker.page(INSTANCES, lists=True)
    assert raw.transport is not None
    raw.transport.underlying_transport.pause_reading()


async def _pages(attacker: Attacker) -> None:
    for _ in range(CONNECTIONS):
        await attacker.page(INSTANCES // CONNECTIONS, lists=True)


async def _subscribed(attacker: Attacker) -> None:
    for _ in range(CONNECTIONS):
        raw = await attacker.connect("bus")
        for _ in range(INSTANCES // CONNECTIONS):
            await raw.ask(domain="bus", type="subscribe", topic="t")
        attacker.many.append(raw)
    raw = attacker.many[0]
    publish = {"domain": "bus", "type": "publish", "topic": "t", "data": CONTEXT, "peer_id": raw.peer_id}
    attacker.call = json.dumps(publish).encode()


async def _all_publish(attacker: Attacker) -> None:
    for _ in range(BROADCASTS):
        attacker.many[0].text(attacker.call)
    await attacker.many[0].drained()
    await asyncio.sleep(0.01)


async def _streams(attacker: Attacker) -> None:
    publisher = await attacker.connect("agm")
    method = {"id": "s", "name": "s", "flags": {"streaming": True}}
    await publisher.ask(domain="agm", type="register", methods=[method])
    attacker.many.append(publisher)
    for _ in range(CONNECTIONS):
        raw = await attacker.connect("agm")
        for _ in range(INSTANCES // CONNECTIONS):
            await raw.ask(domain="agm", type="subscribe", server_id=publisher.peer_id, method_id="s")
        attacker.many.append(raw)
    event = {"domain": "agm", "type": "publish", "stream_id": "s", "data": CONTEXT, "peer_id": publisher.peer_id}
    attacker.call = json.dumps(event).encode()


async def _contexts(attacker: Attacker) -> None:
    writer = await attacker.connect()
    name = f"c{time.perf_counter_ns()}"
    created = await writer.ask(type="create-context", name=name, data={}, lifetime="ownership")
    attacker.many.append(writer)
    for _ in range(INSTANCES):
        raw = await attacker.connect()
        await raw.ask(type="subscribe-context", context_id=created["context_id"])
        attacker.many.append(raw)
    delta = {"commands": [{"type": "set", "path": "x", "value": CONTEXT}]}
    update = {"type": "update-context", "context_id": created["context_id"], "delta": delta, "request_id": "u"}
    attacker.call = json.dumps({**update, "peer_id": writer.peer_id}).encode()


async def _crowd(attacker: Attacker) -> None:
    for _ in range(CONNECTIONS):
        attacker.many.append(await attacker.connect("agm"))


def _flood(frame: bytes, first: bytes = b"") -> Attack:
    """Send the same bytes on all connections, without reading the answers."""
    piece = frame * (64 * 1024 // len(frame))

    async def flood(attacker: Attacker) -> None:
        for raw in attacker.many:
            assert raw.transport is not None
            if raw.closed.is_set():
                continue
            raw.transport.underlying_transport.pause_reading()
            if first and not raw.link:
                raw.link = "begun"
                raw.transport.underlying_transport.write(first)
            if raw.transport.underlying_transport.get_write_buffer_size() < len(piece):
                raw.transport.underlying_transport.write(piece)
        await asyncio.sleep(0.001)

    return flood


def _frame(kind: int, payload: bytes) -> bytes:
    return bytes((kind, 0x80 | len(payload))) + bytes(4) + payload


async def _large(attacker: Attacker) -> None:
    attacker.many.append(await attacker.connect("bus"))
    text = {"domain": "bus", "type": "publish", "topic": "t", "data": "x" * (16 * MIB)}
    attacker.call = json.dumps({**text, "peer_id": attacker.many[0].peer_id}).encode()


async def _unfinished(attacker: Attacker) -> None:
    """Send all but the end of a large message on each connection."""
    part = b"x" * MIB
    for raw in attacker.many:
        if raw.link or raw.transport is None:
            continue
        raw.link = "begun"
        raw.transport.underlying_transport.write(b"\x81\xff" + (16 * MIB).to_bytes(8) + bytes(4))
        for _ in range(15):
            raw.transport.underlying_transport.write(part)
    await asyncio.sleep(0.05)


async def _listeners(attacker: Attacker) -> None:
    """Connections that do not read, each of which gets texts of its own."""
    for number in range(CONNECTIONS):
        raw = await attacker.connect("bus")
        await raw.ask(domain="bus", type="subscribe", topic=f"t{number}")
        assert raw.transport is not None
        raw.transport.underlying_transport.pause_reading()
    attacker.many.append(await attacker.connect("bus"))


async def _publish_to_each(attacker: Attacker) -> None:
    raw = attacker.many[0]
    for number in range(CONNECTIONS):
        raw.send(domain="bus", type="publish", topic=f"t{number}", data=CONTEXT)
        await raw.drained()


async def _new_connections(attacker: Attacker) -> None:
    """Flood with fragments on connections that are replaced as soon as the gateway closes them."""
    for number, raw in enumerate(attacker.many):
        if raw.closed.is_set():
            attacker.many[number] = await attacker.connect()
    await _flood(_frame(0x00, b"xx"), _frame(0x01, b"x"))(attacker)


async def _registrations(attacker: Attacker) -> None:
    for raw in attacker.many[:4]:
        methods = [{"id": str(time.perf_counter_ns()), "name": "m", "flags": {"a": CONTEXT}}]
        raw.send(domain="agm", type="register", methods=methods)
        await raw.drained()
    await asyncio.sleep(0.01)


async def _many_members(attacker: Attacker) -> None:
    raw = await attacker.connect()
    members = b",".join(b'"%d":0' % number for number in range(1_200_000))
    head = b'{"type":"create-context","name":"c","lifetime":"retained","request_id":"r","peer_id":"%s","data":{%s}}'
    attacker.call = head % (raw.peer_id.encode(), members)
    attacker.many.append(raw)


COSTLY = " || ".join(["$application ? '(a|a)*(a|aa)+(a*)*b'"] * 13)
"""A restriction with the largest effort for the name of the peers below."""


async def _restricted_peers(attacker: Attacker) -> None:
    for _ in range(CONNECTIONS):
        attacker.many.append(await attacker.connect("agm", application="a" * 199))


async def _restricted_methods(attacker: Attacker) -> None:
    """Register and remove methods that are compared with all peers; a peer leaves and joins as well."""
    raw = attacker.many[0]
    methods = [{"id": str(number), "name": f"m{number}", "restrictions": COSTLY} for number in range(20)]
    await raw.ask(domain="agm", type="register", methods=methods)
    await raw.ask(domain="agm", type="unregister", methods=[method["id"] for method in methods])
    await attacker.many[1].ask(type="leave", destination="agm")
    await attacker.many[1].ask(type="join", destination="agm", restrictions=COSTLY)


async def _long_names(attacker: Attacker) -> None:
    writer = await attacker.connect()
    for number in range(6_300):
        name = f"{number}-{time.perf_counter_ns()}".ljust(4_000, "n")
        await writer.ask(type="create-context", name=name, lifetime="ownership")
    attacker.many.append(writer)


async def _silent_sign_ins(attacker: Attacker) -> None:
    """Connections that are sent the names of all contexts, and do not read."""
    raw = await attacker.connect(reads=False)
    if len(attacker.all) > 60:
        first = attacker.all.pop(1)
        if first.transport is not None:
            first.transport.underlying_transport.abort()
    assert raw.transport is not None


async def _half_messages(attacker: Attacker) -> None:
    """Connections that each send a part of a message, small enough to be received beside others."""
    if len(attacker.many) < 400:
        attacker.many.append(await attacker.connect())
        transport = attacker.many[-1].transport
        assert transport is not None
        transport.underlying_transport.write(b"\x81\xff" + (127 * 1024).to_bytes(8) + bytes(4) + b"x" * 126 * 1024)
    else:
        await asyncio.sleep(0.05)


async def _wildcards(attacker: Attacker) -> None:
    for number in range(10):
        raw = await attacker.connect("bus")
        for place in range(1000):
            raw.send(domain="bus", type="subscribe", topic=f"**x{number * 1000 + place}")
        await raw.ask(type="create-token")
        attacker.many.append(raw)


async def _publish_for_wildcards(attacker: Attacker) -> None:
    await attacker.many[0].ask(domain="bus", type="publish", topic="a" * 255, data=1)
    await attacker.many[0].ask(type="create-token")


async def _page_of_listeners(attacker: Attacker) -> None:
    await attacker.page(20, delivers=True, lists=True)


async def _intent_listeners(attacker: Attacker) -> None:
    """Many requests in one call, each of which registers a method."""
    raw = attacker.many[0]
    asked = [
        _told(f"c{number % 20}", "addIntentListenerRequest", {"intent": f"intent{number}-{time.perf_counter_ns()}"})
        for number in range(200)
    ]
    await raw.ask(**_send(raw, asked))


async def _numbers(attacker: Attacker) -> None:
    """Numbers that take long to read."""
    raw = attacker.many[0]
    numbers = b",".join([b"1e308"] * 10_000)
    head = b'{"domain":"agm","type":"unregister","request_id":"n","peer_id":"%s","methods":[%s]}'
    raw.text(head % (raw.peer_id.encode(), numbers))
    await raw.ask(type="create-token")


ATTACKS: dict[str, tuple[Attack, Attack]] = {
    "FDC3 broadcasts": (_lists, _call_of_page),
    "FDC3 broadcasts, older page": (_older, _call_of_page),
    "FDC3 broadcasts, does not read": (_silent, _call_of_page),
    "FDC3 broadcasts, many pages": (_pages, lambda attacker: _again(attacker, attacker.many[-1])),
    "bus": (_subscribed, _all_publish),
    "stream": (_streams, _all_publish),
    "context": (_contexts, _all_publish),
    "largest messages": (_large, _call_of_page),
    "pings": (_crowd, _flood(_frame(0x89, b"p"))),
    "fragments": (_crowd, _flood(_frame(0x00, b"xx"), _frame(0x01, b"x"))),
    "fragments, new connections": (_crowd, _new_connections),
    "tiny messages": (_crowd, _flood(_frame(0x81, b"{}"))),
    "unfinished messages": (_crowd, _unfinished),
    "connections that do not read": (_listeners, _publish_to_each),
    "registrations": (_crowd, _registrations),
    "very many members": (_many_members, _call_of_page),
    "restrictions": (_restricted_peers, _restricted_methods),
    "sign-ins that do not read": (_long_names, _silent_sign_ins),
    "half messages": (_crowd, _half_messages),
    "wildcards": (_wildcards, _publish_for_wildcards),
    "intent listeners": (_page_of_listeners, _intent_listeners),
    "numbers": (_crowd, _numbers),
}


def _main(arguments: list[str]) -> None:
    if arguments == ["--serve"]:
        with asyncio.Runner(loop_factory=_Timed) as runner:
            runner.run(_serve())
    elif arguments[:1] == ["--one"]:
        print(json.dumps(asyncio.run(_one(arguments[1]))))
    elif arguments[:1] == ["--victim"]:
        uvloop.run(_victims(int(arguments[1]), int(arguments[2])))
    else:
        print(_measured([name for name in ATTACKS if not arguments or any(each in name for each in arguments)]))


if __name__ == "__main__":
    _main(sys.argv[1:])
