"""Windows: ours against a bare view of the same engine and against a window of Chromium, in pairs of one run."""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from rostrum.base.ids import new_id
from rostrum.desktop.hosts.port import Bounds, WindowHost, WindowRequest
from rostrum.desktop.hosts.reports import HostRestored, LoadFinished, Reports
from rostrum.desktop.hosts.start import child_environment, window_process
from rostrum.desktop.windows.engine import Engine
from tests.sources.server import answering, running
from tests.windows.display import running_display
from tests.windows.processes import descendants
from tools.chromium import find_chromium

PAIRS = 20
MORE = 6
PLACE = Bounds(100, 100, 600, 400)
PATIENCE = 60.0
PAGE = b"<!doctype html><title>Page</title><body><h1>Prices</h1><script>window.loaded = true</script>"


def report() -> str:
    with tempfile.TemporaryDirectory() as folder, running_display(Path(folder)) as display:
        os.environ |= {"DISPLAY": display.name, "ROSTRUM_WINDOWS_TEST": "1"}
        with chromium() as browser:
            figures = asyncio.run(measured(browser))
    return (
        "## Windows\n\n"
        f"Medians of the ratios of {PAIRS} pairs, measured in turn on one virtual display with software drawing. The "
        "bare view is a `QWebEngineView` of the same engine in a process of its own. Chromium opens windows over its "
        "debugging protocol.\n\n"
        "| figure | measured | goal |\n|---|---|---|\n" + "".join(f"| {' | '.join(row)} |\n" for row in figures)
    )


async def measured(browser: tuple[str, str]) -> list[tuple[str, str, str]]:
    async with running(answering(200, PAGE, "content-type: text/html")) as server:
        reports = Reports()
        host = window_process()
        cold = await timed(first(host, reports, server.url))
        with bare() as peer:
            # The first window of each starts processes that the others use.
            await asyncio.to_thread(peer, f"open {server.url}")
            await open_in_chromium(browser, server.url)
            views, windows, ours = [], [], []
            for _ in range(PAIRS):
                views.append(float(await asyncio.to_thread(peer, f"open {server.url}")))
                await asyncio.to_thread(peer, "close")
                began = time.perf_counter()
                instance = await opened(host, reports, server.url)
                ours.append((time.perf_counter() - began) * 1e3)
                await host.close_window(instance)
                windows.append(await open_in_chromium(browser, server.url))
            before = proportional_mib()
            for _ in range(MORE):
                await asyncio.to_thread(peer, f"open {server.url}")
            theirs = proportional_mib() - before
        before = proportional_mib()
        for _ in range(MORE):
            await opened(host, reports, server.url)
        mine = proportional_mib() - before
        restored = await timed(killed(reports))
        await host.close()
        return [
            row("window open until loaded ÷ bare view", ours, views, "≤ 1.3"),
            row("window open until loaded ÷ window of Chromium", ours, windows, "≤ 0.6"),
            (
                "memory of a further window ÷ bare view",
                f"{mine / theirs:.2f} ({mine / MORE:.1f} and {theirs / MORE:.1f} MiB)",
                "≤ 1.15",
            ),
            (
                f"window process killed until {MORE + 1} windows are back ÷ cold start with one",
                f"{restored / cold:.2f} ({restored:.0f} and {cold:.0f} ms)",
                "–",
            ),
        ]


def row(what: str, ours: list[float], theirs: list[float], goal: str) -> tuple[str, str, str]:
    ratio = statistics.median(one / other for one, other in zip(ours, theirs, strict=True))
    return what, f"{ratio:.2f} ({statistics.median(ours):.0f} and {statistics.median(theirs):.0f} ms)", goal


async def timed(action: Awaitable[object]) -> float:
    began = time.perf_counter()
    await action
    return (time.perf_counter() - began) * 1e3


async def first(host: WindowHost, reports: Reports, address: str) -> None:
    """Start the window process, and open a window."""
    await host.prepare(Engine(), reports)
    await opened(host, reports, address)


