"""Where popups open, and which the modes have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.desktop.errors import NotInThisMode
from rostrum.desktop.windows.geometry import Bounds, Screen
from rostrum.desktop.windows.popups import Popup, place_popup
from rostrum.settings.scope import Mode

SCREENS = (Screen("a", Bounds(0, 0, 1000, 800), primary=True), Screen("b", Bounds(1000, 0, 500, 400)))


def popup(anchor: Bounds, width: float = 200, height: float = 100, kind: str = "external") -> Popup:
    return Popup(kind=kind, anchor=anchor, width=width, height=height)  # type: ignore[arg-type]


@pytest.mark.rule("R-2.6-10")
def test_an_external_popup_opens_in_both_modes_and_a_custom_one_in_the_advanced_mode_only() -> None:
    anchor = Bounds(100, 100, 50, 20)
    for mode in (Mode.DEFAULT, Mode.ADVANCED):
        assert place_popup(popup(anchor), SCREENS, mode) == Bounds(100, 120, 200, 100)
    assert place_popup(popup(anchor, kind="custom"), SCREENS, Mode.ADVANCED) == Bounds(100, 120, 200, 100)
    with pytest.raises(NotInThisMode, match=r"use an external popup window: useExternalWindowPopup\(\)"):
        place_popup(popup(anchor, kind="custom"), SCREENS, Mode.DEFAULT)


def test_a_popup_without_room_below_opens_above_and_on_the_screen_of_its_anchor() -> None:
    assert place_popup(popup(Bounds(100, 750, 50, 20)), SCREENS, Mode.DEFAULT) == Bounds(100, 650, 200, 100)
    assert place_popup(popup(Bounds(1400, 10, 50, 20)), SCREENS, Mode.DEFAULT) == Bounds(1300, 30, 200, 100)


NUMBERS = st.integers(-3000, 3000)
SIZES = st.integers(1, 3000)


@given(st.builds(Bounds, NUMBERS, NUMBERS, SIZES, SIZES), SIZES, SIZES)
def test_a_popup_is_always_completely_on_one_screen(anchor: Bounds, width: int, height: int) -> None:
    placed = place_popup(popup(anchor, width, height), SCREENS, Mode.DEFAULT)
    assert any(
        area.left <= placed.left
        and placed.right <= area.right
        and area.top <= placed.top
        and placed.bottom <= area.bottom
        for area in (one.work_area for one in SCREENS)
    )
