"""Where dragged windows come to rest."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.snapping import SnapRules, drop, snap_rules
from tests.desktop.test_services_without_windows import settings

AREA = Bounds(0, 0, 1000, 800)
PLACES = st.builds(Bounds, st.integers(-50, 900), st.integers(-50, 700), st.integers(20, 400), st.integers(20, 400))
RULES = st.builds(
    SnapRules,
    distance=st.none() | st.integers(10, 100),
    gap=st.integers(2, 10),
    align=st.booleans(),
    screen=st.none() | st.integers(5, 30),
)


def rules(kind: str = "window", details: Any = None, *, alt: bool = False, **members: Any) -> SnapRules:
    return snap_rules(kind, details or {}, settings(windowManagement=members).window_management, alt=alt)


@given(PLACES, st.lists(PLACES, max_size=4), RULES)
def test_a_snapped_window_does_not_move_when_it_is_dropped_again(
    moving: Bounds, others: list[Bounds], chosen: SnapRules
) -> None:
    rests = drop(moving, others, AREA, chosen)
    assert drop(rests, others, AREA, chosen) == rests


@given(PLACES, st.lists(PLACES, max_size=4), RULES)
def test_a_window_snaps_onto_no_other(moving: Bounds, others: list[Bounds], chosen: SnapRules) -> None:
    rests = drop(moving, others, Bounds(-9999, -9999, 99999, 99999), chosen)
    assert rests == moving or not any(rests.overlaps(other) for other in others)


@pytest.mark.rule("R-2.16-10")
@pytest.mark.parametrize("kind", ["window", "exe", "childWindow", "clickonce", "citrix", "workspaces"])
def test_only_apps_of_type_window_snap_to_the_edges_of_the_screen_and_only_when_asked(kind: str) -> None:
    near = Bounds(15, 595, 300, 200)
    snapped = Bounds(0, 600, 300, 200) if kind == "window" else near
    assert drop(near, [], AREA, rules(kind, snapToScreenEdges={"enabled": True})) == snapped
    assert drop(near, [], AREA, rules(kind)) == near
    own = {"snapToScreenEdges": {"enabled": True}}
    assert drop(near, [], AREA, rules(kind, own)) == snapped
    off = {"snapToScreenEdges": {"enabled": False}}
    assert drop(near, [], AREA, rules(kind, off, snapToScreenEdges={"enabled": True})) == near


def test_how_near_an_edge_attracts_is_a_setting() -> None:
    near = Bounds(680, 300, 300, 200)
    assert drop(near, [], AREA, rules(snapToScreenEdges={"enabled": True, "distance": 20})).right == 1000
    assert drop(near, [], AREA, rules(snapToScreenEdges={"enabled": True, "distance": 19})) == near


def test_a_window_comes_to_rest_beside_a_near_one_and_aligned_with_it() -> None:
    other, near = Bounds(100, 100, 200, 300), Bounds(340, 120, 150, 150)
    assert drop(near, [other], AREA, rules()) == Bounds(304, 100, 150, 300)
    assert drop(near, [other], AREA, rules(snapping={"edgeDistance": 10, "autoAlign": False})) == Bounds(
        310, 120, 150, 150
    )
    assert drop(near, [other], AREA, rules(details={"autoAlign": False})) == Bounds(304, 120, 150, 150)
    for apart in (
        rules(snapping={"approachingDistance": 30}),
        rules(snapping={"enabled": False}),
        rules(details={"autoSnap": False}),
    ):
        assert drop(near, [other], AREA, apart) == near


@pytest.mark.rule("R-2.16-11")
@pytest.mark.parametrize("reverse", [None, False, True])
def test_a_drag_with_alt_does_not_snap_and_reversed_only_that_does(reverse: bool | None) -> None:
    other, near = Bounds(100, 100, 200, 300), Bounds(340, 120, 150, 150)
    members: dict[str, Any] = {} if reverse is None else {"alternateBehavior": {"snapping": {"reverse": reverse}}}
    snapped = [drop(near, [other], AREA, rules(alt=alt, **members)) != near for alt in (False, True)]
    assert snapped == [reverse is not True, reverse is True]


@pytest.mark.parametrize(
    ("edges", "rests"), [("left, top", True), ("all", True), (None, True), ("right,bottom", False), ("none", False)]
)
def test_only_the_edges_that_the_definition_names_are_attracted(edges: str | None, rests: bool) -> None:
    other = Bounds(100, 100, 300, 300)
    moving = Bounds(other.right + 12, 150, 200, 200)
    chosen = rules(details={"snappingEdges": edges}, snapping={"enabled": True, "approachingDistance": 20})
    # Its left edge is near the right edge of the other window.
    assert (drop(moving, [other], AREA, chosen) != moving) is rests
