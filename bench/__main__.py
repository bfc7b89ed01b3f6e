"""Runs every benchmark and writes docs/benchmarks.md.

python -m bench           all of them
python -m bench startup   some of them
"""

import platform
import sys
from importlib import import_module
from pathlib import Path

BENCHMARKS = ("startup", "polling", "preview", "settings", "gateway", "websocket_libraries", "desktop")
REPORT = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"


def main(wanted: list[str]) -> int:
    parts = [
        "# Benchmarks\n",
        "Written by `make bench`. Machines differ: only ratios carry over, each measured side by side in one run.\n",
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}.\n",
    ]
    for name in wanted or BENCHMARKS:
        print(f"measuring {name} …", file=sys.stderr)
        text = import_module(f"bench.{name}").report()
        print(text)
        parts.append(text)
    if not wanted:
        REPORT.write_text("\n".join(parts), encoding="utf-8")
        print(f"wrote {REPORT.name}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
