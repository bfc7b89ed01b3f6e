"""The public FDC3 2.2 conformance suite on the browser platform, with the agent on a central gateway.

Apps of the suite end themselves with ``window.close()``, which has no effect in a frame. In frames the reference agent
fails many cases for this reason, so the results are compared with those of the reference in the same run.

The suite is not part of the repository. ``FDC3_CONFORMANCE`` names the folder that has its built apps in ``site``, its
app directory in ``directory.json`` and a program ``run`` that runs all cases in a browser; without it there is no test.
``FDC3_CONFORMANCE_RUNS`` says how often the suite runs with apps in windows. The results are written to
``tests/data/fdc3-conformance.json``, of which the page in the reference is generated.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.agents.conformance import CASES, FOLDER, Case, add_apps, failures, suite_apps, write_record
from tests.agents.main_page import build, served, write_setting
from tests.end_to_end.processes import serving
from tests.ports import free_port
from tests.real_manager import USER, manager
from tools.chromium import find_chromium

RUNS = int(os.environ.get("FDC3_CONFORMANCE_RUNS", "3"))
_SECONDS = 900


def run_suite(folder: Path, suite: Path, place: str) -> list[Case]:
    """Run all cases once in the page of a user, with a manager and a central gateway."""
    folder.mkdir()
    results = folder / "results.json"
    port = free_port()
    # The suite's apps are on `localhost`. Frames of another site than their page have no session storage.
    with manager(folder, gateway={"url": f"ws://localhost:{port}"}) as server:
        add_apps(server, suite, place)
        root = server.address.replace("127.0.0.1", "localhost").removesuffix("/api")
        session = httpx.get(f"{root}/api/whoami", auth=USER).cookies
        (cookie,) = (f"{name}={value}" for name, value in session.items())
        runtime = {"XDG_RUNTIME_DIR": str(folder), "XDG_DATA_HOME": str(folder)}
        options = ("--port", str(port), "--manager", server.address, "--no-passwords", "--origin", root)
        with serving("gateway", *options, environment=runtime) as gateway:
            assert gateway.address
            run_in_browser(suite, f"{root}/platform/?app=Conformance1", results, "--cookie", cookie)
            gateway.stop()
    cases: list[Case] = json.loads(results.read_text())
    return cases


def run_reference(folder: Path, suite: Path) -> list[Case]:
    """Run all cases once in a page with the reference agent, with apps in frames."""
    folder.mkdir()
    build(folder, "reference-page")
    write_setting(folder, records=suite_apps(suite), open=["Conformance1"], inFrames=True)
    results = folder / "results.json"
    with served(folder) as origin:
        run_in_browser(suite, f"{origin}/reference-page.html", results)
    cases: list[Case] = json.loads(results.read_text())
    return cases


def run_in_browser(suite: Path, address: str, results: Path, *options: str) -> None:
    """Run the program of the suite, which opens a page that opens the app with the cases."""
    command = [sys.executable, str(suite / "run"), address, "--out", str(results), *options]
    environment = {**os.environ, "CHROMIUM_PATH": find_chromium() or ""}
    subprocess.run(command, check=False, timeout=_SECONDS, env=environment)


if FOLDER is not None:
    SUITE = Path(FOLDER)

    @pytest.mark.timeout(RUNS * _SECONDS)
    def test_all_automatic_cases_pass_each_time_with_apps_in_windows(tmp_path: Path) -> None:
        runs = [run_suite(tmp_path / str(number), SUITE, "window") for number in range(RUNS)]
        write_record("windows", runs)

        assert [failures(run) for run in runs] == [[]] * RUNS
        assert all(len(run) >= CASES for run in runs)

    @pytest.mark.timeout(2 * _SECONDS)
    def test_cases_that_pass_with_the_reference_agent_in_frames_pass_with_apps_in_frames(tmp_path: Path) -> None:
        reference = run_reference(tmp_path / "reference", SUITE)
        cases = run_suite(tmp_path / "agent", SUITE, "frame")
        write_record("frames", [cases])

        passed = {(case["suite"], case["title"]) for case in reference if case["state"] == "pass"}
        assert [case for case in failures(cases) if (case["suite"], case["title"]) in passed] == []
        assert len(cases) >= CASES
