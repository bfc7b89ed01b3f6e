from collections.abc import Mapping
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.manager.groups.model import expand, leading_to, problems_of_new_groups, reach, way, ways_from

NAME = st.sampled_from("abcdefgh")
GRAPH = st.dictionaries(NAME, st.lists(NAME, max_size=4))


def test_without_expansions_the_groups_stay_as_they_are() -> None:
    assert expand(["a", "b", "a"], {}) == {"a", "b"}
    assert expand([], {"a": ["b"]}) == frozenset()


def test_expansions_are_followed_to_the_end() -> None:
    assert expand(["a"], {"a": ["b"], "b": ["c", "d"], "d": ["e"]}) == {"a", "b", "c", "d", "e"}


def test_no_user_gets_into_the_groups_above_their_own() -> None:
    assert expand(["b"], {"a": ["b"]}) == {"b"}


def test_circles_are_harmless() -> None:
    assert expand(["a"], {"a": ["b"], "b": ["c"], "c": ["a"]}) == {"a", "b", "c"}
    assert expand(["a"], {"a": ["a"]}) == {"a"}


def test_a_very_long_chain_is_followed() -> None:
    chain = {str(number): [str(number + 1)] for number in range(50_000)}

    assert len(expand(["0"], chain)) == 50_001


@pytest.mark.long
@given(st.lists(NAME), GRAPH)
def test_the_outcome_holds_the_direct_groups_and_is_closed(direct: list[str], graph: Mapping[str, list[str]]) -> None:
    reached = expand(direct, graph)

    assert set(direct) <= reached
    assert all(target in reached for name in reached for target in graph.get(name, ()))


@pytest.mark.long
@given(st.lists(NAME), GRAPH)
def test_expanding_again_changes_nothing(direct: list[str], graph: Mapping[str, list[str]]) -> None:
    once = expand(direct, graph)

    assert expand(once, graph) == once


@given(st.lists(NAME), GRAPH)
def test_nothing_is_reached_without_a_way_to_it(direct: list[str], graph: Mapping[str, list[str]]) -> None:
    named = {target for targets in graph.values() for target in targets}

    assert expand(direct, graph) <= set(direct) | named


@given(st.lists(NAME), st.lists(NAME), GRAPH)
def test_two_memberships_give_what_each_gives_alone(
    one: list[str], other: list[str], graph: Mapping[str, list[str]]
) -> None:
    assert expand([*one, *other], graph) == expand(one, graph) | expand(other, graph)


def test_the_way_to_a_group_is_the_shortest_there_is() -> None:
    reached = reach(["Graduates", "Pilot"], {"Graduates": ["Equities"], "Equities": ["Trading"], "Pilot": ["Trading"]})

    assert way(reached, "Trading") == ("Pilot", "Trading")
    assert way(reached, "Equities") == ("Graduates", "Equities")
    assert way(reached, "Pilot") == ("Pilot",)


@given(st.lists(NAME), GRAPH)
def test_every_way_begins_at_a_direct_group_and_follows_expansions(
    direct: list[str], graph: Mapping[str, list[str]]
) -> None:
    reached = reach(direct, graph)

    for name in reached:
        steps = way(reached, name)
        assert steps[0] in direct
        assert steps[-1] == name
        assert all(after in graph[before] for before, after in pairwise(steps))


def test_the_ways_to_a_group_begin_with_the_shortest() -> None:
    graph = {"Graduates": ["Equities"], "Equities": ["Trading"], "Pilot": ["Trading"], "Trading": ["Pilot"]}
    following = leading_to("Trading", graph)

    assert ways_from(["Graduates", "Sales", "Pilot"], following) == (
        ("Pilot", "Trading"),
        ("Graduates", "Equities", "Trading"),
    )
    assert ways_from(["Trading"], following) == (("Trading",),)
    assert ways_from(["Sales"], following) == ()
    assert len(ways_from([str(number) for number in range(50)], {str(number): None for number in range(50)})) == 10


@given(st.lists(NAME, unique=True), NAME, GRAPH)
def test_a_user_has_a_way_to_each_effective_group(
    direct: list[str], group: str, graph: Mapping[str, list[str]]
) -> None:
    ways = ways_from(direct, leading_to(group, graph))

    assert bool(ways) == (group in expand(direct, graph))
    for steps in ways:
        assert (steps[0] in direct, steps[-1]) == (True, group)
        assert all(after in graph[before] for before, after in pairwise(steps))


@pytest.mark.parametrize(
    "name",
    ["Desk ", " Desk", "De\u200bsk", "De  sk", "DESK", "\uff24esk", "D\u0435sk", "desk", "platform_server_admin"],
)
def test_a_new_group_needs_a_name_that_nobody_takes_for_another(name: str) -> None:
    assert problems_of_new_groups([name, "Trading Floor", "FIRM\\Händler", "CN=Sales,DC=firm"], ["Desk"]).keys() == {
        name
    }


@pytest.mark.parametrize("name", ["Pre\u2010Trade", "Pre\u2212Trade", "pre\u2013trade", "Pre\u30fbTrade's"], ids=ascii)
def test_dashes_and_quotation_marks_distinguish_no_groups(name: str) -> None:
    existing = ["Pre-Trade", "Pre\u00b7Trade\u2019s"]
    assert problems_of_new_groups([name], existing).keys() == {name}


def test_groups_that_exist_and_those_of_rights_keep_their_names() -> None:
    assert problems_of_new_groups(["Desk ", "PLATFORM_SERVER_ADMIN"], ["Desk", "Desk ", "platform_server_admin"]) == {}
    assert problems_of_new_groups(["new", "NEW"], []).keys() == {"new"}
