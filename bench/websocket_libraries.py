"""Which WebSocket library costs the gateway least: picows against websockets, both on uvloop."""

import statistics
import sys
from contextlib import AbstractContextManager
from typing import Any

from bench.processes import Load, Measured, cpu_seconds, pinned_load, pinned_server, resident_kib

ROUNDS = 5
IDLE = 1000

PICOWS = """
import asyncio, uvloop
from picows import WSListener, WSMsgType, ws_create_server

everyone = set()

class Listener(WSListener):
    def on_ws_connected(self, transport):
        everyone.add(transport)

    def on_ws_frame(self, transport, frame):
        if frame.msg_type != WSMsgType.TEXT:
            return transport.disconnect() if frame.msg_type == WSMsgType.CLOSE else None
        message = frame.get_payload_as_bytes()
        for receiver in everyone if message.startswith(b"f") else (transport,):
            receiver.send(WSMsgType.TEXT, message)

    def on_ws_disconnected(self, transport):
        everyone.discard(transport)

async def main():
    limits = {"max_frame_size": 1 << 24, "read_buffer_init_size": 2048}
    server = await ws_create_server(lambda request: Listener(), "127.0.0.1", 0, **limits)
    print(f":{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()

uvloop.run(main())
"""

WEBSOCKETS = """
import asyncio, uvloop
from websockets.asyncio.server import broadcast, serve
from websockets.exceptions import ConnectionClosed

everyone = set()

async def handle(connection):
    everyone.add(connection)
    try:
        while True:
            message = await connection.recv(decode=False)
            if message.startswith(b"f"):
                broadcast(everyone, message.decode())
            else:
                await connection.send(message, text=True)
    except ConnectionClosed:
        everyone.discard(connection)

async def main():
    async with serve(handle, "127.0.0.1", 0, max_size=1 << 24, compression=None, ping_interval=None) as server:
        print(f":{server.sockets[0].getsockname()[1]}", flush=True)
        await server.serve_forever()

uvloop.run(main())
"""

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "echo of 120 bytes, one at a time": ("echo", {"sockets": 1, "count": 6000, "width": 1, "size": 120}),
    "echo of 120 bytes, 8 × 16 outstanding": ("echo", {"sockets": 8, "count": 20000, "width": 128, "size": 120}),
    "1 → 50, 120 bytes": ("fanOut", {"sockets": 50, "count": 1500, "size": 120}),
    "echo of 1 MiB": ("echo", {"sockets": 1, "count": 400, "width": 1, "size": 1 << 20}),
}


def report() -> str:
    rows = []
    with pinned_load("frames.mjs") as load, server_of(PICOWS) as picows, server_of(WEBSOCKETS) as websockets:
        for name, (order, details) in CASES.items():
            pairs = [
                (cost(load, picows, order, **details), cost(load, websockets, order, **details)) for _ in range(ROUNDS)
            ]
            ours, other = (statistics.median(values) * 1e6 for values in zip(*pairs, strict=True))
            rows.append(f"| {name} | {ours:.1f} µs | {other:.1f} µs | {other / ours:.1f} × |")
        ours, other = idle_kib(load, PICOWS), idle_kib(load, WEBSOCKETS)
        rows.append(
            f"| memory per idle connection, {IDLE} of them | {ours:.1f} KiB | {other:.1f} KiB | {other / ours:.1f} × |"
        )
    return (
        "## WebSocket libraries\n\n"
        f"Processor time of the server for each incoming message, as medians of {ROUNDS} rounds. Both libraries run "
        "on uvloop, without compression. One core runs the server, the other one the load.\n\n"
        "| case | picows | websockets | websockets ÷ picows |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def server_of(program: str) -> AbstractContextManager[Measured]:
    return pinned_server([sys.executable, "-c", program])


def cost(load: Load, server: Measured, order: str, *, sockets: int, **details: Any) -> float:
    load.do("connect", address=f"ws://127.0.0.1:{server.port}", count=sockets)
    before = cpu_seconds(server.pid)
    count: int = load.do(order, **details)["count"]
    used = cpu_seconds(server.pid) - before
    load.do("disconnect")
    return used / count


def idle_kib(load: Load, program: str) -> float:
    with server_of(program) as server:
        before = resident_kib(server.pid)
        load.do("connect", address=f"ws://127.0.0.1:{server.port}", count=IDLE)
        held = (resident_kib(server.pid) - before) / IDLE
        load.do("disconnect")
        return held
