"""Validates documents that a server stores for desktops."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from rostrum.base.problems import json_path, outwards
from rostrum.settings.catalogue import local_only_paths
from rostrum.settings.kinds import SettingsFile
from rostrum.settings.parse import NEWEST, parse_document
from rostrum.settings.problems import SettingProblem, Severity
from rostrum.settings.refuse import refuse
from rostrum.settings.running import stream_of
from rostrum.settings.scope import Stream
from rostrum.settings.settings import Settings

_LAST_OF_V9 = "9.15"
_MODE_KEY = Settings.model_fields["advanced_mode"].alias
_SEVERITIES = list(Severity)


def check_remote(kind: SettingsFile, document: Any, version: str | None = None) -> list[SettingProblem]:
    """Find all problems of a document, for desktops of one version or, by default, of all versions.

    The server knows neither the mode of a desktop nor its local files. Therefore settings of a single mode are not
        reported, and missing settings are only notes. Local-only settings are reported, because desktops ignore them.
    """
    document, refused = refuse(document, local_only_paths(kind))
    problems = [_local_only(path) for path in refused]
    problems += _meant_for_some(kind, document, _runs(kind, version))
    # The most severe first, otherwise in the order of the document.
    return sorted(problems, key=lambda problem: _SEVERITIES.index(problem.severity))


def _local_only(path: tuple[str, ...]) -> SettingProblem:
    message = "must be set in a local file: clients take it out of what a server sends"
    return SettingProblem(path=json_path(path), message=message, severity=Severity.WARNING)


def _runs(kind: SettingsFile, version: str | None) -> list[tuple[str, bool]]:
    """List the platforms that read the document: their version, and whether they are in the advanced mode."""
    if version is not None:
        return [(version, False)] if stream_of(version) is Stream.V9 else [(version, False), (version, True)]
    if kind is SettingsFile.GILDING:
        return [(_LAST_OF_V9, False)]
    return [(NEWEST, False), (NEWEST, True), (_LAST_OF_V9, False)]


def _meant_for_some(kind: SettingsFile, document: Any, runs: Iterable[tuple[str, bool]]) -> Iterator[SettingProblem]:
    """Yield problems for any reader, and settings without effect for all readers."""
    readings: list[list[SettingProblem]] = []
    for version, advanced in runs:
        readings.append(_problems(kind, document, version, advanced=advanced))
        if not any(problem.idle for problem in readings[0]):
            # The document was read completely, so another reader finds no further problems.
            break
    everywhere = [{problem.path for problem in reading if problem.idle} for reading in readings]
    seen: set[str] = set()
    for problem in (problem for reading in readings for problem in reading):
        if problem.path in seen or (problem.idle and not all(_inside(problem.path, idle) for idle in everywhere)):
            continue
        seen.add(problem.path)
        yield problem


def _inside(path: str, idle: Collection[str]) -> bool:
    return any(outer in idle for outer in outwards(path))


def _problems(kind: SettingsFile, document: Any, version: str, *, advanced: bool) -> list[SettingProblem]:
    if advanced and kind is SettingsFile.SYSTEM and isinstance(document, dict):
        document = {**document, _MODE_KEY: True}
    return [_softened(problem) for problem in parse_document(kind, document, version=version).problems]


def _softened(problem: SettingProblem) -> SettingProblem:
    if not problem.incomplete:
        return problem
    return replace(problem, severity=Severity.NOTE, message=f"{problem.message}, unless another file has it")
