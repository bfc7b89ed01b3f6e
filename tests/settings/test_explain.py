"""Who won and who lost, checked on layers that hypothesis makes up against rules written another way."""

import copy
from typing import Any

from hypothesis import given, settings

from rostrum.settings.explain import Dropped, Leaf, Loser, dropped, explain
from rostrum.settings.merge import Layer
from tests.long_form import cycles
from tests.settings.test_merge import at, leaves, merged, same, stacks

many = settings(max_examples=cycles(80))
NOTHING = object()


def layered(*documents: Any) -> list[Layer[int]]:
    return [Layer(number, copy.deepcopy(document)) for number, document in enumerate(documents)]


def explained(*documents: Any) -> dict[tuple[str, ...], Leaf[int]]:
    return {leaf.path: leaf for leaf in explain(layered(*documents))}


def held(document: Any, path: tuple[str, ...]) -> Any:
    """What a layer has exactly at a path."""
    for step in path:
        if not isinstance(document, dict) or step not in document:
            return NOTHING
        document = document[step]
    return document


def test_the_strongest_layer_wins_and_the_others_are_named_strongest_first() -> None:
    leaf = explained({"a": 1}, {}, {"a": 2}, {"b": 5}, {"a": 3})[("a",)]

    assert (leaf.value, leaf.winner) == (3, 4)
    assert leaf.losers == (Loser(2, ("a",), 2), Loser(0, ("a",), 1))


def test_an_object_that_a_single_value_replaces_loses_as_a_whole() -> None:
    assert explained({"a": {"b": 1, "c": 2}}, {"a": 5}) == {
        ("a",): Leaf(("a",), 5, 1, (Loser(0, ("a",), {"b": 1, "c": 2}),))
    }


def test_a_single_value_that_an_object_replaces_loses_to_each_of_its_values() -> None:
    assert explained({"a": 5}, {"a": {"b": 1, "c": 2}}) == {
        ("a", "b"): Leaf(("a", "b"), 1, 1, (Loser(0, ("a",), 5),)),
        ("a", "c"): Leaf(("a", "c"), 2, 1, (Loser(0, ("a",), 5),)),
    }


def test_arrays_and_null_are_values_like_others() -> None:
    assert explained({"a": [1]}, {"a": None})[("a",)] == Leaf(("a",), None, 1, (Loser(0, ("a",), [1]),))
    assert explained([1], [2]) == {(): Leaf((), [2], 1, (Loser(0, (), [1]),))}


def test_an_empty_object_takes_nothing_away() -> None:
    assert explained({"a": {"b": 1}}, {"a": {}}) == {("a", "b"): Leaf(("a", "b"), 1, 0, ())}
    assert explained({"a": {}}, {"a": {}})[("a",)] == Leaf(("a",), {}, 0, ())


def test_what_is_gone_without_a_successor_is_reported() -> None:
    stack = layered({"a": {"b": 1}}, {"a": 5}, {"a": {"c": 2}})

    assert list(dropped(stack)) == [Dropped(("a", "b"), 1, 0, 1)]
    assert list(dropped(stack[:2])) == []
    assert list(dropped(layered({"a": 1}, [1], {"b": 2}))) == [Dropped(("a",), 1, 0, 1)]


def test_without_layers_there_is_nothing_to_explain() -> None:
    assert explained() == {}
    assert list(dropped([])) == []


@many
@given(stacks)
def test_every_leaf_of_the_result_has_exactly_one_winner_which_is_the_strongest_that_has_it(stack: list[Any]) -> None:
    result = merged(*stack)
    found = list(explain(layered(*stack)))

    expected = [path for path, _ in leaves(result.document)] if stack else []
    assert [leaf.path for leaf in found] == expected
    for leaf in found:
        assert same(leaf.value, at(result.document, leaf.path))
        assert leaf.winner == result.origins[leaf.path]
        # An empty object over an empty object changes nothing, so the first stays the winner.
        if leaf.value != {}:
            assert leaf.winner == max(n for n, layer in enumerate(stack) if held(layer, leaf.path) is not NOTHING)


@many
@given(stacks)
def test_the_losers_are_the_weaker_layers_with_something_at_the_place_or_in_the_way(stack: list[Any]) -> None:
    for leaf in explain(layered(*stack)):
        expected = []
        for number in reversed(range(leaf.winner)):
            for depth in range(len(leaf.path) + 1):
                value = held(stack[number], leaf.path[:depth])
                if value is not NOTHING and (depth == len(leaf.path) or not isinstance(value, dict)):
                    expected.append((number, leaf.path[:depth], value))
        assert [(loser.origin, loser.path, loser.value) for loser in leaf.losers] == expected


@many
@given(stacks)
def test_every_value_of_every_layer_won_lost_or_was_dropped(stack: list[Any]) -> None:
    found = {leaf.path: leaf for leaf in explain(layered(*stack))}
    gone = {(each.origin, each.path) for each in dropped(layered(*stack))}

    for number, layer in enumerate(stack):
        for path, value in leaves(layer):
            above = [path[:depth] for depth in range(len(path) + 1) if path[:depth] in found]
            below = [leaf for place, leaf in found.items() if place[: len(path)] == path and place != path]
            if above:
                leaf = found[above[0]]
                assert number == leaf.winner or value == {} or number in {loser.origin for loser in leaf.losers}
            elif below:
                # An object took its place, or it was an empty object that others filled.
                lost = [number in {loser.origin for loser in leaf.losers} for leaf in below]
                assert value == {} or any(lost)
            else:
                assert (number, path) in gone
