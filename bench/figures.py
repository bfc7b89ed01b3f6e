"""Named numbers of a benchmark, which `bench.compare` compares between two states of Rostrum."""

import statistics
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured number.

    Attributes:
        value: The number; always above zero.
        unit: Its unit.
        is_rate: Whether more is better. Otherwise the number is a cost, of which less is better.
    """

    value: float
    unit: str
    is_rate: bool = False


Sample = dict[str, Figure]
"""The figures of one run of a benchmark, by name."""


def per_second(rates: Iterable[float]) -> Figure:
    """Return the median of rates."""
    return Figure(statistics.median(rates), "/s", is_rate=True)
