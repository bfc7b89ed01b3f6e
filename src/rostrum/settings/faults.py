"""What validation finds wrong in the members of one section, put in order."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from rostrum.settings.unknown import Steps


class Fault(NamedTuple):
    """A value that is wrong, and the reason where its type gives one."""

    value: Any
    reason: str | None


def faults_of(error: ValidationError, values: Mapping[str, Any]) -> dict[str, dict[Steps, Fault]]:
    """Sort what is wrong by member and by the way into its value, leaving out what is missing."""
    found: dict[str, dict[Steps, Fault]] = {}
    for one in error.errors(include_url=False):
        name = str(one["loc"][0])
        if name in values:
            inside, value = _followed(one["loc"][1:], values[name])
            reason = str(one["ctx"]["error"]) if one["type"] == "value_error" else None
            found.setdefault(name, {}).setdefault(inside, Fault(value, reason))
    return {name: _deepest(faults) for name, faults in found.items()}


def _deepest(faults: dict[Steps, Fault]) -> dict[Steps, Fault]:
    # Of a union each alternative complains; the one that got into the value knows best.
    return {inside: fault for inside, fault in faults.items() if inside} or faults


def _followed(loc: tuple[int | str, ...], value: Any) -> tuple[Steps, Any]:
    steps: list[str | int] = []
    for step in loc:
        in_list = isinstance(step, int) and isinstance(value, list) and step < len(value)
        if in_list or (isinstance(value, dict) and step in value):
            value = value[step]
            steps.append(step)
    return tuple(steps), value
