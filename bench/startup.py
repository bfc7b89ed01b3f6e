"""Start-up time and resident memory with 500 apps and 1,000 users."""

import statistics
import subprocess
import sys
import time

import httpx

from bench.effort import Effort, costs, started_processes
from bench.figures import Sample
from bench.firm import ADMIN, firm, served
from bench.processes import usual_environment

RUNS = 5
SAMPLE_RUNS = 3
PACKAGES = "import granian, litestar, sqlalchemy, pydantic, typer"
LOADED = """
import sys
from rostrum.cli import manager
from rostrum.manager import server
print(*(name for name in sys.modules if name.partition(".")[0] not in {"rostrum", "__main__"}))
"""
MODULES = """
import gc, importlib, sys
gc.disable()
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ImportError:
        pass  # Made by a library while it is loaded.
"""


def report() -> str:
    starts, rests = [], []
    with firm(users=1000, apps=500) as config:
        for _ in range(RUNS):
            with served(config) as server:
                starts.append(server.start_seconds)
                with httpx.Client(base_url=server.address, auth=ADMIN) as client:
                    for _ in range(20):
                        client.get("/apps").raise_for_status()
                        client.get("/admin/users").raise_for_status()
                rests.append(server.resident_mib)
    loaded = subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True, text=True).stdout.split()
    packages, modules = _seconds(PACKAGES), _seconds(MODULES, *loaded)
    start = statistics.median(starts)
    return (
        "## Start-up and memory\n\n"
        f"A manager with 500 apps and 1,000 users on SQLite is started {RUNS} times. Its memory is read after twenty "
        "full lists of apps and users. Two bare processes are compared with it: one imports the packages that the "
        "manager is based on, the other one every module of other projects that the manager loads.\n\n"
        "| figure | measured | goal |\n|---|---|---|\n"
        f"| start until the manager listens, median of {RUNS} | {start:.2f} s | < 1.5 s |\n"
        f"| the same as a multiple of importing the packages | {start / packages:.1f} × | < 2 × |\n"
        f"| the same as a multiple of importing all modules | {start / modules:.1f} × | |\n"
        f"| resident memory, largest of {RUNS} | {max(rests):.0f} MiB | < 120 MiB |\n"
    )


def sample() -> Sample:
    """Measure the start until the manager listens."""
    efforts = []
    with firm(users=1000, apps=500) as config:
        for _ in range(SAMPLE_RUNS):
            with started_processes() as instructions, served(config) as server:
                efforts.append(Effort(server.cpu_seconds, instructions()))
    return costs("start until the manager listens", efforts)


def _seconds(program: str, *arguments: str) -> float:
    """Run a program several times, and return the median of its duration."""
    durations = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", program, *arguments], check=True, env=usual_environment())
        durations.append(time.perf_counter() - began)
    return statistics.median(durations)
