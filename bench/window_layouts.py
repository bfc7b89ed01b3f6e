"""Layouts: ten windows restored by the platform, against ten bare views of the same engine one after the other."""

import asyncio
import time
from collections.abc import Callable

from bench.rows import Row, ratio_row, table
from bench.window_desk import PAGE, Heard, Place, desktop, virtual_display
from bench.window_peers import bare_view
from rostrum.stores.layouts.store import LayoutKey
from tests.windows.desk import DeskOfTests
from tests.windows.pages import served

WINDOWS = 10
ROUNDS = 7
LAYOUT = LayoutKey("Global", "Ten windows")
APPS = {
    f"app {number}": {
        "url": "/page",
        "left": 20 + number % 5 * 310,
        "top": 20 + number // 5 * 400,
        "width": 300,
        "height": 380,
    }
    for number in range(WINDOWS)
}


def report() -> str:
    with virtual_display() as place:
        row = asyncio.run(measured(place))
    return (
        "## Restored layouts\n\n"
        f"Medians of the ratios of {ROUNDS} rounds, measured in turn on one virtual display with software rendering "
        "and the same page. A layout is restored when all its windows are visible and their pages are loaded. Each "
        "bare view is opened when the page of the previous one is loaded.\n\n" + table([row])
    )


async def measured(place: Place) -> Row:
    with served({"/page": PAGE}) as pages:
        async with desktop(place, APPS, pages) as desk:
            with bare_view() as peer:
                return await restoring(desk, peer, f"{pages.address}/page")


async def restoring(desk: DeskOfTests, peer: Callable[[str], str], address: str) -> Row:
    layouts, heard = desk.platform.services.layouts, Heard(desk.platform.reports)
    for app in APPS:
        await desk.loaded(app)
    await layouts.save(LAYOUT.name)
    ours: list[float] = []
    theirs: list[float] = []
    for number in range(ROUNDS + 1):
        await desk.close_all()
        heard.forget()
        began = time.perf_counter()
        for _ in range(WINDOWS):
            await asyncio.to_thread(peer, f"open {address}")
        opened = time.perf_counter()
        for _ in range(WINDOWS):
            await asyncio.to_thread(peer, "close")
        started = time.perf_counter()
        assert await layouts.restore(LAYOUT) == ()
        await heard.loaded_pages(WINDOWS)
        # The first round starts processes that the others use.
        if number:
            theirs.append((opened - began) * 1e3)
            ours.append((time.perf_counter() - started) * 1e3)
    what = f"restore of {WINDOWS} windows ÷ {WINDOWS} bare views one after the other"
    return ratio_row(what, ours, theirs, "≤ 1.0")
