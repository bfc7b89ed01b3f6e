"""Ten thousand clients of the event stream: memory, how soon a change is seen, what a restart does to those at work.

The bare application on the same server sends the same bytes to as many clients and knows nothing of them.
"""

import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import httpx

from bench.firm import ADMIN, Server, firm, served
from rostrum.base.clock import SystemClock
from rostrum.manager.auth.tokens import Tokens, Use

CLIENTS = int(os.environ.get("BENCH_EVENT_CLIENTS", "10000"))
PROCESSES = 2
USERS = 1000
ROUNDS = 5
PATIENCE = 600
MEMORY = "memory of the server, MiB"

BARE = """
import asyncio, sys
from granian.constants import HTTPModes, Interfaces
from granian.server.embed import Server

waiting = set()

async def app(scope, receive, send):
    if scope["path"] == "/fire":
        for one in list(waiting):
            one.set_result(None)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    body = b"retry: 1000\\n\\nevent: ready\\nid: 1\\ndata: {}\\n\\n"
    number = 1
    while True:
        await send({"type": "http.response.body", "body": body, "more_body": True})
        one = asyncio.get_running_loop().create_future()
        waiting.add(one)
        await one
        waiting.discard(one)
        number += 1
        body = b'event: systemConfig\\nid: %d\\ndata: {"revision":%d}\\n\\n' % (number, number)

async def main():
    server = Server(app, address="127.0.0.1", port=int(sys.argv[1]), interface=Interfaces.ASGINL,
                    http=HTTPModes.http1, websockets=False, log_enabled=False, backlog=4096, backpressure=65536)
    await server.serve()

import uvloop
uvloop.run(main())
"""


def report() -> str:
    bare = _bare()
    ours, herd = _manager()
    goals = {MEMORY: "< 1024 MiB", "change received by 99 %, ms": "< 1000 ms"}
    rows = [
        f"| {name} | {bare[name]:.0f} | {ours[name]:.0f} | {ours[name] / bare[name]:.1f} × | {goals.get(name, '')} |"
        for name in ours
    ]
    return (
        "## Live updates\n\n"
        f"{CLIENTS:,} clients of {USERS:,} users hold event streams. They run in {PROCESSES} processes, on the same "
        f"{os.cpu_count()} cores as the server. The delay begins when the request that changes the priority of a "
        f"group is sent, and ends when a client receives the event; medians of {ROUNDS} changes. The bare application "
        "sends the same bytes with granian to the same number of clients.\n\n"
        "| figure | bare | manager | manager ÷ bare | goal |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n\n" + herd
    )


def _bare() -> dict[str, float]:
    port = _free_port()
    process = subprocess.Popen([sys.executable, "-c", BARE, str(port)])
    try:
        _until_listening(port)
        with _clients(port, "/events", ["none"]) as clients:
            clients.all("connect", PATIENCE)
            memory = Server("", process.pid, 0).resident_mib
            fire = partial(httpx.get, f"http://127.0.0.1:{port}/fire", timeout=60)
            return _figures(memory, [clients.delays(fire) for _ in range(ROUNDS)])
    finally:
        process.kill()
        process.wait(30)


def _manager() -> tuple[dict[str, float], str]:
    with firm(users=USERS, apps=100) as config:
        settings = json.loads(config.read_text())
        settings["port"] = port = _free_port()
        config.write_text(json.dumps(settings))
        cookies = _cookies(settings)
        with ExitStack() as stack:
            with served(config) as server:
                clients = stack.enter_context(_clients(port, "/api/events", cookies))
                began = time.monotonic()
                connected = clients.all("connect", PATIENCE)
                memory = server.resident_mib
                seen = [_change(server.address, clients, number) for number in range(ROUNDS)]
                figures = _figures(memory, seen)
                first = connected[-1] - began
                os.kill(server.pid, signal.SIGTERM)
                lost = sum(clients.each("lose", PATIENCE))
            with served(config) as server:
                return figures, _come_back(server, clients, cookies[0], first, lost)


