"""The configuration that the command line selects for a start or an inspection."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rostrum import PLATFORM_VERSION
from rostrum.base.command_line import path_argument
from rostrum.cli.find_config import find_desktop, nothing_found
from rostrum.cli.output import fail

if TYPE_CHECKING:
    from rostrum.sources.load import Start


def start_from(
    config: Path | None,
    arguments: Sequence[str] | None,
    *,
    quiet: bool = False,
    env: str | None = None,
    region: str | None = None,
    user: str | None = None,
    group: str | None = None,
    version: str | None = None,
    gilding_file: str | None = None,
) -> "Start":
    """Create the start from the folder of system.json, or from the files given after ``--``.

    Without either, the configuration is searched; the one that is used is printed unless the command is quiet.
    """
    from rostrum.sources.load import Start
    from rostrum.sources.locate import parse_arguments
    from rostrum.sources.source import RequestIdentity

    named = [f"--gildingConfigFile={gilding_file}"] if gilding_file is not None else []
    given = parse_arguments(["--", *named, *(arguments or [])])
    base = (Path(given.base) if given.base else desktop_folder(config, quiet=quiet)).absolute()
    if not base.exists():
        fail(f"{path_argument(base)} does not exist. Name the folder that contains system.json.", 2)
    folder = base if base.is_dir() else base.parent
    return Start(
        root=folder.parent,
        arguments=replace(given, base=str(base), overrides=tuple(str(Path(one).absolute()) for one in given.overrides)),
        variables=dict(os.environ),
        version=version or PLATFORM_VERSION,
        env=env,
        region=region,
        impersonation=RequestIdentity(user=user, group=group, version=version) if user or group or version else None,
    )


def desktop_folder(named: Path | None, *, quiet: bool = False) -> Path:
    """Find the desktop's configuration folder; state which one is used, if the user did not name it."""
    found = find_desktop(named)
    if found is None or found.path is None:
        nothing_found("desktop")
    if not quiet:
        found.announce()
    return found.path
