import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.base import json_text
from rostrum.base.json_diff import diff
from tests.long_form import cycles

numbers = st.integers(-3, 3) | st.sampled_from([0.0, 1.0, 2.5])
scalars = st.none() | st.booleans() | numbers | st.text("ab/~", max_size=2)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab/~0", max_size=2), inner, max_size=4),
    max_leaves=12,
)


def apply(value: Any, edits: list[dict[str, Any]]) -> Any:
    """What JSON Patch does with the edits, and a check that each finds what it says was there."""
    root = {"": copy.deepcopy(value)}
    for edit in edits:
        *way, last = ["", *(step.replace("~1", "/").replace("~0", "~") for step in edit["path"].split("/")[1:])]
        place: Any = root
        for step in way:
            place = place[int(step) if isinstance(place, list) else step]
        key: Any = int(last) if isinstance(place, list) else last
        if edit["op"] != "add":
            assert json_text.dump(place[key]) == json_text.dump(edit["before"])
        match edit["op"]:
            case "add" if isinstance(place, list):
                place.insert(key, edit["after"])
            case "remove":
                del place[key]
            case _:
                place[key] = edit["after"]
    return root[""]


def canonical(value: Any) -> Any:
    """A value in which True, 1 and 1.0 are three things, and the order of members does not matter."""
    if isinstance(value, dict):
        return {name: canonical(member) for name, member in value.items()}
    if isinstance(value, list):
        return [canonical(item) for item in value]
    return type(value).__name__, value


@pytest.mark.long
@settings(max_examples=cycles(80))
@given(values, values)
def test_the_edits_turn_the_one_into_the_other(before: Any, after: Any) -> None:
    edits = [edit.as_json() for edit in diff(before, after)]

    assert canonical(apply(before, edits)) == canonical(after)
    assert (edits == []) == (canonical(before) == canonical(after))


@pytest.mark.parametrize(
    ("before", "after", "edits"),
    [
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, [("replace", "/a/c")]),
        ({"a/b": 1, "~": 2}, {}, [("remove", "/a~1b"), ("remove", "/~0")]),
        ({}, {"a": None}, [("add", "/a")]),
        ({"a": 1}, {"a": True}, [("replace", "/a")]),
        ({"a": 1}, {"a": 1.0}, [("replace", "/a")]),
        (["a", "b", "c"], ["a", "x", "b", "c"], [("add", "/1")]),
        (["a", "b", "c"], ["c"], [("remove", "/1"), ("remove", "/0")]),
        ([{"a": 1}, {"b": 1}], [{"a": 1}, {"b": 2}], [("replace", "/1/b")]),
        ([], {}, [("replace", "")]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, []),
    ],
)
def test_only_what_differs_is_named(before: Any, after: Any, edits: list[tuple[str, str]]) -> None:
    assert [(edit.op, edit.path) for edit in diff(before, after)] == edits


def test_a_side_that_does_not_exist_is_left_out() -> None:
    assert [edit.as_json() for edit in diff({"a": 1}, {"b": None})] == [
        {"op": "remove", "path": "/a", "before": 1},
        {"op": "add", "path": "/b", "after": None},
    ]