async def opened(host: WindowHost, reports: Reports, address: str) -> str:
    """Open a window, and wait until its page is loaded; return its id."""
    instance, loaded = new_id(), asyncio.Event()
    stop = reports.listen(LoadFinished, lambda report: loaded.set() if report.instance == instance else None)
    details = {"url": address}
    await host.open_window(WindowRequest(instance=instance, kind="window", title="Page", details=details, bounds=PLACE))
    await asyncio.wait_for(loaded.wait(), PATIENCE)
    stop()
    return instance


async def killed(reports: Reports) -> None:
    """Kill the window process, and wait until all of its windows are back."""
    back = asyncio.Event()
    reports.listen(HostRestored, lambda _: back.set())
    process = next(one for one in descendants().values() if "rostrum.desktop.hosts.qt" in one.command)
    os.kill(process.pid, 9)
    await asyncio.wait_for(back.wait(), PATIENCE)


def proportional_mib() -> float:
    """Return the memory of all processes below this one; what several share counts once."""
    total = 0
    for process in descendants():
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1])
    return total / 1024


@contextmanager
def bare() -> Iterator[Callable[[str], str]]:
    """Run the bare view; what is returned sends it a line, and returns its answer."""
    environment = {**child_environment(os.environ), "QTWEBENGINE_CHROMIUM_FLAGS": "--no-sandbox"}
    command = [sys.executable, "-m", "bench.bare_window"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    ) as peer:
        assert peer.stdin is not None
        assert peer.stdout is not None
        stdin, stdout = peer.stdin, peer.stdout
        assert stdout.readline() == "ready\n"

        def send(line: str) -> str:
            stdin.write(f"{line}\n")
            stdin.flush()
            return stdout.readline()

        yield send
        stdin.close()


@contextmanager
def chromium() -> Iterator[tuple[str, str]]:
    """Run Chromium with windows; return the address of its debugging protocol, and the path of the browser there."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [find_chromium(), "--no-sandbox", "--no-first-run", "--disable-gpu", f"--user-data-dir={folder}"]
        process = subprocess.Popen([*command, "--remote-debugging-port=0", "about:blank"], stderr=subprocess.DEVNULL)
        try:
            written = Path(folder) / "DevToolsActivePort"
            for _ in range(int(PATIENCE * 20)):
                if written.exists() and len(lines := written.read_text().split()) == 2:
                    break
                time.sleep(0.05)
            yield f"ws://127.0.0.1:{lines[0]}", lines[1]
        finally:
            process.terminate()
            process.wait()


async def open_in_chromium(browser: tuple[str, str], page: str) -> float:
    """Open a window of Chromium and close it again; return the milliseconds until its page was loaded."""
    address, path = browser
    async with connect(f"{address}{path}", proxy=None) as whole:
        began = time.perf_counter()
        target = (await ask(whole, "Target.createTarget", url=page, newWindow=True))["targetId"]
        async with connect(f"{address}/devtools/page/{target}", proxy=None) as opened:
            await asyncio.wait_for(is_loaded(opened), PATIENCE)
        taken = (time.perf_counter() - began) * 1e3
        await ask(whole, "Target.closeTarget", targetId=target)
    return taken


async def is_loaded(page: ClientConnection) -> None:
    # The load event may come before the connection.
    complete = "window.loaded && document.readyState === 'complete'"
    look = f"new Promise((done) => {{ const look = () => {complete} ? done(1) : setTimeout(look, 1); look() }})"
    while (await ask(page, "Runtime.evaluate", expression=look, awaitPromise=True))["result"].get("value") != 1:
        # The page was replaced by the one that was asked for.
        pass


async def ask(socket: ClientConnection, method: str, **parameters: Any) -> Any:
    await socket.send(json.dumps({"id": 1, "method": method, "params": parameters}))
    async with asyncio.timeout(PATIENCE):
        while "id" not in (answer := json.loads(await socket.recv())):
            pass
    return answer.get("result", {"result": {}})
