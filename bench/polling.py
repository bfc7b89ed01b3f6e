"""What a poll costs the server, against a bare application on the same server that sends the same bytes."""

import base64
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from bench import load, plot
from bench.effort import costs
from bench.figures import Sample
from bench.firm import ADMIN, Server, firm, served
from bench.postgresql import postgresql
from bench.processes import SERVER_CORE, on_core

ROUNDS = 7
SAMPLE_SECONDS = 0.5
PLAIN = {"Accept-Encoding": "identity"}

BARE = """
import base64, json, sys
from granian.constants import HTTPModes, Interfaces
from granian.server.embed import Server
import uvloop

answers = json.load(sys.stdin)
def ready(answer):
    headers = [(name.encode(), value.encode()) for name, value in answer["headers"]]
    start = {"type": "http.response.start", "status": answer["status"], "headers": headers}
    return start, {"type": "http.response.body", "body": base64.b64decode(answer["body"])}
new, same = ready(answers["new"]), ready(answers["same"])

async def app(scope, receive, send):
    start, body = new
    for name, _ in scope["headers"]:
        if name == b"if-none-match":
            start, body = same
    await send(start)
    await send(body)

async def main():
    server = Server(app, address="127.0.0.1", port=PORT, interface=Interfaces.ASGINL, http=HTTPModes.http1,
                    websockets=False, log_enabled=False)
    await server.serve()

uvloop.run(main())
"""


@dataclass(frozen=True, slots=True)
class Case:
    """One request, and how much of the bare application's rate is wanted."""

    name: str
    headers: Mapping[str, str]
    expected: int = 200
    path: str = "/apps"
    goal: float | None = None


def report() -> str:
    with firm(users=1000, apps=500) as config:
        rows = measured(config, with_cookies=True)
    with firm(users=1000, apps=500, useSessionCookie=False) as config:
        rows += measured(config, with_cookies=False)
    with postgresql() as database, firm(users=1000, apps=500, store=database.address) as config:
        rows += measured(config, with_cookies=True, only=("poll", "on PostgreSQL"))
    return (
        "## Polls\n\n"
        "Processor time of the server for each request. The manager has 500 apps and runs as one process on one "
        "core. 16 connections from the other core send requests. The bare application is one function on the same "
        "server (granian). It checks only `If-None-Match`, and sends the same status, headers and body as the "
        f"manager. Both are measured in turn, in {ROUNDS} rounds. The times and shares are medians of the rounds.\n\n"
        "| request | bare | manager | share of the bare rate | goal |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def measured(config: Path, *, with_cookies: bool, only: tuple[str, str] | None = None) -> list[str]:
    with served(config, on_core(SERVER_CORE)) as server:
        credentials = session(server) if with_cookies else basic()
        listed = full_list(server, credentials)
        size = f" ({len(listed.content) // 1000} KB)"
        if not with_cookies:
            cases = [Case(f"full list{size}, Basic, no cookies", credentials, goal=0.75)]
        else:
            cases = cases_with_cookie(credentials, listed, size)
        if only is not None:
            cases = [
                Case(f"{case.name}, {only[1]}", case.headers, case.expected) for case in cases if only[0] in case.name
            ]
        with bare(server, credentials, listed.headers["etag"]) as limit:
            return [row(case, server, limit) for case in cases]


def sample() -> Sample:
    """Measure only the manager, with cookies."""
    found: Sample = {}
    with firm(users=1000, apps=500) as config, served(config, on_core(SERVER_CORE)) as server:
        credentials = session(server)
        cases = cases_with_cookie(credentials, full_list(server, credentials))
        rounds = [[driven(case, server, SAMPLE_SECONDS) for case in cases] for _ in range(ROUNDS)]
    for case, taken in zip(cases, zip(*rounds, strict=True), strict=True):
        found |= costs(case.name, [cost.effort.divided(cost.requests) for cost in taken])
    return found


def full_list(server: Server, credentials: Mapping[str, str]) -> httpx.Response:
    return httpx.get(f"{server.address}/apps", headers={**credentials, **PLAIN}).raise_for_status()


def cases_with_cookie(credentials: Mapping[str, str], listed: httpx.Response, size: str = "") -> list[Case]:
    held = {**credentials, "If-None-Match": listed.headers["etag"]}
    return [
        Case("poll with cookie, nothing new (304)", held, 304, goal=0.55),
        Case(f"full list{size} with cookie", credentials, goal=0.75),
    ]


def driven(case: Case, server: Server, seconds: float = 1.0) -> load.Cost:
    target = load.request(server.address, case.path, case.headers)
    return load.drive([server.pid], target, expected=case.expected, seconds=seconds)


def session(server: Server) -> dict[str, str]:
    cookies = httpx.get(f"{server.address}/me", auth=ADMIN).cookies
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}


def basic() -> dict[str, str]:
    return {"Authorization": f"Basic {base64.b64encode(':'.join(ADMIN).encode()).decode()}"}


def row(case: Case, server: Server, limit: Server) -> str:
    pairs = [tuple(driven(case, each).each for each in (limit, server)) for _ in range(ROUNDS)]
    base, ours = (statistics.median(values) * 1e6 for values in zip(*pairs, strict=True))
    share = statistics.median(pair[0] / pair[1] for pair in pairs)
    plot.RATES[f"bare: {case.name}"] = 1e6 / base
    plot.RATES[f"manager: {case.name}"] = 1e6 / ours
    goal = "" if case.goal is None else f"≥ {case.goal}"
    return f"| {case.name} | {base:.0f} µs | {ours:.0f} µs | **{share:.2f}** | {goal} |"


@contextmanager
def bare(server: Server, credentials: Mapping[str, str], tag: str) -> Iterator[Server]:
    """Run the bare application with the answers that the manager gave."""
    answers = {}
    for name, headers in (("new", {}), ("same", {"If-None-Match": tag})):
        answer = httpx.get(f"{server.address}/apps", headers={**credentials, **PLAIN, **headers})
        kept = [(key, value) for key, value in answer.headers.items() if key != "date"]
        body = base64.b64encode(answer.content).decode()
        answers[name] = {"status": answer.status_code, "headers": kept, "body": body}
    port = load.free_port()
    process = subprocess.Popen(
        [*on_core(SERVER_CORE), sys.executable, "-c", BARE.replace("PORT", str(port))], stdin=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(answers))
    process.stdin.close()
    try:
        load.until_listening(port)
        yield Server(f"http://127.0.0.1:{port}", process.pid, 0.0)
    finally:
        process.kill()
        process.wait(30)
