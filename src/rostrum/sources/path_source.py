"""Local sources: the standard files of a folder, or one file."""

import asyncio
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rostrum.base.errors import Invalid
from rostrum.base.json5_text import MAX_BYTES, BadSyntax, Place, parse
from rostrum.base.problems import Problem
from rostrum.sources.environment import NO_PAIR, Pair, pair_file
from rostrum.sources.source import (
    ARRAY_FILES,
    STANDARD_FILES,
    SYSTEM_FILE,
    Fetched,
    FetchedFile,
    Remark,
    Severity,
    Source,
)

__all__ = ["PathReader"]


@dataclass(frozen=True, slots=True)
class PathReader:
    """Reads local sources; a relative one is looked for under ``root``."""

    root: Path
    pair: Pair = NO_PAIR

    async def __call__(self, source: Source) -> Fetched:
        """Read every standard file, or say all that is wrong with them."""
        return await asyncio.to_thread(self.read, source)

    def read(self, source: Source) -> Fetched:
        """Do the same without an event loop."""
        place = self.root / source.source
        try:
            if place.is_file():
                return _read_all(source, {_counts_as(place.name): place}, [])
            wanted, remarks = self._listed(place, source)
        except (OSError, ValueError) as error:
            return _failed([_remark(source, _words(error), severity="error")])
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
    # The files of other environments and regions are not custom, they just do not count here.
    return name.endswith(".json") and name not in STANDARD_FILES and not name.startswith((".", "system-", "gilding-"))


def _read_all(source: Source, wanted: dict[str, Path], remarks: list[Remark]) -> Fetched:
    files: dict[str, FetchedFile] = {}
    errors: list[Remark] = []
    for name, path in wanted.items():
        try:
            files[name], warnings = _read(name, path)
        except BadSyntax as error:
            errors.append(_remark(source, error.reason, path.name, "error", error.place))
        except (Invalid, OSError) as error:
            errors.append(_remark(source, _words(error), path.name, "error"))
        else:
            remarks.extend(_warned(source, path, warnings))
    if errors:
        return _failed([*errors, *remarks])
    return Fetched(files=files, remarks=tuple(remarks))


def _read(name: str, path: Path) -> tuple[FetchedFile, tuple[Problem, ...]]:
    facts = path.stat()
    if stat.S_ISDIR(facts.st_mode):
        raise Invalid("is a folder where a file should be")
    # Opening a pipe would wait for ever.
    if not stat.S_ISREG(facts.st_mode):
        raise Invalid("is not a regular file")
    if facts.st_size > MAX_BYTES:
        raise Invalid(f"has {facts.st_size:,} bytes; {MAX_BYTES:,} are allowed")
    content = path.read_bytes()
    # These may be empty (R-2.9-11), and an empty file sets nothing.
    if not content.strip(b"\xef\xbb\xbf \t\r\n"):
        return FetchedFile(name=name, document={}, text="", path=path), ()
    parsed = parse(content)
    if not isinstance(parsed.value, dict) and not (name in ARRAY_FILES and isinstance(parsed.value, list)):
        raise Invalid("must hold an object")
    return FetchedFile(name=name, document=parsed.value, text=parsed.text, path=path), parsed.warnings


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


def _at(place: Place | None) -> str:
    return f"line {place.line}, column {place.column}: " if place else ""


def _words(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"there is no {error.filename or error}"
    if isinstance(error, NotADirectoryError):
        return "is neither a folder nor a file"
    if isinstance(error, PermissionError):
        return "may not be read by this user"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)


def _remark(
    source: Source, message: str, file: str = "", severity: Severity = "warning", place: Place | None = None
) -> Remark:
    return Remark(source=source.name, file=file, message=message, severity=severity, place=place)
