"""The self-extracting installer: runs from the bundle, adds its version and makes it current."""

import argparse
import sys
from pathlib import Path

from rostrum.base.errors import RostrumError
from rostrum.installation.bundle import check_target, read_info
from rostrum.installation.versions import Installation

DEFAULT_FOLDER = Path("~/.local/opt/rostrum")


def main(package: Path, arguments: list[str] | None = None) -> int:
    """Install; return the exit code."""
    parser = argparse.ArgumentParser(
        prog=package.name, description="Install Rostrum, or update an existing installation to this version."
    )
    parser.add_argument("--to", type=Path, default=DEFAULT_FOLDER, metavar="FOLDER", help="default: %(default)s")
    parser.add_argument(
        "--ready-seconds",
        type=_seconds,
        default=120.0,
        metavar="SECONDS",
        help="how long the first start after an automatic update may take before it is rolled back (default: 120)",
    )
    parser.add_argument(
        "--info", action="store_true", help="print the version and the target of this package, and exit"
    )
    options = parser.parse_args(arguments)
    try:
        if options.info:
            info = read_info(package)
            print(f"rostrum {info.version} for {info.target}")  # noqa: T201 - the result
            return 0
        return _install(package, options.to.expanduser().absolute(), options.ready_seconds)
    except RostrumError as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(f"{error.filename or options.to}: {error.strerror}")


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 86_400:
        raise ValueError(text)
    return seconds


def _install(package: Path, root: Path, ready_seconds: float) -> int:
    # Before anything is created.
    check_target(read_info(package))
    installation = Installation(root)
    installation.prepare(ready_seconds=ready_seconds)
    info = installation.add(package)
    installation.switch(info.version, trial=False)
    command = root / "bin" / "rostrum"
    print(f"Installed Rostrum {info.version} in {root}.")  # noqa: T201 - the result
    print(f"Configuration folder: {root / 'config'}. Start the desktop with: {command} desktop")  # noqa: T201
    return 0


def _refuse(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)  # noqa: T201 - the only output there is
    return 1
