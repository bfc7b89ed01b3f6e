"""Reads the manager's configuration for commands: from a file or the environment."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rostrum.base.command_line import CommandLine
from rostrum.cli.find_config import FILE_NAME, VARIABLE, Found, find_manager, nothing_found

if TYPE_CHECKING:
    from rostrum.manager.config import LoadedConfig, ManagerConfig


ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        help=f"The manager's configuration file, or a folder with {FILE_NAME} in it. Default: the first of these that "
        f"exists: the file or folder in the environment variable {VARIABLE}, {FILE_NAME} in the current folder, "
        "environment variables that start with API_, the demo (rostrum up) in the current folder.",
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True)
class ManagerSettings:
    """The settings of a command, and their file."""

    found: Found
    loaded: "LoadedConfig"

    @property
    def config(self) -> "ManagerConfig":
        """The effective settings."""
        return self.loaded.config

    @property
    def command_line(self) -> CommandLine:
        """Return the formatter for commands that use these settings."""
        return self.found.command_line


def open_settings(named: Path | None, *, quiet: bool = False) -> ManagerSettings:
    """Find and read the configuration; state which one is used, if the user did not name it."""
    found = find_manager(named) or nothing_found("manager")
    if not quiet:
        found.announce()
    return ManagerSettings(found, load(found.path))


def load(path: Path | None) -> "LoadedConfig":
    """Read a configuration file, or the environment variables alone."""
    from rostrum.manager.config import load_config_file, read_config

    return read_config(None if path is None else load_config_file(path), os.environ, path)


def write_private(path: Path, text: str) -> None:
    """Write a new file with secrets, which only its owner can read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
