"""Converts the settings of the desktop platform to options of the gateway."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from rostrum.cli.output import fail, finding_line

if TYPE_CHECKING:
    from rostrum.gateway import GatewayOptions
    from rostrum.settings.settings import Settings


_NAME = "rostrum"


def data_folder() -> Path:
    """Return the folder for persistent data."""
    if sys.platform == "win32":
        return _named("LOCALAPPDATA", "AppData/Local") / _NAME
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / _NAME
    return _named("XDG_DATA_HOME", ".local/share") / _NAME


def run_folder() -> Path:
    """Return the folder for runtime data."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return Path(runtime) / _NAME if runtime else data_folder() / "run"


def _named(variable: str, default: str) -> Path:
    value = os.environ.get(variable)
    return Path(value) if value else Path.home() / default


def read_settings(path: Path) -> "Settings":
    """Read a system.json; print problems of the gateway's section, and end the command if there are errors."""
    from rostrum.base.errors import Invalid
    from rostrum.base.json5_text import TextPosition, parse, positions
    from rostrum.base.problems import json_path
    from rostrum.settings.parse import parse_system
    from rostrum.sources.check import FileProblem

    try:
        parsed = parse(path.read_bytes())
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror}", 2)
    except Invalid as error:
        fail(f"{path}: {error}", 2)
    read = parse_system(parsed.value)
    about_us = [problem for problem in read.problems if problem.path == "" or problem.path.split(".")[0] == "gw"]
    places = {json_path(steps): place for steps, place in positions(parsed.text).items()} if about_us else {}
    for problem in about_us:
        place = places.get(problem.path, TextPosition(0, 0))
        finding = FileProblem(
            file=str(path),
            path=problem.path,
            message=problem.message,
            severity=problem.severity,
            line=place.line,
            column=place.column,
        )
        typer.echo(finding_line(finding), err=True)
    if any(problem.severity == "error" for problem in about_us):
        fail(f"the gateway cannot start with {path}; correct the errors first", 2)
    return read.settings


def gateway_options(settings: "Settings", root: Path | None) -> "GatewayOptions":
    """Map the settings; files are stored below the root of the platform, or in the user's own folder."""
    from rostrum.desktop.gateway_options import gateway_options as mapped

    return mapped(settings, _snapshots(settings, root), root or Path(), os.environ)


def _snapshots(settings: "Settings", root: Path | None) -> Path:
    from rostrum.desktop.gateway_options import SNAPSHOTS
    from rostrum.sources.environment import Pair
    from rostrum.sources.locate import pair_folders

    if root is None:
        return data_folder() / SNAPSHOTS
    pair = Pair(settings.env or "", settings.region or "")
    folders, _ = pair_folders(settings.folders, pair, root, os.environ)
    return folders.user_data / SNAPSHOTS
