"""The processor time of the newest complete `make test` in this clone, which ``tests/processor_time.py`` records."""

import json
from pathlib import Path
from typing import Any

from tools.measure.figure import Figure, columns
from tools.measure.sources import ROOT

FILE = "build/test-time.json"


def measure(root: Path = ROOT) -> Figure:
    """Read the record."""
    file = root / FILE
    if not file.exists():
        return Figure({}, ["no complete `make test` has run here; run `make test`"])
    values: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    commit = f"{values['commit'][:10] or 'unknown'}{' with changes' if values['has_changes'] else ''}"
    failed = f", {values['failed']} failed" if values["failed"] else ""
    return Figure(
        values,
        [
            f"{_minutes(values['processor_seconds'])} of processor time, {_minutes(values['wall_seconds'])} elapsed, "
            f"{values['tests']:,} tests{failed}, {values['processes']} processes",
            f"{values['date']}, commit {commit}",
            "modules with the most processor time in the processes of the tests, in seconds:",
            *columns([(name, f"{seconds:.1f}") for name, seconds in values["modules"].items()]),
        ],
    )


def _minutes(seconds: float) -> str:
    return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
