"""Problems in plain words."""

import pytest
from pydantic import BaseModel, ValidationError

from rostrum.base.problems import Problem
from rostrum.contracts.choice import OneOf
from rostrum.contracts.shape import Closed, Maybe, member
from rostrum.contracts.validation_messages import problems_in, problems_of, under
from rostrum.contracts.values import Number


class Box(Closed):
    width: Maybe[Number] = member("Width.")
    label: Maybe[OneOf[bool | str]] = member("Label.")


class Even(BaseModel):
    half: int


def failure(document: object) -> ValidationError:
    with pytest.raises(ValidationError) as failed:
        Box.model_validate(document)
    return failed.value


def test_a_right_document_has_no_problems() -> None:
    assert problems_in({"width": 4}, Box) == []


def test_an_error_alone_is_explained_without_guesses() -> None:
    assert problems_of(failure({"widht": 4, "width": "4"})) == [
        Problem(path="width", message='must be a number, not "4"'),
        Problem(path="widht", message="is not known here"),
    ]


def test_with_the_document_the_right_name_is_guessed() -> None:
    assert problems_in({"widht": 4}, Box) == [Problem(path="widht", message='is not known here; did you mean "width"?')]


def test_errors_we_have_no_words_for_keep_those_of_pydantic() -> None:
    (problem,) = problems_in({"half": "x"}, Even)

    assert problem.path == "half"
    assert problem.message


def test_a_choice_names_all_kinds() -> None:
    assert problems_in({"label": 3}, Box) == [Problem(path="label", message="must be true, false or text, not 3")]


def test_problems_beyond_the_most_are_counted() -> None:
    problems = problems_of(failure({"a": 1, "b": 2, "c": 3}), most=1)

    assert [str(problem) for problem in problems] == ["a: is not known here", "2 more problems are not listed"]


def test_problems_of_a_part_are_moved_to_its_place() -> None:
    part = [Problem(path="a.b", message="x"), Problem(path="", message="y")]

    assert under("manifest", part) == [Problem(path="manifest.a.b", message="x"), Problem(path="manifest", message="y")]
