"""The desktop library in the page of a window: how soon it is ready, against the bare core library."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from bench.rows import Row, ratio_row, table
from bench.window_desk import PLACE, Heard, Place, desktop, virtual_display
from tests.desktop.t42.libraries import PROJECT
from tests.windows.desk import DeskOfTests
from tests.windows.pages import Answer, page, served

PAIRS = 20
REST = 1.0
CALLS = {"desktop": "IODesktop()", "core": "IOConnectCore()"}
START = """<script src="/desktop.js"></script><script src="/core.js"></script><script>
const began = performance.now();
const show = (title) => { document.title = title; };
%s.then(() => show("ready " + (performance.now() - began)), (error) => show("ready failed: " + error));
</script>"""
APPS = {name: {"url": f"/{name}", **PLACE} for name in CALLS}


def report() -> str:
    with virtual_display() as place:
        rows = asyncio.run(measured(place))
    return (
        "## Desktop library\n\n"
        "Time from the call of `IODesktop()` in the page of a window until the library is ready, compared with "
        f"`@interopio/core` in the same page in another window. Medians of the ratios of {PAIRS} pairs. Both "
        "libraries are unmodified, connect to the platform and are called without options.\n\n" + table(rows)
    )


def library(name: str) -> Callable[[], Answer]:
    file = Path(PROJECT) / "node_modules" / "@interopio" / name / "dist" / f"{name}.umd.js"
    return lambda: (200, {"Content-Type": "text/javascript"}, file.read_bytes())


async def measured(place: Place) -> list[Row]:
    answers = {f"/{name}.js": library(name) for name in CALLS}
    documents = {f"/{name}": page(name, head=START % call) for name, call in CALLS.items()}
    times: dict[str, list[float]] = {name: [] for name in CALLS}
    with served({**answers, **documents}) as pages:
        async with desktop(place, APPS, pages) as desk:
            heard = Heard(desk.platform.reports)
            for number in range(PAIRS + 1):
                for name in CALLS if number % 2 else reversed(CALLS):
                    taken = await ready(desk, heard, name)
                    if number:
                        times[name].append(taken)
    return [ratio_row("`IODesktop()` ready ÷ bare core library", times["desktop"], times["core"], "≤ 2.0")]


async def ready(desk: DeskOfTests, heard: Heard, app: str) -> float:
    """Open a window whose page calls a library; return the milliseconds that the page has measured."""
    await asyncio.sleep(REST)
    instance = await desk.platform.services.instances.start(app)
    taken = await heard.titled(instance.id, "ready ")
    await desk.platform.services.instances.stop(instance.id)
    return float(taken)
