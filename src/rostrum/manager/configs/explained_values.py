"""Explains each value of a merged configuration file: its origin, overridden values and declaration."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from rostrum.base.problems import json_path, outwards
from rostrum.manager.configs.checks import check_contents
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.scopes import documents
from rostrum.settings.catalogue import Declaration, catalogue, local_only_paths
from rostrum.settings.explain import Dropped, Leaf, Loser, dropped, explain
from rostrum.settings.kinds import SettingsFile, kind_of
from rostrum.settings.merge import Path, laid_over
from rostrum.settings.problems import SettingProblem, Severity

Status = str
_SET, _DEFAULT, _IGNORED = "set", "default", "ignored"
_ALL: Final = slice(None)
_MOST_DROPPED = 1000


class ExplainedValue(Struct, frozen=True, kw_only=True):
    """One value of a file.

    Attributes:
        status: ``set``; ``default`` if it is not set or null; ``ignored`` if clients do not use it.
        effective: The value that clients use; ``None`` if it depends on the local files of a machine.
        winner: The stored file that sets the value, if any.
        setting: The declaration in the catalogue, if any.

    """

    file: str
    path: str
    value: Any = None
    status: Status = _DEFAULT
    effective: Any = None
    winner: ConfigFile | None = None
    losers: tuple[Loser[ConfigFile], ...] = ()
    setting: Declaration | None = None
    problems: tuple[SettingProblem, ...] = ()


class ExplainedFile(Struct, frozen=True, kw_only=True):
    """A merged file, value by value.

    Attributes:
        values: The requested values.
        total: The number of all values.
        more_dropped: The number of dropped values that are not listed.

    """

    file: str
    values: tuple[ExplainedValue, ...]
    total: int
    dropped: tuple[Dropped[ConfigFile], ...]
    more_dropped: int
    problems: tuple[SettingProblem, ...]


def explain_file(
    file: str,
    configs: Iterable[ConfigFile],
    *,
    version: str | None = None,
    path: str = "",
    defaults: bool = False,
    page: slice = _ALL,
) -> ExplainedFile:
    """Explain a file that is merged from stored files, lowest precedence first.

    With a path, only values at or below it are explained. With defaults, settings that are not set are included.

    Only the values of the page are evaluated, because a file can have a hundred thousand values.
    """
    found = documents(configs)
    problems = check_contents(file, laid_over(layer.document for layer in found), version) if found else []
    evaluator = _Evaluator(kind_of(file), problems)
    leaves = [leaf for leaf in explain(found) if not path or _overlap(json_path(leaf.path), path)]
    unset = evaluator.unset((leaf.path for leaf in leaves), path) if defaults else []
    everything: list[Leaf[ConfigFile] | Declaration] = [*leaves, *unset]
    gone = (each for each in dropped(found) if not path or _overlap(json_path(each.path), path))
    return ExplainedFile(
        file=file,
        values=tuple(evaluator.value(file, each) for each in everything[page]),
        total=len(leaves) + len(unset),
        dropped=tuple(islice(gone, _MOST_DROPPED)),
        more_dropped=sum(1 for _ in gone),
        problems=tuple(problem for problem in problems if _is_requested(problem.path, path)),
    )


class _Evaluator:
    """Determines the status and the effective value of each setting of a file."""

    def __init__(self, kind: SettingsFile | None, problems: Sequence[SettingProblem]) -> None:
        self._kind = kind
        self._catalogue = catalogue(kind) if kind else {}
        self._local = [json_path(path) for path in local_only_paths(kind)] if kind else []
        self._problems = problems
        # Longer paths cannot be settings, so only their beginning is compared.
        self._longest = 1 + max(map(len, self._catalogue), default=0)

    def value(self, file: str, found: Leaf[ConfigFile] | Declaration) -> ExplainedValue:
        """Evaluate a value, or a setting that is not set."""
        return self._default(file, found) if isinstance(found, Declaration) else self._set(file, found)

    def _set(self, file: str, leaf: Leaf[ConfigFile]) -> ExplainedValue:
        path = json_path(leaf.path)
        setting = self._setting(path)
        problems = tuple(problem for problem in self._problems if _overlap(problem.path, path))
        status = self._status(path, leaf.value, setting, problems)
        local = any(_within(path, known) for known in self._local)
        default = setting.default if setting and setting.path == path else None
        return ExplainedValue(
            file=file,
            path=path,
            value=leaf.value,
            status=status,
            effective=leaf.value if status == _SET else None if local else default,
            winner=leaf.winner,
            losers=leaf.losers,
            setting=setting,
            problems=problems,
        )

    def unset(self, taken: Iterable[Path], path: str) -> list[Declaration]:
        """List the settings that are not set, except those inside items of arrays, which are not separate values."""
        paths = {json_path(steps)[: self._longest] for steps in taken}
        around = {outer for known in paths for outer in outwards(known)}
        return [
            setting
            for known, setting in self._catalogue.items()
            if not setting.container
            and "[]" not in known
            and _is_requested(known, path)
            and known not in around
            and paths.isdisjoint(outwards(known))
        ]

    def _default(self, file: str, setting: Declaration) -> ExplainedValue:
        local = any(_within(setting.path, known) for known in self._local)
        effective = None if local else setting.default
        return ExplainedValue(file=file, path=setting.path, effective=effective, setting=setting)

    def _setting(self, path: str) -> Declaration | None:
        known = self._catalogue.get(path)
        around = path[: self._longest]
        while known is None and "." in around:
            # Members with free names, such as variables, are inside a setting that is an object.
            around = around.rpartition(".")[0]
            outer = self._catalogue.get(around)
            known = outer if outer is not None and not outer.container else None
        return known

    def _status(self, path: str, value: Any, setting: Declaration | None, problems: Iterable[SettingProblem]) -> Status:
        if any(_within(path, known) for known in self._local) or (self._kind and setting is None):
            return _IGNORED
        around = [problem for problem in problems if _within(path, problem.path)]
        if any(problem.idle or problem.severity is Severity.ERROR for problem in around):
            return _IGNORED
        is_default = value is None or (value == "" and setting is not None and setting.default is not None)
        return _DEFAULT if is_default else _SET


def _is_requested(path: str, requested: str) -> bool:
    return not requested or _overlap(path, requested)


def _within(path: str, other: str) -> bool:
    """Return whether a path is equal to another one or below it."""
    return path == other or path.startswith((f"{other}.", f"{other}["))


def _overlap(path: str, other: str) -> bool:
    return _within(path, other) or _within(other, path)
