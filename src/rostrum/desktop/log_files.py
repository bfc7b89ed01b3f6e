"""The rotated log files in the user-data folder of a running platform."""

import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from io import TextIOWrapper
from logging.handlers import BaseRotatingHandler, RotatingFileHandler, TimedRotatingFileHandler
from pathlib import Path, PureWindowsPath

from rostrum.base.log import log_formatter
from rostrum.base.placeholders import expand
from rostrum.settings.log_configuration import DEFAULT_CATEGORY, LogCategory, LogConfiguration, LogFile
from rostrum.sources.source import masked

_log = logging.getLogger(__name__)
_ARCHIVE = "archive"
_MOST_ARCHIVED = 50
USER_DATA = "ROSTRUM_USER_DATA"
"""The variable for the user-data folder in the names of log files."""
_OWN_LOGGERS = "rostrum"

# Several platforms may run in one process; the level of a logger is the lowest that one of them needs.
_needed_levels: dict[str, list[int]] = {}


class LogFiles:
    """Writes the log of the platform to files below one folder.

    File names may come from a remote logger.json, so files outside this folder are never written.
    """

    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        self._folder = folder
        # Existing configurations use a variable for the user-data folder.
        self._variables = {**variables, USER_DATA: str(folder.parent)}
        self._configuration: LogConfiguration | None = None
        self._handlers: list[logging.Handler] = []
        self._levels: list[tuple[str, int]] = []

    def open(self, configuration: LogConfiguration, now: datetime) -> tuple[str, ...]:
        """Write to these files instead of the earlier ones; return the problems."""
        if configuration == self._configuration:
            return ()
        is_first = self._configuration is None
        self.close()
        self._configuration = configuration
        problems: list[str] = []
        notes: list[str] = []
        files = dict.fromkeys(file for category in configuration.categories for file in category.files)
        places = {file: self._place(file, notes) for file in files}
        if is_first and configuration.on_startup != "keep":
            problems += self._clear(configuration, tuple(places.values()), now)
        for file, path in places.items():
            try:
                handler = _handler(file, path, sanitize=configuration.sanitize)
            except OSError as error:
                problems.append(f"the log file {path} cannot be written: {error.strerror or error}")
                continue
            handler.addFilter(_Chosen(file, configuration))
            logging.getLogger().addHandler(handler)
            self._handlers.append(handler)
        if self._handlers:
            self._need_levels(configuration)
        for note in notes:
            _log.warning("%s", note)
        return tuple(problems)

    def close(self) -> None:
        """Close all files."""
        for handler in self._handlers:
            logging.getLogger().removeHandler(handler)
            with suppress(OSError):
                # The last lines may not fit on the disk.
                handler.close()
        self._handlers = []
        for name, level in self._levels:
            _needed_levels[name].remove(level)
            _set_level(name)
        self._levels = []
        self._configuration = None

    def _need_levels(self, configuration: LogConfiguration) -> None:
        """Set the levels of the loggers as the files require; of other libraries, only named categories."""
        for category in configuration.categories:
            name = _OWN_LOGGERS if category.name == DEFAULT_CATEGORY else category.name
            self._levels.append((name, category.level))
            _needed_levels.setdefault(name, []).append(category.level)
            _set_level(name)

    def _place(self, file: LogFile, notes: list[str]) -> Path:
        """Return the path of a file, which is always inside the folder."""
        expanded = expand(file.name, self._variables)
        path = Path(self._folder, expanded.text)
        if not expanded.unknown and ".." not in path.parts and path.is_relative_to(self._folder) and path.name:
            return path
        name = PureWindowsPath(file.name).name
        inside = self._folder / (LogFile().name if name in ("", "..") else name)
        notes.append(f"the log file {file.name} is written to {inside}: log files stay in that folder")
        return inside

    def _clear(self, configuration: LogConfiguration, paths: tuple[Path, ...], now: datetime) -> Iterator[str]:
        """Delete or archive the files of earlier runs, including rotated ones."""
        archive = self._folder / expand(configuration.archive or _ARCHIVE, self._variables).text
        for path in paths:
            for earlier in sorted(path.parent.glob(f"{path.name}*")) if path.parent.is_dir() else ():
                try:
                    if configuration.on_startup == "archive":
                        archive.mkdir(parents=True, exist_ok=True)
                        earlier.replace(archive / f"{now:%Y%m%dT%H%M%S}-{earlier.name}")
                    else:
                        earlier.unlink()
                except OSError as error:
                    yield f"the earlier log file {earlier} cannot be moved or deleted: {error.strerror or error}"
        for old in sorted(archive.glob("*T*-*"))[:-_MOST_ARCHIVED] if archive.is_dir() else ():
            old.unlink(missing_ok=True)


class _Chosen(logging.Filter):
    """Filters the records of the categories that write to a file."""

    def __init__(self, file: LogFile, configuration: LogConfiguration) -> None:
        super().__init__()
        self._file = file
        self._categories = {category.name: category for category in configuration.categories}

    def filter(self, record: logging.LogRecord) -> bool:
        category = self._category(record.name)
        return category is not None and record.levelno >= category.level and self._file in category.files

    def _category(self, name: str) -> LogCategory | None:
        while name and name not in self._categories:
            name = name.rpartition(".")[0]
        return self._categories.get(name or DEFAULT_CATEGORY)


class _Sanitized(logging.Formatter):
    """Removes credentials from addresses in formatted lines."""

    def __init__(self, inner: logging.Formatter) -> None:
        super().__init__()
        self._inner = inner

    def format(self, record: logging.LogRecord) -> str:
        return str(masked(self._inner.format(record)))


class _KeepsRunning(BaseRotatingHandler):
    """Reports once on stderr that a file cannot be written: a full disk must not fill the terminal as well."""

    _is_reported = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name of the base class
        error = sys.exception()
        if not isinstance(error, OSError):
            super().handleError(record)
        elif not self._is_reported:
            self._is_reported = True
            print(f"the log file {self.baseFilename} cannot be written: {error.strerror}", file=sys.stderr)  # noqa: T201


class _BySize(_KeepsRunning, RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        return _private(super()._open())


class _Daily(_KeepsRunning, TimedRotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        return _private(super()._open())


def _private(file: TextIOWrapper) -> TextIOWrapper:
    """Let only the owner read a log file, also one of an earlier version."""
    with suppress(OSError):
        # Before the first line is written. Some file systems have no permissions.
        Path(file.name).chmod(0o600)
    return file


def _handler(file: LogFile, path: Path, *, sanitize: bool) -> logging.Handler:
    # Log lines contain names of users and apps, so other users of the machine cannot read them.
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handler: logging.Handler
    if file.max_bytes:
        handler = _BySize(path, maxBytes=file.max_bytes, backupCount=file.backups, encoding="utf-8")
    else:
        handler = _Daily(path, when="midnight", backupCount=file.backups, encoding="utf-8")
    formatter = log_formatter("json" if file.is_json else "text")
    handler.setFormatter(_Sanitized(formatter) if sanitize else formatter)
    return handler


def _set_level(name: str) -> None:
    logging.getLogger(name).setLevel(min(_needed_levels[name], default=logging.NOTSET))
