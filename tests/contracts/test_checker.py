"""Looking at a document finds what reading it into models finds, and nothing else."""

from typing import Any

import pytest
from hypothesis import given
from pydantic import BaseModel, ValidationError

from rostrum.contracts.apps.definition import DETAILS, AppDefinition
from rostrum.contracts.checker import checker
from rostrum.contracts.fdc3 import Fdc3Record
from rostrum.contracts.layouts.layout import STATES, Layout
from rostrum.contracts.validation_messages import problems_in, problems_of
from rostrum.contracts.wrapper import Wrapper
from tests.contracts.test_anything import (
    anything_anywhere,
    filled_apps,
    filled_layouts,
    filled_records,
    without_database,
)

SHAPES = [AppDefinition, Layout, Fdc3Record, Wrapper, *DETAILS.values(), *STATES.values()]


def found_by_reading(document: object, shape: type[BaseModel]) -> list[str]:
    try:
        shape.model_validate(document)
    except ValidationError as error:
        return [problem.path for problem in problems_of(error)]
    return []


def agree(document: object, shape: type[BaseModel]) -> None:
    assert [problem.path for problem in problems_in(document, shape)] == found_by_reading(document, shape)


@given(anything_anywhere)
@without_database
def test_anything_at_any_place(document: object) -> None:
    for shape in (AppDefinition, Layout, Fdc3Record):
        agree(document, shape)


@given(filled_apps | filled_layouts | filled_records)
@without_database
def test_documents_filled_with_anything(document: object) -> None:
    for shape in (AppDefinition, Layout, Fdc3Record):
        agree(document, shape)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("document", [None, [], "text", {}, {"no such member": 1}, {"type": 1}])
def test_the_smallest_documents(shape: type[BaseModel], document: Any) -> None:
    agree(document, shape)


def test_the_validator_of_a_shape_is_made_once() -> None:
    assert checker(Layout) is checker(Layout)
