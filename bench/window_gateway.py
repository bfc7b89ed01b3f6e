"""The gateway while windows are busy: the latency of calls between two clients, against windows at rest."""

import asyncio
import math
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.processes import Load, node_load, usual_environment
from bench.rows import Row, ratio_row, table
from bench.window_desk import PAGE, Place, virtual_display
from rostrum.desktop.key_file import Key, KeyFile
from rostrum.gateway import LocalPeer
from rostrum.gateway.remote import connected
from tests.windows.desk import caption, write_desk
from tests.windows.pages import served
from tests.windows.screen import Screen, Window

PAIRS, CALLS = 20, 1500
REST = 1.5
FRAME = 1 / 60
OPEN = 0.3
"""Seconds that a window is open, and closed again."""
DRAGGED = {"url": "/page", "left": 100, "top": 100, "width": 500, "height": 350}
OPENED = {"url": "/page", "left": 900, "top": 400, "width": 500, "height": 350}
COMMAND = [sys.executable, "-c", "from rostrum.cli.main import main; main()", "desktop", "--config"]


def report() -> str:
    with virtual_display() as place, served({"/page": PAGE}) as pages:
        root = place.folder / "desk"
        write_desk(root, {"dragged": DRAGGED, "opened": OPENED}, {}, pages.address)
        with running(root) as key, node_load("load.mjs") as load:
            rows = asyncio.run(measured(place, key, load))
    return (
        "## Gateway while windows are busy\n\n"
        f"{CALLS:,} calls, one at a time, from one client to another through the gateway of `rostrum desktop` with "
        f"windows. Medians of the ratios of {PAIRS} pairs. Busy: a window is dragged with the pointer 60 times a "
        f"second, and another window is opened and closed, {OPEN * 1e3:.0f} ms each. At rest: nothing happens.\n\n"
        + table(rows)
    )


@contextmanager
def running(root: Path) -> Iterator[Key]:
    """Run the desktop with windows; return with what clients sign in."""
    command = [*COMMAND, str(root / "config")]
    process = subprocess.Popen(
        command, cwd=root, env=usual_environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        assert any(line.startswith("ready") for line in process.stdout)
        yield KeyFile(next(root.rglob("key.json")).parent).read()
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()


async def measured(place: Place, key: Key, load: Load) -> list[Row]:
    rest: dict[str, list[float]] = {"p50": [], "p99": []}
    busy: dict[str, list[float]] = {"p50": [], "p99": []}
    async with connected(key.address, login=key.user, secret=key.secret, application="bench") as peer:
        await peer.join("agm")
        await peer.methods.call("Rostrum.Apps.Start", {"name": "dragged"})
        window = await place.screen.until("the window", lambda: place.screen.find("dragged"))
        load.do("prepare", address=key.address, login=key.user, secret=key.secret, scene="call")
        for number in range(PAIRS + 1):
            await asyncio.sleep(REST)
            quiet = await asyncio.to_thread(load.do, "run", count=CALLS, width=1)
            stop = asyncio.Event()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(drag(place.screen, window, stop))
                tasks.create_task(open_windows(peer, stop))
                await asyncio.sleep(OPEN)
                loud = await asyncio.to_thread(load.do, "run", count=CALLS, width=1)
                stop.set()
            if number:
                for times, figures in ((rest, quiet), (busy, loud)):
                    for name, values in times.items():
                        values.append(figures[name])
        load.do("leave")
    return [
        ratio_row("99th percentile of calls, windows busy ÷ at rest", busy["p99"], rest["p99"], "≤ 1.5", digits=1),
        ratio_row("median of calls, windows busy ÷ at rest", busy["p50"], rest["p50"], "–", digits=2),
    ]


async def drag(screen: Screen, window: Window, stop: asyncio.Event) -> None:
    """Drag a window in circles."""
    now = screen.if_open(window)
    assert now is not None
    x, y = caption(now)
    screen.move(x, y)
    screen.press()
    angle = 0.0
    while not stop.is_set():
        angle += 1 / 15
        screen.move(x + round(120 - 120 * math.cos(angle)), y + round(100 + 100 * math.sin(angle)))
        await asyncio.sleep(FRAME)
    screen.move(x, y)
    screen.release()


async def open_windows(peer: LocalPeer, stop: asyncio.Event) -> None:
    """Open and close a window again and again."""
    while not stop.is_set():
        started = await peer.methods.call("Rostrum.Apps.Start", {"name": "opened"})
        await asyncio.sleep(OPEN)
        await peer.methods.call("Rostrum.Instances.Stop", {"instance": started["id"]})
        await asyncio.sleep(OPEN)
