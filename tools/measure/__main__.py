"""Prints figures about the structure of the code and the cost of the tests. They are computed, not written by hand.

python -m tools.measure                  all figures
python -m tools.measure circle put       some figures
python -m tools.measure --json           for programs
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from tools.measure.figure import Figure


@dataclass(frozen=True, slots=True)
class Topic:
    """A figure that can be selected: its name, its module with a function ``measure``, and its heading."""

    name: str
    module: str
    heading: str
    is_slow: bool = False


TOPICS = (
    Topic("lines", "lines", "Lines and files of each package"),
    Topic("circle", "circle", "Largest circle of units in the manager"),
    Topic("new-kind", "new_kind", "Files for a new document kind, in src/rostrum"),
    Topic("fields", "declarations", "Declarations of each field of a record"),
    Topic("put", "put", "A change of an app, PUT /admin/apps/{name}", is_slow=True),
    Topic("start", "start", "A headless start of the desktop", is_slow=True),
    Topic("tests", "tests", "Processor time of the tests"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print the selected figures."""
    names = [topic.name for topic in TOPICS]
    parser = argparse.ArgumentParser(
        prog="python -m tools.measure",
        description="Print figures about the structure of the code and the cost of the tests.",
        epilog="figures: " + "; ".join(f"{topic.name} ({topic.heading})" for topic in TOPICS),
    )
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help=f"{', '.join(names)}; default: all")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.figures if name not in names]:
        parser.error(f"unknown figure {unknown[0]!r}; the figures are {', '.join(names)}")
    figures = {topic: _measure(topic) for topic in TOPICS if topic.name in (options.figures or names)}
    if options.json:
        print(json.dumps({topic.name: figure.values for topic, figure in figures.items()}, indent=2))
    else:
        print("\n\n".join("\n  ".join([topic.heading, *figure.lines]) for topic, figure in figures.items()))
    return 0


def _measure(topic: Topic) -> Figure:
    if topic.is_slow:
        print(f"measuring {topic.name} …", file=sys.stderr)
    figure: Figure = import_module(f"tools.measure.{topic.module}").measure()
    return figure


if __name__ == "__main__":
    sys.exit(main())
