"""Compares the speed of the working tree with a commit.

python -m bench.compare gateway               compare with the newest release
python -m bench.compare --base HEAD gateway   compare with a commit

Exit status: 0 if nothing is slower than allowed, 1 if something is, 2 for wrong usage, 3 if a state cannot be measured.
"""

import argparse
import json
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from bench.compare.intervals import ALLOWED, FEWEST_PAIRS, Comparison, Verdict, compare, confidence, interval_rank
from bench.compare.pairs import SECONDS, SampleError, measure_pairs
from bench.compare.states import UsageError, commit_of, default_revision, prepared_states

ROOT = Path(__file__).resolve().parent.parent.parent
PAIRS = 9
_HEADS = ("figure", "base", "current", "ratio", "interval", "verdict")


def main(arguments: Sequence[str], root: Path = ROOT, seconds: float = SECONDS) -> int:
    given = _parser().parse_args(arguments)
    try:
        benchmarks = _known(given.benchmark, comparable(root))
        _require_enough(given.pairs)
        commit = commit_of(root, given.base or default_revision(root))
        with prepared_states(root, commit) as states:
            pairs = measure_pairs(benchmarks, states, given.pairs, _progress, seconds)
    except UsageError as error:
        return _failed(error, 2)
    except SampleError as error:
        return _failed(error, 3)
    comparisons = [each for benchmark in benchmarks for each in compare(benchmark, pairs[benchmark])]
    print(as_json(commit, given.pairs, comparisons) if given.json else as_text(commit, given.pairs, comparisons))
    return 1 if any(each.verdict is Verdict.SLOWER for each in comparisons) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.compare", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("benchmark", nargs="*", help="benchmarks to compare")
    parser.add_argument("--base", metavar="REV", help="commit to compare with (default: the newest release; without "
                        "releases, the newest commit whose package differs)")  # fmt: skip
    parser.add_argument("--pairs", type=int, default=PAIRS, metavar="N", help=f"number of pairs (default: {PAIRS})")
    parser.add_argument("--json", action="store_true", help="print a JSON document")
    return parser


def comparable(root: Path) -> list[str]:
    """Find the benchmarks that have a function `sample`, without loading them and their peers."""
    return sorted(
        file.stem
        for file in (root / "bench").glob("*.py")
        if re.search(r"(?m)^def sample\(\)", file.read_text(encoding="utf-8"))
    )


def _known(wanted: Sequence[str], available: Sequence[str]) -> list[str]:
    listed = f"These can be compared: {', '.join(available)}."
    if not wanted:
        raise UsageError(f"No benchmark was named. {listed}")
    if unknown := [name for name in wanted if name not in available]:
        raise UsageError(f"The benchmark {unknown[0]!r} does not exist or cannot be compared. {listed}")
    return list(dict.fromkeys(wanted))


def _require_enough(pairs: int) -> None:
    if pairs < FEWEST_PAIRS:
        raise UsageError(f"{pairs} pairs are too few: an interval needs at least {FEWEST_PAIRS}.")


def as_text(commit: str, pairs: int, comparisons: Sequence[Comparison]) -> str:
    """Write a table for each benchmark."""
    share = confidence(pairs, interval_rank(pairs)) * 100
    lines = [f"The working tree compared with {commit[:10]}, in {pairs} pairs. A ratio above 1 is slower."]
    lines += [f"The median of the ratios lies in the interval with a probability of {share:.1f} %."]
    for benchmark in dict.fromkeys(each.benchmark for each in comparisons):
        rows = [_HEADS, *(_row(each) for each in comparisons if each.benchmark == benchmark)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines += ["", benchmark]
        lines += [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        ]
    slower = sum(each.verdict is Verdict.SLOWER for each in comparisons)
    lines += ["", f"Slower than allowed (interval above {ALLOWED}): {slower} of {len(comparisons)} figures."]
    return "\n".join(lines)


def _row(each: Comparison) -> tuple[str, ...]:
    lower, upper = each.interval
    base, current = (f"{_number(value)} {each.unit}" for value in (each.base, each.current))
    return each.figure, base, current, f"{each.ratio:.3f}", f"{lower:.3f} to {upper:.3f}", each.verdict


def _number(value: float) -> str:
    """Write at least three digits."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def as_json(commit: str, pairs: int, comparisons: Sequence[Comparison]) -> str:
    """Write a document for programs."""
    document = {
        "base": commit,
        "pairs": pairs,
        "confidence": confidence(pairs, interval_rank(pairs)),
        "allowed": ALLOWED,
        "figures": [_members(each) for each in comparisons],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _members(each: Comparison) -> dict[str, Any]:
    return {
        "benchmark": each.benchmark,
        "figure": each.figure,
        "unit": each.unit,
        "base": each.base,
        "current": each.current,
        "ratio": each.ratio,
        "interval": each.interval,
        "verdict": each.verdict,
        "ratios": each.ratios,
    }


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _failed(error: Exception, status: int) -> int:
    print(f"error: {error}", file=sys.stderr)
    return status


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    # As Ctrl+C: processes are ended, and the copies deleted.
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGHUP, _interrupt)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
