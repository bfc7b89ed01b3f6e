"""Validates configuration files, and reports the position of each problem."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rostrum.base.errors import Invalid
from rostrum.base.json5_text import BadSyntax, TextPosition, positions
from rostrum.base.problems import json_path, outwards
from rostrum.settings.consistency import inconsistencies
from rostrum.settings.kinds import SettingsFile, kind_of
from rostrum.settings.merge import Layer, merge
from rostrum.settings.parse import parse_document, parse_system
from rostrum.settings.problems import SettingProblem, Severity
from rostrum.settings.standard_files import check_standard_file
from rostrum.sources.local_file import read_local_file, why_unreadable
from rostrum.sources.source import STANDARD_FILES, SYSTEM_FILE, FetchedFile

_MEMBERS = frozenset({"type", "name", "details"})
_NOWHERE = TextPosition(0, 0)
_FOR_A_PAIR = "system-"
_ONLY_SYNTAX = "is not a known settings file, so only its syntax was checked; use --as system.json to check it as one"


def holds_apps(path: Path) -> bool:
    """Return whether a file contains only app definitions."""
    document = _document(path)
    entries = document if isinstance(document, list) else [document]
    return bool(entries) and all(isinstance(one, Mapping) and one.keys() >= _MEMBERS for one in entries)


def app_problems(document: Any) -> Iterator[SettingProblem]:
    """Yield the problems of the definitions in a file, and the members that have no effect."""
    # Imported late: most checks do not need it.
    from rostrum.contracts.apps.definition import check_app
    from rostrum.contracts.apps.unsupported import unsupported_details

    for number, entry in enumerate(document if isinstance(document, list) else [document]):
        start = f"[{number}]." if isinstance(document, list) else ""
        wrong = check_app(entry)
        for problem in wrong:
            path = f"{start}{problem.path}".rstrip(".")
            yield SettingProblem(path=path, message=problem.message, severity=Severity.ERROR)
        for path, message, never in () if wrong else unsupported_details(entry):
            severity = Severity.ERROR if never else Severity.WARNING
            yield SettingProblem(path=f"{start}{path}", message=message, severity=severity)


def app_folders(config: Path) -> Iterator[Path]:
    """Yield the folders of the app stores that a configuration folder declares; relative paths start at that folder."""
    document = _document(config / SYSTEM_FILE)
    stores = document.get("appStores") if isinstance(document, Mapping) else None
    for store in stores if isinstance(stores, list) else ():
        details = store.get("details") if isinstance(store, Mapping) and store.get("type") == "path" else None
        path = details.get("path") if isinstance(details, Mapping) else None
        folder = config.parent / path if isinstance(path, str) and path else None
        if folder is not None and folder.is_dir():
            yield folder


def _document(path: Path) -> Any:
    try:
        return read_local_file(path.name, path, may_be_array=True)[0].document
    except (BadSyntax, Invalid, OSError):
        # Another check reports the file if it is required.
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProblem:
    """A problem in a file; line and column are 0 if it concerns the entire file."""

    file: str
    path: str
    message: str
    severity: Severity
    line: int = 0
    column: int = 0
    suggestion: str | None = None


def check_paths(
    paths: Iterable[Path], *, version: str, strict: bool = False, taken_for: SettingsFile | None = None
) -> list[FileProblem]:
    """Check files, and all JSON files of folders; return all problems.

    A file with an unknown name is checked as the document ``taken_for``, because ``config=`` accepts files of any name.
    """
    check = _Check(version, strict=strict, taken_for=taken_for)
    return [finding for path in paths for finding in check.path(path)]


class _Check:
    def __init__(self, version: str, *, strict: bool, taken_for: SettingsFile | None) -> None:
        self._version = version
        self._strict = strict
        self._taken_for = taken_for

    def path(self, path: Path) -> Iterator[FileProblem]:
        if not path.is_dir():
            yield from self._file(path, kind_of(path.name) or self._taken_for)
            if _says_nothing(path) and self._taken_for is None and not holds_apps(path):
                yield _whole(path, _ONLY_SYNTAX)
            return
        files = sorted(path.glob("*.json"))
        if not files:
            yield _whole(path, "contains no configuration file: system.json is missing", Severity.ERROR)
        for file in files:
            if _says_nothing(file) and not holds_apps(file):
                yield _whole(file, "is a custom file, which only remote sources may bring; it is ignored")
            else:
                yield from self._file(file, kind_of(file.name))
        for folder in app_folders(path):
            for file in sorted(folder.glob("*.json")):
                yield from self._file(file, None)

    def _file(self, path: Path, kind: SettingsFile | None) -> Iterator[FileProblem]:
        try:
            file, warnings = read_local_file(path.name, path, may_be_array=kind is None)
        except BadSyntax as error:
            message = f"{error.reason}\n{error.drawn}"
            yield replace(_whole(path, message, Severity.ERROR), line=error.place.line, column=error.place.column)
        except (Invalid, OSError) as error:
            yield _whole(path, why_unreadable(error), Severity.ERROR)
        else:
            odd = [SettingProblem(path=one.path, message=one.message, severity=Severity.WARNING) for one in warnings]
            yield from _placed(path, [*odd, *self._found(kind, path, file)], file.text or "")

    def _found(self, kind: SettingsFile | None, path: Path, file: FetchedFile) -> Iterable[SettingProblem]:
        if kind is not None:
            return self._problems(kind, path, file)
        return app_problems(file.document) if holds_apps(path) else check_standard_file(path.name, file.document)

    def _problems(self, kind: SettingsFile, path: Path, file: FetchedFile) -> Iterable[SettingProblem]:
        base = _base_of(path) if kind is SettingsFile.SYSTEM else None
        if base is None:
            return [*self._parsed(kind, file.document), *self._between(kind, path, file.document)]
        # A file for one environment and region is incomplete: the mode and required settings may be in the base file.
        whole = merge([Layer("base", base), Layer("pair", file.document)]).document
        elsewhere = {(one.path, one.message) for one in self._parsed(kind, base)}
        written = {json_path(steps) for steps in positions(file.text or "")}
        found = [
            one for one in self._parsed(kind, whole) if one.path in written or (one.path, one.message) not in elsewhere
        ]
        return [*found, *self._between(kind, path, whole)]

    def _between(self, kind: SettingsFile, path: Path, document: Any) -> Iterator[SettingProblem]:
        """Yield contradictions between settings; only as warnings if another file or source may complete them."""
        if kind is not SettingsFile.SYSTEM:
            return
        settings = parse_system(document, version=self._version).settings
        has_sources = isinstance(document, dict) and "systemConfigurations" in document
        may_be_completed = has_sources or _is_completed(path)
        for one in inconsistencies(settings):
            yield replace(one, severity=Severity.WARNING) if may_be_completed else one

    def _parsed(self, kind: SettingsFile, document: Any) -> tuple[SettingProblem, ...]:
        return parse_document(kind, document, version=self._version, strict=self._strict).problems


def _says_nothing(path: Path) -> bool:
    return kind_of(path.name) is None and path.name not in STANDARD_FILES


def _base_of(path: Path) -> dict[str, Any] | None:
    """Return the base file that a file for an environment and region overrides, if it exists and is readable."""
    if not path.name.lower().startswith(_FOR_A_PAIR):
        return None
    try:
        document = read_local_file(SYSTEM_FILE, path.with_name(SYSTEM_FILE))[0].document
    except (Invalid, OSError):
        return None
    return document if isinstance(document, dict) else None


def _is_completed(path: Path) -> bool:
    """Return whether files for an environment and region exist beside a base file."""
    return path.name == SYSTEM_FILE and any(path.parent.glob(f"{_FOR_A_PAIR}*.json"))


def _placed(path: Path, problems: list[SettingProblem], text: str) -> Iterator[FileProblem]:
    """Add the position in the file to each problem, and sort by it; a missing member has the position of its parent."""
    if not problems:
        return
    places = {json_path(steps): place for steps, place in positions(text).items()}
    found = [(_place(places, problem.path), problem) for problem in problems]
    for place, problem in sorted(found, key=lambda one: one[0]):
        yield FileProblem(
            file=str(path),
            path=problem.path,
            message=problem.message,
            severity=problem.severity,
            line=place.line,
            column=place.column,
            suggestion=problem.suggestion,
        )


def _place(places: Mapping[str, TextPosition], path: str) -> TextPosition:
    return next((places[around] for around in (*outwards(path), "") if around in places), _NOWHERE)


def _whole(path: Path, message: str, severity: Severity = Severity.NOTE) -> FileProblem:
    return FileProblem(file=str(path), path="", message=message, severity=severity)
