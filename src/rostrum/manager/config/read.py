"""Reads the manager's configuration from the object, variables, files and defaults."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct

from rostrum.base.errors import RostrumError
from rostrum.base.json_text import JsonObject
from rostrum.base.problems import Problem
from rostrum.manager.config.check import check
from rostrum.manager.config.document import read_document
from rostrum.manager.config.json_input import JsonFault, parse_json
from rostrum.manager.config.notes import unwise
from rostrum.manager.config.options import OPTIONS, ManagerConfig
from rostrum.manager.config.store_address import sqlite_file, with_folder
from rostrum.manager.config.variables import read_environment

_PATHS = {"tls_cert", "tls_key", "files_folder"}
"""The options that are paths; the path of the database is part of an address."""


class ConfigInvalid(RostrumError):
    """The manager's configuration is invalid; all problems are listed."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__(_summary(self.problems))


def _summary(problems: list[Problem]) -> str:
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    lines = [f"- {problem}" for problem in problems]
    return "\n".join([f"the manager's configuration has {count}:", *lines])


class OriginKind(StrEnum):
    """The origins of a value, in order of precedence."""

    CONFIG_FILE = "configuration file"
    OBJECT = "configuration object"
    VARIABLE = "variable"
    FILE = "file named by"
    ARGUMENT = "argument"
    DEFAULT = "default"


class OptionOrigin(Struct, frozen=True, kw_only=True):
    """The origin of one value; ``name`` is the name of the variable or argument, if any."""

    kind: OriginKind
    name: str = ""

    def __str__(self) -> str:
        """Return the text that is shown next to the value."""
        return f"{self.kind.value} {self.name}".rstrip()


class LoadedConfig(Struct, frozen=True, kw_only=True):
    """A valid configuration, with its origins and warnings.

    Attributes:
        origins: the origin of each value, by field name.
        notes: warnings about risky and unknown settings.
        file: the configuration file, if there is one.
        former_database: the location of the database file in earlier versions, if it differs.
    """

    config: ManagerConfig
    origins: dict[str, OptionOrigin]
    notes: list[str]
    file: Path | None = None
    former_database: Path | None = None

    @property
    def database_file(self) -> Path | None:
        """The file of an SQLite database; None for other databases."""
        file = sqlite_file(self.config.store)
        return None if file is None else file.absolute()

    @property
    def has_moved_database(self) -> bool:
        """Whether the database is missing, and a file exists where earlier versions looked for it."""
        file, former = self.database_file, self.former_database
        return file is not None and not file.exists() and former is not None and former.exists()

    def missing_database(self) -> str | None:
        """Describe the problem if the database file does not exist; None if it does, or for other databases."""
        file = self.database_file
        if file is None or file.exists():
            return None
        missing = f"The database {file} does not exist."
        if not self.has_moved_database:
            return missing
        return (
            f"{missing} There is a database at {self.former_database}: earlier versions looked for it in the current "
            f"folder if the configuration file did not set `store`. Stop the server and move that file (and the files "
            f"with -wal and -shm added to its name) to the new place, or set `store` to "
            f"sqlite:///{self.former_database} in {self.file}."
        )


def read_config(
    document: Mapping[str, Any] | None, environment: Mapping[str, str], file: Path | None = None
) -> LoadedConfig:
    """Combine object, variables and defaults; raise an error with all problems.

    Relative paths are resolved against the folder of the file that the object was read from; without a file, against
    the current folder.
    """
    told = read_document(document)
    around = read_environment(environment, skip={*told.values, *told.failed})
    given = {**around.values, **told.values}
    if file is not None:
        given |= {name: _folder_of(file) / given[name] for name in _PATHS & given.keys() if _is_path(given[name])}
    checked = check(given, told.failed | around.failed)
    problems = [*told.problems, *around.problems, *checked.problems]
    if problems:
        raise ConfigInvalid(problems)
    former = None if file is None else _former_database(checked.values["store"], file, told.values)
    if file is not None:
        checked.values["store"] = with_folder(checked.values["store"], _folder_of(file))
    # Already checked; a second check could find other files than the first.
    config = ManagerConfig.model_construct(set(given), **checked.values)
    return LoadedConfig(
        config=config,
        origins={name: _origin(name, told.values, around.names, file) for name in OPTIONS},
        notes=[*around.notes, *unwise(config, set(given), environment)],
        file=file,
        former_database=former,
    )


def load_config_file(path: Path) -> JsonObject:
    """Read the configuration object from a JSON file."""
    try:
        document = parse_json(path.read_bytes().decode("utf-8-sig"))
        reason = "must contain a JSON object"
    except OSError as error:
        document, reason = None, f"cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        document, reason = None, f"is not UTF-8 text: see byte {error.start}"
    except JsonFault as fault:
        document, reason = None, str(fault)
    if not isinstance(document, dict):
        raise ConfigInvalid([Problem(path=str(path), message=reason)])
    return document


def _folder_of(file: Path) -> Path:
    return file.resolve().parent


def _is_path(value: Any) -> bool:
    """Return whether a value is the text of a path; other values are refused later."""
    return isinstance(value, str) and value != ""


def _former_database(store: str, file: Path, told: Mapping[str, Any]) -> Path | None:
    """Return the database file in the current folder that earlier versions used for settings outside the file."""
    path = sqlite_file(store)
    if path is None or "store" in told:
        return None
    former = path.absolute()
    return None if former == _folder_of(file) / path else former


def _origin(name: str, told: Mapping[str, Any], variables: Mapping[str, str], file: Path | None) -> OptionOrigin:
    if name in told:
        # Programs that start a manager pass the object themselves.
        return OptionOrigin(kind=OriginKind.OBJECT if file is None else OriginKind.CONFIG_FILE)
    variable = variables.get(name)
    if variable is None:
        return OptionOrigin(kind=OriginKind.DEFAULT)
    from_file = variable == OPTIONS[name].env_file
    kind = OriginKind.FILE if from_file else OriginKind.VARIABLE
    return OptionOrigin(kind=kind, name=variable)
