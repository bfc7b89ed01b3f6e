"""The headless start: with the extra for windows installed, against the same installation without it."""

import site
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.effort import Effort, costs, started_processes
from bench.figures import Sample
from bench.processes import cpu_seconds, usual_environment
from bench.rows import Row, ratio_row, table

PAIRS = 25
SAMPLE_STARTS = 3
EXTRA = ("pyside6", "shiboken6")
# Packages are found in a folder of links, so that both differ only in what the folder holds.
START = "import site, sys; site.addsitedir(sys.argv.pop(1)); from rostrum.cli.main import main; main()"


def report() -> str:
    rows = measured()
    return (
        "## Start without windows\n\n"
        "`rostrum desktop --headless`, from its start until it is ready, with and without the browser engine "
        f"installed. Medians of the ratios of {PAIRS} pairs. No library of the engine is loaded in either case. The "
        "elapsed time also depends on other load of the machine.\n\n" + table(rows)
    )


def measured() -> list[Row]:
    walls: tuple[list[float], list[float]] = ([], [])
    processors: tuple[list[float], list[float]] = ([], [])
    with tempfile.TemporaryDirectory() as place:
        root = configured(Path(place))
        folders = linked(root / "with", extra=True), linked(root / "without", extra=False)
        for number in range(PAIRS + 1):
            # In turn, which of them is the first.
            for which in (0, 1) if number % 2 else (1, 0):
                wall, processor = started(root, folders[which])
                if number:
                    walls[which].append(wall)
                    processors[which].append(processor)
    return [
        ratio_row("start with the browser engine installed ÷ without", *walls, "≤ 1.02"),
        ratio_row("the same in processor time", *processors, "≤ 1.02"),
    ]


def sample() -> Sample:
    """Measure the start with all installed packages."""
    efforts = []
    with tempfile.TemporaryDirectory() as place:
        root = configured(Path(place))
        # The first start also creates files.
        for _ in range(SAMPLE_STARTS + 1):
            with started_processes() as instructions:
                _, milliseconds = started(root, installed())
                efforts.append(Effort(milliseconds / 1e3, instructions()))
    return costs("start until the platform is ready", efforts[1:])


def configured(root: Path) -> Path:
    (root / "config").mkdir()
    (root / "config" / "system.json").write_text('{"gw": {"configuration": {"port": 0}}}')
    return root


def installed() -> Path:
    return Path(next(one for one in site.getsitepackages() if Path(one).is_dir()))


def linked(folder: Path, *, extra: bool) -> Path:
    """Make a folder of links to all installed packages, with those of the extra or without them."""
    folder.mkdir()
    packages = installed()
    found = [one for one in packages.iterdir() if one.name.lower().startswith(EXTRA)]
    if not found:
        raise RuntimeError("the extra windows is not installed: there is nothing to compare")
    for one in packages.iterdir():
        if extra or one not in found:
            (folder / one.name).symlink_to(one)
    return folder


def started(root: Path, packages: Path) -> tuple[float, float]:
    """Start the platform; return the milliseconds until it was ready, and those of processor time."""
    command = [sys.executable, "-S", "-c", START, str(packages), "desktop", "--headless"]
    began = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=root, env=usual_environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline().startswith("ready")
        wall = time.perf_counter() - began
        processor = cpu_seconds(process.pid)
        if "Qt6" in Path(f"/proc/{process.pid}/maps").read_text():
            raise RuntimeError("the headless platform has loaded a library of the browser engine")
    finally:
        process.terminate()
        process.communicate()
    return wall * 1e3, processor * 1e3
