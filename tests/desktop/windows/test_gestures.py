"""Long presses and the ALT key."""

from typing import Any

import pytest

from rostrum.desktop.windows.gestures import LongPress, long_press, takes_part
from tests.desktop.test_services_without_windows import settings


def unlocking(**members: Any) -> LongPress | None:
    found = settings(windowManagement={"group": {"unlockOnLongMousePress": members}}).window_management.group
    return long_press(found.unlock_on_long_mouse_press)


@pytest.mark.rule("L-D-17", "L-D-18", "R-2.16-7")
def test_a_long_press_takes_a_second_and_strays_by_five_pixels_at_most() -> None:
    press = unlocking()
    assert press == LongPress(timeout=1000, tolerance=5)
    assert press is not None
    assert [press.allows(*step) for step in ((0, 0), (3, 4), (-3, -4), (4, 4), (0, 6))] == [True] * 3 + [False] * 2


@pytest.mark.rule("R-2.16-7")
def test_how_long_how_far_and_whether_at_all_are_settings() -> None:
    assert unlocking(timeout=250, tolerance=0) == LongPress(timeout=250, tolerance=0)
    assert unlocking(enabled=False) is None


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("snapping", "snapping"),
        ("drop in a tab group", "dropInTabGroup"),
        ("drop in a workspace", "dropInWorkspace"),
    ],
)
@pytest.mark.rule("R-2.16-11")
def test_alt_keeps_a_drag_apart_and_reversed_makes_it_take_part_for_each_operation_alone(what: Any, name: str) -> None:
    def taking_part(**members: Any) -> tuple[bool, bool]:
        found = settings(windowManagement={"alternateBehavior": members}).window_management.alternate_behavior
        return takes_part(what, found, alt=False), takes_part(what, found, alt=True)

    names = {"snapping", "dropInTabGroup", "dropInWorkspace"}
    assert taking_part() == (True, False)
    assert taking_part(**{name: {"reverse": False}}) == (True, False)
    assert taking_part(**{name: {"reverse": True}}) == (False, True)
    assert taking_part(**{other: {"reverse": True} for other in names - {name}}) == (True, False)
