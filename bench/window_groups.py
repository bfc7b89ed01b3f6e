"""Groups of windows: one step of a move with five members against one window, in turn on the same display."""

import asyncio
import os
import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path

from rostrum.base.ids import new_id
from rostrum.desktop.hosts.port import WindowHost, WindowRequest
from rostrum.desktop.hosts.reports import LoadFinished, Reports
from rostrum.desktop.hosts.start import window_process
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.geometry import Bounds, box
from rostrum.desktop.windows.groups import GroupDrawing, Header
from tests.sources.server import answering, running
from tests.windows.display import running_display
from tests.windows.screen import Screen

MEMBERS = 5
STEPS = 40
ROUNDS = 5
PAGE = b"<!doctype html><title>Page</title><body><h1>Prices</h1>"
PATIENCE = 60.0
_LOOKS = 20_000
_GAP, _WIDTH, _HEIGHT, _HEADER = 4, 200, 250, 34


def report() -> str:
    with tempfile.TemporaryDirectory() as folder, running_display(Path(folder)) as display:
        os.environ |= {"DISPLAY": display.name, "ROSTRUM_WINDOWS_TEST": "1"}
        with closing(Screen(display.name)) as screen:
            one, five = asyncio.run(measured(screen))
    ratio = statistics.median(group / single for group, single in zip(five, one, strict=True))
    return (
        "## Movement of groups\n\n"
        f"A user drags a native window in {STEPS} steps. Each step ends when the X server has moved the window. "
        f"Median of the ratios of {ROUNDS} pairs, measured in turn on one virtual display.\n\n"
        "| figure | measured | goal |\n|---|---|---|\n"
        f"| step of a group of {MEMBERS} windows ÷ step of one window | {ratio:.2f} ({statistics.median(five):.2f} and "
        f"{statistics.median(one):.2f} ms) | ≤ 1.5 |\n"
    )


async def measured(screen: Screen) -> tuple[list[float], list[float]]:
    """Return the milliseconds of a step, for one window and for a group."""
    async with running(answering(200, PAGE, "content-type: text/html")) as server:
        host, reports = window_process(), Reports()
        await host.prepare(Engine(), reports)
        names = [await opened(host, reports, server.url) for _ in range(MEMBERS)]
        alone = await opened(host, reports, server.url)
        await host.move_window(alone, Bounds(20, 500, _WIDTH, _HEIGHT))
        await host.set_title(alone, "Alone")
        await grouped(host, names)
        one, five = [], []
        for _ in range(ROUNDS):
            one.append(await asyncio.to_thread(step_ms, screen, "Alone", (60, 19)))
            five.append(await asyncio.to_thread(step_ms, screen, "Group", (400, 19)))
        await host.close()
        return one, five


async def opened(host: WindowHost, reports: Reports, address: str) -> str:
    """Open a window, and wait until its page is loaded; return its id."""
    instance, loaded = new_id(), asyncio.Event()
    stop = reports.listen(LoadFinished, lambda report: loaded.set() if report.instance == instance else None)
    place = Bounds(100, 100, _WIDTH, _HEIGHT)
    request = WindowRequest(instance=instance, kind="window", title="Page", details={"url": address}, bounds=place)
    await host.open_window(request)
    await asyncio.wait_for(loaded.wait(), PATIENCE)
    stop()
    return instance


async def grouped(host: WindowHost, names: list[str]) -> None:
    places = {name: Bounds(20 + n * (_WIDTH + _GAP), 100, _WIDTH, _HEIGHT) for n, name in enumerate(names)}
    drawing = GroupDrawing(
        id="g",
        type="Web",
        bounds=box(places.values()),
        windows=places,
        filled=(),
        background="#1e2229",
        header=Header(title="Group", editable=False),
        system_buttons=False,
        edge=_GAP,
        title="Group",
    )
    await host.show_group(drawing)


def step_ms(screen: Screen, title: str, grip: tuple[int, int]) -> float:
    """Drag a window to the right and back; return the milliseconds of a step."""
    window = screen.window(title)
    x, y = window.bounds.x + grip[0], window.bounds.y + grip[1]
    screen.move(x, y)
    screen.press()
    # Far enough for a drag; the window follows.
    began, last = 0.0, window.bounds.x
    for number in range(STEPS):
        if number == 1:
            began = time.perf_counter()
        along = 6 * (number + 1 if number < STEPS // 2 else STEPS - number - 1)
        screen.move(x + along, y)
        last = window.bounds.x + along
        for _ in range(_LOOKS):
            # Without a pause: it would be longer than a step.
            if (now := screen.if_open(window)) is not None and now.bounds.x == last:
                break
        else:
            raise AssertionError(f"the window {title} did not follow the pointer")
    taken = time.perf_counter() - began
    screen.release()
    return taken * 1e3 / (STEPS - 1)
