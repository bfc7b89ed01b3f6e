"""Parses a JSON document into typed settings, and collects all problems."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from rostrum import PLATFORM_VERSION
from rostrum.base.problems import json_path
from rostrum.settings.catalogue import misplaced
from rostrum.settings.kinds import SettingsFile
from rostrum.settings.migrations import in_todays_form, known_elsewhere
from rostrum.settings.problems import SettingProblem, Severity, shown
from rostrum.settings.read import Reader
from rostrum.settings.roots import ROOTS
from rostrum.settings.running import Running, stream_of
from rostrum.settings.scope import Mode, Stream
from rostrum.settings.setting import Section
from rostrum.settings.settings import EarlySettings, Settings
from rostrum.settings.unknown import MOST_GUESSES, UnknownKey

NEWEST = PLATFORM_VERSION
S = TypeVar("S", bound=Section)

# The key with which editors find the schema of a document; it is not a setting.
_SCHEMA_KEY = ("$schema",)
ADVANCED_MODE = str(Settings.model_fields["advanced_mode"].alias)
"""The setting that selects the mode."""


@dataclass(frozen=True, slots=True)
class Parsed(Generic[S]):
    """The effective settings and the findings of the document."""

    settings: S
    problems: tuple[SettingProblem, ...]

    @property
    def errors(self) -> tuple[SettingProblem, ...]:
        """Return only the problems with severity error."""
        return tuple(problem for problem in self.problems if problem.severity is Severity.ERROR)


def parse_system(
    document: Any, *, version: str = NEWEST, stream: Stream | str | None = None, strict: bool = False
) -> Parsed[Settings]:
    """Read a system.json; invalid or unused settings are reported, and their defaults are used."""
    parsed = parse_document(SettingsFile.SYSTEM, document, version=version, stream=stream, strict=strict)
    return cast("Parsed[Settings]", parsed)


def parse_early(document: Any, *, version: str = NEWEST, stream: Stream | str | None = None) -> Parsed[EarlySettings]:
    """Read the early settings, before sources are fetched; other names are checked later."""
    reader = Reader(running_for(document, version, stream))
    document, notes = in_todays_form(document)
    return Parsed(_read(reader, EarlySettings, document), (*notes, *reader.problems))


def parse_document(
    kind: SettingsFile,
    document: Any,
    *,
    version: str = NEWEST,
    stream: Stream | str | None = None,
    strict: bool = False,
) -> Parsed[Section]:
    """Read a document of any kind; the defaults replace invalid or unused settings."""
    reader = Reader(running_for(document, version, stream))
    document, notes = in_todays_form(document) if kind is SettingsFile.SYSTEM else (document, [])
    settings = _read(reader, ROOTS[kind], document)
    return Parsed(settings, (*notes, *reader.problems, *_unknown(reader.unknown, kind, strict=strict)))


def running_for(document: Any, version: str = NEWEST, stream: Stream | str | None = None) -> Running:
    """Return the platform that a document is read for; the document itself sets the mode."""
    found = stream_of(version)
    line = found if stream is None else Stream(stream)
    # The 9.0 stream has no modes; it behaves like the later advanced mode.
    written = isinstance(document, dict) and document.get(ADVANCED_MODE) is True
    mode = Mode.ADVANCED if line is Stream.V9 or (written and found is Stream.V10) else Mode.DEFAULT
    return Running(version=version, stream=line, mode=mode)


def _read(reader: Reader, root: type[S], document: Any) -> S:
    if not isinstance(document, dict):
        message = f"the document must be an object, not {shown(document)}"
        reader.problems.append(SettingProblem(path="", message=message, severity=Severity.ERROR, value=document))
        document = {}
    read = reader.section(root, document, ())
    return read if read is not None else root()


def _unknown(keys: Iterable[UnknownKey], kind: SettingsFile, *, strict: bool) -> Iterable[SettingProblem]:
    for count, key in enumerate(keys):
        if key.steps == _SCHEMA_KEY:
            continue
        suggestion = None
        severity, message = Severity.NOTE, known_elsewhere(key.steps) if kind is SettingsFile.SYSTEM else None
        if message is None:
            suggestion = key.sibling() or misplaced(key.name, kind) if count < MOST_GUESSES else None
            message = "unknown setting" + (f"; did you mean {suggestion}?" if suggestion else "")
            severity = Severity.WARNING
        yield SettingProblem(
            path=json_path(key.steps),
            message=message,
            severity=Severity.ERROR if strict else severity,
            value=key.value,
            suggestion=suggestion,
        )
