"""Windows: ours against a bare view of the same engine and against a window of Chromium, in pairs of one run."""

import asyncio
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bench.rows import Row, ratio_row, table
from bench.window_desk import PAGE, PLACE, Heard, Place, desktop, virtual_display
from bench.window_peers import Chromium, bare_view, chromium
from tests.windows.desk import DeskOfTests
from tests.windows.pages import served
from tests.windows.processes import descendants

PAIRS = 20
MEMORY_ROUNDS, MORE = 3, 5
REST = 1.5
"""Seconds in which the window process prepares empty windows again; nothing is measured meanwhile."""
APPS = {
    "page": {"url": "/page", **PLACE},
    # A window that is left out of the taskbar is not prepared.
    "unprepared": {"url": "/page", "showInTaskbar": False, **PLACE},
}

Peer = Callable[[str], str]


def report() -> str:
    with virtual_display() as place:
        rows = asyncio.run(measured(place))
    return (
        "## Windows\n\n"
        f"Medians of the ratios of {PAIRS} rounds, in which all variants are measured in turn, on one virtual display "
        "with software rendering and the same page. A window of Rostrum is measured from the start of an app by the "
        "platform until its page is reported as loaded, with the platform's API in the page. The bare view is a "
        "`QWebEngineView` of the same engine in a separate process, without a platform. Chromium opens a visible "
        "window through its debugging protocol, measured until its document is complete. The memory is that of a "
        "window after others were closed: the platform returns the memory of closed windows to the system, so that the "
        "next window requests it again (about 9 MiB). The bare view keeps it.\n\n" + table(rows)
    )


async def measured(place: Place) -> list[Row]:
    with served({"/page": PAGE}) as pages:
        async with desktop(place, APPS, pages) as desk:
            address = f"{pages.address}/page"
            with bare_view() as peer:
                async with chromium(place.screen) as browser:
                    rows = await opening(desk, peer, browser, address)
                return [*rows, await memory(desk, peer, address)]


async def opening(desk: DeskOfTests, peer: Peer, browser: Chromium, address: str) -> list[Row]:
    heard = Heard(desk.platform.reports)
    times: tuple[list[float], ...] = ([], [], [], [], [])
    prepared, unprepared, views, again, windows = times
    for number in range(PAIRS + 1):
        one = [
            await opened(desk, heard, "page"),
            await opened(desk, heard, "unprepared"),
            float(await asyncio.to_thread(peer, f"open {address}")),
            float(await asyncio.to_thread(peer, f"again {address}")),
        ]
        await asyncio.to_thread(peer, "close")
        one.append(await browser.open_window(address))
        # The first round starts processes that the others use.
        if number:
            for taken, column in zip(one, times, strict=True):
                column.append(taken)
    return [
        ratio_row("window opened until its page is loaded ÷ bare view", prepared, views, "≤ 1.0"),
        ratio_row("window opened until its page is loaded ÷ window of Chromium", prepared, windows, "≤ 0.6"),
        ratio_row(
            "window that cannot be prepared in advance (no taskbar entry) ÷ bare view", unprepared, views, "≤ 1.3"
        ),
        ratio_row("limit: the page in a bare view that is already open ÷ bare view", again, views, "–"),
    ]


async def opened(desk: DeskOfTests, heard: Heard, app: str) -> float:
    """Open a window and close it again; return the milliseconds until its page was loaded."""
    await asyncio.sleep(REST)
    instances = desk.platform.services.instances
    began = time.perf_counter()
    instance = await instances.start(app)
    await heard.loaded(instance.id)
    taken = (time.perf_counter() - began) * 1e3
    await desk.screen.until("the window", lambda: len(desk.screen.windows()) > 0)
    await instances.stop(instance.id)
    heard.forget()
    await asyncio.sleep(REST)
    return taken


async def memory(desk: DeskOfTests, peer: Peer, address: str) -> Row:
    """Compare what further windows take, all processes together."""
    heard = Heard(desk.platform.reports)
    ours, theirs = [], []
    for _ in range(MEMORY_ROUNDS):
        before = await memory_at_rest()
        for _ in range(MORE):
            await asyncio.to_thread(peer, f"open {address}")
        theirs.append((await memory_at_rest() - before) / MORE)
        for _ in range(MORE):
            await asyncio.to_thread(peer, "close")
        before = await memory_at_rest()
        started = [(await desk.platform.services.instances.start("page")).id for _ in range(MORE)]
        await heard.loaded(*started)
        ours.append((await memory_at_rest() - before) / MORE)
        for instance in started:
            await desk.platform.services.instances.stop(instance)
    ratio = statistics.median(one / other for one, other in zip(ours, theirs, strict=True))
    sizes = f"{statistics.median(ours):.1f} and {statistics.median(theirs):.1f} MiB"
    return "memory of a further window ÷ bare view", f"{ratio:.2f} ({sizes})", "≤ 1.15"


async def memory_at_rest() -> float:
    await asyncio.sleep(2 * REST)
    return proportional_mib()


def proportional_mib() -> float:
    """Return the memory of all processes below this one; what several share counts once."""
    total = 0
    for process in descendants():
        with suppress(OSError):
            for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
    return total / 1024
