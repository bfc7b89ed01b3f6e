"""Collapsing windows of groups."""

from typing import Any

import pytest

from rostrum.desktop.windows.collapse import COLLAPSED, collapse, expand
from rostrum.desktop.windows.geometry import Bounds
from tests.desktop.test_services_without_windows import settings
from tests.desktop.windows.plans import group

COLUMN = {
    "a": Bounds(0, 0, 100, 130),
    "b": Bounds(0, 130, 100, 100),
    "c": Bounds(0, 230, 100, 300),
    "other": Bounds(100, 0, 50, 530),
}
CLASSIC = group(COLUMN, type="Classic")


def rules(**members: Any) -> Any:
    return settings(advancedMode=True, windowManagement={"collapseExpand": members}).window_management.collapse_expand


@pytest.mark.setting("windowManagement.collapseExpand.mode")
@pytest.mark.rule("R-2.16-9")
@pytest.mark.parametrize(("mode", "heights"), [("Single", (200, 300)), ("Proportional", (125, 375))])
def test_a_window_of_a_classic_group_collapses_and_one_of_a_web_group_does_not(
    mode: str, heights: tuple[int, int]
) -> None:
    collapsed = collapse(CLASSIC, "a", rules(mode=mode))
    assert collapsed.windows["a"].height == COLLAPSED
    assert (collapsed.windows["b"].height, collapsed.windows["c"].height) == heights
    assert collapsed.windows["c"].bottom == 530
    assert collapsed.windows["other"] == COLUMN["other"]
    assert expand(collapsed, "a", rules(mode=mode)) == CLASSIC
    web = group(COLUMN, type="Web")
    assert collapse(web, "a", rules(mode=mode)) == web
    assert expand(group(COLUMN, type="Web", collapsed={"a": 300}), "a", rules()).windows == COLUMN


def test_the_last_window_of_a_column_gives_its_space_to_the_one_above_and_a_single_one_to_none() -> None:
    collapsed = collapse(CLASSIC, "c", rules())
    assert (collapsed.windows["b"].height, collapsed.windows["c"].top) == (370, 500)
    alone = collapse(CLASSIC, "other", rules())
    assert alone.windows["other"] == Bounds(100, 0, 50, COLLAPSED)


@pytest.mark.setting("windowManagement.collapseExpand.alignBottomBordersWhenExpanding")
@pytest.mark.parametrize(("align", "bottom"), [(True, 530), (False, 430)])
def test_the_lower_borders_are_aligned_on_expanding_unless_they_should_not(align: bool, bottom: int) -> None:
    lower = group({**COLUMN, "other": Bounds(100, 0, 50, COLLAPSED)}, type="Classic", collapsed={"other": 430})
    grown = expand(lower, "other", rules(alignBottomBordersWhenExpanding=align))
    assert grown.windows["other"].bottom == bottom
    assert grown.collapsed == {}
