"""Checks configuration files against the catalogue, and says where in them each problem stands."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rostrum.base.errors import Invalid
from rostrum.base.json5_text import BadSyntax, Place, positions
from rostrum.base.problems import json_path, outwards
from rostrum.settings.kinds import kind_of
from rostrum.settings.parse import parse_document
from rostrum.settings.problems import SettingProblem, Severity
from rostrum.sources.local_file import read_local_file, why_unreadable
from rostrum.sources.source import STANDARD_FILES

__all__ = ["Finding", "check_paths"]

_NOWHERE = Place(0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One problem of one file; line and column are 0 when it is about the file as a whole."""

    file: str
    path: str
    message: str
    severity: Severity
    line: int = 0
    column: int = 0
    suggestion: str | None = None


def check_paths(paths: Iterable[Path], *, version: str, strict: bool = False) -> list[Finding]:
    """Check files, and every JSON file of folders; all problems of all of them."""
    return [finding for path in paths for finding in _check(path, version, strict=strict)]


def _check(path: Path, version: str, *, strict: bool) -> Iterator[Finding]:
    if not path.is_dir():
        yield from _check_file(path, version, strict=strict)
        if kind_of(path.name) is None and path.name not in STANDARD_FILES:
            yield _whole(path, "is none of the files that settings are kept in, so only its syntax was checked")
        return
    for file in sorted(path.glob("*.json")):
        if kind_of(file.name) is None and file.name not in STANDARD_FILES:
            yield _whole(file, "is a custom file, which only remote sources may bring; it is ignored")
        else:
            yield from _check_file(file, version, strict=strict)


def _check_file(path: Path, version: str, *, strict: bool) -> Iterator[Finding]:
    kind = kind_of(path.name)
    try:
        file, warnings = read_local_file(path.name, path, may_be_array=kind is None)
    except BadSyntax as error:
        message = f"{error.reason}\n{error.drawn}"
        yield replace(_whole(path, message, Severity.ERROR), line=error.place.line, column=error.place.column)
    except (Invalid, OSError) as error:
        yield _whole(path, why_unreadable(error), Severity.ERROR)
    else:
        problems = [SettingProblem(path=one.path, message=one.message, severity=Severity.WARNING) for one in warnings]
        if kind is not None:
            problems += parse_document(kind, file.document, version=version, strict=strict).problems
        yield from _placed(path, problems, file.text or "")


def _placed(path: Path, problems: list[SettingProblem], text: str) -> Iterator[Finding]:
    """Say where in the file each problem stands, in the order of the file; what is missing stands in what is around."""
    if not problems:
        return
    places = {json_path(steps): place for steps, place in positions(text).items()}
    found = [(_place(places, problem.path), problem) for problem in problems]
    for place, problem in sorted(found, key=lambda one: one[0]):
        yield Finding(
            file=str(path),
            path=problem.path,
            message=problem.message,
            severity=problem.severity,
            line=place.line,
            column=place.column,
            suggestion=problem.suggestion,
        )


def _place(places: Mapping[str, Place], path: str) -> Place:
    return next((places[around] for around in (*outwards(path), "") if around in places), _NOWHERE)


def _whole(path: Path, message: str, severity: Severity = Severity.NOTE) -> Finding:
    return Finding(file=str(path), path="", message=message, severity=severity)
