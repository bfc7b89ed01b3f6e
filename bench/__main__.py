"""Runs the benchmarks and writes docs/benchmarks.md.

python -m bench                    run all benchmarks and write the report
python -m bench startup            run one benchmark and print its result
python -m bench startup --write    run one benchmark and replace its section of the report
"""

import platform
import re
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from bench import plot


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A module with a report, the heading of the report, and the peer that Rostrum is compared with."""

    name: str
    heading: str
    peer: str


BENCHMARKS = (
    Benchmark("startup", "Start-up and memory", "Python that only imports the same libraries"),
    Benchmark("polling", "Polls", "a bare application on the same server"),
    Benchmark("against_peers", "Full lists in Kinto and PocketBase", "Kinto, PocketBase"),
    Benchmark("events", "Live updates", "a bare application on the same server"),
    Benchmark("preview", "Previews of changes", "a tenth of the users"),
    Benchmark("bulk_change", "Bulk changes", "bare SQL"),
    Benchmark("command_receipts", "Command receipts", "no receipts"),
    Benchmark("large_documents", "Large documents", "msgspec"),
    Benchmark("writes_beside_large_ones", "Small writes during large writes", "no large writes"),
    Benchmark("admin_ui", "Admin UI", "a plain table"),
    Benchmark("platform_page", "Browser platform", "none"),
    Benchmark("admin_list", "Pages of users", "a hundredth of the users"),
    Benchmark("log_in_timing", "Refused sign-ins", "an unknown user"),
    Benchmark("settings", "Configuration", "dynaconf, OmegaConf"),
    Benchmark("gateway", "Gateway", "`@glue42/gateway-web`"),
    Benchmark("gateway_attack", "Gateway under attack", "the same gateway without an attack"),
    Benchmark("websocket_libraries", "WebSocket libraries", "picows against websockets"),
    Benchmark("fdc3_agents", "FDC3 agents", "none"),
    Benchmark("fdc3_broadcast", "FDC3 broadcasts between pages", "`@morgan-stanley/fdc3-web`, a bare relay"),
    Benchmark("desktop", "Desktop", "the bare JSON5 library"),
    Benchmark("windows", "Windows", "a bare view of the same engine, Chromium"),
    Benchmark("window_layouts", "Restored layouts", "bare views of the same engine"),
    Benchmark("window_library", "Desktop library", "`@interopio/core`"),
    Benchmark("window_gateway", "Gateway while windows are busy", "windows at rest"),
    Benchmark("window_restart", "Windows after a failure", "a cold start"),
    Benchmark("headless_start", "Start without windows", "no browser engine installed"),
    Benchmark("window_groups", "Movement of groups", "one window"),
    Benchmark("window_gestures", "Gestures in groups", "none"),
)
DOCS = Path(__file__).resolve().parent.parent / "docs"
REPORT, PICTURE = DOCS / "benchmarks.md", DOCS / "images" / "benchmarks.svg"


HEAD = """# Benchmarks

`make bench` runs all benchmarks and writes this page. `make bench ARGS="startup"` runs one of them and prints its
result. `make bench ARGS="startup --write"` also replaces its section of this page.

Each benchmark measures Rostrum and a peer in turn, in the same run. The peer is another product, or a bare
implementation that does as little work as possible. Absolute times depend on the machine, so compare only ratios. Each
section names the machine on which it was measured; sections can come from different machines.

| Section | Compared with | Name for `ARGS` |
|---|---|---|"""


def main(arguments: list[str]) -> int:
    wanted = [name for name in arguments if name != "--write"]
    sections = {} if not wanted else _sections(REPORT.read_text(encoding="utf-8"))
    for name in wanted or [benchmark.name for benchmark in BENCHMARKS]:
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


def _anchor(heading: str) -> str:
    return heading.lower().replace(" ", "-")


def _machine() -> str:
    return f"Measured with Python {platform.python_version()} on {platform.system()} {platform.machine()}."


def _write(sections: dict[str, str]) -> None:
    head = [
        HEAD,
        *(f"| [{each.heading}](#{_anchor(each.heading)}) | {each.peer} | `{each.name}` |" for each in BENCHMARKS),
        "",
    ]
    if plot.RATES:
        PICTURE.write_text(plot.bars(plot.RATES), encoding="utf-8")
    if PICTURE.exists():
        head.append(f"![Requests per second of one core]({PICTURE.relative_to(DOCS)})\n")
    parts = [sections[f"## {each.heading}"] for each in BENCHMARKS if f"## {each.heading}" in sections]
    REPORT.write_text("\n".join([*head, *parts]), encoding="utf-8")
    print(f"wrote {REPORT.name}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
