"""Converts pydantic's errors to readable problems."""

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import islice
from operator import getitem
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from rostrum.base.problems import Problem, json_path
from rostrum.contracts.names import FORMS
from rostrum.contracts.wording import quoted, shown

_LARGEST = 50_000
MOST_PROBLEMS = 100
"""Maximum number of listed problems; further ones are only counted."""
_EXPECTED = {
    "bool_type": "true or false",
    "dict_type": "an object",
    "finite_number": "a number",
    "float_type": "a number",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_type": "an object",
    "string_type": "text",
}
_RULES: dict[str, Callable[[Any, dict[str, Any]], str]] = {
    "missing": lambda _found, _facts: "is required",
    "string_unicode": lambda _found, _facts: "must not hold half of a surrogate pair",
    "string_too_short": lambda _found, _facts: "must not be empty",
    "string_too_long": lambda found, facts: f"must have at most {facts['max_length']} characters, not {len(found)}",
    "too_large": lambda _found, facts: f"is too large: more than {facts['most']} members and entries",
    "control_character": lambda _found, facts: (
        f"must not hold control characters; {facts['code']} stands at place {facts['position']}"
    ),
    "string_pattern_mismatch": lambda _found, facts: FORMS.get(facts["pattern"], f"must match {facts['pattern']}"),
    "greater_than_equal": lambda found, facts: f"must be at least {facts['ge']}, not {shown(found)}",
    "less_than_equal": lambda found, facts: f"must be at most {facts['le']}, not {shown(found)}",
    "too_short": lambda _found, facts: f"must have at least {facts['min_length']} entries",
    "too_long": lambda _found, facts: f"must have at most {facts['max_length']} entries",
    "value_error": lambda _found, facts: str(facts["error"]),
    "recursion_depth_exceeded": lambda _found, _facts: "is nested too deeply",
}


@dataclass(slots=True)
class Inspection:
    """Data of one validation, passed to the models as pydantic's validation context.

    Attributes:
        names: the known members of an object that has unknown ones, by the object's id.
        seen: number of checked values; each may be invalid, and each problem uses memory.
    """

    names: dict[int, frozenset[str]] = field(default_factory=dict)
    seen: int = 0


def charge(context: object, values: int) -> None:
    """Count values before they are validated, and stop above a limit that real documents do not reach."""
    if not isinstance(context, Inspection):
        return
    context.seen += values
    if context.seen > _LARGEST:
        raise PydanticCustomError("too_large", "is too large", {"most": _LARGEST})


def problems_in(document: object, shape: type[BaseModel], most: int = MOST_PROBLEMS) -> list[Problem]:
    """Validate a document with a model, and return all problems."""
    notes = Inspection()
    try:
        shape.model_validate(document, context=notes)
    except ValidationError as error:
        return problems_of(error, document, notes, most)
    return []


def problems_of(
    error: ValidationError, document: object = None, notes: Inspection | None = None, most: int = MOST_PROBLEMS
) -> list[Problem]:
    """Convert a failed validation to problems, one for each path; further ones are counted.

    Document and validation data are only needed to suggest names for unknown members.
    """
    faults: dict[str, ErrorDetails] = {}
    for fault in error.errors(include_url=False):
        faults.setdefault("" if fault["type"] == "too_large" else json_path(_steps(fault)), fault)
    problems = [
        Problem(path=path, message=_message(fault, document, notes)) for path, fault in islice(faults.items(), most)
    ]
    more = len(faults) - len(problems)
    if more:
        problems.append(
            Problem(path="", message=f"{more} more {'problem is' if more == 1 else 'problems are'} not listed")
        )
    return problems


def under(step: str, problems: Iterable[Problem]) -> list[Problem]:
    """Move problems of an object to the path of the object."""
    return [replace(problem, path=f"{step}{_joined(problem.path)}") for problem in problems]


def _joined(path: str) -> str:
    # An index of an array has no dot before it.
    return path if not path or path.startswith("[") else f".{path}"


def _steps(fault: ErrorDetails) -> list[str | int]:
    # Negative numbers are the branch of a choice, see ``choice``.
    return [step for step in fault["loc"] if isinstance(step, str) or step >= 0]


def _message(fault: ErrorDetails, document: object, notes: Inspection | None) -> str:
    kind, facts = fault["type"], fault.get("ctx", {})
    if kind == "extra_forbidden":
        return _unknown(_steps(fault), document, notes or Inspection())
    expected = _EXPECTED.get(kind) or facts.get("expected")
    if expected is not None:
        words = expected.replace("'", '"') if kind == "literal_error" else expected
        return f"must be {words}, not {shown(fault['input'])}"
    rule = _RULES.get(kind)
    return rule(fault["input"], facts) if rule else fault["msg"]


def _unknown(steps: list[str | int], document: Any, notes: Inspection) -> str:
    *way, name = steps
    parent = reduce(getitem, way, document) if notes.names else None
    known = sorted(notes.names.get(id(parent), ()))
    close = difflib.get_close_matches(str(name), known, n=1) or [
        other for other in known if other.lower() == str(name).lower()
    ]
    return f"is not known here; did you mean {quoted(close[0])}?" if close else "is not known here"
