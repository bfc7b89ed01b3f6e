"""What a request costs the server, against a bare application on the same server sending the same bytes."""

import asyncio
import socket
import statistics
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from bench.firm import ADMIN, Server, firm, served

ROUNDS = 5
SECONDS = 1.0

BARE = """
import asyncio, sys
from granian.constants import HTTPModes, Interfaces
from granian.server.embed import Server

body = sys.stdin.buffer.read()

async def app(scope, receive, send):
    if dict(scope["headers"]).get(b"if-none-match"):
        await send({"type": "http.response.start", "status": 304, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    small = scope["path"] == "/me"
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b'{"id":"admin"}' if small else body})

async def main():
    import uvloop
    server = Server(app, address="127.0.0.1", port=PORT, interface=Interfaces.ASGINL, http=HTTPModes.http1,
                    websockets=False, log_enabled=False)
    await server.serve()

import uvloop
uvloop.run(main())
"""


def report() -> str:
    with firm(users=1000, apps=500) as config, served(config) as server:
        cookies = dict(httpx.get(f"{server.address}/me", auth=ADMIN).cookies)
        listed = httpx.get(f"{server.address}/apps", cookies=cookies)
        tag = {"If-None-Match": listed.headers["etag"]}
        with bare(listed.content) as limit:
            cases = {
                "who am I, cookie": ("/me", cookies, {}),
                "app list (nothing new, 304), cookie": ("/apps", cookies, tag),
                f"app list ({len(listed.content) // 1000} KB), cookie": ("/apps", cookies, {}),
            }
            rows = [row(name, server, limit, *case) for name, case in cases.items()]
            rows.append(row("app list, Basic on each request", server, limit, "/apps", {}, basic()))
    return (
        "## Requests\n\n"
        "CPU of the server per request; the bare application answers the same bytes from granian without looking at "
        "anything.\n\n| request | bare | manager | bare ÷ manager |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def basic() -> dict[str, str]:
    return {"Authorization": f"Basic {b64encode(':'.join(ADMIN).encode()).decode()}"}


def row(name: str, server: Server, limit: Server, path: str, cookies: dict[str, str], headers: dict[str, str]) -> str:
    pairs = [(cost(limit, path, cookies, headers), cost(server, path, cookies, headers)) for _ in range(ROUNDS)]
    base, ours = (statistics.median(values) for values in zip(*pairs, strict=True))
    return f"| {name} | {base * 1e6:.0f} µs | {ours * 1e6:.0f} µs | {base / ours:.3f} |"


def cost(server: Server, path: str, cookies: dict[str, str], headers: dict[str, str]) -> float:
    return asyncio.run(_cost(server, path, cookies, headers))


async def _cost(server: Server, path: str, cookies: dict[str, str], headers: dict[str, str]) -> float:
    async with httpx.AsyncClient(base_url=server.address, cookies=cookies, headers=headers) as client:
        for _ in range(5):
            await client.get(path)
        before, began, count = server.cpu_seconds, time.perf_counter(), 0
        while time.perf_counter() - began < SECONDS:
            await asyncio.gather(*(client.get(path) for _ in range(8)))
            count += 8
        return (server.cpu_seconds - before) / count


@contextmanager
def bare(body: bytes) -> Iterator[Server]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-c", BARE.replace("PORT", str(port))], stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(body)
    process.stdin.close()
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(200):
            try:
                httpx.get(f"{address}/me").raise_for_status()
                break
            except httpx.ConnectError:
                time.sleep(0.05)
        yield Server(address, process.pid, 0.0)
    finally:
        process.kill()
        process.wait(30)
