"""Which browser engine fits a machine, and the reason where none does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rostrum.desktop.hosts.engines import ENGINES, NEWEST, OLD_GLIBC, Machine, NoEngine, lock_file, this_machine

REQUIREMENTS = Path(__file__).resolve().parents[3] / "requirements"


def linux(processor: str, release: str, name: str = "glibc") -> Machine:
    return Machine(system="linux", processor=processor, libc=(name, release))


@pytest.mark.parametrize(
    ("machine", "file"),
    [
        (linux("x86_64", "2.34"), NEWEST),
        (linux("x86_64", "2.41"), NEWEST),
        (linux("aarch64", "2.39"), NEWEST),
        (linux("aarch64", "2.100"), NEWEST),
        (linux("aarch64", "2.38"), OLD_GLIBC),
        (linux("aarch64", "2.36"), OLD_GLIBC),
        (linux("aarch64", "2.31"), OLD_GLIBC),
        (Machine(system="darwin", processor="arm64", release="13.0"), NEWEST),
        (Machine(system="darwin", processor="x86_64", release="15.5"), NEWEST),
        (Machine(system="win32", processor="AMD64"), NEWEST),
        (Machine(system="win32", processor="ARM64"), NEWEST),
    ],
    ids=str,
)
def test_each_supported_machine_gets_the_newest_engine_that_runs_on_it(machine: Machine, file: str) -> None:
    assert lock_file(machine) == file


@pytest.mark.parametrize(
    ("machine", "reason"),
    [
        (linux("x86_64", "2.33"), "needs glibc 2.34 or newer on x86_64; this system has 2.33"),
        (linux("x86_64", "2.9"), "needs glibc 2.34 or newer on x86_64; this system has 2.9"),
        (linux("aarch64", "2.30"), "needs glibc 2.31 or newer on aarch64; this system has 2.30"),
        (linux("x86_64", "", ""), "needs the GNU C library (glibc) 2.34 or newer; this system has none"),
        (linux("x86_64", "1.2.5", "musl"), "needs the GNU C library (glibc) 2.34 or newer; this system has none"),
        (linux("armv7l", "2.36"), "no browser engine for the processor armv7l"),
        (Machine(system="darwin", processor="arm64", release="12.7"), "needs macOS 13 or newer; this is 12.7"),
        (Machine(system="freebsd14", processor="amd64"), "no browser engine for the operating system freebsd14"),
    ],
    ids=str,
)
def test_a_machine_without_an_engine_is_refused_with_the_reason(machine: Machine, reason: str) -> None:
    with pytest.raises(NoEngine, match=re.escape(reason)):
        lock_file(machine)


def test_this_machine_is_described_by_its_own_facts() -> None:
    machine = this_machine()

    assert machine.system == sys.platform
    assert machine.processor
    assert (machine.libc[0] == "glibc") is (sys.platform == "linux")


@pytest.mark.parametrize("file", [NEWEST, OLD_GLIBC])
def test_the_age_of_the_fixes_is_known_for_each_locked_engine(file: str) -> None:
    pinned = re.search(r"^pyside6-addons==(\S+)", (REQUIREMENTS / file).read_text(encoding="utf-8"), re.MULTILINE)

    assert pinned is not None
    assert pinned[1] in ENGINES


@pytest.mark.long
def test_asking_for_the_engine_does_not_load_it() -> None:
    code = (
        "import os, sys; from rostrum.desktop.hosts import engine_libraries as l, engines as e;"
        "e.installed_version(); l.missing_libraries(l.child_environment(os.environ));"
        "print(sorted(name for name in sys.modules if name.startswith(('PySide6', 'shiboken6'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)

    assert done.stdout.strip() == "[]"
