"""Measures two states in turn, each time in a new process with the package of the state.

A process finds its package by PYTHONPATH, which comes before the installed package.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from bench.compare.sample import read_sample
from bench.compare.states import State
from bench.figures import Sample

SECONDS = 300.0
"""The time limit of one process."""
_LINES = 15
_LOADED = "import rostrum; print(rostrum.__file__)"

Progress = Callable[[str], None]


class SampleError(Exception):
    """A state could not be measured."""


def interleaved(count: int) -> list[tuple[int, int]]:
    """Return the order in each pair: the states take turns to be first, so that both see the same drift."""
    return [(1, 0) if number % 2 else (0, 1) for number in range(count)]


def measure_pairs(
    benchmarks: Sequence[str], states: tuple[State, State], count: int, progress: Progress, seconds: float = SECONDS
) -> dict[str, list[tuple[Sample, Sample]]]:
    """Measure each benchmark in so many pairs; the old state is the first of each result."""
    for state in states:
        require_loaded(state)
    found: dict[str, list[tuple[Sample, Sample]]] = {benchmark: [] for benchmark in benchmarks}
    for number, order in enumerate(interleaved(count), 1):
        for benchmark in benchmarks:
            pair: dict[int, Sample] = {}
            for which in order:
                progress(f"pair {number} of {count}: {benchmark}, {states[which].title}")
                pair[which] = measure(benchmark, states[which], seconds)
            _require_same_figures(benchmark, pair[0], pair[1])
            found[benchmark].append((pair[0], pair[1]))
    return found


def require_loaded(state: State) -> None:
    """Fail if processes of a state, and those that they start, load another package."""
    command = [sys.executable, "-c", _LOADED]
    done = subprocess.run(
        command, cwd=state.scratch, env=state.environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SampleError(f"The package of the {state.title} cannot be loaded:\n{_end_of(done.stderr)}")
    if not Path(done.stdout.strip()).is_relative_to(state.source):
        raise SampleError(f"Processes of the {state.title} load {done.stdout.strip()} instead of {state.source}.")


def measure(benchmark: str, state: State, seconds: float) -> Sample:
    """Measure one state in a process that ends with all processes that it has started."""
    result, errors = state.scratch / "sample.json", state.scratch / "errors.txt"
    result.unlink(missing_ok=True)
    command = [sys.executable, "-m", "bench.compare.sample", benchmark, str(state.source), str(result)]
    with errors.open("w+b") as output:
        process = subprocess.Popen(
            command,
            cwd=state.root,
            env=state.environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise SampleError(f"{benchmark} with the {state.title} did not end within {seconds:g} seconds.") from None
        finally:
            _end(process)
    if process.returncode or not result.exists():
        said = _end_of(errors.read_text(encoding="utf-8", errors="replace"))
        raise SampleError(f"{benchmark} cannot be measured with the {state.title}. The end of its output:\n{said}")
    return read_sample(result)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _end_of(output: str) -> str:
    return "\n".join(output.strip().splitlines()[-_LINES:])


def _require_same_figures(benchmark: str, base: Iterable[str], current: Iterable[str]) -> None:
    if different := sorted(set(base) ^ set(current)):
        raise SampleError(f"{benchmark} has measured {different[0]!r} in only one state.")
