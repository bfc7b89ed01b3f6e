"""Loading, merging and checking configuration, beside libraries that only merge, and beside an import of pydantic."""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dynaconf import Dynaconf
from omegaconf import OmegaConf

from bench.effort import Effort, costs, own_efforts, started_processes
from bench.figures import Sample
from bench.processes import usual_environment
from rostrum.settings.kinds import SettingsFile
from rostrum.settings.scope import Stream
from rostrum.sources.load import Loaded, Start, load_all, load_early
from tests.settings.samples import full

SOURCES, FEW, MANY = 10, 20, 200
RUNS = 7
STARTS = 15
SAMPLE_STARTS = 5
PYDANTIC = [sys.executable, "-c", "import pydantic"]
CHECK = [sys.executable, "-c", "from rostrum.cli.main import main; main()", "config", "check"]


def report() -> str:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        texts = [path / "system.json" for path in firm_folders(folder / "ten", SOURCES)]
        ours, omega, dyna = medians(
            lambda: loaded(folder / "ten"), lambda: merged_by_omegaconf(texts), lambda: merged_by_dynaconf(texts)
        )
        firm_folders(folder / "few", FEW)
        firm_folders(folder / "many", MANY)
        few, many = medians(lambda: loaded(folder / "few"), lambda: loaded(folder / "many"))
        check, bare = (
            statistics.median(each.seconds for each in efforts)
            for efforts in process_efforts(STARTS, [*CHECK, str(texts[0])], PYDANTIC)
        )
    growth = many / few / (MANY / FEW)
    return (
        "## Configuration\n\n"
        "Each source is a `system.json` with every setting. Rostrum performs a complete start: it reads JSON5, finds "
        "declared sources, merges them with the origin of each value, validates them, and locates problems. The "
        f"peers only read JSON and merge. Processor times, measured in turn: medians of {RUNS} runs, and of {STARTS} "
        "processes for the command.\n\n"
        "| figure | measured | goal |\n|---|---|---|\n"
        f"| {SOURCES} sources, Rostrum | {ours * 1e3:.1f} ms | |\n"
        f"| the same, merged by dynaconf | {dyna * 1e3:.1f} ms ({dyna / ours:.1f} × Rostrum) | > 1 × |\n"
        f"| the same, merged by OmegaConf | {omega * 1e3:.1f} ms ({omega / ours:.1f} × Rostrum) | > 1 × |\n"
        f"| cost of a source with {MANY} sources ÷ with {FEW} | {growth:.2f} × | about 1 × |\n"
        f"| `rostrum config check` of a full file | {check * 1e3:.0f} ms ({check / bare:.2f} × `import pydantic`) "
        "| < 4 × |\n"
    )


def sample() -> Sample:
    """Measure only Rostrum."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "ten"
        texts = [path / "system.json" for path in firm_folders(root, SOURCES)]
        found = costs(f"{SOURCES} sources", own_efforts(lambda: loaded(root), RUNS))
        [check] = process_efforts(SAMPLE_STARTS, [*CHECK, str(texts[0])])
    return found | costs("`rostrum config check` of a full file", check)


def document(number: int) -> dict[str, Any]:
    """Every setting, a few of them different in each source."""
    return {
        **full(SettingsFile.SYSTEM, Stream.V10),
        "env": "DEMO",
        "region": "EMEA",
        "build": f"build {number}",
        "splash": {**full(SettingsFile.SYSTEM, Stream.V10)["splash"], "width": number + 1},
    }


def firm_folders(root: Path, count: int) -> list[Path]:
    """Make folders that the first of them declares as sources."""
    folders = [root / "config", *(root / f"source{number}" for number in range(1, count))]
    for number, folder in enumerate(folders):
        folder.mkdir(parents=True)
        sources = [{"type": "path", "source": other.name} for other in folders[1:]] if number == 0 else []
        text = json.dumps({**document(number), "systemConfigurations": {"sources": sources}}, indent=2)
        (folder / "system.json").write_text(text, encoding="utf-8")
    return folders


def loaded(root: Path) -> Loaded:
    done = asyncio.run(load_all(load_early(Start(root=root)), save=False))
    if done.settings.splash.width != len(list(root.iterdir())):
        raise RuntimeError("the last source did not win")
    return done


def merged_by_omegaconf(files: Sequence[Path]) -> object:
    return OmegaConf.merge(*(OmegaConf.create(json.loads(file.read_text(encoding="utf-8"))) for file in files))


def merged_by_dynaconf(files: Sequence[Path]) -> object:
    return Dynaconf(settings_files=[str(file) for file in files], merge_enabled=True).as_dict()


def medians(*actions: Callable[[], object]) -> list[float]:
    """Measure actions in turn, so that the machine's mood meets all of them."""
    taken: list[list[float]] = [[] for _ in actions]
    for turn in range(RUNS + 1):
        for action, times in zip(actions, taken, strict=True):
            began = time.process_time()
            action()
            if turn:
                times.append(time.process_time() - began)
    return [statistics.median(times) for times in taken]


def process_efforts(count: int, *commands: Sequence[str]) -> list[list[Effort]]:
    """Execute commands in turn, and return the effort of each process except the first one."""
    taken: list[list[Effort]] = [[] for _ in commands]
    for turn in range(count + 1):
        for command, efforts in zip(commands, taken, strict=True):
            with started_processes() as instructions:
                process = subprocess.Popen(
                    command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=usual_environment()
                )
                _, process.returncode, used = os.wait4(process.pid, 0)
                if turn:
                    efforts.append(Effort(used.ru_utime + used.ru_stime, instructions()))
    return taken
