"""Dragging the outer borders of groups."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.desktop.errors import NotInThisMode
from rostrum.desktop.windows.geometry import Bounds, box
from rostrum.desktop.windows.groups import WindowGroup
from rostrum.desktop.windows.resize import SMALLEST, align, drag_border, drag_edge, fitted, resize, shared_edges
from rostrum.settings.scope import Mode
from tests.desktop.windows.plans import group, tilings

SIDES = st.sampled_from(["left", "top", "right", "bottom"])
WIDE = group({"a": Bounds(0, 0, 100, 400), "b": Bounds(100, 0, 300, 200), "c": Bounds(100, 200, 300, 200)})
L_SHAPE = group({"a": Bounds(0, 0, 100, 400), "b": Bounds(100, 200, 300, 200)})


@pytest.mark.rule("R-2.16-2")
def test_fill_gives_the_room_to_the_windows_at_the_border_of_a_rectangle_and_else_all_keep_their_proportions() -> None:
    filled = resize(WIDE, "right", 400, "Fill").windows
    assert filled == {"a": Bounds(0, 0, 100, 400), "b": Bounds(100, 0, 700, 200), "c": Bounds(100, 200, 700, 200)}
    scaled = resize(WIDE, "right", 400, "Proportional").windows
    assert scaled == {"a": Bounds(0, 0, 200, 400), "b": Bounds(200, 0, 600, 200), "c": Bounds(200, 200, 600, 200)}
    for way in ("Fill", "Proportional"):
        assert resize(L_SHAPE, "right", 400, way).windows == {
            "a": Bounds(0, 0, 200, 400),
            "b": Bounds(200, 200, 600, 200),
        }


def test_a_group_with_a_hole_is_no_rectangle_to_fill() -> None:
    ring = group(
        {
            "top": Bounds(0, 0, 300, 100),
            "left": Bounds(0, 100, 100, 100),
            "right": Bounds(200, 100, 100, 100),
            "bottom": Bounds(0, 200, 300, 100),
        }
    )
    assert not ring.is_rectangular
    assert resize(ring, "bottom", 300, "Fill").windows["left"] == Bounds(0, 200, 100, 200)


@given(tilings(), SIDES, st.integers(-2000, 2000), st.sampled_from(["Fill", "Proportional"]))
def test_a_rectangle_stays_one_on_every_side_that_is_not_dragged_and_no_window_gets_lost(
    whole: WindowGroup, side: Any, by: int, way: Any
) -> None:
    resized = resize(whole, side, by, way)
    before, after = box(whole.windows.values()), box(resized.windows.values())
    assert resized.is_rectangular
    assert all(min(one.width, one.height) >= SMALLEST for one in resized.windows.values())
    others = {"left", "top", "right", "bottom"} - {side}
    assert [getattr(before, one) for one in others] == [getattr(after, one) for one in others]
    if by >= 0:
        outward = by if side in ("right", "bottom") else -by
        assert getattr(after, side) == getattr(before, side) + outward


@pytest.mark.rule("R-2.6-17")
def test_alt_makes_no_difference_to_a_dragged_border_in_the_default_mode() -> None:
    def dragged(mode: Mode, *, alt: bool) -> WindowGroup:
        return drag_border(WIDE, "b", "right", 50, way="Fill", mode=mode, alt=alt)

    plain = dragged(Mode.DEFAULT, alt=False)
    assert plain.windows["c"] == Bounds(100, 200, 350, 200)
    assert dragged(Mode.DEFAULT, alt=True) == plain == dragged(Mode.ADVANCED, alt=False)
    held = dragged(Mode.ADVANCED, alt=True).windows
    assert (held["b"], held["c"]) == (Bounds(100, 0, 350, 200), WIDE.windows["c"])


def test_a_window_that_is_held_alone_keeps_its_least_size() -> None:
    held = drag_border(WIDE, "b", "right", -9999, way="Fill", mode=Mode.ADVANCED, alt=True)
    assert held.windows["b"].width == SMALLEST


@pytest.mark.rule("R-2.6-18")
def test_a_double_click_on_a_border_aligns_in_the_advanced_mode_and_is_refused_in_the_default_one() -> None:
    ragged = group(
        {
            "a": Bounds(0, 0, 100, 50),
            "b": Bounds(0, 50, 60, 50),
            "c": Bounds(60, 50, 70, 50),
            "d": Bounds(0, 100, 90, 9),
        }
    )
    with pytest.raises(NotInThisMode, match="alignment by double click"):
        align(ragged, "right", Mode.DEFAULT)
    aligned = align(ragged, "right", Mode.ADVANCED).windows
    assert {name: one.right for name, one in aligned.items()} == {"a": 130, "b": 60, "c": 130, "d": 130}
    assert all(aligned[name].left == one.left for name, one in ragged.windows.items())


def test_a_line_between_windows_moves_all_windows_along_it_and_no_others() -> None:
    windows = {
        "a": Bounds(0, 0, 100, 100),
        "b": Bounds(104, 0, 100, 48),
        "c": Bounds(104, 52, 100, 48),
        "d": Bounds(208, 0, 100, 100),
    }
    lines = shared_edges(windows, 4)
    assert {(one.sideways, one.before, one.after) for one in lines} == {
        (True, frozenset("a"), frozenset("bc")),
        (True, frozenset("bc"), frozenset("d")),
        (False, frozenset("b"), frozenset("c")),
    }
    line = next(one for one in lines if one.before == frozenset("a"))
    assert line.area(windows) == Bounds(100, 0, 4, 100)
    assert drag_edge(windows, line, 20) == {
        "a": Bounds(0, 0, 120, 100),
        "b": Bounds(124, 0, 80, 48),
        "c": Bounds(124, 52, 80, 48),
        "d": windows["d"],
    }
    # No window gets smaller than it may.
    assert drag_edge(windows, line, 900)["b"].width == SMALLEST
    assert drag_edge(windows, line, -900)["a"].width == SMALLEST
    assert drag_edge(windows, line, -900, {"a": (90, 0)})["a"].width == 90


def test_windows_that_are_too_far_apart_share_no_line() -> None:
    windows = {"a": Bounds(0, 0, 100, 100), "b": Bounds(110, 0, 100, 100), "c": Bounds(0, 104, 100, 100)}
    assert [(one.before, one.after) for one in shared_edges(windows, 4)] == [(frozenset("a"), frozenset("c"))]


@given(tilings(), st.integers(-2000, 2000))
def test_a_group_keeps_its_rectangle_when_a_line_in_it_is_dragged(whole: WindowGroup, by: int) -> None:
    for line in shared_edges(whole.windows, whole.edge):
        dragged = replace(whole, windows=drag_edge(whole.windows, line, by))
        assert dragged.is_rectangular
        assert box(dragged.windows.values()) == box(whole.windows.values())
        assert all(min(one.width, one.height) >= min(SMALLEST, 50) for one in dragged.windows.values())


@given(tilings(), st.integers(1, 4))
def test_a_group_fills_another_rectangle_without_gaps_and_comes_back_exactly(whole: WindowGroup, times: int) -> None:
    before = box(whole.windows.values())
    larger = Bounds(7, 9, before.width * times, before.height * times)
    stretched = replace(whole, windows=fitted(whole.windows, whole.edge, larger))
    assert stretched.is_rectangular
    assert box(stretched.windows.values()) == larger
    assert fitted(whole.windows, whole.edge, before) == whole.windows
