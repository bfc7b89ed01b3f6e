"""Finds Chromium for tests, screenshots, benchmarks and the check of the admin UI's build.

python tools/chromium.py                  install it from the distribution's packages where it is missing (as root, with
                                          apt)
python tools/chromium.py --with-windows   the same for the complete one: it blocks pop-ups, and benchmarks compare with
                                          its windows
"""

import os
import shutil
import subprocess
import sys

LIGHT = "chromium-headless-shell"
"""The same engine without a user interface. It loads a page with a third of the processor time."""
NAMES = (LIGHT, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium(*, with_windows: bool = False) -> str | None:
    """Return the program's path: the one that ``CHROMIUM_PATH`` names, or the first on the search path."""
    names = NAMES[1:] if with_windows else NAMES
    return os.environ.get("CHROMIUM_PATH") or next(filter(None, map(shutil.which, names)), None)


def main(arguments: list[str]) -> int:
    """Install the light form if possible; any Chromium that is there will do."""
    if "--with-windows" in arguments:
        if find_chromium(with_windows=True) is None and not _install("chromium"):
            print(
                "The test of the pop-up blocker and the benchmarks of windows need Chromium with windows: install it, "
                "or set CHROMIUM_PATH to its program."
            )
            return 1
        return 0
    if "CHROMIUM_PATH" not in os.environ and shutil.which(LIGHT) is None:
        for package in (LIGHT, *(() if find_chromium() else ("chromium",))):
            if _install(package):
                break
    if find_chromium() is None:
        print("The tests of the admin UI need Chromium: install it, or set CHROMIUM_PATH to its program.")
        return 1
    return 0


def _install(package: str) -> bool:
    if shutil.which("apt-get") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    print(f"installing {package} for tests or benchmarks")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", package]):
        if subprocess.run(["apt-get", "-qq", *command], env=environment, capture_output=True, check=False).returncode:
            return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
