"""Ratios of pairs of measurements, and the interval in which their median lies."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import comb

from bench.figures import Figure, Sample

FEWEST_PAIRS = 7
CONFIDENCE = 0.95
ALLOWED = 1.03
"""The largest ratio of costs that is accepted."""


class Verdict(StrEnum):
    """What an interval shows."""

    SLOWER = "slower"
    SLIGHTLY_SLOWER = "slightly slower"
    FASTER = "faster"
    NOT_SHOWN = "no difference shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One figure in two states.

    Attributes:
        benchmark: The benchmark that measured it.
        figure: Its name.
        unit: Its unit.
        base: The median in the old state.
        current: The median in the new state.
        ratios: For each pair, the cost in the new state divided by the cost in the old state.
    """

    benchmark: str
    figure: str
    unit: str
    base: float
    current: float
    ratios: tuple[float, ...]

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds between which the median of the ratios lies, with the required confidence."""
        rank, ordered = interval_rank(len(self.ratios)), sorted(self.ratios)
        return ordered[rank - 1], ordered[-rank]

    @property
    def verdict(self) -> Verdict:
        lower, upper = self.interval
        if lower > ALLOWED:
            return Verdict.SLOWER
        if lower > 1:
            return Verdict.SLIGHTLY_SLOWER
        return Verdict.FASTER if upper < 1 else Verdict.NOT_SHOWN


def compare(benchmark: str, pairs: Sequence[tuple[Sample, Sample]]) -> list[Comparison]:
    """Compare each figure of pairs of samples, of which the first is of the old state."""
    names = list(pairs[0][0])
    return [_comparison(benchmark, name, [(base[name], current[name]) for base, current in pairs]) for name in names]


def _comparison(benchmark: str, name: str, pairs: Sequence[tuple[Figure, Figure]]) -> Comparison:
    return Comparison(
        benchmark=benchmark,
        figure=name,
        unit=pairs[0][0].unit,
        base=statistics.median(base.value for base, _ in pairs),
        current=statistics.median(current.value for _, current in pairs),
        ratios=tuple(cost_ratio(base, current) for base, current in pairs),
    )


def cost_ratio(base: Figure, current: Figure) -> float:
    """Return the new cost divided by the old one: above 1 is slower, also for rates."""
    return base.value / current.value if base.is_rate else current.value / base.value


def interval_rank(count: int) -> int:
    """Return the largest rank whose interval has the required confidence.

    The interval of rank r is from the r-th smallest value to the r-th largest one. It needs no assumption about the
    distribution: each value is above the true median with a probability of one half.
    """
    if confidence(count, 1) < CONFIDENCE:
        raise ValueError(f"{count} values are too few for an interval")
    return max(rank for rank in range(1, count // 2 + 1) if confidence(count, rank) >= CONFIDENCE)


def confidence(count: int, rank: int) -> float:
    """Return the probability that the true median lies in the interval of a rank."""
    return float(1 - 2 * sum(comb(count, below) for below in range(rank)) / 2**count)
