"""Gestures with windows of groups, by a real pointer: how long docking, tearing out and common edges take."""

import asyncio
import statistics
import time
from collections.abc import Callable, Sequence

from bench.rows import Row, table
from bench.window_desk import Place, desktop, virtual_display
from rostrum.desktop.hosts.reports import Moved
from rostrum.desktop.windows.geometry import Bounds
from tests.windows.desk import BORDER, CAPTION, DeskOfTests
from tests.windows.pages import page, served
from tests.windows.screen import Rectangle

ROUNDS = 40
WARM_UP = 3
RED, BLUE = (255, 0, 0), (0, 0, 255)
PAGES = {"/a": page("a", "a", color="#ff0000"), "/b": page("b", "b", color="#0000ff")}
SIZE = {"width": 400, "height": 300}
APPS = {"a": {"url": "/a", "left": 100, "top": 200, **SIZE}, "b": {"url": "/b", "left": 1000, "top": 500, **SIZE}}
A, B = Rectangle(100, 200, 400, 300), Rectangle(504, 200, 400, 300)
"""Both windows when they are in one group."""
HEADER = CAPTION + BORDER
GROUP = Rectangle(100, 200 - HEADER, 804, 300 + HEADER)
AWAY = Rectangle(1000, 500, 400, 300)
EDGE_MS, EDGE_STEPS, EDGE_ROUNDS = 3, 300, 3
"""The pause between two moves of the pointer, which is far shorter than the time of a picture."""
_PATIENCE = 20.0
_LOOK = 0.002
"""Looking more often takes the processor from what is measured."""


def report() -> str:
    with virtual_display() as place:
        rows = asyncio.run(measured(place))
    return (
        "## Gestures in groups\n\n"
        f"A real pointer on a virtual display with software rendering, {ROUNDS} rounds, with the complete platform. "
        "Docking: from the release of the button until both windows are one native window that shows both pages. "
        "Tearing out: from the pointer movement that begins it until the page is visible in a separate window. "
        f"Common edge: the pointer moves every {EDGE_MS} ms, {EDGE_STEPS} times. The lag is the time since the "
        "pointer was at the position that a report contains. If reports queue up, the lag grows towards the end.\n\n"
        + table(rows)
    )


async def measured(place: Place) -> list[Row]:
    with served(PAGES) as pages:
        async with desktop(place, APPS, pages) as desk:
            a, _ = await desk.loaded("a")
            b, _ = await desk.loaded("b")
            docked, torn = [], []
            for number in range(ROUNDS + WARM_UP):
                dock_ms = await dock(desk)
                tear_ms = await tear_out(desk, b)
                # The first rounds fill caches that the others use.
                if number >= WARM_UP:
                    docked.append(dock_ms)
                    torn.append(tear_ms)
            await dock(desk)
            lags = [await edge_lags(desk, a, b) for _ in range(EDGE_ROUNDS)]
    early, late = max(one[0] for one in lags), max(one[1] for one in lags)
    drained, count = max(one[2] for one in lags), min(one[3] for one in lags)
    return [
        ("dock", _percentiles(docked), "p95 < 100 ms"),
        ("tear out", _percentiles(torn), "p95 < 100 ms"),
        (
            "lag of a common edge, first and second half of the drag",
            f"at most {early:.0f} and {late:.0f} ms ({count} reports for {EDGE_STEPS} moves)",
            "does not grow",
        ),
        ("last move of a common edge until both pages are visible at their positions", f"{drained:.0f} ms", "–"),
    ]


def _percentiles(times: Sequence[float]) -> str:
    return f"p50 {statistics.median(times):.0f} ms, p95 {statistics.quantiles(times, n=20)[-1]:.0f} ms"


