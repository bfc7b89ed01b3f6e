"""Problems of the loaded configuration, each with its source, file, line and column."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from rostrum.base.json5_text import TextPosition, positions
from rostrum.base.problems import Problem, json_path, outwards
from rostrum.settings.merge import Merged
from rostrum.settings.problems import SettingProblem, Severity
from rostrum.sources.check import FileProblem
from rostrum.sources.combine import ValueOrigin
from rostrum.sources.source import FetchedFile, Remark

_NOWHERE = TextPosition(0, 0)


class Places:
    """Finds the origin of a path in a merged document."""

    def __init__(self, merged: Merged[ValueOrigin]) -> None:
        self._merged = merged
        self._texts: dict[int, Mapping[str, TextPosition]] = {}

    @cached_property
    def _origins(self) -> Mapping[str, ValueOrigin]:
        return {json_path(path): origin for path, origin in self._merged.origins.items()}

    def origin(self, path: str) -> ValueOrigin | None:
        """Return the origin of a value: of the leaf itself, of an enclosing leaf, or of the last leaf inside."""
        for around in outwards(path):
            if around in self._origins:
                return self._origins[around]
        inside = [origin for leaf, origin in self._origins.items() if leaf.startswith((f"{path}.", f"{path}["))]
        return inside[-1] if inside else None

    def place(self, origin: ValueOrigin, path: str) -> TextPosition:
        """Return the line and column of a path or its closest parent; zeros if the text is not available."""
        known = self._positions(origin.fetched)
        return next((known[each] for each in outwards(path) if each in known), _NOWHERE)

    def _positions(self, file: FetchedFile) -> Mapping[str, TextPosition]:
        if file.text is None:
            return {}
        known = self._texts.get(id(file))
        if known is None:
            known = {json_path(path): place for path, place in positions(file.text).items()}
            self._texts[id(file)] = known
        return known


def placed(problems: Iterable[Problem], places: Places) -> Iterator[FileProblem]:
    """Add the position to each problem of a merged document."""
    for problem in problems:
        origin = places.origin(problem.path)
        place = places.place(origin, problem.path) if origin else _NOWHERE
        yield FileProblem(
            file=shown_file(origin) if origin else "",
            path=problem.path,
            message=problem.message,
            severity=problem.severity if isinstance(problem, SettingProblem) else Severity.WARNING,
            line=place.line,
            column=place.column,
            suggestion=problem.suggestion if isinstance(problem, SettingProblem) else None,
        )


def from_remarks(remarks: Iterable[Remark]) -> Iterator[FileProblem]:
    """Add the position to each remark made while fetching."""
    for remark in remarks:
        place = remark.place or _NOWHERE
        yield FileProblem(
            file=f"{remark.source}/{remark.file}" if remark.file else remark.source,
            path=remark.path,
            message=remark.message,
            severity=Severity(remark.severity),
            line=place.line,
            column=place.column,
        )


def shown_file(origin: ValueOrigin) -> str:
    """Return a file name for messages: the path on disk, or source and name."""
    path = origin.fetched.path
    return str(path) if path is not None else f"{origin.source}/{origin.file}"
