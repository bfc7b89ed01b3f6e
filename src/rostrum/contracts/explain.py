"""pydantic's errors in plain words: the one place where a failed check becomes problems."""

import difflib
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rostrum.base.problems import Problem, json_path
from rostrum.contracts.inspection import Inspection
from rostrum.contracts.wording import quoted_list, shown

__all__ = ["MOST_PROBLEMS", "capped", "problems_in", "problems_of", "under"]

MOST_PROBLEMS = 100
"""Nobody reads further; what lies behind is counted only."""

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


def problems_in(document: object, shape: type[BaseModel]) -> list[Problem]:
    """Check a document against a model and tell all that is wrong."""
    inspection = Inspection()
    try:
        shape.model_validate(document, context=inspection)
    except ValidationError as error:
        return problems_of(error, document, inspection)
    return []


def problems_of(error: ValidationError, document: object = None, notes: Inspection | None = None) -> list[Problem]:
    """Turn a failed validation into problems, one for each place.

    Document and notes are needed only to suggest right names for unknown members.
    """
    found: dict[str, Problem] = {}
    for details in error.errors(include_url=False):
        # Negative numbers name a branch that was chosen, see ``choice``.
        steps = [step for step in details["loc"] if isinstance(step, str) or step >= 0]
        path = json_path(steps)
        if path in found:
            continue
        if details["type"] == "extra_forbidden":
            message = _unknown(steps, document, notes or Inspection())
        else:
            message = _message(details)
        found[path] = Problem(path=path, message=message)
    return list(found.values())


def under(step: str, problems: Iterable[Problem]) -> list[Problem]:
    """Move problems found in a part of a document to the place of that part."""
    return [
        replace(problem, path=step + ("" if problem.path.startswith("[") or not problem.path else ".") + problem.path)
        for problem in problems
    ]


def capped(problems: list[Problem]) -> list[Problem]:
    """Keep what a person reads, and count the rest."""
    more = len(problems) - MOST_PROBLEMS
    if more <= 0:
        return problems
    noun = "problem" if more == 1 else "problems"
    return [*problems[:MOST_PROBLEMS], Problem(path="", message=f"and {more} more {noun}, not listed")]


def _message(details: ErrorDetails) -> str:
    facts = details.get("ctx", {})
    expected = _EXPECTED.get(details["type"]) or facts.get("expected")
    if expected is not None:
        if details["type"] == "literal_error":
            expected = expected.replace("'", '"')
        return f"must be {expected}, not {shown(details['input'])}"
    rule = _RULES.get(details["type"])
    return rule(details["input"], facts) if rule else details["msg"].replace("Input should", "should")


def _unknown(steps: list[str | int], document: Any, notes: Inspection) -> str:
    parent = document
    for step in steps[:-1]:
        parent = parent[step]
    names = notes.names.get(id(parent), frozenset())
    close = difflib.get_close_matches(str(steps[-1]), sorted(names), n=1) or _same_letters(str(steps[-1]), names)
    return f"is not known here; did you mean {quoted_list(close)}?" if close else "is not known here"


def _same_letters(name: str, names: Iterable[str]) -> list[str]:
    return [known for known in names if known.lower() == name.lower()]


_RULES: dict[str, Callable[[Any, dict[str, Any]], str]] = {
    "missing": lambda _found, _facts: "is required",
    "string_too_short": lambda _found, _facts: "must not be empty",
    "string_too_long": lambda found, facts: f"must have at most {facts['max_length']} characters, not {len(found)}",
    "too_long": lambda found, facts: f"must have at most {facts['max_length']} entries, not {len(found)}",
    "too_wide": lambda _found, facts: f"must have at most {facts['most']} members, not {facts['found']}",
    "unprintable": lambda _found, facts: (
        f"must not hold control characters; {facts['code']} stands at place {facts['position']}"
    ),
    "unread": lambda _found, _facts: "was not looked at: too much is wrong before it",
    "recursion_loop": lambda _found, _facts: "is nested too deeply",
}
