"""Finds the configuration folder, the files of the command line, and the folders of an environment-region pair."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rostrum.base.placeholders import expand
from rostrum.base.problems import Problem
from rostrum.settings.sections.root import Folders as FoldersSection
from rostrum.sources.environment import Pair, unknown_variables
from rostrum.sources.errors import WrongArguments
from rostrum.sources.source import DEFAULT_SOURCE, SYSTEM_FILE, Source

_GILDING = "--gildingConfigFile="
_OVERRIDES = "configOverrides"
_CONFIG = re.compile(r"config(?P<number>[0-9]{0,6})=(?P<file>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """Configuration arguments of the command line.

    Attributes:
        base: The file or folder of ``config=``.
        overrides: The files of ``config0=``, ``config1=``… by number.
        runtime: Other arguments before ``--``.
    """

    base: str | None = None
    overrides: tuple[str, ...] = ()
    gilding_file: str | None = None
    runtime: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of one environment-region pair."""

    user_data: Path
    cache: Path
    remote_config: Path | None = None

    @property
    def overrides(self) -> Path:
        """Return the folder for the files of remote sources."""
        return self.remote_config or self.user_data / "configOverrides"


def parse_arguments(arguments: Sequence[str]) -> Arguments:
    """Read ``[runtime arguments] -- config=<base> configOverrides config0=<file> config1=…``; refuse anything else."""
    middle = arguments.index("--") if "--" in arguments else len(arguments)
    named = [argument for argument in arguments if argument.startswith(_GILDING)]
    if len(named) > 1:
        raise WrongArguments(f"{_GILDING}… is given {len(named)} times")
    files = _numbered([argument for argument in arguments[middle + 1 :] if argument not in (*named, _OVERRIDES)])
    for argument in [*named, *(f"config={file}" for file in files.values())]:
        if argument.endswith("="):
            raise WrongArguments(f"{argument} names no file")
    return Arguments(
        base=files.pop(-1, None),
        overrides=tuple(files[number] for number in sorted(files)),
        gilding_file=named[0].removeprefix(_GILDING) if named else None,
        runtime=tuple(argument for argument in arguments[:middle] if argument not in named),
    )


def _numbered(arguments: Sequence[str]) -> dict[int, str]:
    """Return the file of each number; the base file has the number -1."""
    files: dict[int, str] = {}
    for argument in arguments:
        match = _CONFIG.fullmatch(argument)
        if match is None:
            raise WrongArguments(
                f"{argument!r} is not one of config=<file>, configOverrides, config0=<file>, config1=…"
            )
        number = int(match["number"] or -1)
        if number in files:
            raise WrongArguments(f"config{match['number']}= is given twice")
        files[number] = match["file"]
    return files


def first_sources(arguments: Arguments, root: Path) -> tuple[Source, ...]:
    """Return the sources that are known before any file is read; files of the command line must exist."""
    first = DEFAULT_SOURCE
    if arguments.base is not None:
        base = root / arguments.base
        folder, name = (base, SYSTEM_FILE) if base.is_dir() else (base.parent, base.name)
        first = replace(first, source=str(folder), base_file=name)
    return (first, *(replace(DEFAULT_SOURCE, source=str(root / file)) for file in arguments.overrides))


def pair_folders(
    folders: FoldersSection, pair: Pair, root: Path, variables: Mapping[str, str]
) -> tuple[Folders, tuple[Problem, ...]]:
    """Return the configured folders, or the defaults with a sub-folder for the pair."""
    problems: list[Problem] = []

    def chosen(text: str | None, key: str, default: str) -> Path:
        if not text:
            return root / default / pair.name
        expanded = expand(text, variables)
        problems.extend(unknown_variables(f"folders.{key}", expanded))
        return root / expanded.text

    user_data = chosen(folders.user_data, "userData", "UserData")
    cache = chosen(folders.cache, "cache", "Cache")
    remote_config = chosen(folders.remote_config, "remoteConfig", "") if folders.remote_config else None
    return Folders(user_data, cache, remote_config), tuple(problems)
