"""Start-up time and resident memory with 500 apps and 1,000 users."""

import statistics
import subprocess
import sys
import time

import httpx

from bench.firm import ADMIN, firm, served, usual_environment

RUNS = 5
BARE = [sys.executable, "-c", "import granian, litestar, sqlalchemy, pydantic, typer"]


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
    bare = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run(BARE, check=True, env=usual_environment())
        bare.append(time.perf_counter() - began)
    start, limit = statistics.median(starts), statistics.median(bare)
    return (
        "## Start-up and memory\n\n"
        f"A manager with 500 apps and 1,000 users on SQLite is started {RUNS} times. Its memory is read after twenty "
        "full lists of apps and users. The bare process is a Python process that only imports the same libraries.\n\n"
        "| figure | measured | goal |\n|---|---|---|\n"
        f"| start until the manager listens, median of {RUNS} | {start:.2f} s ({start / limit:.1f} × bare) "
        "| < 1.5 s |\n"
        f"| resident memory, largest of {RUNS} | {max(rests):.0f} MiB | < 120 MiB |\n"
    )
