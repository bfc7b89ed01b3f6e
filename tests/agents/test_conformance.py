"""The public FDC3 2.2 conformance suite, with apps in windows of Chromium, against the agent on a central gateway.

The suite is not part of the repository. ``FDC3_CONFORMANCE`` names the folder that has its built apps in ``site``, its
app directory in ``directory.json`` and a program ``run`` that runs all cases in a browser; without it there is no test.
``FDC3_CONFORMANCE_RUNS`` says how often the suite runs. The results are written to
``tests/data/fdc3-conformance.json``, of which the page in the reference is generated.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

from tests.agents.main_page import build, served, write_setting
from tests.conftest import ADMIN
from tests.end_to_end.processes import serving
from tests.real_manager import USER, Manager, manager

FOLDER = os.environ.get("FDC3_CONFORMANCE")
RUNS = int(os.environ.get("FDC3_CONFORMANCE_RUNS", "3"))
RESULTS = Path(__file__).parents[1] / "data" / "fdc3-conformance.json"
VERSION = "v2.2.3"
_SECONDS = 900


def add_apps(server: Manager, suite: Path) -> list[dict[str, Any]]:
    """Add the apps of the suite for everybody; return the directory that the user has."""
    for each in json.loads((suite / "directory.json").read_text())["applications"]:
        # One record of the suite has no title, which the standard requires.
        body = {"definition": {"title": each["appId"], **each}, "public": True}
        answer = httpx.post(f"{server.address}/admin/apps", json=body, auth=ADMIN, timeout=30)
        assert answer.status_code == 201, answer.text
    found: list[dict[str, Any]] = httpx.get(f"{server.address}/v2/apps", auth=USER).json()["applications"]
    return found


def run_suite(folder: Path, suite: Path) -> list[dict[str, Any]]:
    """Run all cases once, with a manager and a central gateway; return each case with its outcome."""
    site, results = folder / "site", folder / "results.json"
    site.mkdir()
    build(site, "main-page")
    with manager(folder) as server, served(site) as origin:
        records = add_apps(server, suite)
        token = httpx.post(f"{server.address}/token/refresh", auth=USER).json()["token"]
        runtime = {"XDG_RUNTIME_DIR": str(folder), "XDG_DATA_HOME": str(folder)}
        options = ("--port", "0", "--manager", server.address, "--no-passwords")
        with serving("gateway", *options, environment=runtime) as gateway:
            write_setting(site, url=gateway.address, token=token, records=records, open=["Conformance1"])
            command = [sys.executable, str(suite / "run"), f"{origin}/main-page.html", "--out", str(results)]
            subprocess.run(command, check=False, timeout=_SECONDS)
            gateway.stop()
    cases: list[dict[str, Any]] = json.loads(results.read_text())
    return cases


if FOLDER is not None:

    def test_all_automatic_cases_pass_each_time(tmp_path: Path) -> None:
        assert FOLDER is not None
        runs = []
        for number in range(RUNS):
            folder = tmp_path / str(number)
            folder.mkdir()
            runs.append(run_suite(folder, Path(FOLDER)))
        cases = [{name: case[name] for name in ("suite", "title", "state")} for case in runs[-1]]
        counts = [{"cases": len(run), "passed": sum(case["state"] == "pass" for case in run)} for run in runs]
        found = {"version": VERSION, "runs": counts, "cases": cases}
        RESULTS.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")

        failed = [case for run in runs for case in run if case["state"] != "pass"]

        assert failed == []
        assert all(len(run) >= 83 for run in runs)
