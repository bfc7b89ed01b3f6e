"""The engine of windows is installed once, and refused where none fits."""

import subprocess
import sys
from pathlib import Path

import pytest

from rostrum.desktop.hosts.engines import NEWEST, OLD_GLIBC
from tools.window_engine import REQUIREMENTS, locked_version

ROOT = Path(__file__).resolve().parents[2]


def run(code: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the tool after some code, in a process of its own."""
    program = f"import sys; {code}; from tools.window_engine import main; sys.exit(main(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )


def test_each_lock_file_names_one_version_of_the_engine() -> None:
    versions = {name: locked_version((REQUIREMENTS / name).read_text(encoding="utf-8")) for name in (NEWEST, OLD_GLIBC)}

    assert versions[OLD_GLIBC] == "6.8.0.2"
    assert versions[NEWEST] >= "6.11.3"
    with pytest.raises(SystemExit, match="does not name PySide6-Addons"):
        locked_version("anyio==4.9.0\n")


def test_a_machine_that_no_engine_fits_is_refused_with_the_reason_and_tests_are_left_out() -> None:
    # The facts of the machine come from the standard library; an old machine is not available.
    old = "import platform; platform.machine = lambda: 'x86_64'; platform.libc_ver = lambda: ('glibc', '2.31')"
    reason = "The browser engine needs glibc 2.34 or newer on x86_64; this system has 2.31."

    refused, left_out = run(old), run(old, "--tests")

    assert (refused.returncode, refused.stdout.strip()) == (1, reason)
    assert (left_out.returncode, left_out.stdout.strip()) == (0, f"{reason} The tests of windows are left out.")
