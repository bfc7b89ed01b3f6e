"""Which tests a run has: the usual or the long ones, all or a share of them, for as long as it takes or some minutes.

The usual tests are everything to know before a change lands. The mark is for tests that need more processor time, for
repeats on a second database, and for tests of random input.
"""

import re
import time
import zlib
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from tests.long_form import LONG

_DATABASES_COMPARED = "tests.suites."
_LEFT_OUT = "left_out"
_MOST_NAMED = 10


@dataclass(frozen=True)
class Shard:
    """A share of the files with tests."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """Read ``NUMBER/COUNT``; numbers start with 0, as the rest of a division does."""
        parts = re.fullmatch(r"(\d{1,4})/(\d{1,4})", text)
        if not parts or int(parts[1]) >= int(parts[2]):
            raise pytest.UsageError(f'--shard: "{text}" is not a share such as 0/6 to 5/6')
        return cls(int(parts[1]), int(parts[2]))

    def has(self, nodeid: str) -> bool:
        """Return whether a test belongs to this share; all tests of a file share what the file starts."""
        return zlib.crc32(nodeid.partition("::")[0].encode()) % self.count == self.number


class Selection:
    """A plugin for the process that starts the tests, and for each worker."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._shard: Shard | None = config.getoption("shard")
        minutes: float | None = config.getoption("minutes")
        self._end = None if minutes is None else time.monotonic() + 60 * minutes
        self._left_out: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Mark further cases and repeats on the second database, and leave out what is not selected."""
        cases: Counter[str] = Counter()
        for item in items:
            if repeats_on_second_database(item):
                item.add_marker(pytest.mark.long)
            usual = item.get_closest_marker("usual")
            if usual and not item.get_closest_marker("long"):
                name = item.nodeid.partition("[")[0]
                cases[name] += 1
                if cases[name] > usual.args[0]:
                    item.add_marker(pytest.mark.long)
        selected = [item for item in items if self._is_selected(item)]
        if len(selected) < len(items):
            kept = set(selected)
            config.hook.pytest_deselected(items=[item for item in items if item not in kept])
            items[:] = selected

    def _is_selected(self, item: pytest.Item) -> bool:
        if self._shard and not self._shard.has(item.nodeid):
            return False
        return not item.get_closest_marker("long") or bool(LONG) or names_long_tests(self._config)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Start no test after the last minute."""
        if self._end is None or time.monotonic() < self._end:
            return None
        self._left_out.append(item.nodeid)
        return True

    def pytest_sessionfinish(self) -> None:
        """Send the tests that were not started to the process that reports."""
        if hasattr(self._config, "workerinput"):
            self._config.workeroutput[_LEFT_OUT] = self._left_out  # type: ignore[attr-defined]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Receive the tests that a worker did not start."""
        self._left_out += getattr(node, "workeroutput", {}).get(_LEFT_OUT, [])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name tests that were not started."""
        if self._left_out:
            terminalreporter.section(f"not started within --minutes: {len(self._left_out)} tests")
            for nodeid in self._left_out[:_MOST_NAMED]:
                terminalreporter.line(nodeid)


def add_options(parser: pytest.Parser) -> None:
    """Declare the options."""
    group = parser.getgroup("selection")
    group.addoption("--shard", metavar="NUMBER/COUNT", type=Shard.parse, help="run a share of the files, 0/6 to 5/6")
    group.addoption("--minutes", type=float, help="start no test after this time, and name those that are left out")


def names_long_tests(config: pytest.Config) -> bool:
    """Return whether the command line selects by the mark, or names single tests."""
    return "long" in config.getoption("markexpr") or any("::" in argument for argument in config.args)


def repeats_on_second_database(item: pytest.Item) -> bool:
    """Return whether the same test runs on SQLite too; the suites of the storage compare the two databases always."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    module: str = getattr(getattr(item, "function", None), "__module__", "")
    return parameters.get("store") == "postgresql" and not module.startswith(_DATABASES_COMPARED)
