"""Reads the configuration of log files from ``logging`` in system.json and from logger.json (log4js objects)."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rostrum.base.problems import json_path
from rostrum.settings.problems import SettingProblem, Severity, shown
from rostrum.settings.unknown import Steps

DEFAULT_CATEGORY = "default"
"""The category of all log records; other categories are names of loggers."""

_LEVELS: Final[Mapping[str, int]] = {
    "all": logging.DEBUG,
    "trace": logging.DEBUG,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "fatal": logging.CRITICAL,
    "mark": logging.CRITICAL,
    "off": logging.CRITICAL + 10,
}
_FILES = frozenset({"file", "fileSync", "rollingFile"})
_DAILY = "dateFile"
_CONSOLES = frozenset({"console", "stdout", "stderr"})
_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30}
_SIZES = (2**10, 2**30)
_MOST_BACKUPS = 100
_MOST_FILES = 20
_ON_STARTUP = ("keep", "archive", "delete")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFile:
    """One log file that is rotated by size, or each day.

    Attributes:
        name: Relative to the folder of log files; placeholders are not filled in yet.
        max_bytes: Size at which the file is rotated; 0 for a file that is rotated at midnight.
        backups: How many rotated files are kept.
        is_json: Whether each line is a JSON object.

    """

    name: str = "platform.log"
    max_bytes: int = 10 * 2**20
    backups: int = 5
    is_json: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LogCategory:
    """The files to which records of a category are written, from a level."""

    name: str = DEFAULT_CATEGORY
    level: int = logging.INFO
    files: tuple[LogFile, ...] = (LogFile(),)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogConfiguration:
    """All log files.

    Attributes:
        on_startup: What happens to the files of earlier runs: keep, archive or delete.
        archive: The folder that archived files are moved to, if one is set.
        sanitize: Whether credentials in addresses are removed.

    """

    categories: tuple[LogCategory, ...] = (LogCategory(),)
    on_startup: str = "keep"
    archive: str | None = None
    sanitize: bool = True


@dataclass(slots=True)
class _Notes:
    """Collects problems below a path."""

    at: Steps
    found: list[SettingProblem] = field(default_factory=list)

    def add(self, steps: Steps, message: str, value: Any = None, severity: Severity = Severity.WARNING) -> None:
        problem = SettingProblem(path=json_path((*self.at, *steps)), message=message, severity=severity, value=value)
        self.found.append(problem)


def read_logging(setting: Any, logger: Any = None) -> tuple[LogConfiguration, tuple[SettingProblem, ...]]:
    """Read the ``logging`` setting; without its ``configuration`` the contents of logger.json count.

    A value that is wrong or not supported is a problem and leaves the default in effect.
    """
    notes = _Notes(("logging",))
    if setting is not None and not isinstance(setting, dict):
        notes.add((), f"must be an object, not {shown(setting)}", setting, Severity.ERROR)
        setting = None
    members: dict[str, Any] = setting or {}
    files = _object(members, "files", notes)
    on_startup = files.get("onStartup", _ON_STARTUP[0])
    if on_startup not in _ON_STARTUP:
        notes.add(("files", "onStartup"), f"must be keep, archive or delete, not {shown(on_startup)}", on_startup)
        on_startup = _ON_STARTUP[0]
    archive = files.get("moveOldTo")
    if archive is not None and not isinstance(archive, str):
        notes.add(("files", "moveOldTo"), "must be a folder", archive)
        archive = None
    if _object(members, "streaming", notes).get("enabled"):
        notes.add(("streaming",), "has no effect: logs are not sent to the manager")
    configuration = members.get("configuration")
    if configuration is not None:
        categories, wrong = read_log4js(configuration, ("logging", "configuration"))
    else:
        # Problems of logger.json are reported with that file.
        categories, wrong = read_log4js(logger)[0] if logger else None, ()
    return (
        LogConfiguration(
            categories=LogConfiguration().categories if categories is None else categories,
            on_startup=on_startup,
            archive=archive or None,
            sanitize=members.get("logSanitization") is not False,
        ),
        (*notes.found, *wrong),
    )


def read_log4js(document: Any, at: Steps = ()) -> tuple[tuple[LogCategory, ...] | None, tuple[SettingProblem, ...]]:
    """Read a log4js object with ``appenders`` and ``categories``; None if it cannot be used."""
    notes = _Notes(at)
    if not isinstance(document, dict):
        notes.add((), f"must be an object with appenders and categories, not {shown(document)}", document)
        return None, tuple(notes.found)
    appenders, categories = document.get("appenders"), document.get("categories")
    if not isinstance(appenders, dict) or not isinstance(categories, dict):
        notes.add((), "must have the objects appenders and categories; the default log file is written")
        return None, tuple(notes.found)
    files = {name: file for name, appender in appenders.items() for file in _files(name, appender, notes)}
    consoles = {name for name, one in appenders.items() if isinstance(one, dict) and one.get("type") in _CONSOLES}
    if len(files) > _MOST_FILES:
        notes.add(("appenders",), f"has {len(files)} files; only the first {_MOST_FILES} are written")
        files = dict(list(files.items())[:_MOST_FILES])
    read = [
        category
        for name, one in categories.items()
        for category in _category(name, one, files, consoles | appenders.keys(), notes)
    ]
    return tuple(read), tuple(notes.found)


def _object(members: Mapping[str, Any], name: str, notes: _Notes) -> Mapping[str, Any]:
    value = members.get(name)
    if value is None or isinstance(value, dict):
        return value or {}
    notes.add((name,), f"must be an object, not {shown(value)}", value)
    return {}


def _files(name: str, appender: Any, notes: _Notes) -> Iterator[LogFile]:
    at: Steps = ("appenders", name)
    kind = appender.get("type") if isinstance(appender, dict) else None
    if kind in _CONSOLES:
        return
    if kind not in _FILES and kind != _DAILY:
        notes.add(at, f"has no effect: the type {shown(kind)} is not supported; use file, dateFile or console")
        return
    file = appender.get("filename")
    if not isinstance(file, str) or not file.strip() or "\0" in file:
        notes.add((*at, "filename"), "is required (the name of the log file)", file)
        return
    layout = appender.get("layout")
    yield LogFile(
        name=file,
        max_bytes=0 if kind == _DAILY else _size(appender, at, notes),
        backups=_backups(appender, at, notes),
        is_json=isinstance(layout, dict) and layout.get("type") == "json",
    )


def _size(appender: Mapping[str, Any], at: Steps, notes: _Notes) -> int:
    value = appender.get("maxLogSize")
    if value is None:
        return LogFile().max_bytes
    number = value
    if isinstance(value, str) and value[:-1].isascii() and value[:-1].isdigit() and len(value) <= 8:
        number = int(value[:-1]) * _UNITS.get(value[-1].upper(), 0)
    if not isinstance(number, int) or isinstance(number, bool) or not _SIZES[0] <= number <= _SIZES[1]:
        notes.add((*at, "maxLogSize"), "must be a size between 1K and 1G, such as 10M or a number of bytes", value)
        return LogFile().max_bytes
    return number


def _backups(appender: Mapping[str, Any], at: Steps, notes: _Notes) -> int:
    for name in ("backups", "numBackups", "daysToKeep"):
        value = appender.get(name)
        if value is None:
            continue
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _MOST_BACKUPS:
            return value
        notes.add((*at, name), f"must be a number from 1 to {_MOST_BACKUPS}", value)
    return LogFile().backups


def _category(
    name: str, category: Any, files: Mapping[str, LogFile], known: set[str], notes: _Notes
) -> Iterator[LogCategory]:
    at: Steps = ("categories", name)
    wanted = category.get("appenders") if isinstance(category, dict) else None
    if not isinstance(wanted, list):
        notes.add(at, "must be an object with appenders and level", category)
        return
    for one in wanted:
        if one not in known if isinstance(one, str) else True:
            notes.add((*at, "appenders"), f"there is no appender {shown(one)}", one)
    level = category.get("level", "info")
    number = _LEVELS.get(level.lower()) if isinstance(level, str) else None
    if number is None:
        notes.add((*at, "level"), f"must be one of {', '.join(_LEVELS)}, not {shown(level)}", level)
        number = logging.INFO
    yield LogCategory(
        name=name, level=number, files=tuple(files[one] for one in wanted if isinstance(one, str) and one in files)
    )
