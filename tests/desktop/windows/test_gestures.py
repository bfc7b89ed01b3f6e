"""Long presses and the ALT key."""

from typing import Any

import pytest

from rostrum.desktop.windows.gestures import LongPress, takes_part
from tests.desktop.test_services_without_windows import settings


def long_press(**members: Any) -> LongPress:
    found = settings(windowManagement={"group": {"unlockOnLongMousePress": members}}).window_management.group
    return LongPress(found.unlock_on_long_mouse_press)


@pytest.mark.rule("L-D-17", "L-D-18")
@pytest.mark.part_of_rule("R-2.16-7")
def test_a_press_of_a_second_that_strays_by_five_pixels_at_most_unlocks_once() -> None:
    press = long_press()
    press.press("clock", 100, 100, 10.0)
    press.move(103, 104)
    assert press.unlocked(10.999) is None
    assert press.unlocked(11.0) == "clock"
    assert press.unlocked(20.0) is None


@pytest.mark.rule("L-D-18")
@pytest.mark.part_of_rule("R-2.16-7")
def test_a_press_that_strays_further_or_ends_early_unlocks_nothing() -> None:
    press = long_press()
    press.press("clock", 100, 100, 10.0)
    press.move(104, 104)
    press.move(100, 100)
    assert press.unlocked(11.0) is None
    press.press("clock", 100, 100, 10.0)
    press.release()
    press.move(0, 0)
    assert press.unlocked(11.0) is None


@pytest.mark.parametrize(
    ("members", "after", "stray", "unlocked"),
    [
        ({"timeout": 250}, 0.25, 0, "clock"),
        ({"timeout": 250}, 0.249, 0, None),
        ({"tolerance": 50}, 1, 50, "clock"),
        ({"tolerance": 0}, 1, 1, None),
        ({"enabled": False}, 60, 0, None),
    ],
)
def test_how_long_how_far_and_whether_at_all_are_settings(
    members: Any, after: float, stray: float, unlocked: str | None
) -> None:
    press = long_press(**members)
    press.press("clock", 0, 0, 0.0)
    press.move(stray, 0)
    assert press.unlocked(after) == unlocked


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("snapping", "snapping"),
        ("drop in a tab group", "dropInTabGroup"),
        ("drop in a workspace", "dropInWorkspace"),
    ],
)
@pytest.mark.part_of_rule("R-2.16-11")
def test_alt_keeps_a_drag_apart_and_reversed_makes_it_take_part_for_each_operation_alone(what: Any, name: str) -> None:
    def taking_part(**members: Any) -> tuple[bool, bool]:
        found = settings(windowManagement={"alternateBehavior": members}).window_management.alternate_behavior
        return takes_part(what, found, alt=False), takes_part(what, found, alt=True)

    names = {"snapping", "dropInTabGroup", "dropInWorkspace"}
    assert taking_part() == (True, False)
    assert taking_part(**{name: {"reverse": False}}) == (True, False)
    assert taking_part(**{name: {"reverse": True}}) == (False, True)
    assert taking_part(**{other: {"reverse": True} for other in names - {name}}) == (True, False)
