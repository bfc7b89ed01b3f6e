"""Checks all values against their declarations and the rules, and reports all problems at once."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any

from msgspec import Struct, field
from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from rostrum.base.problems import Problem, json_path
from rostrum.manager.config.document import lines_to_add
from rostrum.manager.config.option import OptionInfo
from rostrum.manager.config.options import OPTIONS, ManagerConfig
from rostrum.manager.config.rules import breaches
from rostrum.manager.config.wording import nearest, printable

_WORDS = {
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "model_type": "must be an object",
    "string_type": "must be text",
    "string_unicode": "contains an incomplete surrogate pair",
    "tuple_type": "must be an array",
}
_SHOWN_NUMBER = 10**18


class Checked(Struct):
    """The valid values by field name, and the problems of the others."""

    values: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def check(given: Mapping[str, Any], failed: set[str]) -> Checked:
    """Check the given values and add the defaults; invalid fields are omitted."""
    out = Checked()
    for name, info in OPTIONS.items():
        if name in given:
            _check_value(info, given[name], out)
        elif name not in failed:
            out.problems.extend(_missing(info))
            out.values[name] = info.default
    out.problems.extend(_broken_rules(out.values))
    return out


def _check_value(info: OptionInfo, value: Any, out: Checked) -> None:
    try:
        out.values[info.field] = _adapter(info.field).validate_python(value)
    except ValidationError as error:
        out.problems.extend(_problem(info, each) for each in error.errors(include_url=False))


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    declared = ManagerConfig.model_fields[name]
    kind: Any = declared.annotation
    for mark in declared.metadata:
        kind = Annotated[kind, mark]
    return TypeAdapter(kind)


def _missing(info: OptionInfo) -> Iterator[Problem]:
    if info.required:
        yield Problem(path=info.names, message=f"is required; {lines_to_add(info, info.example)}")


def _broken_rules(values: Mapping[str, Any]) -> Iterator[Problem]:
    for breach in breaches(values):
        info = OPTIONS[breach.field]
        lines = "" if breach.add is None else f"; {lines_to_add(info, breach.add)}"
        yield Problem(path=info.names, message=f"{breach.message}{lines}")


def _problem(info: OptionInfo, error: ErrorDetails) -> Problem:
    steps = [step if isinstance(step, int) else printable(step) for step in error["loc"]]
    place = f"{json_path([info.property, *steps])} ({info.env})"
    return Problem(path=place, message=_message(info, error))


def _message(info: OptionInfo, error: ErrorDetails) -> str:
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    if error["type"] == "extra_forbidden":
        return _unknown_member(info, str(error["loc"][-1]))
    text = _WORDS.get(error["type"]) or error["msg"].replace("Input should be", "must be")
    return text if info.mask else f"{text}{_found(error['input'])}"


def _unknown_member(info: OptionInfo, name: str) -> str:
    meant = nearest(name, info.members)
    hint = f"; did you mean {meant}?" if meant else "."
    return f"is not a member of this setting{hint} The members are {', '.join(info.members)}"


def _found(value: Any) -> str:
    if isinstance(value, bool):
        return f", not {str(value).lower()}"
    if isinstance(value, str):
        return f", not {value[:40]!a}"
    if isinstance(value, int | float) and abs(value) < _SHOWN_NUMBER:
        return f", not {value}"
    return ""
