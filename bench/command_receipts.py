"""Polls while many desktops report the results of a command run, against polls of the same server without them."""

import asyncio
import base64
import http.client
import json
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.firm import ADMIN, Server, firm, served
from bench.postgresql import postgresql
from bench.processes import SERVER_CORE, on_core
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.config import read_config
from rostrum.manager.sessions.model import Session
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.topics import manager_storage

RECEIPTS = 2_000
SECONDS = 10.0
ROUNDS = 3
PACE_SECONDS = 0.02
WRITERS = 8
WARM_UP = 50
RUNS = "/admin/commands/runs"


@dataclass(slots=True)
class Measured:
    """Seconds that polls took without and with receipts, and that all receipts took in each round."""

    alone: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)
    receipts: list[float] = field(default_factory=list)


def report() -> str:
    rows = []
    with firm(users=0, apps=500) as config:
        rows.append(_row("SQLite", _measured(config)))
    with postgresql() as database, firm(users=0, apps=500, store=database.address) as config:
        rows.append(_row("PostgreSQL", _measured(config)))
    return (
        "## Command receipts\n\n"
        f"{RECEIPTS:,} desktops report the result of a command run, spread over {SECONDS:.0f} s, while another client "
        f"polls its apps every {PACE_SECONDS * 1000:.0f} ms. The peer is the same server without receipts. Both are "
        f"measured in turn, in {ROUNDS} rounds; the times of polls are the median and the 99th percentile of all "
        "rounds. Receipts is the time until the last one was accepted (median of the rounds).\n\n"
        "| database | receipts | polls without receipts | polls during receipts | ratio of the medians | "
        "ratio of the 99th percentiles |\n|---|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def _row(database: str, found: Measured) -> str:
    ratios = [share(found.beside) / share(found.alone) for share in (statistics.median, _p99)]
    return (
        f"| {database} | {RECEIPTS:,} in {statistics.median(found.receipts):.1f} s | {_times(found.alone)} | "
        f"{_times(found.beside)} | **{ratios[0]:.1f} ×** | {ratios[1]:.1f} × |"
    )


def _times(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds) * 1000:.1f} / {_p99(seconds) * 1000:.1f} ms"


def _p99(seconds: Sequence[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.99)]


def _measured(config: Path) -> Measured:
    found = Measured()
    asyncio.run(_add_sessions(read_config(json.loads(config.read_text()), {}).config.store))
    with served(config, on_core(SERVER_CORE)) as server:
        poller = _Client(server)
        etag = poller.etag("/apps")
        for _ in range(WARM_UP):
            poller.poll(etag)
        for number in range(ROUNDS):
            found.alone += _paced(poller, etag)
            answers = _start(server, number)
            with _answering(server, answers) as seconds:
                found.beside += _paced(poller, etag)
            found.receipts += seconds
            _require_all(poller, number)
    return found


async def _add_sessions(store: str) -> None:
    """Connect the desktops; all of them are the administrator's, so that no user signs in while it is measured."""
    storage = manager_storage(store)
    async with storage.write(SYSTEM.user) as work:
        for number in range(RECEIPTS):
            await work.of(Sessions).add(
                Session(
                    id=_session(number),
                    user=ADMIN[0],
                    machine=f"machine{number:05}",
                    version="10.1",
                    env="",
                    region="",
                    product="desktop",
                    commands="[]",
                    started=work.now,
                    # They count as connected for as long as it takes to measure.
                    last_seen=work.now.replace(year=work.now.year + 1, day=1),
                )
            )
    await storage.close()


def _session(number: int) -> str:
    return f"session{number:05}"


