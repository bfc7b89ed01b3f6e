"""Where a platform or a look at its configuration starts from, as the command line says it."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rostrum.cli.output import fail

if TYPE_CHECKING:
    from rostrum.sources.load import Start

__all__ = ["NEWEST", "start_from"]

NEWEST = "10.1"


def start_from(
    config: Path,
    arguments: Sequence[str] | None,
    *,
    env: str | None = None,
    region: str | None = None,
    user: str | None = None,
    group: str | None = None,
    version: str | None = None,
) -> "Start":
    """Return where to start: the folder of system.json, or the files given after ``--``."""
    from rostrum.sources.load import Start
    from rostrum.sources.locate import parse_arguments
    from rostrum.sources.source import Impersonation

    given = parse_arguments(["--", *(arguments or [])])
    base = Path(given.base or config).absolute()
    if not base.exists():
        fail(f"there is no {given.base or config}; --config names the folder of system.json", 2)
    folder = base if base.is_dir() else base.parent
    return Start(
        root=folder.parent,
        arguments=replace(given, base=str(base), overrides=tuple(str(Path(one).absolute()) for one in given.overrides)),
        variables=dict(os.environ),
        version=version or NEWEST,
        env=env,
        region=region,
        impersonation=Impersonation(user=user, group=group, version=version) if user or group or version else None,
    )
