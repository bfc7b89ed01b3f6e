"""Checking app definitions in any of the forms that stores hold."""

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.apps.definition import AppDefinition
from rostrum.contracts.explain import capped, problems_in, under
from rostrum.contracts.fdc3 import is_fdc3_record, record_problems
from rostrum.contracts.wrapper import Wrapper, is_wrapper, unwrap

__all__ = ["check_app"]


def check_app(definition: object) -> list[Problem]:
    """Tell all that is wrong with a definition, an FDC3 record or a wrapper of either."""
    return capped(_problems(definition))


def _problems(definition: object) -> list[Problem]:
    if is_wrapper(definition):
        return _wrapper_problems(definition)
    if is_fdc3_record(definition):
        return record_problems(definition)
    return problems_in(definition, AppDefinition)


def _wrapper_problems(definition: dict[str, object]) -> list[Problem]:
    problems = problems_in(definition, Wrapper)
    if not isinstance(definition["manifest"], str):
        return problems
    try:
        inner = unwrap(definition)
    except Invalid as error:
        return [*problems, Problem(path="manifest", message=f"must be JSON text of a definition: {error}")]
    return [*problems, *under("manifest", _problems(inner))]
