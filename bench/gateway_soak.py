"""A soak of the gateway: many idle peers, a wide stream, a reader that stops, killed processes, a restart.

python -m bench.gateway_soak                     about four minutes; prints what it saw
python -m bench.gateway_soak --idle 500 --subscribers 100 --seconds 10
"""

import argparse
import asyncio
import json
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import uvloop
from picows import WSListener, WSMsgType, WSTransport, ws_connect

from bench.processes import cpu_seconds, resident_kib, usual_environment

GATEWAY = (sys.executable, "-c", "from rostrum.cli.main import main; main()", "gateway", "--log-level", "warning")
PATIENCE = 300
AT_ONCE = 200
RECONNECT = 1.0
MIB = 1024 * 1024

Frame = dict[str, Any]


class Client(WSListener):
    """A peer that keeps nothing but what it is asked to look at."""

    def __init__(self, user: str, **identity: Any) -> None:
        self.user = user
        self.identity = identity
        self.peer_id = ""
        self.transport: WSTransport | None = None
        self.on_frame: Callable[[Frame], None] = lambda _: None
        self.closed = asyncio.Event()
        self.close_code = 0
        self._answers: dict[str, asyncio.Future[Frame]] = {}
        self._requests = 0

    async def connect(self, port: int) -> "Client":
        """Connect and sign in, for the first time or again."""
        self.closed = asyncio.Event()
        address = f"ws://127.0.0.1:{port}"
        self.transport, _ = await ws_connect(
            lambda: self, address, max_frame_size=64 * MIB, websocket_handshake_timeout=PATIENCE
        )
        login = {"method": "secret", "login": self.user, "secret": "s"}
        welcome = await self.ask(type="hello", identity=self.identity, authentication=login)
        if welcome["type"] != "welcome":
            raise RuntimeError(f"not let in: {welcome}")
        self.peer_id = welcome["peer_id"]
        return self

    def send(self, **message: Any) -> None:
        """Send a message."""
        assert self.transport is not None
        if self.peer_id:
            message.setdefault("peer_id", self.peer_id)
        self.transport.send(WSMsgType.TEXT, json.dumps(message).encode())

    async def ask(self, **message: Any) -> Frame:
        """Send a request, and wait for its answer."""
        self._requests += 1
        request_id = f"q{self._requests}"
        answer: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        self._answers[request_id] = answer
        self.send(**message, request_id=request_id)
        async with asyncio.timeout(PATIENCE):
            return await answer

    def on_ws_frame(self, transport: WSTransport, frame: Any) -> None:
        """Sort a frame: an answer, or something by itself."""
        if frame.msg_type == WSMsgType.CLOSE:
            self.close_code = int(frame.get_close_code())
            transport.disconnect()
            return
        message = json.loads(frame.get_payload_as_bytes())
        answer = self._answers.pop(str(message.get("request_id")), None)
        if answer is not None and not answer.done():
            answer.set_result(message)
        else:
            self.on_frame(message)

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 - picows' shape
        """Fail what is waited for."""
        self.peer_id = ""
        self.closed.set()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ConnectionError("closed"))
        self._answers.clear()


