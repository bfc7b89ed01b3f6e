"""The page with the results of the FDC3 conformance suite, from the record of its last run."""

import json
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

__all__ = ["conformance_page", "read_record"]

RECORD = Path(__file__).resolve().parent.parent / "tests" / "data" / "fdc3-conformance.json"

_HEAD = """# FDC3 conformance

Generated from `tests/data/fdc3-conformance.json`, which `tests/agents/test_conformance.py` writes; see there how to run
it.

The agent on a central gateway, with apps in windows of Chromium, {outcome} of suite {version}
(`toolbox/fdc3-conformance` of finos/FDC3, FDC3 2.2). This is a result of our own run, not a certificate. Cases that
need a person are not part of it.

| run | cases | passed |
|---|---|---|
{runs}

## Cases of the last run
"""


def conformance_page(record: Mapping[str, Any]) -> str:
    """Write the page."""
    runs = record["runs"]
    last = runs[-1]
    outcome = f"passes {last['passed']} of {last['cases']} cases"
    rows = "\n".join(f"| {number} | {run['cases']} | {run['passed']} |" for number, run in enumerate(runs, 1))
    lines = [_HEAD.format(outcome=outcome, version=record["version"], runs=rows).rstrip()]
    for suite, cases in groupby(record["cases"], key=lambda case: case["suite"]):
        lines += ["", f"### {suite.strip() or 'Other'}", "", "| case | outcome |", "|---|---|"]
        lines += [f"| {_cell(case['title'])} | {case['state']} |" for case in cases]
    return "\n".join(lines) + "\n"


def _cell(text: str | None) -> str:
    return (text or "").strip().replace("|", "\\|").replace("<", "&lt;")


def read_record() -> dict[str, Any]:
    """Read the record of the last run."""
    record: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    return record
