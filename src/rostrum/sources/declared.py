"""The sources that a system.json declares, with environment variables filled in."""

from collections.abc import Callable, Mapping
from typing import Any

from rostrum.base.placeholders import expand
from rostrum.base.problems import Problem
from rostrum.sources.environment import unknown_variables
from rostrum.sources.source import DEFAULT_SOURCE, Impersonation, Source

__all__ = ["declared_sources"]

_HUGE = 1e15
_PATH = "systemConfigurations.sources"

_Check = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_amount(value: Any) -> bool:
    return _is_number(value) and 0 <= value < _HUGE


def _is_time(value: Any) -> bool:
    return _is_amount(value) and value > 0


def _is_count(value: Any) -> bool:
    return _is_amount(value) and value == int(value)


_MEMBERS: dict[str, tuple[str, _Check, str]] = {
    "configs": ("configs", _is_text, "text"),
    "priority": ("priority", _is_number, "a number"),
    "required": ("required", _is_switch, "true or false"),
    "restBackoffFactor": ("rest_backoff_factor", _is_amount, "a number from 0"),
    "restRetries": ("rest_retries", _is_count, "a whole number from 0"),
    "restTimeout": ("rest_timeout", _is_time, "a number above 0"),
    "restUseCache": ("rest_use_cache", _is_switch, "true or false"),
}


def declared_sources(document: Any, variables: Mapping[str, str]) -> tuple[tuple[Source, ...], tuple[Problem, ...]]:
    """Return the declared sources, or the default one; a wrong member keeps its default and is a problem."""
    configurations = document.get("systemConfigurations") if isinstance(document, dict) else None
    declared = configurations.get("sources") if isinstance(configurations, dict) else None
    if declared is None:
        return (DEFAULT_SOURCE,), ()
    problems: list[Problem] = []
    if not isinstance(declared, list):
        return (DEFAULT_SOURCE,), (Problem(path=_PATH, message="must be an array of sources"),)
    read = [_source(entry, f"{_PATH}[{index}]", variables, problems) for index, entry in enumerate(declared)]
    return tuple(source for source in read if source is not None), tuple(problems)


def _source(entry: Any, path: str, variables: Mapping[str, str], problems: list[Problem]) -> Source | None:
    if not isinstance(entry, dict):
        problems.append(Problem(path=path, message="must be an object"))
        return None
    kind = entry.get("type")
    # Files of existing users have the word ``default`` for the built-in folder.
    location = entry.get("source", DEFAULT_SOURCE.source if kind == "default" else None)
    if kind not in ("path", "rest", "default"):
        problems.append(Problem(path=f"{path}.type", message="must be path or rest"))
        return None
    if not isinstance(location, str) or not location:
        problems.append(Problem(path=f"{path}.source", message="must be a folder or an address"))
        return None
    expanded = expand(location, variables)
    problems.extend(unknown_variables(f"{path}.source", expanded))
    return Source(
        type="rest" if kind == "rest" else "path",
        source=expanded.text,
        impersonation=_impersonation(entry.get("impersonation"), f"{path}.impersonation", problems),
        **_members(entry, path, problems),
    )


def _members(entry: Mapping[str, Any], path: str, problems: list[Problem]) -> dict[str, Any]:
    members = {}
    for wire_name, (name, check, allowed) in _MEMBERS.items():
        value = entry.get(wire_name)
        if value is None:
            continue
        if check(value):
            members[name] = int(value) if name == "rest_retries" else value
        else:
            problems.append(Problem(path=f"{path}.{wire_name}", message=f"must be {allowed}"))
    return members


def _impersonation(value: Any, path: str, problems: list[Problem]) -> Impersonation:
    if value is None:
        return Impersonation()
    if not isinstance(value, dict):
        problems.append(Problem(path=path, message="must be an object with user, group and version"))
        return Impersonation()
    parts = {name: value[name] for name in ("user", "group", "version") if value.get(name) is not None}
    wrong = [name for name, part in parts.items() if not isinstance(part, str)]
    problems.extend(Problem(path=f"{path}.{name}", message="must be text") for name in wrong)
    return Impersonation(**{name: part for name, part in parts.items() if name not in wrong})
