"""Explains one setting: the effective value, its origin, and the overridden values with reasons."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rostrum.base.problems import json_path
from rostrum.settings.catalogue import Declaration, catalogue, local_only_paths, nearest
from rostrum.settings.describe import where_it_counts
from rostrum.settings.parse import ADVANCED_MODE, parse_system
from rostrum.settings.setting import Section
from rostrum.sources.combine import ValueOrigin, allowed, by_priority, counted, origin_of, why_refused
from rostrum.sources.load import Loaded
from rostrum.sources.report import Places, shown_file
from rostrum.sources.source import SYSTEM_FILE, masked

_STEP = re.compile(r"\[(?P<index>[0-9]{1,9})\]|(?P<name>[^.\[\]]+)")
_INDEX = re.compile(r"\[\d+\]")
_EACH = "[]"

Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The position of a value; line and column are 0 if the text is not available."""

    source: str
    file: str
    line: int = 0
    column: int = 0
    priority: float
    cached: bool = False
    age: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loser:
    """A value that is not effective, and why."""

    where: Where
    value: Any
    reason: str


@dataclass(frozen=True, slots=True)
class Member:
    """One value inside an object, and its position."""

    path: str
    where: Where


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingExplanation:
    """The explanation of one setting.

    Attributes:
        known: Whether the setting exists.
        counts: The version, mode, sources and apps to which the setting applies.
        origin: None if the value is the default, or if several origins set parts of it.
        members: The members of an object that several origins set.
        notes: Further remarks, such as why a value has no effect, and which sources were not available.
    """

    path: str
    known: bool
    value: Any
    default: Any
    text: str
    counts: tuple[str, ...]
    origin: Where | None
    overridden: tuple[Loser, ...]
    members: tuple[Member, ...]
    notes: tuple[str, ...]


def explain(loaded: Loaded, path: str) -> SettingExplanation:
    """Explain a setting by its path, such as ``windowManagement.snapping.distance`` or ``appStores[0].type``."""
    return Explainer(loaded).explain(path)


class Explainer:
    """Explains settings of one loaded configuration; shared preparation is done once."""

    def __init__(self, loaded: Loaded) -> None:
        mode = {ADVANCED_MODE: loaded.settings.advanced_mode}
        self._loaded = loaded
        self._values = in_force(loaded.settings)
        self._defaults = in_force(parse_system(mode, version=loaded.early.start.version).settings)
        self._places = Places(loaded.system)

    def explain(self, path: str) -> SettingExplanation:
        """Explain a setting by its path; ``[]`` in it means each item of an array."""
        if _EACH in path and path in catalogue():
            return self._of_each(catalogue()[path])
        steps = _steps(path)
        path = json_path(steps)
        winner = _winner(self._loaded, steps)
        members = [] if winner else list(_members(self._loaded, steps, self._places))
        if members and len({(one.where.source, one.where.file) for one in members}) == 1:
            winner = self._places.origin(path)
        declared = catalogue().get(_INDEX.sub("[]", path))
        known, value = _at(self._values, steps)
        unknown = declared is None and not known
        losers = tuple(_losers(self._loaded, steps, winner, self._places))
        reasons = {one.reason for one in losers}
        return SettingExplanation(
            path=path,
            known=not unknown,
            value=masked(_at(self._loaded.system.document, steps)[1] if unknown else value),
            default=self._default(steps, declared),
            text=declared.text if declared else "",
            counts=tuple(where_it_counts(declared)) if declared else (),
            origin=_where(winner, path, self._places) if winner else None,
            overridden=losers,
            members=tuple(members) if winner is None else (),
            notes=tuple(note for note in _notes(self._loaded, path, unknown=unknown) if note not in reasons),
        )

    def _of_each(self, declared: Declaration) -> SettingExplanation:
        array, _, inner = declared.path.partition(_EACH)
        items = _at(self._values, _steps(array))[1] or []
        names = _steps(inner) if inner else ()
        values = [value for item in items for found, value in [_at(item, names)] if found]
        around = self.explain(array)
        example = declared.path.replace(_EACH, "[0]")
        return replace(
            around,
            path=declared.path,
            value=masked(values),
            default=declared.default,
            text=declared.text,
            counts=tuple(where_it_counts(declared)),
            overridden=(),
            notes=(*around.notes, f"one value for each item of {array} that has it; {example} is that of the first"),
        )

    def _default(self, steps: Steps, declared: Declaration | None) -> Any:
        """Return the default for the effective mode; for a member of an array item, the declared default."""
        found, value = _at(self._defaults, steps)
        if declared is not None and (not found or steps == (ADVANCED_MODE,)):
            return declared.default
        return value


