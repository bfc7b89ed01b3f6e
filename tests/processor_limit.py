"""Fails tests that need much processor time, unless they are marked ``long``.

A test may use three times the processor time that a fixed calculation needs in the same process. Its fixtures count,
and processes that it waits for, but not what several tests share, such as a browser. A test above the limit runs a
second time, because the first one pays for what a process loads and builds once; the calculation is then measured
again, because a busy machine is slower.
"""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.long_form import LONG
from tests.processor_time import used

FACTOR = 3
_NUMBERS = 300_000


class ProcessorLimit:
    """A plugin for each process that runs tests."""

    def __init__(self) -> None:
        self._limit = FACTOR * calculation()
        self._used = self._shared = 0.0
        self._shares = False

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        """Measure fixtures that several tests share, with the fixtures that they request."""
        if fixturedef.scope == "function" or self._shares:
            return (yield)
        self._shares, before = True, used()
        try:
            return (yield)
        finally:
            self._shares = False
            self._shared += used() - before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Measure the set-up of a test."""
        self._used, self._shared, before = 0.0, 0.0, used()
        try:
            return (yield)
        finally:
            self._used += used() - before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Measure the test itself."""
        before = used()
        try:
            return (yield)
        finally:
            self._used += used() - before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        """Repeat a test that seems to need too much, and report it if it does."""
        try:
            return (yield)
        finally:
            if not LONG and not item.get_closest_marker("long") and self._used - self._shared > self._limit:
                self._repeat(item, nextitem)

    def _repeat(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        report = runtestprotocol(item, log=False, nextitem=nextitem)[-1]
        needed = self._used - self._shared
        self._limit = FACTOR * calculation()
        if needed > self._limit:
            report.outcome = "failed"
            report.longrepr = (
                f"{item.nodeid} needed {needed:.2f} s of processor time. The limit is {self._limit:.2f} s, {FACTOR} "
                "times a fixed calculation. Make the test cheaper, or mark it with pytest.mark.long."
            )
            item.ihook.pytest_runtest_logreport(report=report)


def calculation() -> float:
    """Return the processor time of the calculation: the objects and texts that most code handles."""
    began = time.process_time()
    table = {str(number): [number] for number in range(_NUMBERS)}
    if sum(len(text) + numbers[0] for text, numbers in table.items()) < _NUMBERS:
        raise AssertionError
    return time.process_time() - began
