"""The page with the results of the FDC3 conformance suite, from the record of its last runs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Any

RECORD = Path(__file__).resolve().parent.parent / "tests" / "data" / "fdc3-conformance.json"
MODES = {
    "windows": "Browser platform, apps in windows",
    "desktop": "Desktop with windows",
    "frames": "Browser platform, apps in frames",
}
_HEAD = """# FDC3 conformance

Generated from `tests/data/fdc3-conformance.json`, which `tests/agents/test_conformance.py` and
`tests/windows/test_conformance.py` write; see there how to run the suite.

The suite is `toolbox/fdc3-conformance` of finos/FDC3, FDC3 2.2, {version}. These are results of our own runs, not a
certificate. Cases that need a person are not part of them.

| where | result | runs |
|---|---|---|
{modes}
"""
_FRAMES = """
Apps of the suite end themselves with `window.close()`, which has no effect in a frame. Their instances therefore stay,
and later cases find more instances than they expect. In frames, every case that fails here also fails with the
reference agent, `@morgan-stanley/fdc3-web` 0.17.0, on the same machine.
"""


def conformance_page(record: Mapping[str, Any]) -> str:
    """Write the page."""
    modes = {name: record["modes"][name] for name in MODES if name in record["modes"]}
    rows = "\n".join(_row(MODES[name], mode["runs"], record["version"]) for name, mode in modes.items())
    lines = [_HEAD.format(version=record["version"], modes=rows).rstrip()]
    for mode in modes.values():
        if "note" in mode:
            lines += ["", *wrap(mode["note"], 120)]
    if "frames" in modes:
        lines.append(_FRAMES.rstrip())
    lines += ["", "## Cases of the last runs", *_cases(modes)]
    return "\n".join(lines) + "\n"


def _row(title: str, runs: Sequence[Mapping[str, int]], version: str) -> str:
    last = runs[-1]
    every = ", ".join(f"{run['passed']} of {run['cases']}" for run in runs)
    return f"| {title} | passes {last['passed']} of {last['cases']} cases of suite {version} | {every} |"


def _cases(modes: Mapping[str, Any]) -> Iterator[str]:
    """List each case with its outcome in every mode."""
    outcomes = {
        name: {(case["suite"], case["title"]): case["state"] for case in mode["cases"]} for name, mode in modes.items()
    }
    every = dict.fromkeys(key for states in outcomes.values() for key in states)
    heading = f"| case | {' | '.join(modes)} |"
    for suite, keys in groupby(every, key=lambda key: key[0]):
        yield from ("", f"### {suite.strip() or 'Other'}", "", heading, "|---|" + "---|" * len(modes))
        for key in keys:
            states = " | ".join(outcomes[name].get(key, "not reached") for name in modes)
            yield f"| {_cell(key[1])} | {states} |"


def _cell(text: str | None) -> str:
    return (text or "").strip().replace("|", "\\|").replace("<", "&lt;")


def read_record() -> dict[str, Any]:
    """Read the record of the last runs."""
    record: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    return record
