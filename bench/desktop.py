"""The desktop: many apps from a folder, a running platform at rest, a change that many platforms receive."""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx
import pyjson5

from bench.effort import costs, own_efforts
from bench.figures import Sample
from bench.processes import cpu_seconds, resident_kib
from rostrum.client.changes import ManagerChanges
from rostrum.client.credentials import Basic
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from rostrum.stores.apps.path_store import PathAppStore

APPS, PLATFORMS, CHANGES, RUNS = 1000, 1000, 5, 5
REST = 10.0
DESKTOP = [sys.executable, "-c", "from rostrum.cli.main import main; main()", "desktop", "--headless"]


def report() -> str:
    # They load much, which a sample does not need.
    from tests.real_manager import manager

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_apps(folder / "apps")
        ours, bare = medians(lambda: asyncio.run(opened(folder / "apps")), lambda: read(folder / "apps"))
        busy, memory = at_rest(folder / "desk")
        (folder / "manager").mkdir()
        with manager(folder / "manager", events={"perUser": PLATFORMS + 10}) as server:
            seconds = asyncio.run(heard(server.address))
    late = sorted(seconds)[int(len(seconds) * 0.99) - 1]
    return (
        "## Desktop\n\n"
        f"Apps: the app store reads, validates and converts {APPS:,} definitions; the peer reads the same files and "
        f"parses them with the bare JSON5 library. Platform at rest: no apps are running. Changes: {PLATFORMS:,} "
        "simulated platforms listen to one manager with SQLite.\n\n"
        "| figure | measured | goal |\n|---|---|---|\n"
        f"| {APPS:,} apps of a path store | {ours * 1e3:.0f} ms ({ours / bare:.2f} × reading and parsing) | < 2 × |\n"
        f"| platform at rest, share of a core | {busy * 100:.2f} % | < 0.5 % |\n"
        f"| platform at rest, memory | {memory:.0f} MiB | < 120 MiB |\n"
        f"| a change, received by 99 % of the platforms | {late * 1e3:.0f} ms | < 1,000 ms |\n"
    )


def sample() -> Sample:
    """Measure only the app store."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "apps"
        write_apps(folder)
        return costs(f"{APPS:,} apps of a path store", own_efforts(lambda: asyncio.run(opened(folder)), RUNS))


def medians(*actions: Callable[[], object]) -> list[float]:
    """Run each in turn and return the median of its processor time."""
    taken: list[list[float]] = [[] for _ in actions]
    for _ in range(RUNS):
        for action, times in zip(actions, taken, strict=True):
            before = time.process_time()
            action()
            times.append(time.process_time() - before)
    return [statistics.median(times) for times in taken]


def write_apps(folder: Path) -> None:
    folder.mkdir()
    for number in range(APPS):
        details = {"url": f"https://apps.example/{number}", "width": 800, "height": 600, "mode": "tab"}
        definition = {"name": f"app-{number}", "title": f"App {number}", "type": "window", "details": details}
        (folder / f"{number}.json").write_text(json.dumps(definition, indent=2))


async def opened(folder: Path) -> None:
    store = PathAppStore(folder, watched=False)
    await store.open()
    await store.close()
    assert len(store.apps.definitions) == APPS


def read(folder: Path) -> None:
    for path in sorted(folder.rglob("*.json")):
        pyjson5.decode(path.read_bytes().decode())


def at_rest(folder: Path) -> tuple[float, float]:
    """Return the share of a core, and the MiB, of a platform that has nothing to do."""
    (folder / "config").mkdir(parents=True)
    (folder / "config" / "system.json").write_text('{"gw": {"configuration": {"port": 0}}}')
    with subprocess.Popen(DESKTOP, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("ready")
        time.sleep(2)
        before, began = cpu_seconds(process.pid), time.monotonic()
        time.sleep(REST)
        busy = (cpu_seconds(process.pid) - before) / (time.monotonic() - began)
        memory = resident_kib(process.pid) / 1024
        process.terminate()
    return busy, memory


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(12_000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise RuntimeError("it did not come true within two minutes")


async def heard(address: str) -> list[float]:
    """Return how long after an administrator sent a change each platform received it."""
    from tests.conftest import ADMIN
    from tests.real_manager import USER

    services = [Service(address, Basic(*USER)) for _ in range(PLATFORMS)]
    listeners = [ManagerChanges(ManagerClient(service)) for service in services]
    seconds: list[float] = []
    began = 0.0

    def are_heard(number: int) -> bool:
        return len(seconds) >= number

    for listener in listeners:
        listener.changed.connect(lambda kind: seconds.append(time.monotonic() - began) if kind == "apps" else None)
        listener.start()
    await until(lambda: all(listener.connected for listener in listeners))
    await asyncio.sleep(1)
    seconds.clear()
    async with httpx.AsyncClient(base_url=address, auth=ADMIN, timeout=60) as admin:
        await admin.get("/me")
        for number in range(CHANGES):
            wanted = len(seconds) + PLATFORMS
            definition = {"name": f"change {number}", "type": "window", "details": {"url": "https://example.com"}}
            began = time.monotonic()
            (await admin.post("/admin/apps", json={"definition": definition, "public": True})).raise_for_status()
            await until(partial(are_heard, wanted))
    for listener in listeners:
        await listener.stop()
    for service in services:
        await service.close()
    return seconds
