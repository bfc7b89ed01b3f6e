"""Rows that compare times of pairs of measurements in a report."""

import statistics
from collections.abc import Sequence

HEAD = "| figure | measured | goal |\n|---|---|---|\n"

Row = tuple[str, str, str]


def ratio_row(what: str, ours: Sequence[float], theirs: Sequence[float], goal: str, *, digits: int = 0) -> Row:
    """Compare pairs of milliseconds."""
    ratio = statistics.median(one / other for one, other in zip(ours, theirs, strict=True))
    times = f"{statistics.median(ours):.{digits}f} and {statistics.median(theirs):.{digits}f} ms"
    return what, f"{ratio:.2f} ({times})", goal


def table(rows: Sequence[Row]) -> str:
    """Write rows for the report."""
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)
