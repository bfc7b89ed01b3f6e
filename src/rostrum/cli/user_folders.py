"""Folders of the user who runs a command, as each system has them."""

import os
import sys
from pathlib import Path

_NAME = "rostrum"


def data_folder() -> Path:
    """Give the folder for what is kept."""
    if sys.platform == "win32":
        return _named("LOCALAPPDATA", "AppData/Local") / _NAME
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / _NAME
    return _named("XDG_DATA_HOME", ".local/share") / _NAME


def run_folder() -> Path:
    """Give the folder for what is true only while a program runs."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return Path(runtime) / _NAME if runtime else data_folder() / "run"


def _named(variable: str, default: str) -> Path:
    value = os.environ.get(variable)
    return Path(value) if value else Path.home() / default
