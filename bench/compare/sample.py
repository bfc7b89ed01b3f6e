"""Measures one benchmark once, in a process of its own: run with its name, the folder of the package, and a file."""

import json
import math
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import rostrum
from bench.figures import Figure, Sample


def main(arguments: list[str]) -> int:
    """Write the figures of a benchmark into a file."""
    name, source, file = arguments
    if not Path(rostrum.__file__).is_relative_to(source):
        sys.exit(f"this process has loaded {rostrum.__file__} instead of the package in {source}")
    sample: Sample = import_module(f"bench.{name}").sample()
    for figure, measured in sample.items():
        if not (measured.value > 0 and math.isfinite(measured.value)):
            sys.exit(f"the figure {figure!r} is {measured.value}, so it has no ratio")
    text = json.dumps({figure: asdict(measured) for figure, measured in sample.items()})
    Path(file).write_text(text, encoding="utf-8")
    return 0


def read_sample(file: Path) -> Sample:
    """Read the figures that a process has written."""
    return {name: Figure(**members) for name, members in json.loads(file.read_text(encoding="utf-8")).items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
