"""The report of the benchmarks has one section for each benchmark."""

import re
from pathlib import Path

from bench.__main__ import BENCHMARKS, REPORT

BENCH = Path(__file__).resolve().parents[2] / "bench"


def test_the_listed_headings_are_those_of_the_benchmarks() -> None:
    """A section with another heading would be missing in the report."""
    headings = {each.name: re.findall(r'"## ([^"\\]+)', (BENCH / f"{each.name}.py").read_text()) for each in BENCHMARKS}

    assert headings == {each.name: [each.heading] for each in BENCHMARKS}


def test_the_report_has_the_sections_in_the_listed_order() -> None:
    sections = re.findall(r"^## (.+)$", REPORT.read_text(encoding="utf-8"), re.MULTILINE)

    assert sections == [each.heading for each in BENCHMARKS]
