"""What the gateway's work costs, against the reference gateway doing the same in the same run."""

import statistics
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.effort import instructions, meter
from bench.figures import Sample, per_second
from bench.processes import Load, Measured, pinned_load, pinned_server, resident_kib, usual_environment
from tools.node import find_node

ROUNDS = 3
# Fewer operations than in the report: several rounds show more than a long one.
SAMPLE_ROUNDS, SAMPLE_SHARE = 3, 4
IDLE = 500
PROJECT = Path(__file__).resolve().parent.parent / "tests" / "gateway" / "node"
OURS = (sys.executable, "-c", "from rostrum.cli.main import main; main()", "gateway", "--port", "0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Something peers do: what it is, how many at once, and how often in one round."""

    name: str
    scene: str
    width: int
    count: int
    details: dict[str, Any]


SCENES = (
    Scene(name="calls, one at a time", scene="call", width=1, count=4000, details={}),
    Scene(name="calls, 8 callers × 16 outstanding", scene="call", width=128, count=12000, details={"callers": 8}),
    Scene(name="stream, 1 → 50", scene="stream", width=1, count=600, details={"receivers": 50}),
    Scene(name="context, 1 → 50", scene="context", width=1, count=600, details={"receivers": 50}),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one round showed."""

    per_cpu_second: float
    instructions: float | None
    p99_ms: float


def report() -> str:
    reference = find_node().command("node", str(PROJECT / "reference.mjs"))
    rows = []
    with pinned_load("load.mjs") as load:
        with served(reference) as theirs, served(OURS) as ours:
            rows += [row(load, scene, theirs, ours) for scene in SCENES]
        held = [idle_kib(load, command) for command in (reference, OURS)]
    columns = ("operation", "reference", "gateway", "gateway ÷ reference", "p99 reference", "p99 gateway")
    return (
        "## Gateway\n\n"
        "Operations per second of the server's processor time, and the 99th percentile of the latency, as medians of "
        f"{ROUNDS} rounds. A message to 50 peers is one operation. The reference is `@glue42/gateway-web` behind "
        "`ws`. Goals: at least twice the rate of the reference, no higher latency, and less than 40 KiB for an idle "
        "peer.\n\n"
        + "\n".join([f"| {' | '.join(columns)} |", "|---" * len(columns) + "|", *rows])
        + f"\n\nMemory for each of {IDLE} idle peers: reference {held[0]:.1f} KiB, gateway {held[1]:.1f} KiB.\n"
    )


def sample() -> Sample:
    """Measure only the gateway."""
    shorter = [replace(scene, count=scene.count // SAMPLE_SHARE) for scene in SCENES]
    sample: Sample = {}
    with pinned_load("load.mjs") as load, served(OURS) as server:
        rounds = [[measure(load, scene, server) for scene in shorter] for _ in range(SAMPLE_ROUNDS)]
    for scene, taken in zip(SCENES, zip(*rounds, strict=True), strict=True):
        sample[scene.name] = per_second(one.per_cpu_second for one in taken)
        sample |= instructions(scene.name, [one.instructions for one in taken])
    return sample


def served(command: Sequence[str]) -> AbstractContextManager[Measured]:
    return pinned_server(command, env=usual_environment())


def row(load: Load, scene: Scene, *servers: Measured) -> str:
    rounds = [[measure(load, scene, server) for server in servers] for _ in range(ROUNDS)]
    (their_rate, their_p99), (our_rate, our_p99) = (
        (statistics.median(one.per_cpu_second for one in taken), statistics.median(one.p99_ms for one in taken))
        for taken in zip(*rounds, strict=True)
    )
    return (
        f"| {scene.name} | {their_rate:,.0f}/s | {our_rate:,.0f}/s | {our_rate / their_rate:.2f} × "
        f"| {their_p99:.2f} ms | {our_p99:.2f} ms |"
    )


def measure(load: Load, scene: Scene, server: Measured) -> Figures:
    load.do("prepare", address=f"ws://127.0.0.1:{server.port}", scene=scene.scene, **scene.details)
    load.do("run", count=max(scene.count // 10, scene.width), width=scene.width)
    with meter(server.pid) as read:
        before = read()
        told = load.do("run", count=scene.count, width=scene.width)
        each = read().since(before).divided(scene.count)
    load.do("leave")
    return Figures(1 / each.seconds, each.instructions, told["p99"])


def idle_kib(load: Load, command: Sequence[str]) -> float:
    with served(command) as server:
        before = resident_kib(server.pid)
        load.do("idle", address=f"ws://127.0.0.1:{server.port}", count=IDLE)
        held = (resident_kib(server.pid) - before) / IDLE
        load.do("leave")
        return held
