"""Changes of a context's data, against a plain model of what the description says."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw

from rostrum.gateway.domains.context.delta import DEEPEST_PATH, BadDelta, apply, as_data, change, weight, write

KEYS = st.sampled_from(["a", "b", "c", "", "0", "ü"])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(KEYS, inside, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)
PATHS = st.lists(KEYS, max_size=4).map(".".join)
COMMANDS = st.one_of(
    st.builds(lambda path, value: {"type": "set", "path": path, "value": value}, PATHS.filter(bool), VALUES),
    st.builds(lambda value: {"type": "set", "path": "", "value": value}, OBJECTS),
    st.builds(lambda path: {"type": "set", "path": path}, PATHS),
    st.builds(lambda path: {"type": "remove", "path": path}, PATHS),
)
PARTS = {
    "reset": st.none() | OBJECTS,
    "added": OBJECTS,
    "updated": OBJECTS,
    "removed": st.lists(KEYS, max_size=3),
    "commands": st.lists(COMMANDS, max_size=4),
    "weird": VALUES,
}
DELTAS = st.permutations(list(PARTS)).flatmap(
    lambda names: st.fixed_dictionaries({}, optional={name: PARTS[name] for name in names})
)


def model(data: dict[str, Any], delta: dict[str, Any]) -> dict[str, Any]:
    """Apply a delta the slow and plain way."""
    data = json.loads(json.dumps(data))
    for part, content in delta.items():
        if part == "reset" and content is not None:
            data = dict(content)
        elif part == "added":
            data |= content
        elif part == "updated":
            for key, value in content.items():
                both = isinstance(data.get(key), dict) and isinstance(value, dict)
                data[key] = {**data[key], **value} if both else value
        elif part == "removed":
            for key in content:
                data.pop(key, None)
        elif part == "commands":
            for command in content:
                data = commanded(data, command)
    return data


def commanded(data: dict[str, Any], command: dict[str, Any]) -> dict[str, Any]:
    if not command["path"]:
        return dict(command.get("value") or {}) if command["type"] == "set" else {}
    *way, last = command["path"].split(".")
    place = data
    for step in way:
        if not isinstance(place.get(step), dict):
            if command["type"] == "remove":
                return data
            place[step] = {}
        place = place[step]
    if command["type"] == "set":
        place[last] = command.get("value")
    else:
        place.pop(last, None)
    return data


def raw(value: Any) -> Raw:
    return Raw(json.dumps(value).encode())


def plain(data: Any) -> Any:
    return json.loads(bytes(write(data)))


@pytest.mark.long
@settings(max_examples=40)
@given(OBJECTS, st.lists(DELTAS, max_size=3))
def test_any_changes_give_what_the_model_gives(data: dict[str, Any], deltas: list[dict[str, Any]]) -> None:
    ours = as_data(raw(data))
    for delta in deltas:
        ours, data = apply(ours, raw(delta)), model(data, delta)

        assert plain(ours) == data


@pytest.mark.long
@settings(max_examples=40)
@given(OBJECTS, st.lists(DELTAS, max_size=3))
def test_the_weight_after_any_changes_is_that_of_the_data(data: dict[str, Any], deltas: list[dict[str, Any]]) -> None:
    ours = as_data(raw(data))
    weighs = weight(ours)
    for delta in deltas:
        ours, weighs = change(ours, weighs, raw(delta))

        assert weighs == weight(ours)


@pytest.mark.long
@settings(max_examples=30)
@given(OBJECTS, DELTAS)
def test_old_data_stays_as_it_was(data: dict[str, Any], delta: dict[str, Any]) -> None:
    old = as_data(raw(data))

    apply(old, raw(delta))

    assert plain(old) == data


@pytest.mark.parametrize(
    ("data", "delta", "expected"),
    [
        ({"a": 1}, {"added": {"b": 2}, "updated": {"a": {"c": 1}}, "removed": ["x"]}, {"a": {"c": 1}, "b": 2}),
        ({"n": {"x": 1}}, {"updated": {"n": {"y": {"deep": 1}}}}, {"n": {"x": 1, "y": {"deep": 1}}}),
        ({"n": {"x": {"p": 1}}}, {"updated": {"n": {"x": {"q": 1}}}}, {"n": {"x": {"q": 1}}}),
        ({"n": [1]}, {"updated": {"n": {"a": 1}}}, {"n": {"a": 1}}),
        ({"n": {"a": 1}}, {"updated": {"n": [1]}}, {"n": [1]}),
        ({"a": 1, "b": 2}, {"reset": None}, {"a": 1, "b": 2}),
        ({"a": 1}, {"removed": ["a"], "added": {"a": 2}}, {"a": 2}),
        ({"a": 1}, {"added": {"a": 2}, "removed": ["a"]}, {}),
        ({"b": 1}, {"commands": [{"type": "set", "path": "b.deep", "value": 1}]}, {"b": {"deep": 1}}),
        ({"l": [1, 2]}, {"commands": [{"type": "set", "path": "l.0", "value": 9}]}, {"l": {"0": 9}}),
        ({"a": {"b": 1}}, {"commands": [{"type": "remove", "path": "a.b"}]}, {"a": {}}),
        ({"a": 1}, {"commands": [{"type": "remove", "path": "not.there"}]}, {"a": 1}),
        ({"a": 1}, {"commands": [{"type": "remove", "path": "a.b.c"}]}, {"a": 1}),
        ({"a": 1}, {"commands": [{"type": "set", "path": "x"}]}, {"a": 1, "x": None}),
        ({"a": 1}, {"commands": [{"type": "remove", "path": ""}]}, {}),
        ({"a": 1}, {"commands": [{"type": "set", "path": "", "value": {"w": 1}}]}, {"w": 1}),
        ({"a": 1}, {"commands": [{"type": "set", "path": "a.", "value": 2}]}, {"a": {"": 2}}),
        ({"a": 1}, None, {"a": 1}),
    ],
)
def test_the_cases_of_the_description(data: dict[str, Any], delta: Any, expected: dict[str, Any]) -> None:
    assert plain(apply(as_data(raw(data)), raw(delta))) == expected


@pytest.mark.parametrize(
    "delta",
    [
        7,
        "x",
        [],
        True,
        {"reset": 7},
        {"reset": []},
        {"added": 7},
        {"updated": []},
        {"removed": {}},
        {"removed": [7]},
        {"removed": [None]},
        {"commands": {}},
        {"commands": [7]},
        {"commands": [{}]},
        {"commands": [{"type": "set"}]},
        {"commands": [{"type": "set", "path": 7}]},
        {"commands": [{"type": "replace", "path": "a"}]},
        {"commands": [{"type": "set", "path": "", "value": 7}]},
        {"commands": [{"type": "set", "path": ".".join("a" * (DEEPEST_PATH + 1)), "value": 7}]},
    ],
    ids=lambda delta: json.dumps(delta)[:60],
)
def test_what_cannot_be_applied_is_refused(delta: Any) -> None:
    with pytest.raises(BadDelta):
        apply(as_data(raw({"a": 1})), raw(delta))


@pytest.mark.parametrize("text", [b"7", b'"x"', b"[]", b"true"])
def test_data_must_be_an_object(text: bytes) -> None:
    with pytest.raises(BadDelta):
        as_data(Raw(text))


def test_values_are_kept_as_the_text_they_came_in() -> None:
    data = as_data(Raw(b'{"big":1e400,"int":123456789012345678901234567890,"f":1.0,"deep":{"x":-0.0}}'))

    data = apply(data, Raw(b'{"commands":[{"type":"set","path":"deep.y","value":1E+2}]}'))

    assert bytes(write(data)) == (
        b'{"big":1e400,"int":123456789012345678901234567890,"f":1.0,"deep":{"x":-0.0,"y":1E+2}}'
    )
