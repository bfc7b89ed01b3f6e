"""What is to be said about loaded configuration: each problem with the source, file, line and column it stands in."""

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
    """Finds where a path of a merged document was written."""

    def __init__(self, merged: Merged[ValueOrigin]) -> None:
        self._merged = merged
        self._texts: dict[int, Mapping[str, TextPosition]] = {}

    @cached_property
    def _origins(self) -> Mapping[str, ValueOrigin]:
        return {json_path(path): origin for path, origin in self._merged.origins.items()}

    def origin(self, path: str) -> ValueOrigin | None:
        """Return who wrote a value: of a leaf, of the leaf around it, or of the last leaf inside."""
        for around in outwards(path):
            if around in self._origins:
                return self._origins[around]
        inside = [origin for leaf, origin in self._origins.items() if leaf.startswith((f"{path}.", f"{path}["))]
        return inside[-1] if inside else None

    def place(self, origin: ValueOrigin, path: str) -> TextPosition:
        """Return the line and column of a path, or of what is around it; zeros when the text is not at hand."""
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
    """Say for each problem of a merged document where it stands."""
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
    """Say the same of what was noticed while fetching."""
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
    """Name a file so that people find it: on disk by its path, else by source and name."""
    path = origin.fetched.path
    return str(path) if path is not None else f"{origin.source}/{origin.file}"
