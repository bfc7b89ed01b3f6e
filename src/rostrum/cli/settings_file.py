"""The manager's configuration as commands read it: a file, or the environment."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rostrum.manager.config import LoadedConfig

__all__ = ["FILE_NAME", "ConfigOption", "load", "write_private"]

FILE_NAME = "rostrum.json"

ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        help="The configuration file; without it the environment variables API_… are read.",
        dir_okay=False,
        show_default=False,
    ),
]

_SQLITE = "sqlite:///"


def load(path: Path | None) -> "LoadedConfig":
    """Read the configuration; a database path in a file counts from the file's folder."""
    from rostrum.manager.config import load_config_file, read_config

    document: dict[str, Any] | None = None
    if path is not None:
        document = load_config_file(path)
        store = document.get("store")
        if isinstance(store, str) and store.startswith(_SQLITE):
            document["store"] = _SQLITE + str((path.resolve().parent / store.removeprefix(_SQLITE)).as_posix())
    return read_config(document, os.environ)


def write_private(path: Path, text: str) -> None:
    """Write a new file that only its owner can read: it holds secrets."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
