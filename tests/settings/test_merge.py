"""Laws of merging, checked on documents that hypothesis makes up."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.settings.merge import Layer, Merged, laid_over, merge
from tests.long_form import cycles

KEYS = ("a", "b", "c", "", "ä.b")
SCALARS: tuple[Any, ...] = (None, True, False, 0, 1, "", "x", 1.5)


def value_from(data: Iterator[int], depth: int = 0, *, is_object: bool = False) -> Any:
    """Make a value from some bytes: much faster than asking hypothesis for every part of it."""
    choice = next(data, 4)
    if is_object or (choice % 8 < 4 and depth < 4):
        return {KEYS[next(data, 0) % len(KEYS)]: value_from(data, depth + 1) for _ in range(choice // 8 % 5)}
    if choice % 8 == 4:
        return [SCALARS[next(data, 0) % len(SCALARS)] for _ in range(choice // 8 % 3)]
    if choice % 8 == 5:
        return [{KEYS[choice // 8 % len(KEYS)]: choice}]
    return SCALARS[choice // 8 % len(SCALARS)]


values = st.binary(max_size=30).map(lambda data: value_from(iter(data)))
documents = st.binary(max_size=30).map(lambda data: value_from(iter(data), is_object=True))
stacks = st.lists(st.one_of(documents, documents, values), max_size=5)

many = settings(max_examples=cycles(80))


def merged(*layers: Any) -> Merged[int]:
    """Merge copies, so that no test depends on whether inputs are left alone; the origin is the position."""
    return merge(Layer(number, copy.deepcopy(layer)) for number, layer in enumerate(layers))


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict) and value:
        for key, child in value.items():
            yield from leaves(child, (*path, key))
    else:
        yield path, value


def at(document: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        document = document[step]
    return document


def naive(below: Any, above: Any) -> Any:
    """The rule in its shortest form."""
    if not (isinstance(below, dict) and isinstance(above, dict)):
        return above
    return below | {key: naive(below[key], value) if key in below else value for key, value in above.items()}


def same(one: Any, other: Any) -> bool:
    """Equal, and true is not 1."""
    return repr(one) == repr(other) if not isinstance(one, dict) else one == other


@many
@given(stacks)
def test_the_document_is_what_the_short_rule_says(stack: list[Any]) -> None:
    expected: Any = {}
    for number, layer in enumerate(stack):
        expected = layer if number == 0 else naive(expected, layer)

    assert merged(*stack).document == expected
    assert laid_over(stack) == expected


@many
@given(values, values)
def test_the_later_layer_wins_leaf_by_leaf(below: Any, above: Any) -> None:
    result = merged(below, above)

    for path, value in leaves(above):
        if value == {} and isinstance(value, dict):
            assert isinstance(at(result.document, path), dict)
        else:
            assert same(at(result.document, path), value)
            assert result.origins[path] == 1


@many
@given(stacks)
def test_every_leaf_has_an_origin_and_every_origin_a_leaf(stack: list[Any]) -> None:
    result = merged(*stack)

    assert set(result.origins) == ({path for path, _ in leaves(result.document)} if stack else set())


@many
@given(stacks)
def test_the_origin_of_a_leaf_is_the_last_layer_that_sets_it(stack: list[Any]) -> None:
    result = merged(*stack)

    for path, origin in result.origins.items():
        value = at(result.document, path)
        assert same(at(stack[origin], path), value)
        for later in stack[origin + 1 :]:
            assert all(is_silent(later, path, value))


def is_silent(layer: Any, path: tuple[str, ...], value: Any) -> Iterator[bool]:
    """A layer says nothing of a leaf when it has objects down to where it ends."""
    for step in path:
        yield isinstance(layer, dict)
        if step not in layer:
            return
        layer = layer[step]
    # An empty object over an empty object changes nothing, regardless of the order.
    yield value == {} and layer == {}


@many
@given(stacks)
def test_merging_again_changes_nothing(stack: list[Any]) -> None:
    once = merged(*stack).document

    assert merged(once).document == once
    assert merged(once, once).document == once
    assert merged(*stack, *stack[-1:]).document == once


@many
@given(values, values, values)
def test_layers_may_be_merged_in_groups(first: Any, second: Any, third: Any) -> None:
    whole = merged(first, second, third).document
    left = merged(merged(first, second).document, third).document

    assert left == whole


@many
@given(documents, documents, documents)
def test_documents_without_clashes_of_kind_may_be_merged_from_either_end(a: Any, b: Any, c: Any) -> None:
    # A scalar in the middle wipes out what is below it, and that is lost when the upper two are merged first
    # only if the top one brings an object there again; both ways must agree in every other case.
    right = merged(a, merged(b, c).document).document
    if not wipes(a, b, c):
        assert right == merged(a, b, c).document


def wipes(a: Any, b: Any, c: Any) -> bool:
    if isinstance(a, dict) and isinstance(c, dict) and not isinstance(b, dict):
        return True
    if not (isinstance(a, dict) and isinstance(b, dict) and isinstance(c, dict)):
        return False
    return any(wipes(a[key], b[key], c[key]) for key in a.keys() & b.keys() & c.keys())


@many
@given(stacks)
def test_inputs_are_never_changed_nor_shared(stack: list[Any]) -> None:
    before = copy.deepcopy(stack)
    result = merge(Layer(number, layer) for number, layer in enumerate(stack))
    laid_over(stack)
    assert stack == before

    if isinstance(result.document, dict):
        scribble(result.document)
    assert stack == before


def scribble(document: dict[str, Any]) -> None:
    for child in document.values():
        if isinstance(child, dict):
            scribble(child)
    document["scribble"] = True


@many
@given(documents, st.lists(st.just({}), max_size=3))
def test_empty_layers_change_nothing(document: Any, empty: list[Any]) -> None:
    above = merged(document, *empty)

    assert above.document == merged(*empty, document).document == document
    assert set(above.origins.values()) <= {0}


@pytest.mark.parametrize(
    ("layers", "document", "origins"),
    [
        ([], {}, {}),
        ([{}], {}, {(): 0}),
        ([{}, {"a": 1}], {"a": 1}, {("a",): 1}),
        ([{"a": 1}, {}], {"a": 1}, {("a",): 0}),
        ([{"a": {"b": 1, "c": 2}}, {"a": 3}], {"a": 3}, {("a",): 1}),
        ([{"a": 3}, {"a": {"b": 1}}], {"a": {"b": 1}}, {("a", "b"): 1}),
        ([{"a": 3}, {"a": {}}], {"a": {}}, {("a",): 1}),
        ([{"a": {}}, {"a": {}}], {"a": {}}, {("a",): 0}),
        ([{"a": {}}, {"a": {"b": 1}}], {"a": {"b": 1}}, {("a", "b"): 1}),
        ([{"a": {"b": 1}}, {"a": {}}], {"a": {"b": 1}}, {("a", "b"): 0}),
        ([{"a": {"b": 1}}, {"a": None}], {"a": None}, {("a",): 1}),
        ([{"a": None}, {"b": 1}], {"a": None, "b": 1}, {("a",): 0, ("b",): 1}),
        ([{"a": [1, 2, 3]}, {"a": [4]}], {"a": [4]}, {("a",): 1}),
        ([{"a": [{"b": 1}]}, {"a": [{"c": 2}]}], {"a": [{"c": 2}]}, {("a",): 1}),
        ([{"a": 1}, {"a": 1}], {"a": 1}, {("a",): 1}),
        ([{"a": {"b": 1}}, {"a": 2}, {"a": {"c": 3}}], {"a": {"c": 3}}, {("a", "c"): 2}),
        ([[1, 2], [3]], [3], {(): 1}),
        ([{"a": 1}, [1]], [1], {(): 1}),
        ([[1], {"a": 1}], {"a": 1}, {("a",): 1}),
        ([None, {}], {}, {(): 1}),
    ],
)
def test_documents_and_origins_by_example(layers: list[Any], document: Any, origins: dict[Any, int]) -> None:
    result = merged(*layers)

    assert result.document == document
    assert result.origins == origins


def test_arrays_are_not_shared_between_two_merges() -> None:
    layer = {"a": [1, {"b": 2}]}
    first = merge([Layer("x", layer)]).document

    assert first == layer
    assert merge([Layer("x", layer), Layer("y", {"a": [9]})]).document == {"a": [9]}
    assert layer == {"a": [1, {"b": 2}]}


def test_a_hundred_levels_and_a_thousand_layers_are_fine() -> None:
    deep: Any = 1
    for _ in range(100):
        deep = {"a": deep}
    layers = [{"n": {str(number): number}} for number in range(1000)]
    result = merged(deep, *layers)

    assert result.document["n"]["999"] == 999
    assert result.origins["n", "7"] == 8
