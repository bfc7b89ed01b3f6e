"""From the entries of a store to definitions the platform can use."""

from collections.abc import Iterable
from typing import Any

from rostrum.base.problems import Problem
from rostrum.contracts.apps.check import check_app
from rostrum.contracts.fdc3_import import to_definition
from rostrum.settings.sections.app_stores import AppDefinitionOverrides
from rostrum.stores.apps.overrides import override
from rostrum.stores.apps.store import Apps, Definition
from rostrum.stores.errors import StoreFailed

_LISTS = ("applications", "apps")


def entries_of(answer: Any) -> list[Any]:
    """Return the entries of a service's answer: ``{"applications": […]}``, or a bare list."""
    if isinstance(answer, dict):
        answer = next((answer[name] for name in _LISTS if name in answer), answer)
    if not isinstance(answer, list):
        raise StoreFailed("the answer must be an object with applications")
    return answer


def read_apps(
    entries: Iterable[tuple[str, Any]], overrides: AppDefinitionOverrides | None = None, *, age: float | None = None
) -> Apps:
    """Check and convert entries, each with the place it stands in; a wrong one is told and left out."""
    definitions: dict[str, Definition] = {}
    problems: list[Problem] = []
    for place, entry in entries:
        wrong = check_app(entry)
        if wrong:
            problems += [_placed(place, problem) for problem in wrong]
            continue
        definition = override(to_definition(entry), overrides)
        name = str(definition["name"])
        if name in definitions:
            problems.append(Problem(path=place, message=f"{name} is defined twice; the first definition counts"))
        else:
            definitions[name] = definition
    return Apps(definitions=definitions, problems=tuple(problems), age=age)


def _placed(place: str, problem: Problem) -> Problem:
    return Problem(path=f"{place}: {problem.path}" if problem.path else place, message=problem.message)
