"""Installs the browser engine that draws windows, and what the tests of windows need.

python tools/window_engine.py           install the engine that fits this machine (`make .venv/.windows`)
python tools/window_engine.py --tests   also install Xvfb, openbox, trayer, xterm and the engine's libraries from the
                                        distribution's packages, as root with apt (`make test`); where one is missing,
                                        the message names it and says that the tests of windows are left out

ENGINE=old in the environment installs the engine for old systems, to run the tests with it.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from rostrum.desktop.hosts.engine_libraries import child_environment, debian_packages, missing_libraries
from rostrum.desktop.hosts.engines import OLD_GLIBC, PACKAGE, NoEngine, installed_version, lock_file, this_machine

REQUIREMENTS = Path(__file__).resolve().parent.parent / "requirements"
PROGRAMS = {"Xvfb": "xvfb", "openbox": "openbox", "trayer": "trayer", "xterm": "xterm"}
"""Programs that the tests of windows start, and the Debian package of each."""
LEFT_OUT = "The tests of windows are left out."


def main(arguments: list[str]) -> int:
    for_tests = "--tests" in arguments
    try:
        lock = REQUIREMENTS / (OLD_GLIBC if os.environ.get("ENGINE") == "old" else lock_file(this_machine()))
    except NoEngine as reason:
        print(f"{reason} {LEFT_OUT}" if for_tests else reason)
        return 0 if for_tests else 1
    if not _install_engine(lock):
        return 1
    if for_tests and sys.platform.startswith("linux"):
        _install_packages()
    return 0


def locked_version(lock: str) -> str:
    """Return the version of the engine that a lock file pins."""
    pinned = re.search(rf"^{PACKAGE}==(\S+)", lock, re.MULTILINE | re.IGNORECASE)
    if pinned is None:
        raise SystemExit(f"The lock file does not name {PACKAGE}.")
    return pinned[1]


def missing_packages() -> list[str]:
    """Return the Debian packages that the tests of windows need and this system lacks."""
    programs = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    return [*programs, *debian_packages(missing_libraries(child_environment(os.environ)))]


def _install_engine(lock: Path) -> bool:
    wanted = locked_version(lock.read_text(encoding="utf-8"))
    if installed_version() == wanted:
        return True
    print(f"installing the browser engine {wanted} (about 600 MB)", flush=True)
    command = [sys.executable, "-m", "pip", "install", "-q", "--require-hashes", "-r", str(lock)]
    return subprocess.run(command, check=False).returncode == 0


def _install_packages() -> None:
    missing = missing_packages()
    if missing and shutil.which("apt-get") and os.geteuid() == 0:
        print(f"installing {' '.join(missing)} for the tests of windows", flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "-y", "--no-install-recommends", *missing]):
            subprocess.run(["apt-get", "-qq", *command], env=environment, capture_output=True, check=False)
        missing = missing_packages()
    if missing:
        print(f"{LEFT_OUT} To run them, install these packages: apt-get install {' '.join(missing)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
