"""Reader: reads a document by its declared sections, and collects all problems."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeVar, cast

from pydantic import ValidationError

from rostrum.base.problems import json_path
from rostrum.settings.counts import why_not
from rostrum.settings.migrations import successor, word_elsewhere
from rostrum.settings.problems import MASK, SettingProblem, Severity, shown
from rostrum.settings.running import Running
from rostrum.settings.setting import Section
from rostrum.settings.shape import (
    DISCRIMINATOR,
    Member,
    allowed,
    allowed_item,
    any_of,
    has_mode_defaults,
    is_open,
    members,
)
from rostrum.settings.trusted import construct_trusted
from rostrum.settings.unknown import MOST_GUESSES, Steps, UnknownKey, close_to

S = TypeVar("S", bound=Section)
_ABSENT: Final = object()
_NOT_TEXT: Final = ("boolean", "number")


class Fault(NamedTuple):
    """An invalid value, and the reason if its type provides one."""

    value: Any
    reason: str | None


def faults_of(error: ValidationError, values: Mapping[str, Any]) -> dict[str, dict[Steps, Fault]]:
    """Sort problems by member and by path within the value, without missing members."""
    found: dict[str, dict[Steps, Fault]] = {}
    for one in error.errors(include_url=False):
        name = str(one["loc"][0])
        if name in values:
            inside, value = _followed(one["loc"][1:], values[name])
            reason = str(one["ctx"]["error"]) if one["type"] == "value_error" else None
            found.setdefault(name, {}).setdefault(inside, Fault(value, reason))
    return {name: _deepest(faults) for name, faults in found.items()}


def _deepest(faults: dict[Steps, Fault]) -> dict[Steps, Fault]:
    # Each alternative of a union reports an error; the one with the longest path is the most specific.
    return {inside: fault for inside, fault in faults.items() if inside} or faults


def _followed(loc: tuple[int | str, ...], value: Any) -> tuple[Steps, Any]:
    steps: list[str | int] = []
    for step in loc:
        in_list = isinstance(step, int) and isinstance(value, list) and step < len(value)
        if in_list or (isinstance(value, dict) and step in value):
            value = value[step]
            steps.append(step)
    return tuple(steps), value


class Reader:
    """Reads one document for one running platform."""

    def __init__(self, running: Running) -> None:
        self.problems: list[SettingProblem] = []
        self.unknown: list[UnknownKey] = []
        self._running = running
        self._guesses = 0

    def section(self, cls: type[S], given: Mapping[str, Any], at: Steps) -> S | None:
        """Build a section from an object; None if a required member is missing."""
        known = members(cls)
        values: dict[str, Any] = {}
        for name, value in given.items():
            member = known.get(name)
            if member is not None:
                values[name] = self._member(member, value, (*at, name))
            elif is_open(cls):
                values[name] = value
            else:
                self.unknown.append(UnknownKey((*at, name), value, known))
        for member in known.values():
            if member.name not in given:
                values[member.name] = self._default(member, (*at, member.name))
            self._want(member, given, at)
        return self._built(cls, {name: value for name, value in values.items() if value is not _ABSENT}, at)

    def _member(self, member: Member, value: Any, at: Steps) -> Any:
        if value is None or (value == "" and member.has_default):
            return self._default(member, at)
        refusal = why_not(member, value, self._running) or (word_elsewhere(at, value) if member.enum else None)
        if refusal is not None:
            self._report(refusal.severity, at, refusal.message + successor(at), member, value)
            self.problems[-1] = replace(self.problems[-1], idle=refusal.severity is Severity.WARNING)
            return self._default(member, at)
        if isinstance(value, str) and value in member.facts.deprecated:
            self._report(Severity.NOTE, at, member.facts.deprecated[value], member, value)
        if member.sections and not member.many and isinstance(value, dict):
            return self._variant(member, value, at)
        if member.many and isinstance(value, list):
            return self._array(member, value, at)
        if member.sections and not member.plain:
            self._wrong(member, value, at)
            return self._default(member, at)
        return value

    def _default(self, member: Member, at: Steps) -> Any:
        if member.container and any(has_mode_defaults(inner) for inner in member.sections):
            return self.section(member.sections[0], {}, at)
        return member.facts.by_mode.get(self._running.mode, _ABSENT)

    def _want(self, member: Member, given: Mapping[str, Any], at: Steps) -> None:
        if member.facts.required and at and given.get(member.name) is None:
            suffix = "" if member.type == "unknown" else f" ({allowed(member)})"
            self._missing((*at, member.name), f"is required{suffix}")

    def _array(self, member: Member, items: list[Any], at: Steps) -> Any:
        read: list[Section] = []
        written: set[str] = set()
        kept: set[Any] = set()
        for index, item in enumerate(items):
            if not isinstance(item, dict):
                self._report(Severity.ERROR, (*at, index), f"must be an object, not {shown(item)}", member, item)
                continue
            section = self._variant(member, item, (*at, index))
            self._want_unique(member, item, written, (*at, index))
            if isinstance(section, Section):
                # An item that is invalid for another reason is not used, so it cannot be a duplicate.
                name = index if member.facts.unique is None else getattr(section, member.facts.unique)
                if name not in kept:
                    read.append(section)
                kept.add(name)
        return tuple(read)

    def _want_unique(self, member: Member, item: Mapping[str, Any], written: set[str], at: Steps) -> None:
        key = member.facts.unique
        value = None if key is None else item.get(key)
        if key is None or not isinstance(value, str):
            return
        if value in written:
            message = f"must be unique, but {shown(value)} was used before"
            self._report(Severity.ERROR, (*at, key), message, member, value)
        written.add(value)

    def _variant(self, member: Member, value: dict[str, Any], at: Steps) -> Any:
        cls = member.sections[0]
        if len(member.sections) > 1:
            by_word = {members(one)[DISCRIMINATOR].enum[0]: one for one in member.sections}
            word = value.get(DISCRIMINATOR)
            if not isinstance(word, str) or word not in by_word:
                self._bad_word(word, tuple(by_word), (*at, DISCRIMINATOR))
                return _ABSENT
            cls = by_word[word]
            value = self._without_foreign(member, cls, value, at)
        section = self.section(cls, value, at)
        return _ABSENT if section is None else section

    def _without_foreign(self, member: Member, cls: type[Section], value: dict[str, Any], at: Steps) -> dict[str, Any]:
        own = members(cls)
        others = {name for one in member.sections for name in members(one)} - set(own)
        for name in value.keys() & others:
            message = f"has no effect for the type {value[DISCRIMINATOR]}"
            self._report(Severity.WARNING, (*at, name), message, member, value[name])
        return {name: inner for name, inner in value.items() if name not in others}

    def _bad_word(self, word: Any, words: tuple[str, ...], at: Steps) -> None:
        choices = any_of(words)
        if word is None:
            self._missing(at, f"is required ({choices})")
            return
        foreign = word_elsewhere(at, word)
        if foreign is not None:
            self.problems.append(
                SettingProblem(path=json_path(at), message=foreign.message, severity=foreign.severity, value=word)
            )
            return
        suggestion = self._closest(word, words)
        message, path = f"must be {choices}, not {shown(word)}{_meant(suggestion)}", json_path(at)
        problem = SettingProblem(path=path, message=message, severity=Severity.ERROR, value=word, suggestion=suggestion)
        self.problems.append(problem)

    def _missing(self, at: Steps, message: str) -> None:
        # Merging replaces arrays completely, so no other document can complete an item.
        incomplete = not any(isinstance(step, int) for step in at)
        problem = SettingProblem(path=json_path(at), message=message, severity=Severity.ERROR, incomplete=incomplete)
        self.problems.append(problem)

    def _built(self, cls: type[S], values: dict[str, Any], at: Steps) -> S | None:
        # Removing invalid members can only cause missing members, so two rounds are sufficient.
        for _ in range(2):
            try:
                section = construct_trusted(cls, values) or cls.model_validate(values)
            except ValidationError as error:
                if all(one["type"] == "missing" for one in error.errors(include_url=False)):
                    return None
                self._take_out(cls, error, values, at)
            else:
                self._ask(section, at)
                return section
        return None

    def _take_out(self, cls: type[Section], error: ValidationError, values: dict[str, Any], at: Steps) -> None:
        known = members(cls)
        for name, faults in faults_of(error, values).items():
            member = known[name]
            for inside, fault in faults.items():
                self._wrong(member, fault.value, (*at, name, *inside), fault.reason)
            values.pop(name)
            default = self._default(member, (*at, name))
            if default is not _ABSENT:
                values[name] = default

    def _ask(self, section: Section, at: Steps) -> None:
        for finding in section.findings():
            value: Any = section
            for name in finding.member.split("."):
                member = members(cast("type[Section]", type(value)))[name]
                value = getattr(value, member.attribute)
            steps = (*at, *finding.member.split("."))
            if not any(problem.path == json_path(steps) for problem in self.problems):
                self._report(finding.severity, steps, finding.message, member, value)

    def _wrong(self, member: Member, value: Any, at: Steps, reason: str | None = None) -> None:
        what = allowed(member) if at[-1] == member.name else allowed_item(member)
        said = MASK if member.facts.secret else shown(value)
        if isinstance(value, str) and member.type in _NOT_TEXT:
            said = f"the text {said}"
        word = self._closest(value, member.enum)
        message = f"{reason or f'must be {what}'}, not {said}{_meant(word)}"
        self._report(Severity.ERROR, at, message, member, value, word=word)

    def _closest(self, word: Any, words: Collection[str]) -> str | None:
        if not words or not isinstance(word, str) or self._guesses >= MOST_GUESSES:
            return None
        self._guesses += 1
        return close_to(word, words)

    def _report(
        self, severity: Severity, at: Steps, message: str, member: Member, value: Any, *, word: str | None = None
    ) -> None:
        said = MASK if member.facts.secret and value is not None else value
        self.problems.append(
            SettingProblem(path=json_path(at), message=message, severity=severity, value=said, suggestion=word)
        )


def _meant(word: str | None) -> str:
    return f"; did you mean {word}?" if word else ""
