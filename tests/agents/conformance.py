"""The public FDC3 2.2 conformance suite: where it is, its apps, and the record of its results."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.real_manager import Manager

FOLDER = os.environ.get("FDC3_CONFORMANCE")
"""The folder with the built apps in ``site``, the app directory ``directory.json`` and the program ``run``."""
RECORD = Path(__file__).parents[1] / "data" / "fdc3-conformance.json"
VERSION = "v2.2.3"
CASES = 83

Case = Mapping[str, Any]


def suite_apps(suite: Path) -> list[dict[str, Any]]:
    """Read the directory records of the suite. One of them has no title, which the standard requires."""
    records = json.loads((suite / "directory.json").read_text())["applications"]
    return [{"title": each["appId"], **each} for each in records]


def add_apps(server: Manager, suite: Path, place: str) -> None:
    """Add the apps of the suite for everybody; the browser platform opens them in the given place."""
    for each in suite_apps(suite):
        manifests = {**each.get("hostManifests", {}), "rostrum": {"details": {"openInBrowser": place}}}
        body = {"definition": {**each, "hostManifests": manifests}, "public": True}
        server.admin("POST", "/admin/apps", body, 201)


def failures(cases: Sequence[Case]) -> list[Case]:
    """Select the cases that did not pass."""
    return [case for case in cases if case["state"] != "pass"]


def write_record(mode: str, runs: Sequence[Sequence[Case]]) -> None:
    """Write the results of one mode to the record of which the page in the reference is generated."""
    record = json.loads(RECORD.read_text("utf-8"))
    record["version"] = VERSION
    record["modes"][mode] = {
        "runs": [{"cases": len(run), "passed": len(run) - len(failures(run))} for run in runs],
        "cases": [{name: case[name] for name in ("suite", "title", "state")} for case in runs[-1]],
    }
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
