"""Plants small faults in the sources, one at a time, and runs the tests that must find them.

python tools/mutants.py                   all faults of tests/mutants/mutants.toml
python tools/mutants.py manager/auth      those whose file contains a text
python tools/mutants.py --json            for programs

Each fault changes one line, which is restored afterwards. A file with changes that are not committed is refused. The
tests run with those marked ``long``.
"""

import argparse
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = Path("tests/mutants/mutants.toml")
_FAILED = 1
_SECONDS = 900


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
    text = path.read_text(encoding="utf-8")
    changed = mutant.applied_to(text)
    try:
        path.write_text(changed, encoding="utf-8")
        yield
    finally:
        path.write_text(text, encoding="utf-8")


def is_found(mutant: Mutant, root: Path = ROOT) -> bool:
    """Return whether a test fails because of the fault."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "long or not long", "-pno:cacheprovider"]
    with planted(mutant, root):
        done = subprocess.run(
            [*command, *mutant.tests], cwd=root, capture_output=True, timeout=_SECONDS, check=False, text=True
        )
    if done.returncode not in (0, _FAILED):
        message = f"{mutant.file}: the tests did not run: {(done.stderr or done.stdout).strip()[-500:]}"
        raise ValueError(message)
    return done.returncode == _FAILED


def _has_changes(file: str, root: Path) -> bool:
    command = ["git", "status", "--porcelain", "--", file]
    return bool(subprocess.run(command, cwd=root, capture_output=True, check=True).stdout)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Plant faults and run the tests that must find them.")
    parser.add_argument("files", nargs="*", help="only files whose path contains one of these texts")
    parser.add_argument("--json", action="store_true", help="print a document for programs")
    options = parser.parse_args(arguments)
    chosen = [each for each in read_mutants() if not options.files or any(text in each.file for text in options.files)]
    if not chosen:
        parser.error("no fault is planted in such a file")
    missed = []
    try:
        for number, mutant in enumerate(chosen, 1):
            print(f"{number} of {len(chosen)}: {mutant.file}: {mutant.after}", file=sys.stderr)
            if not is_found(mutant):
                missed.append(mutant)
    except (ValueError, subprocess.TimeoutExpired) as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps({"planted": len(chosen), "missed": [asdict(each) for each in missed]}, indent=2))
    else:
        for mutant in missed:
            print(f"not found: {mutant.file}: {mutant.after} ({', '.join(mutant.tests)})")
        print(f"{len(chosen) - len(missed)} of {len(chosen)} faults found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
