"""Runs every benchmark and writes docs/benchmarks.md.

python -m bench                    all of them
python -m bench startup            some of them, only to look at
python -m bench startup --write    some of them, and their parts of the report anew
"""

import platform
import re
import sys
from importlib import import_module
from pathlib import Path

from bench import plot

BENCHMARKS = (
    "startup",
    "polling",
    "against_peers",
    "events",
    "preview",
    "bulk_change",
    "large_documents",
    "writes_beside_large_ones",
    "admin_ui",
    "platform_page",
    "admin_list",
    "log_in_timing",
    "settings",
    "gateway",
    "websocket_libraries",
    "fdc3_agents",
    "fdc3_broadcast",
    "desktop",
    "windows",
    "window_layouts",
    "window_library",
    "window_gateway",
    "window_restart",
    "headless_start",
    "window_groups",
    "window_gestures",
)
DOCS = Path(__file__).resolve().parent.parent / "docs"
REPORT, PICTURE = DOCS / "benchmarks.md", DOCS / "images" / "benchmarks.svg"


def main(arguments: list[str]) -> int:
    wanted = [name for name in arguments if name != "--write"]
    sections = {} if not wanted else _sections(REPORT.read_text(encoding="utf-8"))
    for name in wanted or BENCHMARKS:
        print(f"measuring {name} …", file=sys.stderr)
        text = import_module(f"bench.{name}").report()
        print(text)
        sections |= {heading: f"{part}\n{_machine()}\n" for heading, part in _sections(text).items()}
    if not wanted or "--write" in arguments:
        _write(sections)
    return 0


def _sections(text: str) -> dict[str, str]:
    """Split a report into its sections, by heading."""
    parts = re.split(r"(?m)^(?=## )", text)[1:]
    return {part.partition("\n")[0]: part.strip("\n") + "\n" for part in parts}


def _machine() -> str:
    return f"Measured with Python {platform.python_version()} on {platform.system()} {platform.machine()}."


def _write(sections: dict[str, str]) -> None:
    head = [
        "# Benchmarks\n",
        "Written by `make bench`. Machines differ: only ratios carry over, each measured side by side in one run.\n",
        "Sections may come from different machines; each names its own.\n",
    ]
    if plot.RATES:
        PICTURE.write_text(plot.bars(plot.RATES), encoding="utf-8")
    if PICTURE.exists():
        head.append(f"![Requests per second of one core]({PICTURE.relative_to(DOCS)})\n")
    REPORT.write_text("\n".join([*head, *sections.values()]), encoding="utf-8")
    print(f"wrote {REPORT.name}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
