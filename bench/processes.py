"""Processes to measure, each on a core of its own, and what they have used."""

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.node import find_node

SCRIPTS = Path(__file__).resolve().parent.parent / "tests" / "gateway" / "node" / "bench"
SERVER_CORE, LOAD_CORE = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used so far, all its threads together."""
    # The clock of another process, as clock_getcpuclockid names it: /proc counts only hundredths of a second.
    return time.clock_gettime(~pid << 3 | 2)


def resident_kib(pid: int) -> int:
    """Memory that a process holds now."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) if found else 0


def usual_environment() -> dict[str, str]:
    """The environment as operators have it: Python keeps the bytecode it has compiled."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True, slots=True)
class Measured:
    """A server that was started to be measured."""

    pid: int
    port: int


@contextmanager
def pinned_server(command: Sequence[str | Path], **options: Any) -> Iterator[Measured]:
    """Start a server on its own core; the first line it prints ends with its port."""
    process = subprocess.Popen([*on_core(SERVER_CORE), *command], stdout=subprocess.PIPE, text=True, **options)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        port = re.search(r":(\d+)\D*$", line)
        if port is None:
            raise RuntimeError(f"the server did not say where it listens but {line!r}")
        yield Measured(process.pid, int(port[1]))
    finally:
        process.kill()
        process.communicate()


class Load:
    """A Node process that executes requests, one JSON line each way."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def do(self, what: str, **details: Any) -> dict[str, Any]:
        """Have it do something, and wait for what it says."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": what, **details}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline() or '{"error": "the load process ended"}')
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer


def pinned_load(script: str) -> AbstractContextManager[Load]:
    """Start a script of the Node project that makes load, on the other core."""
    return node_load(script, on_core(LOAD_CORE))


@contextmanager
def node_load(script: str, before: Sequence[str] = ()) -> Iterator[Load]:
    """Start a script of the Node project that makes load."""
    process = subprocess.Popen(
        [*before, *find_node().command("node", str(SCRIPTS / script))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Load(process)
    finally:
        process.kill()
        process.communicate()


def on_core(core: int) -> tuple[str, ...]:
    """Give what a command begins with to run on one core."""
    return ("taskset", "--cpu-list", str(core))
