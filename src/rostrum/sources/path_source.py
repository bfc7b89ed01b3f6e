"""Local sources: the standard files of a folder, or one file."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rostrum.base.errors import Invalid
from rostrum.base.json5_text import BadSyntax, TextPosition
from rostrum.base.problems import Problem
from rostrum.sources.environment import NO_PAIR, Pair, pair_file
from rostrum.sources.local_file import read_local_file, why_unreadable
from rostrum.sources.source import (
    STANDARD_FILES,
    SYSTEM_FILE,
    Fetched,
    FetchedFile,
    Remark,
    Severity,
    Source,
)


@dataclass(frozen=True, slots=True)
class PathReader:
    """Reads local sources; relative paths start at ``root``."""

    root: Path
    pair: Pair = NO_PAIR

    async def __call__(self, source: Source) -> Fetched:
        """Read all standard files, or report all problems."""
        return await asyncio.to_thread(self.read, source)

    def read(self, source: Source) -> Fetched:
        """Read without an event loop."""
        place = self.root / source.source
        try:
            if place.is_file():
                return _read_all(source, {_counts_as(place.name): place}, [])
            wanted, remarks = self._listed(place, source)
        except (OSError, ValueError) as error:
            return _failed([_remark(source, why_unreadable(error), severity="error")])
        return _read_all(source, wanted, remarks)

    def _listed(self, folder: Path, source: Source) -> tuple[dict[str, Path], list[Remark]]:
        entries = {entry.name: entry for entry in sorted(folder.iterdir())}
        found = {name: entries[name] for name in STANDARD_FILES if name in entries and name != SYSTEM_FILE}
        if source.base_file in entries:
            found[SYSTEM_FILE] = entries[source.base_file]
        elif source.base_file != SYSTEM_FILE:
            raise FileNotFoundError(source.base_file)
        own = pair_file(entries, self.pair)
        if own is not None:
            found[own] = entries[own]
        remarks = [
            _remark(source, "is a custom file, which only remote sources may bring; it is ignored", name, "note")
            for name in entries
            if _is_custom(name) and entries[name] not in found.values() and entries[name].is_file()
        ]
        if not found:
            remarks.append(_remark(source, "the folder holds no configuration files"))
        return found, remarks


def _counts_as(name: str) -> str:
    return name if name in STANDARD_FILES else SYSTEM_FILE


def _is_custom(name: str) -> bool:
    # Files of other environments and regions are not custom files; they do not apply here.
    return name.endswith(".json") and name not in STANDARD_FILES and not name.startswith((".", "system-", "gilding-"))


def _read_all(source: Source, wanted: dict[str, Path], remarks: list[Remark]) -> Fetched:
    files: dict[str, FetchedFile] = {}
    errors: list[Remark] = []
    for name, path in wanted.items():
        try:
            files[name], warnings = read_local_file(name, path)
        except BadSyntax as error:
            errors.append(_remark(source, error.reason, path.name, "error", error.place))
        except (Invalid, OSError) as error:
            errors.append(_remark(source, why_unreadable(error), path.name, "error"))
        else:
            remarks.extend(_warned(source, path, warnings))
    if errors:
        return _failed([*errors, *remarks])
    return Fetched(files=files, remarks=tuple(remarks))


def _warned(source: Source, path: Path, warnings: tuple[Problem, ...]) -> Iterator[Remark]:
    for problem in warnings:
        yield Remark(source=source.name, file=path.name, path=problem.path, message=problem.message)


def _failed(remarks: list[Remark]) -> Fetched:
    error = "; ".join(
        ": ".join(part for part in (remark.file, _at(remark.place) + remark.message) if part)
        for remark in remarks
        if remark.severity == "error"
    )
    return Fetched(status="failed", error=error, remarks=tuple(remarks))


def _at(place: TextPosition | None) -> str:
    return f"line {place.line}, column {place.column}: " if place else ""


def _remark(
    source: Source, message: str, file: str = "", severity: Severity = "warning", place: TextPosition | None = None
) -> Remark:
    return Remark(source=source.name, file=file, message=message, severity=severity, place=place)
