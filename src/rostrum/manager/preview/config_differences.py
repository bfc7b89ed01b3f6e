"""Compares the merged configuration of clients in two access snapshots, value by value; pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, Final

from msgspec import Struct

from rostrum.base import json_text
from rostrum.contracts.system_config import Scope
from rostrum.manager.configs.checks import check_contents
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.scopes import Client, layers
from rostrum.manager.effective.snapshot import AccessSnapshot
from rostrum.settings.merge import Path, laid_over
from rostrum.settings.problems import SettingProblem

ANY_VERSION = ""
"""A client whose version has no files."""

# Documents are large; most users share a few of them.
_KEPT = 512

Chain = tuple[ConfigFile, ...]
Leaves = Mapping[Path, str]
Groups = frozenset[str] | None
Sections = frozenset[str] | None

_NO_FILE: Final = object()


class ValueChange(Struct, frozen=True):
    """A value before and after, as JSON text; ``None`` if it does not exist."""

    file: str
    path: Path
    before: str | None
    after: str | None


class Remark(Struct, frozen=True):
    """A validation problem of a merged file that is new, or that no longer exists."""

    file: str
    problem: SettingProblem
    is_new: bool


class Changes(tuple[tuple[ValueChange, tuple[str, ...]], ...]):
    """The changes, each with the platform versions to which it applies.

    Users are grouped by their changes, which are equal for many users, so the hash is calculated once.
    """

    def __hash__(self) -> int:
        known: int | None = self.__dict__.get("hash")
        if known is None:
            known = self.__dict__["hash"] = super().__hash__()
        return known


class ConfigDifference(Struct, frozen=True):
    """The changes and validation problems for a client, with the platform versions."""

    changes: Changes
    remarks: tuple[tuple[Remark, tuple[str, ...]], ...]


class _FileDifference(Struct, frozen=True):
    changes: tuple[ValueChange, ...] = ()
    remarks: tuple[Remark, ...] = ()


def versions_of(*snapshots: AccessSnapshot) -> list[str]:
    """List versions that represent all clients: one without files, and each version with files."""
    found = {
        config.target for snapshot in snapshots for config in snapshot.configs.values() if config.scope is Scope.VERSION
    }
    return [ANY_VERSION, *sorted(found, key=lambda version: [int(part) for part in version.split(".")])]


class ConfigComparison:
    """Compares the configuration of clients; clients with the same stored files are compared once."""

    def __init__(self, before: AccessSnapshot, after: AccessSnapshot, versions: Iterable[str]) -> None:
        self._before, self._after = _Side(before), _Side(after)
        self._versions = tuple(versions)
        self._known: dict[tuple[Groups, Groups], ConfigDifference] = {}
        self._compare_shared = lru_cache(_KEPT)(self._compare_documents)
        self._parsed = lru_cache(_KEPT)(json_text.parse)

    def of(self, user: str, before: Groups, after: Groups) -> ConfigDifference:
        """Compare the configuration of a user in these groups; ``None`` for a user without configuration."""
        if self._before.has_own(user) or self._after.has_own(user):
            return self._compare_user(user, before, after)
        key = (before, after)
        if key not in self._known:
            self._known[key] = self._compare_user(user, before, after)
        return self._known[key]

    def _compare_user(self, user: str, before: Groups, after: Groups) -> ConfigDifference:
        changes: dict[ValueChange, tuple[str, ...]] = {}
        remarks: dict[Remark, tuple[str, ...]] = {}
        for version in self._versions:
            had, has = self._before.files(user, before, version), self._after.files(user, after, version)
            for file in sorted({*had, *has}):
                found = self._compare(file, had.get(file, ()), has.get(file, ()), version)
                changes.update((change, (*changes.get(change, ()), version)) for change in found.changes)
                remarks.update((remark, (*remarks.get(remark, ()), version)) for remark in found.remarks)
        return ConfigDifference(Changes(changes.items()), tuple(remarks.items()))

    def _compare(self, file: str, before: Chain, after: Chain, version: str) -> _FileDifference:
        if before == after:
            return _FileDifference()
        own, own_after = _own_of(before), _own_of(after)
        if own is None and own_after is None:
            return self._compare_shared(file, before, after, version)
        if own is None or own != own_after:
            return self._compare_documents(file, before, after, version)
        # Documents are merged and validated by section; unchanged sections have the same result.
        shared = self._compare_shared(file, before[:-1], after[:-1], version)
        document = self._parsed(own.contents)
        if not isinstance(document, dict) or any(not change.path for change in shared.changes):
            return self._compare_documents(file, before, after, version)
        sections = frozenset(change.path[0] for change in shared.changes)
        if sections.isdisjoint(document):
            return shared
        return self._compare_documents(file, before, after, version, sections)

    def _compare_documents(
        self, file: str, before: Chain, after: Chain, version: str, sections: Sections = None
    ) -> _FileDifference:
        had, has = self._merged(before, sections), self._merged(after, sections)
        one, other = _leaves(had), _leaves(has)
        inside = _Inside(one, other)
        changes = tuple(
            ValueChange(file, path, one.get(path), other.get(path))
            for path in dict.fromkeys((*one, *other))
            if one.get(path) != other.get(path) and not inside.is_filled(path)
        )
        if not changes:
            return _FileDifference()
        said, says = _said(file, had, version), _said(file, has, version)
        return _FileDifference(
            changes,
            (
                *(Remark(file, problem, is_new=True) for problem in says if problem not in said),
                *(Remark(file, problem, is_new=False) for problem in said if problem not in says),
            ),
        )

    def _merged(self, chain: Chain, sections: Sections) -> Any:
        """Merge a chain, or some sections of it."""
        if not chain:
            return _NO_FILE
        documents = (self._parsed(config.contents) for config in chain)
        return laid_over(_only(document, sections) for document in documents)


class _Side:
    """The stored files of a snapshot, and those that apply to each client."""

    def __init__(self, snapshot: AccessSnapshot) -> None:
        self._priorities = snapshot.priorities
        self._shared = [config for config in snapshot.configs.values() if config.scope is not Scope.USER]
        self._own: dict[str, list[ConfigFile]] = {}
        for config in snapshot.configs.values():
            if config.scope is Scope.USER:
                self._own.setdefault(config.target, []).append(config)
        self._known: dict[tuple[str, frozenset[str]], dict[str, Chain]] = {}

    def has_own(self, user: str) -> bool:
        return user in self._own

    def files(self, user: str, groups: Groups, version: str) -> dict[str, Chain]:
        if groups is None:
            return {}
        own = self._own.get(user)
        client = Client(user=user, groups=groups, version=version)
        if own:
            return layers([*self._shared, *own], client, self._priorities)
        key = (version, groups)
        if key not in self._known:
            self._known[key] = layers(self._shared, client, self._priorities)
        return self._known[key]


def _own_of(chain: Chain) -> ConfigFile | None:
    """Return the file of the user, which has the highest precedence."""
    return chain[-1] if chain and chain[-1].scope is Scope.USER else None


def _only(document: Any, sections: Sections) -> Any:
    if sections is None or not isinstance(document, dict):
        return document
    return {name: document[name] for name in sections if name in document}


class _Inside:
    """The paths of objects with members, on both sides."""

    def __init__(self, one: Leaves, other: Leaves) -> None:
        self._sides = ((one, other), (other, one))

    def is_filled(self, path: Path) -> bool:
        """Return whether an empty object disappears only because it has members on the other side."""
        return any(
            mine.get(path) == "{}" and path not in theirs and path in self._places[number]
            for number, (mine, theirs) in enumerate(self._sides)
        )

    @cached_property
    def _places(self) -> list[set[Path]]:
        return [{leaf[:depth] for leaf in theirs for depth in range(len(leaf))} for _, theirs in self._sides]


def _leaves(document: Any) -> Leaves:
    return {} if document is _NO_FILE else dict(_walk(document, ()))


def _walk(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, dict) and value:
        for key, child in value.items():
            yield from _walk(child, (*path, key))
    else:
        yield path, json_text.dump(value).decode()


def _said(file: str, document: Any, version: str) -> tuple[SettingProblem, ...]:
    if document is _NO_FILE:
        return ()
    found = check_contents(file, document, version or None)
    # The value at this path is reported elsewhere, and can have any type.
    return tuple(replace(problem, value=None) for problem in found)
