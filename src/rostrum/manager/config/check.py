"""All values against their declarations and the rules, every problem at once."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from rostrum.base.problems import Problem, json_path
from rostrum.manager.config.document import lines_to_add, printable
from rostrum.manager.config.option import OptionInfo
from rostrum.manager.config.options import OPTIONS, ManagerConfig
from rostrum.manager.config.rules import breaches

__all__ = ["find_problems"]

_WORDS = {
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "model_type": "must be an object",
    "string_type": "must be a string",
    "string_unicode": "holds half of a surrogate pair, which no text can hold",
    "tuple_type": "must be an array",
}


def find_problems(given: Mapping[str, Any], failed: set[str]) -> list[Problem]:
    """Check the values given, by field name; fields that failed are left out."""
    problems: list[Problem] = []
    checked: dict[str, Any] = {}
    for name, info in OPTIONS.items():
        if name in failed:
            continue
        if name not in given:
            problems.extend(_missing(info))
            checked[name] = info.default
            continue
        try:
            checked[name] = _adapter(name).validate_python(given[name])
        except ValidationError as error:
            problems.extend(_problem(info, e) for e in error.errors(include_url=False))
    problems.extend(_broken_rules(checked))
    return problems


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    field = ManagerConfig.model_fields[name]
    if not field.metadata:
        return TypeAdapter(field.annotation)
    return TypeAdapter(Annotated[field.annotation, *field.metadata])


def _missing(info: OptionInfo) -> Iterator[Problem]:
    if info.required:
        message = f"is required; {lines_to_add(info, info.example)}"
        yield Problem(path=info.names, message=message)


def _broken_rules(checked: Mapping[str, Any]) -> Iterator[Problem]:
    for breach in breaches(checked):
        info = OPTIONS[breach.field]
        lines = "" if breach.add is None else f"; {lines_to_add(info, breach.add)}"
        yield Problem(path=info.names, message=f"{breach.message}{lines}")


def _problem(info: OptionInfo, error: ErrorDetails) -> Problem:
    steps = [s if isinstance(s, int) else printable(s) for s in error["loc"]]
    place = f"{json_path([info.property, *steps])} / {info.env}"
    return Problem(path=place, message=_message(info, error))


def _message(info: OptionInfo, error: ErrorDetails) -> str:
    kind = error["type"]
    if kind == "value_error":
        return str(error["ctx"]["error"])
    if kind == "extra_forbidden":
        return f"is not known here; the members are {', '.join(info.members)}"
    text = _WORDS.get(kind) or error["msg"].replace("Input should be", "must be")
    return text if info.mask else f"{text}{_found(error['input'])}"


def _found(value: Any) -> str:
    if isinstance(value, str):
        return f", not {ascii(value[:40])}"
    if isinstance(value, bool | int | float) and len(json.dumps(value)) <= 40:
        return f", not {json.dumps(value)}"
    return ""
