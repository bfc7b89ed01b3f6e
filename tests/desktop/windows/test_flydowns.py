"""When flydowns show and hide, by a clock that tests set."""

from typing import Any

import pytest

from rostrum.desktop.windows.flydowns import FlydownWatch, Turn, Zone
from rostrum.desktop.windows.geometry import Bounds
from rostrum.settings.sections.window_management import FlydownWindows

LEFT, RIGHT = Zone("left", Bounds(0, 0, 100, 20)), Zone("right", Bounds(100, 0, 100, 20))
BELOW = Bounds(0, 20, 300, 200)
OUTSIDE = (900.0, 900.0)


def watch(**members: Any) -> FlydownWatch:
    return FlydownWatch(FlydownWindows.model_validate(members), (LEFT, RIGHT))


@pytest.mark.rule("R-2.16-14")
@pytest.mark.parametrize(("members", "seconds"), [({}, 0.2), ({"showDelay": 500}, 0.5)])
def test_a_flydown_shows_when_the_pointer_has_rested_on_a_zone(members: Any, seconds: float) -> None:
    found = watch(**members)
    found.move(50, 10, 0)
    found.move(60, 10, seconds / 2)
    assert found.pause(seconds / 2) == pytest.approx(seconds / 2)
    assert found.turn(seconds - 0.01) is None
    assert found.turn(seconds) == Turn("show", LEFT)
    found.move(150, 10, seconds)
    assert found.turn(seconds) is None
    assert found.turn(2 * seconds) == Turn("show", RIGHT)
    found.move(*OUTSIDE, 2 * seconds)
    assert (found.turn(9), found.pause(9)) == (None, None)


@pytest.mark.rule("L-D-20")
@pytest.mark.rule("R-2.16-14")
@pytest.mark.parametrize(
    ("members", "looks"),
    [
        ({}, [(0.05, False), (0.1, False), (0.39, False), (0.4, False), (0.5, True)]),
        ({"hideDelay": 150}, [(0.1, False), (0.15, False), (0.2, True)]),
        ({"hideCheckInterval": 300}, [(0.29, False), (0.3, False), (0.45, False), (0.6, True)]),
    ],
)
def test_it_hides_when_the_pointer_was_away_for_long_enough_at_one_of_the_looks(members: Any, looks: Any) -> None:
    found = watch(**members)
    found.showing(LEFT, BELOW, 0)
    found.move(*OUTSIDE, 0)
    assert [(when, found.turn(when) == Turn("hide", LEFT)) for when, _ in looks] == looks
    assert found.shown is None


@pytest.mark.rule("L-D-20")
def test_a_pointer_on_the_flydown_or_its_zone_keeps_it() -> None:
    found = watch()
    found.showing(LEFT, BELOW, 0)
    for number, place in enumerate(((150, 100), (50, 10))):
        found.move(*OUTSIDE, number)
        assert found.pause(number) == pytest.approx(0.1)
        found.move(*place, number + 0.3)
        assert (found.turn(number + 0.9), found.shown, found.pause(number)) == (None, LEFT, None)


def test_one_that_is_declined_is_asked_about_again_when_the_pointer_comes_back() -> None:
    found = watch()
    found.move(50, 10, 0)
    found.decline(LEFT)
    found.move(55, 10, 1)
    assert (found.turn(5), found.pause(5)) == (None, None)
    found.move(*OUTSIDE, 5)
    found.move(50, 10, 6)
    assert found.turn(6.2) == Turn("show", LEFT)


def test_a_zone_that_the_pointer_reaches_while_another_one_is_declined_shows_its_flydown() -> None:
    found = watch()
    found.move(50, 10, 0)
    assert found.turn(0.2) == Turn("show", LEFT)
    found.move(150, 10, 0.3)
    found.decline(LEFT)
    assert found.turn(0.5) == Turn("show", RIGHT)


def test_a_flydown_hides_if_the_pointer_left_its_zone_before_it_was_shown() -> None:
    found = watch()
    found.move(50, 10, 0)
    assert found.turn(0.2) == Turn("show", LEFT)
    found.move(*OUTSIDE, 0.3)
    found.showing(LEFT, BELOW, 0.4)
    assert found.pause(0.4) == pytest.approx(0.1)
    assert (found.turn(0.7), found.turn(0.9)) == (None, Turn("hide", LEFT))