def in_force(settings: Section) -> dict[str, Any]:
    """Return the effective value of every setting, including defaults, structured like the document."""
    document: dict[str, Any] = settings.model_dump(mode="json", by_alias=True)
    return document


def _steps(path: str) -> Steps:
    steps = tuple(int(found["index"]) if found["index"] else found["name"] for found in _STEP.finditer(path))
    return steps or (path,)


def _at(document: Any, steps: Steps) -> tuple[bool, Any]:
    for step in steps:
        if not _holds(document, step):
            return False, None
        document = document[step]
    return True, document


def _holds(document: Any, step: str | int) -> bool:
    if isinstance(step, str):
        return isinstance(document, Mapping) and step in document
    return isinstance(document, list) and step < len(document)


def _winner(loaded: Loaded, steps: Steps) -> ValueOrigin | None:
    """Return the origin of the value at the path, or of the value that contains it."""
    names = tuple(step for step in steps if isinstance(step, str))
    origins = loaded.system.origins
    return next((origins[names[:end]] for end in range(len(names), 0, -1) if names[:end] in origins), None)


def _members(loaded: Loaded, steps: Steps, places: Places) -> Iterator[Member]:
    for leaf, origin in loaded.system.origins.items():
        if leaf[: len(steps)] == steps:
            path = json_path(leaf)
            yield Member(path, _where(origin, path, places))


def _where(origin: ValueOrigin, path: str, places: Places) -> Where:
    place = places.place(origin, path)
    return Where(
        source=origin.source,
        file=shown_file(origin),
        line=place.line,
        column=place.column,
        priority=origin.priority,
        cached=origin.cached,
        age=origin.age,
    )


def _losers(loaded: Loaded, steps: Steps, winner: ValueOrigin | None, places: Places) -> Iterator[Loser]:
    names = tuple(step for step in steps if isinstance(step, str))
    for outcome in reversed(by_priority(loaded.combined.sources)):
        files = [entry for entry in counted(outcome, loaded.early.pair) if entry[0] == SYSTEM_FILE]
        for _, file, applies in reversed(files):
            written, value = _at(file.document, steps)
            refused = allowed(outcome.source, file.document, local_only_paths(), loaded.early.trusted)[1]
            origin = origin_of(outcome, file)
            against = next(
                (path for path in refused if names[: len(path)] == path or path[: len(names)] == names), None
            )
            if not written or (applies and not against and (winner is None or file is winner.fetched)):
                continue
            if not applies:
                reason = f"the configs of this source ({outcome.source.configs}) do not name {SYSTEM_FILE}"
            elif against:
                reason = why_refused(outcome.source, against)
            else:
                reason = _outranked(origin, winner)
            yield Loser(where=_where(origin, json_path(steps), places), value=masked(value), reason=reason)


def _outranked(origin: ValueOrigin, winner: ValueOrigin | None) -> str:
    if winner is None:
        return "parts of it are set elsewhere"
    if origin.priority != winner.priority:
        return f"priority {origin.priority:g} is lower than {winner.priority:g} of {winner.source}"
    if origin.source == winner.source:
        return f"{winner.file} of the same source overrides it"
    return f"comes before {winner.source}, which has the same priority {origin.priority:g}"


def _notes(loaded: Loaded, path: str, *, unknown: bool) -> Iterator[str]:
    if unknown:
        guess = nearest(path)
        yield "unknown setting, has no effect" + (f"; did you mean {guess}?" if guess else "")
    for finding in loaded.problems:
        if finding.path == path and not (unknown and "unknown setting" in finding.message):
            yield finding.message
    for outcome in loaded.combined.sources:
        if outcome.fetched.status == "failed":
            yield f"{outcome.source.name} was not available: {outcome.fetched.error}"
        elif outcome.fetched.cached:
            yield f"{outcome.source.name} is taken from the cache, saved {outcome.fetched.age or 0:.0f} s ago"
