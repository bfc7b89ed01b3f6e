"""Detects at each start whether another distribution has the name `rostrum`, which belongs to another project.

Both contain the package `rostrum`, so one overwrites files of the other. This module runs before all others, so it is
short and imports only the standard library. ``name_conflict`` explains what it finds.
"""

import os
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

NAME = "rostrum"


def stop_if_replaced() -> None:
    """End the process with a message if files of this package were replaced or removed; later imports would fail."""
    if is_incomplete() or metadata_paths():
        from rostrum.base import name_conflict

        name_conflict.stop_if_replaced()


def warn_about_conflict() -> None:
    """Print a warning on stderr if another distribution has the name."""
    if metadata_paths():
        from rostrum.base import name_conflict

        name_conflict.warn()


def metadata_paths() -> list[str]:
    """Find the metadata of distributions with the name, beside this package and in the folders of sys.path."""
    return list(_metadata_in((str(Path(__file__).parents[2]), *sys.path)))


@cache
def _metadata_in(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Search folders once, because a start asks twice."""
    # The standard library has hundreds of files and no distributions.
    library = Path(os.__file__).parent
    without = {str(library), str(library / "lib-dynload")}
    found: list[str] = []
    for folder in dict.fromkeys(folders):
        if folder in without:
            continue
        # Such as a zip file, or a folder that does not exist.
        with suppress(OSError), os.scandir(folder or os.curdir) as entries:
            found += [entry.path for entry in entries if _has_name(entry.name)]
    return tuple(found)


def is_incomplete() -> bool:
    """Return whether the package is empty, or its first module belongs to another project."""
    import rostrum

    return not hasattr(rostrum, "PLATFORM_VERSION")


def _has_name(file: str) -> bool:
    """Accept `rostrum-0.1.0.dist-info` and `Rostrum.egg-info`, but not `rostrum_platform-0.1.0.dist-info`."""
    if not file.endswith((".dist-info", ".egg-info")):
        return False
    return file.rpartition(".")[0].partition("-")[0].lower() == NAME
