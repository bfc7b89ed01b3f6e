"""The wheel and the sdist, built once in each test process."""

import atexit
import os
import subprocess
import sys
import sysconfig
import tarfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from tests.end_to_end.processes import clean_environment

ROOT = Path(__file__).resolve().parents[2]


def without_node(programs: Path = Path(os.devnull)) -> dict[str, str]:
    """An environment whose PATH leads to no Node and no compiler, and in which nothing points to this checkout."""
    return clean_environment(PATH=str(programs), PYTHONPATH="")


def build(folder: Path, target: Path, *kinds: str) -> subprocess.CompletedProcess[str]:
    """Build packages of a source tree, as `make dist` does after the admin UI is built."""
    options = [option for kind in kinds for option in ("-t", kind)]
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(target), *options],
        cwd=folder,
        env=without_node(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@cache
def built(kind: Literal["wheel", "sdist"]) -> Path:
    """Build a package of this source tree."""
    place = TemporaryDirectory(prefix="rostrum-dist-")
    atexit.register(place.cleanup)
    done = build(ROOT, Path(place.name), kind)
    assert done.returncode == 0, done.stderr
    (package,) = Path(place.name).glob("rostrum_platform-*")
    return package


def lend_packages(environment: Path, folder: Path, *, left_out: tuple[str, ...] = ("pip", "rostrum")) -> Path:
    """Let a new environment find the dependencies of this one; test_wheel.py downloads them into an empty one."""
    folder.mkdir()
    for package in Path(sysconfig.get_path("purelib")).iterdir():
        if not package.name.startswith((*left_out, "_editable")):
            (folder / package.name).symlink_to(package)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = environment / "lib" / version / "site-packages"
    packages.mkdir(parents=True, exist_ok=True)
    (packages / "downloaded.pth").write_text(f"{folder}\n")
    return packages


def unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive of this source tree into a folder."""
    with tarfile.open(archive) as opened:
        # Python before 3.11.4 has no filters.
        if hasattr(tarfile, "data_filter"):
            opened.extraction_filter = tarfile.data_filter
        opened.extractall(folder)
