"""Checking app definitions in any of the forms that stores hold."""

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.apps.definition import AppDefinition
from rostrum.contracts.fdc3 import Fdc3Record, is_fdc3_record
from rostrum.contracts.validation_messages import MOST_PROBLEMS, problems_in, under
from rostrum.contracts.wrapper import Wrapper, is_wrapper, unwrap


def check_app(definition: object) -> list[Problem]:
    """Tell all that is wrong with a definition, an FDC3 record or a wrapper of either."""
    return _problems(definition, MOST_PROBLEMS)


def _problems(definition: object, most: int) -> list[Problem]:
    if is_wrapper(definition):
        outer = problems_in(definition, Wrapper)
        return [*outer, *under("manifest", _inner_problems(definition["manifest"], most - len(outer)))]
    shape = Fdc3Record if is_fdc3_record(definition) else AppDefinition
    return problems_in(definition, shape, most)


def _inner_problems(manifest: object, most: int) -> list[Problem]:
    if not isinstance(manifest, str):
        return []
    try:
        return _problems(unwrap(manifest), most)
    except Invalid as error:
        return [Problem(path="", message=f"must be JSON text of a definition: {error}")]
