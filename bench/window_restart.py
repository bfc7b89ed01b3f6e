"""The window process is killed: how soon its windows are back, against a cold start with the same windows."""

import asyncio
import json
import os
import signal
import time
from pathlib import Path
from typing import cast

from bench.rows import Row, ratio_row, table
from bench.window_desk import PAGE, PATIENCE, Heard, Place, virtual_display
from rostrum.desktop.hosts.process import ProcessHost
from rostrum.desktop.hosts.start import window_process
from rostrum.desktop.login import Login
from rostrum.desktop.platform import Platform
from rostrum.sources.load import Start
from tests.windows.desk import SETTINGS
from tests.windows.pages import served

PAIRS, WINDOWS = 9, 5
WAIT = 500.0
"""Milliseconds that the platform must wait before it starts the window process again for the first time."""


def report() -> str:
    with virtual_display() as place, served({"/page": PAGE}) as pages:
        write_apps(place.folder, f"{pages.address}/page")
        rows = asyncio.run(measured(place))
    return (
        "## Windows after a failure\n\n"
        f"Medians of the ratios of {PAIRS} pairs. Cold start: from the start of the platform in a running Python "
        f"process, with {WINDOWS} apps that start automatically, until their pages are loaded. Killed: from the "
        f"moment that a signal ends the window process until exactly these {WINDOWS} windows are visible again and "
        f"their pages are loaded. The platform must wait {WAIT:.0f} ms before it starts the process again. The second "
        "row does not include this delay.\n\n" + table(rows)
    )


def write_apps(root: Path, address: str) -> None:
    for folder in ("config", "apps"):
        (root / folder).mkdir()
    (root / "config" / "system.json").write_text(json.dumps(SETTINGS))
    for number in range(WINDOWS):
        details = {"url": address, "left": 40 + 300 * number, "top": 100, "width": 280, "height": 400}
        # The first takes the place of the launcher, which is a window, too.
        definition = {"name": f"app-{number}", "type": "window", "autoStart": True, "shell": number == 0}
        (root / "apps" / f"{number}.json").write_text(json.dumps({**definition, "details": details}))


async def measured(place: Place) -> list[Row]:
    cold, back = [], []
    for number in range(PAIRS + 1):
        taken = await one_pair(place)
        # The first start reads programs from the disk that the others find in memory.
        if number:
            cold.append(taken[0])
            back.append(taken[1])
    what = f"killed until {WINDOWS} windows are restored ÷ cold start with {WINDOWS} windows"
    return [
        ratio_row(what, back, cold, "≤ 1.2"),
        ratio_row("the same without the required delay", [one - WAIT for one in back], cold, "–"),
    ]


async def one_pair(place: Place) -> tuple[float, float]:
    async def ask(_: str) -> Login | None:
        return None

    host = window_process()
    start = Start(root=place.folder, variables={"PATH": os.environ["PATH"], "USER": "ann"})
    platform = Platform(start, host, ask, headless=False)
    heard = Heard(platform.reports)
    began = time.perf_counter()
    await platform.start()
    try:
        await heard.loaded_pages(WINDOWS)
        cold = time.perf_counter() - began
        await exactly_five(place)
        process = cast("ProcessHost", host).process
        assert process is not None
        # Until nothing of the start is left to do.
        await asyncio.sleep(2)
        heard.forget()
        began = time.perf_counter()
        os.kill(process, signal.SIGKILL)
        await heard.loaded_pages(WINDOWS)
        back = time.perf_counter() - began
        await exactly_five(place)
    finally:
        await platform.stop()
    return cold * 1e3, back * 1e3


async def exactly_five(place: Place) -> None:
    """Wait until the windows are on the screen; fail when there are others."""
    # Without a tray, the platform shows its menu in a small window of its own.
    names = sorted(("Rostrum menu", *(f"app-{number}" for number in range(WINDOWS))))
    async with asyncio.timeout(PATIENCE):
        while (shown := sorted(place.screen.titles())) != names:
            if len(shown) > len(names):
                raise RuntimeError(f"there are more windows on the screen than {WINDOWS} and the menu: {shown}")
            await asyncio.sleep(0.01)