def _change(address: str, clients: "_Clients", number: int) -> list[float]:
    def change() -> None:
        body = {"name": f"Desk {number}", "priority": number + 1}
        httpx.post(f"{address}/admin/groups", json=body, auth=ADMIN, timeout=60).raise_for_status()

    return clients.delays(change)


def _come_back(server: Server, clients: "_Clients", cookie: str, first: float, lost: int) -> str:
    """Let everyone come back at once after a restart, while one who is signed in goes on polling."""
    waits: list[float] = []
    done = threading.Event()

    def poll() -> None:
        with httpx.Client(base_url=server.address, cookies={"PLATFORM_SESSION": cookie}, timeout=60) as client:
            while not done.is_set():
                began = time.monotonic()
                client.get("/apps").raise_for_status()
                waits.append(time.monotonic() - began)
                done.wait(0.02)

    poller = threading.Thread(target=poll)
    poller.start()
    began = time.monotonic()
    back = clients.all("connect", PATIENCE)
    done.set()
    poller.join()
    waits.sort()
    return (
        f"All clients connected within {first:.1f} s. After a restart, {lost:,} clients had lost their stream, and "
        f"{len(back):,} reconnected within {back[-1] - began:.1f} s, each after an individual delay. During this "
        f"time, the polls of a signed-in client took {_at(waits, 0.5) * 1000:.0f} ms at the median and "
        f"{_at(waits, 0.99) * 1000:.0f} ms at the 99th percentile ({len(waits):,} polls).\n"
    )


def _cookies(settings: dict[str, Any]) -> list[str]:
    tokens = Tokens(settings["token"]["secret"], SystemClock())
    return [tokens.sign(f"user{number:06}", Use.SESSION, epoch=0, seconds=36_000) for number in range(USERS)]


def _figures(memory: float, rounds: Sequence[list[float]]) -> dict[str, float]:
    def at(share: float) -> float:
        return statistics.median(_at(sorted(seen), share) for seen in rounds) * 1000

    return {
        MEMORY: memory,
        "change received by half of the clients, ms": at(0.5),
        "change received by 99 %, ms": at(0.99),
        "change received by all, ms": at(1),
    }


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class _Clients:
    """The processes that clients run in."""

    def __init__(self, processes: list[subprocess.Popen[str]]) -> None:
        self._processes = processes

    def all(self, *task: Any) -> list[float]:
        return sorted(moment for answer in self.each(*task) for moment in answer)

    def each(self, *task: Any) -> list[Any]:
        self.tell(task)
        return self._answers()

    def delays(self, change: Callable[[], object]) -> list[float]:
        """Change a document, and return after which time each client was notified."""
        self.tell(("hear", "event: systemConfig\n", PATIENCE))
        # They forget what they have seen before; that must be done when it happens again.
        time.sleep(1)
        began = time.monotonic()
        change()
        moments = sorted(moment for answer in self._answers() for moment in answer)
        if len(moments) < CLIENTS:
            raise RuntimeError(f"{CLIENTS - len(moments)} clients did not hear of a change")
        return [moment - began for moment in moments]

    def tell(self, task: Sequence[Any]) -> None:
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(json.dumps(task) + "\n")
            process.stdin.flush()

    def _answers(self) -> list[Any]:
        return [json.loads(process.stdout.readline()) for process in self._processes if process.stdout is not None]


@contextmanager
def _clients(port: int, path: str, cookies: list[str]) -> Iterator[_Clients]:
    each = CLIENTS // PROCESSES
    command = [sys.executable, "-c", "from bench.event_clients import main; main()", str(port), path, str(each)]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(PROCESSES)
    ]
    try:
        clients = _Clients(processes)
        clients.tell(cookies)
        yield clients
    finally:
        for process in processes:
            process.kill()
            process.wait(30)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until_listening(port: int) -> None:
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("the bare server does not listen")