def _start(server: Server, number: int) -> list[str]:
    """Start a run, wait until all desktops have the command, and return the addresses of their answers."""
    client = _Client(server)
    body = {"key": f"round{number}", "command": "Restart", "target": {"users": [ADMIN[0]]}}
    run = client.json("POST", RUNS, body)["id"]
    while client.json("GET", f"{RUNS}/{run}")["sent"] < RECEIPTS:
        time.sleep(0.05)
    targets = []
    for offset in range(0, RECEIPTS, 1000):
        targets += client.json("GET", f"{RUNS}/{run}/targets?limit=1000&offset={offset}")["items"]
    return [f"/sessions/{each['session']}/commands/{each['command']}/result" for each in targets]


def _require_all(client: "_Client", number: int) -> None:
    """Wait until the manager has counted all answers."""
    runs = client.json("GET", f"{RUNS}?limit=1")["items"]
    until = time.perf_counter() + SECONDS
    while runs[0]["done"] < RECEIPTS and time.perf_counter() < until:
        time.sleep(0.1)
        runs = client.json("GET", f"{RUNS}?limit=1")["items"]
    assert (runs[0]["done"], runs[0]["status"]) == (RECEIPTS, "done"), (number, runs[0])


@contextmanager
def _answering(server: Server, addresses: Sequence[str]) -> Iterator[list[float]]:
    """Report results at a steady pace, from several connections; gives the seconds that all of them took."""
    seconds: list[float] = []
    clients = [_Client(server) for _ in range(WRITERS)]
    begin = time.perf_counter()

    def run(place: int) -> None:
        for number in range(place, len(addresses), WRITERS):
            time.sleep(max(0.0, begin + number * SECONDS / len(addresses) - time.perf_counter()))
            clients[place].ask("POST", addresses[number], b'{"status":"done","data":{"restarted":true}}')

    threads = [threading.Thread(target=run, args=(place,)) for place in range(WRITERS)]
    for thread in threads:
        thread.start()
    try:
        yield seconds
    finally:
        for thread in threads:
            thread.join()
        seconds.append(time.perf_counter() - begin)


def _paced(poller: "_Client", etag: str) -> list[float]:
    waits = []
    begin = time.perf_counter()
    for number in range(int(SECONDS / PACE_SECONDS)):
        time.sleep(max(0.0, begin + number * PACE_SECONDS - time.perf_counter()))
        began = time.perf_counter()
        poller.poll(etag)
        waits.append(time.perf_counter() - began)
    return waits


class _Client:
    """A connection of the administrator, with a session cookie."""

    def __init__(self, server: Server) -> None:
        address = urlsplit(server.address)
        self._connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
        secret = base64.b64encode(":".join(ADMIN).encode()).decode()
        self._headers = {"Authorization": f"Basic {secret}"}
        cookie = self._send("GET", "/me", None)[0].headers["set-cookie"].partition(";")[0]
        origin = f"{address.scheme}://{address.netloc}"
        self._headers = {"Cookie": cookie, "Origin": origin, "Content-Type": "application/json"}

    def etag(self, path: str) -> str:
        return str(self._send("GET", path, None)[0].headers["etag"])

    def poll(self, etag: str) -> None:
        """Ask for new apps; there are none."""
        answer, _ = self._send("GET", "/apps", None, {"If-None-Match": etag})
        assert answer.status == 304, answer.status

    def json(self, method: str, path: str, body: Any = None) -> Any:
        return json.loads(self.ask(method, path, None if body is None else json.dumps(body).encode()))

    def ask(self, method: str, path: str, body: bytes | None) -> bytes:
        return self._send(method, path, body)[1]

    def _send(
        self, method: str, path: str, body: bytes | None, more: dict[str, str] | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        try:
            answer = self._asked(method, path, body, more or {})
        except http.client.RemoteDisconnected:
            # The server closes connections that nobody uses for some seconds.
            self._connection.close()
            answer = self._asked(method, path, body, more or {})
        content = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:1000]!r}")
        return answer, content

    def _asked(self, method: str, path: str, body: bytes | None, more: dict[str, str]) -> http.client.HTTPResponse:
        self._connection.request(method, f"/api{path}", body=body, headers={**self._headers, **more})
        return self._connection.getresponse()
