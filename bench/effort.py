"""The effort of processes: their processor time, and the instructions that they execute.

Processor times depend on what else runs on the machine, and instructions hardly do. Not every machine counts them.
"""

import ctypes
import os
import platform
import statistics
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figure, Sample
from bench.processes import cpu_seconds

_PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}
_HARDWARE, _INSTRUCTIONS = 0, 1
_TIMES = 1 | 2
_INHERIT, _EXCLUDE_KERNEL, _EXCLUDE_HYPERVISOR = 1 << 1, 1 << 5, 1 << 6
_THIS_THREAD = 0


@dataclass(frozen=True, slots=True)
class Effort:
    """An effort until now, or for something.

    Attributes:
        seconds: Processor time.
        instructions: Instructions outside the kernel, unless the machine does not count them.
    """

    seconds: float
    instructions: float | None

    def since(self, earlier: "Effort") -> "Effort":
        counted = None
        if self.instructions is not None and earlier.instructions is not None:
            counted = self.instructions - earlier.instructions
        return Effort(self.seconds - earlier.seconds, counted)

    def divided(self, count: int) -> "Effort":
        """Return the effort for each of several equal actions."""
        return Effort(self.seconds / count, None if self.instructions is None else self.instructions / count)


@contextmanager
def meter(*pids: int) -> Iterator[Callable[[], Effort]]:
    """Give a function that reads the effort of running processes, with all their threads."""
    threads = [int(thread.name) for pid in pids for thread in Path(f"/proc/{pid}/task").iterdir()]
    with _counters(threads) as counters:
        yield lambda: Effort(sum(map(cpu_seconds, pids)), _sum(counters))


@contextmanager
def started_processes() -> Iterator[Callable[[], float | None]]:
    """Give a function that reads the instructions of all processes that are started in the block, and of this thread.

    Of a process that runs already, the beginning would be missing.
    """
    with _counters([_THIS_THREAD]) as counters:
        yield lambda: _sum(counters)


def own_efforts(action: Callable[[], object], runs: int) -> list[Effort]:
    """Execute an action in this process several times, after one that is not measured."""
    action()
    found = []
    with meter(os.getpid()) as read:
        for _ in range(runs):
            before = read()
            action()
            found.append(read().since(before))
    return found


def costs(name: str, efforts: Sequence[Effort]) -> Sample:
    """Return the medians of processor times, and of instructions if they are counted."""
    time = Figure(statistics.median(each.seconds for each in efforts) * 1e3, "ms")
    return {name: time, **instructions(name, [each.instructions for each in efforts])}


def instructions(name: str, counts: Iterable[float | None]) -> Sample:
    """Return the median of instructions, unless the machine does not count them."""
    known = [count for count in counts if count]
    return {f"{name}: instructions": Figure(statistics.median(known) / 1e6, "million")} if known else {}


@contextmanager
def _counters(threads: Sequence[int]) -> Iterator[list[int]]:
    """Open a counter for each thread, which also counts for threads and processes that it starts."""
    # A thread that has ended, and a machine that counts nothing, have no counter.
    opened = [counter for thread in threads if (counter := _opened(thread)) is not None]
    try:
        yield opened
    finally:
        for counter in opened:
            os.close(counter)


def _opened(thread: int) -> int | None:
    number = _PERF_EVENT_OPEN.get(platform.machine())
    if number is None:
        return None
    flags = _INHERIT | _EXCLUDE_KERNEL | _EXCLUDE_HYPERVISOR
    attributes = struct.pack("=IIQQQQQIIQ", _HARDWARE, 64, _INSTRUCTIONS, 0, 0, _TIMES, flags, 0, 0, 0)
    any_core, no_group, close_on_exec = -1, -1, 8
    counter = int(ctypes.CDLL(None).syscall(number, attributes, thread, any_core, no_group, close_on_exec))
    return None if counter < 0 else counter


def _sum(counters: Sequence[int]) -> float | None:
    return sum(map(_value, counters)) if counters else None


def _value(counter: int) -> float:
    """Read a counter; it may have shared its register with other counters for a part of the time."""
    value, enabled, running = struct.unpack("=QQQ", os.read(counter, 24))
    return float(value * enabled / running) if running else 0.0
