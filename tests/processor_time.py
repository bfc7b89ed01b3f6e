"""Records the processor time of a complete test run in build/test-time.json, for `make measure`.

The time is that of the process that starts the tests and of all its descendants, user and system. Descendants count
when their parent waits for them: PostgreSQL, which leaves its parent, does not. A run that selects tests or changes
their length is not recorded.
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

FILE = Path("build/test-time.json")
_MOST_MODULES = 10
_SELECTING = (
    "shard",
    "minutes",
    "keyword",
    "markexpr",
    "deselect",
    "ignore",
    "ignore_glob",
    "lf",
    "stepwise",
    "collectonly",
    "maxfail",
)
_CHANGING = ("ENGINE", "FDC3_CONFORMANCE", "GATEWAY", "LONG")
_MODULES = "processor_seconds_of_modules"


class ProcessorTime:
    """A plugin for the process that starts the tests, and for each worker."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._is_worker = hasattr(config, "workerinput")
        self._began = time.monotonic()
        self._modules: Counter[str] = Counter()
        self._tests = self._failed = 0
        self._is_complete = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Add the time of a test, and of processes that it has waited for, to its module."""
        before = used()
        try:
            return (yield)
        finally:
            self._modules[item.nodeid.partition("::")[0]] += used() - before  # type: ignore[assignment]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the tests, also those of workers."""
        self._tests += report.when == "teardown"
        self._failed += report.failed

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Send the times of a worker; otherwise note whether all tests have run."""
        if self._is_worker:
            self._config.workeroutput[_MODULES] = dict(self._modules)  # type: ignore[attr-defined]
        finished = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        self._is_complete = (
            finished and 0 < self._tests == session.testscollected and runs_all_tests(self._config, os.environ)
        )

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Receive the times of a worker."""
        self._modules.update(getattr(node, "workeroutput", {}).get(_MODULES, {}))

    def pytest_unconfigure(self) -> None:
        """Write the file. All workers have ended now."""
        if self._is_worker or not self._is_complete:
            return
        file = self._config.rootpath / FILE
        file.parent.mkdir(exist_ok=True)
        record = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "commit": _git(self._config.rootpath, "rev-parse", "HEAD"),
            "has_changes": bool(_git(self._config.rootpath, "status", "--porcelain")),
            "processes": self._config.getoption("numprocesses", None) or 1,
            "tests": self._tests,
            "failed": self._failed,
            "wall_seconds": round(time.monotonic() - self._began, 1),
            "processor_seconds": round(used(), 1),
            "modules": {name: round(seconds, 2) for name, seconds in self._modules.most_common(_MOST_MODULES)},
        }
        file.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def runs_all_tests(config: pytest.Config, environment: Mapping[str, str]) -> bool:
    """Return whether a run has all tests, in their usual length, and without the cost of measuring coverage."""
    coverage = sys.modules.get("coverage")
    return (
        list(config.args) == list(config.getini("testpaths"))
        and not any(config.getoption(option, None) for option in _SELECTING)
        and not any(environment.get(name) for name in _CHANGING)
        and (coverage is None or coverage.Coverage.current() is None)
    )


def used() -> float:
    """Return the processor time of this process, and of those that it has waited for, in seconds."""
    return sum(os.times()[:4])


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip()
