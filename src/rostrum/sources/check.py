"""Checks configuration files against the catalogue, and says where in them each problem stands."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rostrum.base.errors import Invalid
from rostrum.base.json5_text import BadSyntax, Parsed, Place, parse, positions
from rostrum.base.problems import json_path
from rostrum.settings.kinds import kind_of
from rostrum.settings.parse import parse_document
from rostrum.settings.problems import SettingProblem, Severity

__all__ = ["Finding", "check_paths"]


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
    return [finding for path in paths for file in _files(path) for finding in _check(file, version, strict=strict)]


def _files(path: Path) -> list[Path]:
    return sorted(path.glob("*.json")) if path.is_dir() else [path]


def _check(file: Path, version: str, *, strict: bool) -> Iterator[Finding]:
    try:
        parsed = parse(file.read_bytes())
    except OSError as error:
        yield _whole(file, f"cannot be read: {error.strerror}")
    except BadSyntax as error:
        yield Finding(
            file=str(file),
            path="",
            message=str(error),
            severity=Severity.ERROR,
            line=error.place.line,
            column=error.place.column,
        )
    except Invalid as error:
        yield _whole(file, str(error))
    else:
        yield from _check_parsed(file, parsed, version, strict=strict)


def _check_parsed(file: Path, parsed: Parsed, version: str, *, strict: bool) -> Iterator[Finding]:
    kind = kind_of(file.name)
    problems: list[SettingProblem] = [
        SettingProblem(path=problem.path, message=problem.message, severity=Severity.WARNING)
        for problem in parsed.warnings
    ]
    if kind is not None:
        problems += parse_document(kind, parsed.value, version=version, strict=strict).problems
    if not problems:
        return
    places = {json_path(path): place for path, place in positions(parsed.text).items()}
    nowhere = Place(0, 0)
    for problem in sorted(problems, key=lambda problem: places.get(problem.path, nowhere)):
        place = places.get(problem.path, nowhere)
        yield Finding(
            file=str(file),
            path=problem.path,
            message=problem.message,
            severity=problem.severity,
            line=place.line,
            column=place.column,
            suggestion=problem.suggestion,
        )


def _whole(file: Path, message: str) -> Finding:
    return Finding(file=str(file), path="", message=message, severity=Severity.ERROR)
