"""Problems and the paths that say where they are."""

import pytest

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem, json_path


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b", "c"], "a.b.c"),
        (["components", 0, "state", "bounds"], "components[0].state.bounds"),
        ([0], "[0]"),
        ([0, 1], "[0][1]"),
        ([2, "a"], "[2].a"),
        (["a", 10], "a[10]"),
        (["größe", "a b", "🙂"], "größe.a b.🙂"),
    ],
)
def test_a_path_reads_as_people_type_it(steps: list[str | int], path: str) -> None:
    assert json_path(steps) == path
    assert json_path(iter(steps)) == path


def test_a_problem_names_its_place_if_it_has_one() -> None:
    assert str(Problem(path="a.b", message="must be text")) == "a.b: must be text"
    assert str(Problem(path="", message="must be an object")) == "must be an object"


def test_a_refusal_keeps_every_problem_beside_its_summary() -> None:
    problems = [Problem(path=str(number), message="wrong") for number in range(3)]
    refusal = Invalid("three things are wrong", iter(problems))

    assert str(refusal) == "three things are wrong"
    assert refusal.problems == tuple(problems)
    assert Invalid("nothing more to say").problems == ()