@dataclass
class Soak:
    """What is done, and what was seen."""

    wanted: argparse.Namespace
    process: subprocess.Popen[str] | None = None
    port: int = 0
    idle: list[Client] = field(default_factory=list)
    seen: list[tuple[str, str]] = field(default_factory=list)

    def note(self, what: str, figure: str) -> None:
        """Keep a figure for the report."""
        self.seen.append((what, figure))
        print(f"{what}: {figure}", file=sys.stderr)

    @property
    def resident(self) -> float:
        """Memory of the gateway in MiB."""
        assert self.process is not None
        return resident_kib(self.process.pid) / 1024

    async def start(self, port: int = 0) -> None:
        """Start the gateway."""
        command = (*GATEWAY, "--port", str(port))
        self.process = await asyncio.to_thread(_start, command)
        assert self.process.stdout is not None
        line = await asyncio.to_thread(self.process.stdout.readline)
        found = re.search(r":(\d+)\D*$", line)
        if found is None:
            raise RuntimeError(f"the gateway does not run: {line!r}")
        self.port = int(found[1])

    async def connect_all(self, clients: list[Client]) -> None:
        """Connect many, each trying again as real clients do."""
        turn = asyncio.Semaphore(AT_ONCE)

        async def one(client: Client) -> None:
            while True:
                with suppress(OSError, ConnectionError, TimeoutError):
                    async with turn:
                        await client.connect(self.port)
                    return
                await asyncio.sleep(RECONNECT)

        await asyncio.gather(*(one(client) for client in clients))

    async def idle_peers(self) -> None:
        """Connect those who do nothing for the rest of the soak."""
        before, began = self.resident, time.monotonic()
        self.idle = [Client("idle", application="idle", instance=f"i{number}") for number in range(self.wanted.idle)]
        await self.connect_all(self.idle)
        took = time.monotonic() - began
        self.note("idle peers connected", f"{len(self.idle)} in {took:.1f} s")
        self.note("memory per idle peer", f"{(self.resident - before) * 1024 / len(self.idle):.1f} KiB")

    async def wide_stream(self) -> None:
        """Publish to many for a while."""
        publisher = await Client("wide", application="publisher").connect(self.port)
        await publisher.ask(type="join", destination="agm")
        method = {"id": "s", "name": "Wide", "flags": {"streaming": True}}
        await publisher.ask(domain="agm", type="register", methods=[method])
        publisher.on_frame = lambda frame: _accept(publisher, frame)
        late: list[float] = []
        counts: dict[int, int] = {}
        subscribers = [Client("wide", application="reader") for _ in range(self.wanted.subscribers)]
        await self.connect_all(subscribers)
        turn = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(
            *(
                _subscribe(client, publisher, _counter(number, counts, late), turn)
                for number, client in enumerate(subscribers)
            )
        )
        assert self.process is not None
        cpu, began, sent = cpu_seconds(self.process.pid), time.monotonic(), 0
        while time.monotonic() - began < self.wanted.seconds:
            publisher.send(domain="agm", type="publish", stream_id="0", data={"n": sent, "at": time.monotonic()})
            sent += 1
            await asyncio.sleep(1 / self.wanted.rate)
        await _until(lambda: all(counts.get(number) == sent for number in range(len(subscribers))))
        took = time.monotonic() - began
        used = cpu_seconds(self.process.pid) - cpu
        events = sent * len(subscribers)
        self.note(f"1 → {len(subscribers)}, {sent} events", f"all {events:,} came, in order, in {took:.0f} s")
        self.note("processor time per event delivered", f"{used / events * 1e6:.1f} µs")
        quantiles = statistics.quantiles(late, n=100)
        self.note("latency of an event", f"median {quantiles[49] * 1000:.0f} ms, p99 {quantiles[98] * 1000:.0f} ms")
        for client in subscribers[10:]:
            await _close(client)
        await self.stopped_reader(publisher, subscribers[:10])
        for client in (publisher, *subscribers[:10]):
            await _close(client)

    async def stopped_reader(self, publisher: Client, others: list[Client]) -> None:
        """Publish large events while one of the readers has stopped."""
        slow = await Client("wide", application="sleeper").connect(self.port)
        await _subscribe(slow, publisher, lambda _: None, asyncio.Semaphore(1))
        assert slow.transport is not None
        slow.transport.underlying_transport.pause_reading()
        counts: dict[int, int] = {}
        for number, client in enumerate(others):
            client.on_frame = _counter(number, counts, [])
        before = most = self.resident
        removed = _Removed()
        publisher.on_frame = removed
        sent = 0
        while slow.peer_id not in removed.gone and sent < 2000:
            data = {"n": sent, "at": time.monotonic(), "more": "x" * 300_000}
            publisher.send(domain="agm", type="publish", stream_id="0", data=data)
            sent += 1
            await asyncio.sleep(0.02)
            most = max(most, self.resident)
        await _until(lambda: all(counts.get(number) == sent for number in range(len(others))))
        slow.transport.underlying_transport.resume_reading()
        async with asyncio.timeout(PATIENCE):
            await slow.closed.wait()
        how = f"code {slow.close_code}" if slow.close_code else "without having read why"
        self.note("a reader that stopped", f"cut off after {sent * 0.3:.0f} MB, {how}; the others got everything")
        self.note("memory while it lagged", f"{before:.0f} → at most {most:.0f} MiB")

    async def killed_callees(self) -> None:
        """Kill processes that have calls to answer."""
        caller = await Client("calls", application="caller").connect(self.port)
        known: dict[str, str] = {}
        caller.on_frame = lambda frame: _learn(known, frame)
        await caller.ask(type="join", destination="agm")
        command = (sys.executable, "-m", "bench.gateway_soak", "--callee", str(self.port))
        processes = [await asyncio.to_thread(_start, command) for _ in range(self.wanted.killed)]
        await _until(lambda: len(known) == len(processes))
        calls = [
            asyncio.ensure_future(caller.ask(domain="agm", type="call", server_id=server, method_id="0"))
            for server in known
            for _ in range(20)
        ]
        await asyncio.sleep(1)
        waiting = sum(not call.done() for call in calls)
        began = time.monotonic()
        for process in processes:
            process.send_signal(signal.SIGKILL)
        answers = await asyncio.gather(*calls)
        took = time.monotonic() - began
        for process in processes:
            process.wait()
        failed = sum(answer["type"] == "error" for answer in answers)
        self.note(
            f"{len(processes)} processes killed with {waiting} calls waiting", f"{failed} errors within {took:.2f} s"
        )
        await _close(caller)

    async def restart(self) -> None:
        """Kill the gateway, start it again, and let everyone come back."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        began = time.monotonic()
        await asyncio.gather(*(client.closed.wait() for client in self.idle))
        await self.start(self.port)
        await self.connect_all(self.idle)
        took = time.monotonic() - began
        self.note("gateway killed and started again", f"{len(self.idle)} peers back after {took:.1f} s")
        self.note("memory after it all", f"{self.resident:.0f} MiB")


def _start(command: tuple[str, ...]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=usual_environment()
    )


class _Removed:
    """Notes who has gone."""

    def __init__(self) -> None:
        self.gone: set[str] = set()

    def __call__(self, frame: Frame) -> None:
        if frame["type"] == "remove-interest":
            self.gone.add(frame["caller_id"])


def _accept(publisher: Client, frame: Frame) -> None:
    if frame["type"] == "add-interest":
        accepted = {"subscription_id": frame["subscription_id"], "stream_id": "0"}
        publisher.send(domain="agm", type="accepted", **accepted)


def _counter(number: int, counts: dict[int, int], late: list[float]) -> Callable[[Frame], None]:
    def count(frame: Frame) -> None:
        if frame["type"] == "event" and isinstance(frame["data"], dict):
            expected = counts.get(number, 0)
            if frame["data"]["n"] != expected:
                raise RuntimeError(f"event {frame['data']['n']} came where {expected} should")
            counts[number] = expected + 1
            late.append(time.monotonic() - frame["data"]["at"])

    return count


async def _subscribe(
    client: Client, publisher: Client, listener: Callable[[Frame], None], turn: asyncio.Semaphore
) -> None:
    client.on_frame = listener
    async with turn:
        # Readers need not see each other: announcing all to all is not what is looked at here.
        await client.ask(type="join", destination="agm", restrictions="$application == 'publisher'")
        answer = await client.ask(domain="agm", type="subscribe", server_id=publisher.peer_id, method_id="s")
    if answer["type"] != "subscribed":
        raise RuntimeError(f"not accepted: {answer}")


def _learn(known: dict[str, str], frame: Frame) -> None:
    if frame["type"] == "methods-added":
        known[frame["server_id"]] = frame["methods"][0]["name"]


async def _close(client: Client) -> None:
    if client.transport is not None:
        client.transport.disconnect()
        await client.closed.wait()


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - many small things make it true
            await asyncio.sleep(0.02)


async def _callee(port: int) -> None:
    """Offer a method, and never answer."""
    client = await Client("calls", application="callee").connect(port)
    await client.ask(type="join", destination="agm")
    await client.ask(domain="agm", type="register", methods=[{"id": "0", "name": "Never"}])
    await client.closed.wait()


@asynccontextmanager
async def _running(wanted: argparse.Namespace) -> AsyncIterator[Soak]:
    soak = Soak(wanted)
    await soak.start()
    try:
        yield soak
    finally:
        if soak.process is not None:
            soak.process.kill()
            soak.process.wait()


async def _soak(wanted: argparse.Namespace) -> None:
    async with _running(wanted) as soak:
        await soak.idle_peers()
        await soak.wide_stream()
        await soak.killed_callees()
        await soak.restart()
    print("| what | seen |\n|---|---|")
    print("\n".join(f"| {what} | {figure} |" for what, figure in soak.seen))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--idle", type=int, default=5000, help="idle peers")
    parser.add_argument("--subscribers", type=int, default=1000, help="subscribers of one stream")
    parser.add_argument("--seconds", type=float, default=60, help="how long the stream lasts")
    parser.add_argument("--rate", type=float, default=20, help="events per second")
    parser.add_argument("--killed", type=int, default=20, help="processes that are killed with calls waiting")
    parser.add_argument("--callee", type=int, default=0, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    uvloop.run(_callee(wanted.callee) if wanted.callee else _soak(wanted))


if __name__ == "__main__":
    main()
