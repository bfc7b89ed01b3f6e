"""Plants small faults in the sources, one at a time, and runs the tests that must find them.

python tools/mutants.py                   all faults of tests/mutants/mutants.toml
python tools/mutants.py manager/auth      those whose file contains a text
python tools/mutants.py --from 20 --to 39 those with these numbers, for example to continue
python tools/mutants.py --json            for programs

Each fault changes one line, which is restored afterwards, also after SIGINT and SIGTERM. A file with changes that are
not committed is refused. The tests run with those marked ``long``. A fault is found if a test fails with it and passes
without it. The exit status is 0 if every fault is found, 1 if one is not, and 2 if tests could not run.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
FILE = Path("tests/mutants/mutants.toml")
_FAILED = 1
_SECONDS = 900
_SECONDS_TO_END = 10


class Result(StrEnum):
    """What the tests say about a fault."""

    FOUND = "found"
    MISSED = "not found"
    FAILED = "tests could not run"


class NotRunError(Exception):
    """The tests of a fault say nothing about it."""


@dataclass(frozen=True)
class Mutant:
    """A fault: a line of a file, the line that replaces it, and the tests that find it."""

    file: str
    before: str
    after: str
    tests: list[str]

    def applied_to(self, text: str) -> str:
        """Return the text with the fault; the line must occur exactly once, whatever its indentation."""
        lines = text.splitlines(keepends=True)
        places = [number for number, line in enumerate(lines) if line.strip() == self.before]
        if len(places) != 1:
            message = f"{self.file}: the line occurs {len(places)} times: {self.before}"
            raise ValueError(message)
        lines[places[0]] = lines[places[0]].replace(self.before, self.after)
        return "".join(lines)


def read_mutants(root: Path = ROOT) -> list[Mutant]:
    """Read the list."""
    return [Mutant(**each) for each in tomllib.loads((root / FILE).read_text(encoding="utf-8"))["mutant"]]


@contextmanager
def planted(mutant: Mutant, root: Path = ROOT) -> Iterator[None]:
    """Plant a fault, and restore the file."""
    if _has_changes(mutant.file, root):
        message = f"{mutant.file} has changes that are not committed"
        raise ValueError(message)
    path = root / mutant.file
    text, times = path.read_text(encoding="utf-8"), path.stat()
    changed = mutant.applied_to(text)
    try:
        path.write_text(changed, encoding="utf-8")
        yield
    finally:
        path.write_text(text, encoding="utf-8")
        # Compiled modules with the fault have another time, so that no process uses them again.
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def is_found(mutant: Mutant, root: Path = ROOT) -> bool:
    """Return whether a test fails because of the fault: it fails with the fault, and passes without it."""
    with TemporaryDirectory() as cache, ExitStack() as ending:
        # The stack ends the tests after the file is restored, because this may take some time.
        with planted(mutant, root):
            with_fault = _run(ending, mutant, root, cache)
        if with_fault == _FAILED and _run(ending, mutant, root, cache, "--last-failed") == _FAILED:
            message = "a test fails without the fault too"
            raise NotRunError(message)
    return with_fault == _FAILED


def _run(ending: ExitStack, mutant: Mutant, root: Path, cache: str, *options: str) -> int:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "long or not long", "-o", f"cache_dir={cache}"]
    output = Path(cache, "output")
    with output.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(
            [*command, *options, *mutant.tests],
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            # Ctrl+C in a terminal reaches this program only, which ends the tests once.
            start_new_session=True,
        )
    ending.callback(_end, process)
    try:
        status = process.wait(_SECONDS)
    except subprocess.TimeoutExpired as error:
        message = f"the tests did not end within {_SECONDS} seconds"
        raise NotRunError(message) from error
    if status not in (0, _FAILED):
        raise NotRunError(output.read_text(encoding="utf-8", errors="replace").strip()[-500:])
    return status


def _end(process: subprocess.Popen[bytes]) -> None:
    """End tests so that they stop what they have started."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        process.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@dataclass(frozen=True)
class Outcome:
    """A fault with its number in the list, and what the tests say about it."""

    number: int
    mutant: Mutant
    result: Result
    problem: str

    def report(self) -> str:
        """Return text for the end of a run."""
        problem = self.problem or f"no test fails in {', '.join(self.mutant.tests)}"
        return f"{self.number}: {self.result}: {self.mutant.file}: {self.mutant.after}\n{problem}\n"


def _has_changes(file: str, root: Path) -> bool:
    command = ["git", "status", "--porcelain", "--", file]
    return bool(subprocess.run(command, cwd=root, capture_output=True, check=True).stdout)


def _stop(number: int, _frame: object) -> None:
    """End the program with the restoration of the file, which further signals do not interrupt."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + number)


def _result(mutant: Mutant, root: Path) -> tuple[Result, str]:
    try:
        return (Result.FOUND if is_found(mutant, root) else Result.MISSED), ""
    except (NotRunError, ValueError) as error:
        return Result.FAILED, str(error)


def _options(arguments: Sequence[str] | None, root: Path) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plant faults and run the tests that must find them.")
    parser.add_argument("files", nargs="*", help="only files whose path contains one of these texts")
    parser.add_argument("--from", dest="first", type=int, default=1, metavar="N", help="begin with fault N")
    parser.add_argument("--to", dest="last", type=int, metavar="N", help="end with fault N")
    parser.add_argument("--json", action="store_true", help="print a document for programs")
    options = parser.parse_args(arguments)
    options.chosen = [
        (number, mutant)
        for number, mutant in enumerate(read_mutants(root), 1)
        if options.first <= number <= (options.last or number)
        and (not options.files or any(text in mutant.file for text in options.files))
    ]
    if not options.chosen:
        parser.error("no fault is planted in such a file, or has such a number")
    return options


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Run the command line."""
    options = _options(arguments, root)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    outcomes: list[Outcome] = []
    for number, mutant in options.chosen:
        began = time.monotonic()
        outcome = Outcome(number, mutant, *_result(mutant, root))
        outcomes.append(outcome)
        line = f"{number}: {outcome.result} in {time.monotonic() - began:.0f} s: {mutant.file}: {mutant.after}"
        print(line, file=sys.stderr if options.json else sys.stdout, flush=True)
    counts = Counter(each.result for each in outcomes)
    if options.json:
        results = [asdict(each) for each in outcomes]
        print(json.dumps({"planted": len(outcomes), "found": counts[Result.FOUND], "results": results}, indent=2))
    else:
        print(*(each.report() for each in outcomes if each.result is not Result.FOUND), sep="", end="")
        print(f"{counts[Result.FOUND]} of {len(outcomes)} faults found")
    return 2 if counts[Result.FAILED] else 1 if counts[Result.MISSED] else 0


if __name__ == "__main__":
    sys.exit(main())
