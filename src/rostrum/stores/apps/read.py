"""Converts the entries of a store to definitions."""

from collections.abc import Iterable, Mapping
from typing import Any

from rostrum.base.problems import Problem
from rostrum.contracts.addresses import PAGE_TYPES
from rostrum.contracts.apps.definition import check_app
from rostrum.contracts.far_reaching import far_reaching_members
from rostrum.contracts.fdc3_import import to_definition
from rostrum.contracts.own_page import own_page
from rostrum.settings.merge import Layer, merge
from rostrum.settings.sections.stores import AppDefinitionOverrides
from rostrum.settings.shape import members
from rostrum.stores.apps.store import Apps, Definition
from rostrum.stores.errors import StoreFailed

_BY_TYPE = frozenset(members(AppDefinitionOverrides))
_LISTS = ("applications", "apps")
_MOST_LISTED = 5


def override(definition: Mapping[str, Any], overrides: AppDefinitionOverrides | None) -> Mapping[str, Any]:
    """Apply overrides to a definition: top-level ones, and those for the details of its type."""
    if overrides is None:
        return definition
    written = overrides.model_dump(mode="json", by_alias=True, exclude_none=True)
    top = {name: value for name, value in written.items() if name not in _BY_TYPE}
    kind = str(definition.get("type", "")).lower()
    details: dict[str, Any] = next((written[name] for name in written if name in _BY_TYPE and name.lower() == kind), {})
    laid = {**top, **({"details": details} if details else {})}
    result: Mapping[str, Any] = merge([Layer("store", definition), Layer("overrides", laid)]).document
    return result


def entries_of(answer: Any) -> list[Any]:
    """Return the entries of a service's response: ``{"applications": […]}``, or a bare list."""
    if isinstance(answer, dict):
        answer = next((answer[name] for name in _LISTS if name in answer), answer)
    if not isinstance(answer, list):
        raise StoreFailed("the answer must be an object with applications")
    return answer


def read_apps(
    entries: Iterable[tuple[str, Any]],
    overrides: AppDefinitionOverrides | None = None,
    *,
    age: float | None = None,
    pages_reach: bool = True,
) -> Apps:
    """Validate and convert entries, each with its position; invalid entries are reported and omitted.

    Without ``pages_reach``, members with which a page reaches further than itself are removed and reported.
    """
    definitions: dict[str, Definition] = {}
    problems: list[Problem] = []
    for place, entry in entries:
        wrong = check_app(entry)
        if wrong:
            problems += [_placed(place, problem) for problem in wrong]
            continue
        written: Mapping[str, Any] = to_definition(entry)
        if not pages_reach:
            written, problem = _limited(written)
            problems += [_placed(place, problem)] if problem else []
        definition = override(written, overrides)
        name = str(definition["name"])
        if name in definitions:
            problems.append(Problem(path=place, message=f"{name} is defined twice; the first definition counts"))
        else:
            definitions[name] = definition
    return Apps(definitions=definitions, problems=tuple(problems), age=age)


def _limited(definition: Mapping[str, Any]) -> tuple[Mapping[str, Any], Problem | None]:
    """Return the definition of a page with the members that every page may have; programs are not limited."""
    if str(definition.get("type", "")).lower() not in PAGE_TYPES:
        return definition, None
    kept, removed = own_page(definition)
    if "details.url" in far_reaching_members(kept):
        # Only the platform's own page may draw groups of windows of all apps.
        kept, removed = {**kept, "disabled": True}, ("details.url", *removed)
    if not removed:
        return kept, None
    listed = ", ".join(removed[:_MOST_LISTED]) + (" and others" if len(removed) > _MOST_LISTED else "")
    return kept, Problem(path="", message=f"{kept.get('name')}: ignored, because the store is not trusted: {listed}")


def _placed(place: str, problem: Problem) -> Problem:
    return Problem(path=f"{place}: {problem.path}" if problem.path else place, message=problem.message)