async def dock(desk: DeskOfTests) -> float:
    """Drag one window beside the other; return the milliseconds from the drop until both are one window."""
    screen = desk.screen
    grip = _grip(AWAY)
    screen.drag(grip, (grip[0] + B.x + 6 - AWAY.x, grip[1] + B.y + 3 - AWAY.y), drop=False)
    await seen("the window beside the other one", lambda: _bounds(desk, "b") == B.moved(6, 3))
    screen.release()
    began = time.perf_counter()

    def is_docked() -> bool:
        return (
            screen.pixel(*B.center) == BLUE
            and _bounds(desk, "Group") == GROUP
            and screen.pixel(*A.center) == RED
            and len(desk.windows()) == 1
        )

    await seen("one window", is_docked)
    return (time.perf_counter() - began) * 1e3


async def tear_out(desk: DeskOfTests, instance: str) -> float:
    """Drag the window out of its group; return the milliseconds until it is a window of its own."""
    screen, grip = desk.screen, _grip(B)
    end = (grip[0] + AWAY.x - B.x, grip[1] + AWAY.y - B.y)
    torn = B.moved(0, 60)
    screen.move(*grip)
    screen.press()
    screen.move(grip[0], grip[1] + 8)
    screen.move(grip[0], grip[1] + 60)
    began = time.perf_counter()
    await seen("a window of its own", lambda: screen.pixel(*torn.center) == BLUE and _bounds(desk, "b") == torn)
    taken = (time.perf_counter() - began) * 1e3
    screen.move(*end)
    await seen("the window away", lambda: _bounds(desk, "b") == AWAY)
    screen.release()
    records = desk.platform.services.windows
    wanted = Bounds(*AWAY)
    await seen("no group", lambda: not records.groups.all and records.registry.find(instance).bounds == wanted)
    await seen("the other window", lambda: _bounds(desk, "a") == A and screen.pixel(*A.center) == RED)
    return taken


async def edge_lags(desk: DeskOfTests, first: str, second: str) -> tuple[float, float, float, int]:
    """Drag the line between both windows; return its longest lags, when the pages are there, and how many reports."""
    screen = desk.screen
    start = (502, 350)
    passed: list[tuple[float, int]] = []
    heard: list[tuple[float, float]] = []
    stop = desk.platform.reports.listen(
        Moved,
        lambda one: heard.append((time.perf_counter(), one.bounds.right)) if one.instance == first else None,
    )
    screen.move(*start)
    screen.press()
    for number in range(1, EDGE_STEPS + 1):
        # To the right and back.
        along = number if number <= EDGE_STEPS // 2 else EDGE_STEPS - number
        screen.move(start[0] + along, start[1])
        passed.append((time.perf_counter(), 500 + along))
        await asyncio.sleep(EDGE_MS / 1000)
    end = time.perf_counter()
    # The line is where it was: the page of each window ends there, beside its border.
    left, right = (500 - BORDER - 2, 400), (504 + BORDER + 2, 400)
    await seen("both pages", lambda: screen.pixel(*left) == RED and screen.pixel(*right) == BLUE)
    drained = (time.perf_counter() - end) * 1e3
    screen.release()
    stop()
    groups = desk.platform.services.windows.groups
    places = {first: Bounds(*A), second: Bounds(*B)}
    await seen("the line at rest", lambda: [dict(one.windows) for one in groups.all] == [places])
    lags = [(when - _last(passed, place, when)) * 1e3 for when, place in heard if when <= end]
    half = len(lags) // 2
    return max(lags[:half], default=0.0), max(lags[half:], default=0.0), drained, len(lags)


def _last(passed: Sequence[tuple[float, int]], place: float, until: float) -> float:
    """Return when the pointer was at a place, the last time before a report."""
    return max((when for when, there in passed if there == place and when <= until), default=until)


def _grip(window: Rectangle) -> tuple[int, int]:
    return window.x + window.width // 2, window.y + BORDER + CAPTION // 2


def _bounds(desk: DeskOfTests, title: str) -> Rectangle | None:
    found = desk.screen.find(title)
    return None if found is None else found.bounds


async def seen(what: str, condition: Callable[[], bool]) -> None:
    """Look at the screen all the time, while the platform goes on."""
    try:
        async with asyncio.timeout(_PATIENCE):
            while not condition():  # noqa: ASYNC110 - the screen says nothing by itself
                await asyncio.sleep(_LOOK)
    except TimeoutError:
        raise AssertionError(f"not seen: {what}") from None
