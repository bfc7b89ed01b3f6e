"""Environment and region: files for a specific environment and region, and the variables that files set."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.base.placeholders import Expanded
from rostrum.base.problems import Problem, json_path
from rostrum.sources.errors import BadPair

_NOT_IN_A_NAME = frozenset('/\\:*?"<>|')


@dataclass(frozen=True, slots=True)
class Pair:
    """An environment and a region; either may be missing."""

    env: str = ""
    region: str = ""

    def __post_init__(self) -> None:
        """Reject values that would make a path leave its folder."""
        for part in (self.env, self.region):
            if part.startswith(".") or any(letter in _NOT_IN_A_NAME or ord(letter) < 32 for letter in part):
                raise BadPair(f"{part!r} cannot be an environment or region: it becomes part of file names")

    @property
    def name(self) -> str:
        """Return ``<ENV>-<REGION>``, only one of them if the other is missing, or an empty text."""
        return "-".join(part for part in (self.env, self.region) if part)


NO_PAIR = Pair()


def pair_file(names: Iterable[str], pair: Pair, stem: str = "system") -> str | None:
    """Find ``<stem>-<ENV>-<REGION>.json`` among names, ignoring case; an exact match wins."""
    if not pair.env or not pair.region:
        return None
    wanted = f"{stem}-{pair.name}.json"
    fitting = sorted(name for name in names if name.casefold() == wanted.casefold())
    if wanted in fitting:
        return wanted
    return fitting[0] if fitting else None


def assign(
    variables: Mapping[str, str], document: Any, steps: tuple[str, ...] = ("set",)
) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """Apply the assignments of a document to variables: a value overrides, an empty string removes."""
    result = dict(variables)
    assignments = _member(document, steps)
    if assignments is None:
        return result, ()
    if not isinstance(assignments, dict):
        return result, (Problem(path=json_path(steps), message="must be an object of variable names and values"),)
    problems: list[Problem] = []
    for name, value in assignments.items():
        reason = _wrong(name, value)
        if reason:
            problems.append(Problem(path=json_path((*steps, name)), message=reason))
        elif value == "":
            result.pop(name, None)
        else:
            result[name] = _as_text(value)
    return result, tuple(problems)


def unknown_variables(path: str, expanded: Expanded) -> tuple[Problem, ...]:
    """Report each unset variable that a text at a path uses."""
    return tuple(Problem(path=path, message=f"there is no environment variable {name}") for name in expanded.unknown)


def _member(document: Any, steps: tuple[str, ...]) -> Any:
    for step in steps:
        if not isinstance(document, dict):
            return None
        document = document.get(step)
    return document


def _wrong(name: str, value: Any) -> str:
    if not name or "=" in name or "\0" in name:
        return "cannot be the name of a variable"
    if not isinstance(value, (str, int, float, bool)):
        return "must be text, a number or a boolean"
    if isinstance(value, str) and "\0" in value:
        return "must not hold a NUL character"
    return ""


def _as_text(value: str | float | bool) -> str:  # noqa: FBT001
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
