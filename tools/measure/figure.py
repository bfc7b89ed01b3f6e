"""The result of one measurement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """The result of one measurement.

    Attributes:
        values: The numbers, for programs.
        lines: The same for people.

    """

    values: Mapping[str, Any]
    lines: Sequence[str]


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Align the cells of a table: the first column to the left, numbers and other columns to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width) for number, (cell, width) in enumerate(cells)
        ).rstrip()
        for cells in (list(zip(row, widths, strict=True)) for row in rows)
    ]
