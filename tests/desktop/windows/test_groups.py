"""Groups: who may be in them, what fills them, what stands above them."""

import zlib
from typing import Any

import pytest
from hypothesis import given

from rostrum.desktop.errors import DesktopError, NotInThisMode
from rostrum.desktop.windows.geometry import Bounds, box, gaps
from rostrum.desktop.windows.groups import BACKGROUND, WindowGroup, beside, draw, join
from rostrum.desktop.windows.picture import DESKTOP, WINDOW, Picture
from rostrum.settings.scope import Mode
from tests.desktop.test_services_without_windows import settings
from tests.desktop.windows.plans import group, tilings

L_SHAPE = group({"a": Bounds(10, 10, 20, 40), "b": Bounds(30, 30, 20, 20)})
BOTH = (Mode.DEFAULT, Mode.ADVANCED)


def drawn(one: WindowGroup, mode: Mode = Mode.DEFAULT, *, buttons: bool = False, **members: Any) -> Any:
    found = settings(advancedMode=mode is Mode.ADVANCED, windowManagement={"group": members}).window_management.group
    return draw(one, found, mode, wants_system_buttons=buttons)


@pytest.mark.rule("R-2.6-9")
def test_the_picture_of_an_l_shaped_group_shows_the_background_in_the_gap_in_the_default_mode_only() -> None:
    seen = {}
    for mode in BOTH:
        drawing = drawn(L_SHAPE, mode)
        picture = Picture(Bounds(0, 0, 60, 60))
        picture.draw(drawing.windows.values(), [drawing])
        seen[mode] = [picture.at(*place) for place in ((5, 5), (15, 15), (35, 35), (40, 20), (49, 29), (50, 29))]
    assert seen[Mode.DEFAULT] == [DESKTOP, WINDOW, WINDOW, BACKGROUND, BACKGROUND, DESKTOP]
    assert seen[Mode.ADVANCED] == [DESKTOP, WINDOW, WINDOW, DESKTOP, DESKTOP, DESKTOP]


def test_the_picture_is_a_png_file_of_its_pixels() -> None:
    picture = Picture(Bounds(0, 0, 2, 1))
    picture.draw([Bounds(1, 0, 50, 50)], [])
    written = picture.png()
    assert written.startswith(b"\x89PNG\r\n\x1a\n")
    start = written.index(b"IDAT") + 4
    row = zlib.decompress(written[start : written.index(b"IEND") - 8])
    assert row == b"\0" + bytes.fromhex(DESKTOP[1:] + WINDOW[1:])


@given(tilings())
def test_windows_never_overlap_and_with_what_is_filled_cover_the_whole_group(whole: WindowGroup) -> None:
    windows = list(whole.windows.values())
    assert not any(one.overlaps(other) for one in windows for other in windows if one is not other)
    filled = drawn(whole).filled
    area = sum(one.width * one.height for one in [*windows, *filled])
    around = box(windows)
    assert area == around.width * around.height
    assert gaps([*windows, *filled]) == ()
    assert whole.is_rectangular


@pytest.mark.rule("R-2.6-20")
@pytest.mark.rule("R-2.6-7")
def test_the_systems_buttons_are_for_web_groups_that_ask_for_them_in_the_default_mode() -> None:
    assert drawn(L_SHAPE, buttons=True).system_buttons
    assert not drawn(L_SHAPE, buttons=False).system_buttons
    assert not drawn(L_SHAPE, Mode.ADVANCED, buttons=True, type="Web").system_buttons
    assert not drawn(group(L_SHAPE.windows, type="Classic"), Mode.ADVANCED, buttons=True).system_buttons


@pytest.mark.rule("R-2.6-22")
@pytest.mark.parametrize("kind", ["exe", "clickonce", "citrix", "childWindow"])
def test_native_windows_join_groups_in_the_advanced_mode_only(kind: str) -> None:
    place = Bounds(30, 10, 20, 20)
    assert join(L_SHAPE, "native", kind, place, Mode.ADVANCED).is_rectangular
    with pytest.raises(NotInThisMode, match="visual integration of native apps is not supported in the default mode"):
        join(L_SHAPE, "native", kind, place, Mode.DEFAULT)
    assert join(L_SHAPE, "page", "window", place, Mode.DEFAULT).is_rectangular


def test_no_two_windows_of_a_group_share_a_place() -> None:
    with pytest.raises(DesktopError, match="another window of the group"):
        join(L_SHAPE, "c", "window", Bounds(20, 20, 20, 20), Mode.DEFAULT)


@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
def test_a_window_beside_another_makes_a_rectangle_with_it(side: Any) -> None:
    first = Bounds(100, 100, 300, 200)
    placed = beside(first, side, Bounds(0, 0, 77, 55), 5)
    assert group({"a": first, "b": placed}, edge=5).is_rectangular
    assert not group({"a": first, "b": placed}, edge=2).is_rectangular


@pytest.mark.setting(
    "windowManagement.group.header.defaultTitle",
    "windowManagement.group.header.editTitle",
    "windowManagement.group.header.hide",
)
@pytest.mark.rule("R-2.16-3")
def test_a_group_has_a_header_with_an_editable_title_unless_configured_otherwise() -> None:
    header = drawn(L_SHAPE).header
    assert (header.title, header.editable) == ("Group", True)
    given = group(L_SHAPE.windows, title="Trading")
    assert drawn(given).header.title == "Trading"
    other = drawn(L_SHAPE, header={"defaultTitle": "Windows", "editTitle": False}).header
    assert (other.title, other.editable) == ("Windows", False)
    assert drawn(given, header={"hide": True}).header is None
