"""Local-only settings never come from elsewhere."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.settings.merge import Layer, merge
from rostrum.settings.refuse import refuse

LOCAL_ONLY: tuple[tuple[str, ...], ...] = (
    ("advancedMode",),
    ("env",),
    ("folders",),
    ("windowManagement", "hardwareAcceleration", "enabled"),
)


@pytest.mark.parametrize(
    ("document", "rest", "refused"),
    [
        ({"env": "X", "build": "1"}, {"build": "1"}, [("env",)]),
        ({"folders": {"userData": "/x"}, "env": None}, {}, [("env",), ("folders",)]),
        (
            {"windowManagement": {"hardwareAcceleration": {"enabled": False, "other": 1}}},
            {"windowManagement": {"hardwareAcceleration": {"other": 1}}},
            [("windowManagement", "hardwareAcceleration", "enabled")],
        ),
        (
            {"windowManagement": {"hardwareAcceleration": {"enabled": False}}},
            {},
            [("windowManagement", "hardwareAcceleration", "enabled")],
        ),
        (
            {"windowManagement": {"hardwareAcceleration": None, "x": 1}},
            {"windowManagement": {"x": 1}},
            [("windowManagement", "hardwareAcceleration")],
        ),
        ({"windowManagement": []}, {}, [("windowManagement",)]),
        ({"windowManagement": {}}, {"windowManagement": {}}, []),
        ({"Env": 1, "deep": {"env": 1}}, {"Env": 1, "deep": {"env": 1}}, []),
        ({}, {}, []),
    ],
)
def test_what_must_be_local_is_taken_out(document: Any, rest: Any, refused: list[tuple[str, ...]]) -> None:
    before = copy.deepcopy(document)
    assert refuse(document, LOCAL_ONLY) == (rest, tuple(refused))
    assert document == before


KEYS = ("advancedMode", "env", "folders", "windowManagement", "hardwareAcceleration", "enabled", "x")
trees: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers(0, 3) | st.just([]),
    lambda child: st.dictionaries(st.sampled_from(KEYS), child, max_size=4),
    max_leaves=10,
)
documents = st.dictionaries(st.sampled_from(KEYS), trees, max_size=5)


def value_at(document: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        if not isinstance(document, dict) or step not in document:
            return "nothing"
        document = document[step]
    return document


@pytest.mark.long
@pytest.mark.rule("R-2.8-6")
@given(documents, documents)
def test_no_remote_document_changes_a_local_only_value(local: Any, remote: Any) -> None:
    rest, _ = refuse(remote, LOCAL_ONLY)
    merged = merge([Layer("local", local), Layer("remote", rest)])
    for path in LOCAL_ONLY:
        assert value_at(merged.document, path) == value_at(local, path)


@pytest.mark.long
@given(documents)
def test_refusing_twice_refuses_nothing_more(remote: Any) -> None:
    rest, _ = refuse(remote, LOCAL_ONLY)
    assert refuse(rest, LOCAL_ONLY) == (rest, ())


@pytest.mark.long
@given(documents)
def test_a_document_is_left_alone_when_nothing_is_local_only(remote: Any) -> None:
    assert refuse(remote, ()) == (remote, ())
