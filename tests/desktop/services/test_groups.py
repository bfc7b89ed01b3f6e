"""The groups of a running desktop, as the host is instructed to draw them."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError, NotInThisMode
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.gestures import LongPress
from rostrum.desktop.windows.groups import BACKGROUND
from rostrum.desktop.windows.picture import DESKTOP, WINDOW
from rostrum.settings.scope import Mode
from tests.desktop.services.test_instances import Desk as Instances
from tests.desktop.services.test_instances import script, window
from tests.desktop.test_services_without_windows import settings

PLACE = {"left": 100, "top": 100, "width": 400, "height": 300}


class Desk(Instances):
    """Three windows, a program, and groups."""

    def __init__(self, root: Path, mode: Mode = Mode.DEFAULT, **members: Any) -> None:
        placed = [window(name, details={"url": "https://x", **PLACE}) for name in ("a", "b", "c")]
        super().__init__(root, *placed, script("native", "import time; time.sleep(100)"))
        numbers = count(1)
        found = settings(advancedMode=mode is Mode.ADVANCED, windowManagement=members).window_management
        self.groups = WindowGroups(
            found,
            mode,
            self.host,
            self.instances,
            system_buttons=lambda: False,
            new_id=lambda: f"g{next(numbers)}",
        )

    async def opened(self, *names: str) -> list[str]:
        return [(await self.instances.start(name)).id for name in names]

    def drawn(self) -> list[set[str]]:
        return [set(group.windows) for group in self.host.groups.values()]


@pytest.mark.rule("R-2.6-9")
async def test_windows_that_join_are_put_in_their_place_and_the_gap_of_an_l_is_filled(tmp_path: Path) -> None:
    desk = Desk(tmp_path, snapping={"edgeDistance": 4})
    a, b, c = await desk.opened("a", "b", "c")
    await desk.groups.join(b, a)
    assert desk.host.bounds(b) == Bounds(504, 100, 400, 300)
    assert desk.host.picture().at(1000, 150) == DESKTOP
    group = await desk.groups.join(c, a, "bottom")
    assert (group.is_rectangular, desk.host.bounds(c)) == (False, Bounds(100, 404, 400, 300))
    picture = desk.host.picture()
    assert [picture.at(*place) for place in ((300, 200), (700, 200), (300, 600), (700, 600), (1000, 600))] == [
        WINDOW,
        WINDOW,
        WINDOW,
        BACKGROUND,
        DESKTOP,
    ]


async def test_a_window_leaves_its_group_and_a_group_of_one_is_dissolved(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b, c = await desk.opened("a", "b", "c")
    await desk.groups.join(b, a)
    await desk.groups.join(c, b)
    await desk.groups.join(c, a, "bottom")
    assert desk.drawn() == [{a, b, c}]
    await desk.groups.leave(b)
    assert desk.drawn() == [{a, c}]
    await desk.groups.join(b, c, "bottom")
    await desk.groups.forget(a)
    await desk.groups.leave(c)
    assert (desk.drawn(), desk.groups.all, desk.groups.of(b)) == ([], (), None)


@pytest.mark.setting(
    "windowManagement.group.unlockOnLongMousePress.enabled",
    "windowManagement.group.unlockOnLongMousePress.timeout",
    "windowManagement.group.unlockOnLongMousePress.tolerance",
)
@pytest.mark.rule("R-2.16-7")
async def test_the_long_press_that_unlocks_a_window_is_that_of_the_settings(tmp_path: Path) -> None:
    for members, unlock in (
        ({}, LongPress(timeout=1000, tolerance=5)),
        ({"timeout": 250, "tolerance": 12}, LongPress(timeout=250, tolerance=12)),
        ({"enabled": False}, None),
    ):
        desk = Desk(tmp_path, group={"unlockOnLongMousePress": members})
        a, b = await desk.opened("a", "b")
        await desk.groups.join(b, a)
        assert desk.host.groups["g1"].unlock == unlock


@pytest.mark.rule("R-2.6-15")
async def test_stickiness_is_refused_in_the_default_mode_and_counts_in_the_advanced_one(tmp_path: Path) -> None:
    default, advanced = Desk(tmp_path), Desk(tmp_path, Mode.ADVANCED)
    (a,) = await default.opened("a")
    with pytest.raises(NotInThisMode, match="window stickiness is not supported in the default mode"):
        await default.groups.set_sticky(a, sticky=False)
    a, b = await advanced.opened("a", "b")
    await advanced.groups.join(b, a)
    await advanced.groups.set_sticky(b, sticky=False)
    assert advanced.drawn() == []
    with pytest.raises(DesktopError, match="the window of b does not stick to others"):
        await advanced.groups.join(a, b)
    await advanced.groups.set_sticky(b, sticky=True)
    await advanced.groups.join(a, b)
    assert advanced.drawn() == [{a, b}]


@pytest.mark.rule("R-2.6-22")
async def test_the_window_of_a_real_program_is_grouped_in_the_advanced_mode_only(tmp_path: Path) -> None:
    advanced = Desk(tmp_path, Mode.ADVANCED)
    a, native = await advanced.opened("a", "native")
    process = next(one.process for one in advanced.instances.all if one.id == native)
    assert process is not None
    await advanced.groups.join(native, a)
    assert ("adopt", (native, process)) in advanced.host.calls
    assert advanced.drawn() == [{a, native}]
    await advanced.instances.stop(native)
    default = Desk(tmp_path)
    a, native = await default.opened("a", "native")
    for pair in ((native, a), (a, native)):
        with pytest.raises(NotInThisMode, match="visual integration of native apps"):
            await default.groups.join(*pair)
    assert (default.drawn(), [what for what, _ in default.host.calls]) == ([], ["open"])
    await default.instances.stop(native)


@pytest.mark.rule("R-2.6-17", "R-2.6-18")
async def test_alt_and_double_clicks_on_borders_count_in_the_advanced_mode_only(tmp_path: Path) -> None:
    for mode in Mode:
        desk = Desk(tmp_path, mode)
        a, b = await desk.opened("a", "b")
        await desk.groups.join(b, a, "bottom")
        await desk.groups.drag_border(a, "right", 100, alt=True)
        widths = [desk.host.groups["g1"].windows[one].width for one in (a, b)]
        assert widths == ([500, 500] if mode is Mode.DEFAULT else [500, 400])
        await desk.groups.drag_border(b, "right", -50, alt=True)
        if mode is Mode.DEFAULT:
            with pytest.raises(NotInThisMode, match="alignment by double click is not supported in the default mode"):
                await desk.groups.align_border("g1", "right")
        else:
            await desk.groups.align_border("g1", "right")
        with pytest.raises(DesktopError, match="there is no group 'other'"):
            await desk.groups.align_border("other", "right")
        widths = [desk.host.groups["g1"].windows[one].width for one in (a, b)]
        assert widths == ([450, 450] if mode is Mode.DEFAULT else [500, 500])
        assert desk.host.groups["g1"].resize_alone is (mode is Mode.ADVANCED)


@pytest.mark.setting("windowManagement.group.type")
@pytest.mark.rule("R-2.6-21", "R-2.16-9")
async def test_windows_collapse_in_classic_groups_only(tmp_path: Path) -> None:
    heights = []
    for members in ({}, {"group": {"type": "Web"}}):
        desk = Desk(tmp_path, Mode.ADVANCED, **members)
        a, b = await desk.opened("a", "b")
        await desk.groups.join(b, a, "bottom")
        await desk.groups.collapse(a)
        heights.append([one.height for one in desk.host.groups["g1"].windows.values()])
        await desk.groups.expand(a)
        assert [one.height for one in desk.host.groups["g1"].windows.values()] == [300, 300]
    assert heights == [[30, 570], [300, 300]]


@pytest.mark.rule("R-2.16-3")
async def test_the_title_of_a_group_is_editable_unless_configured_otherwise(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b = await desk.opened("a", "b")
    await desk.groups.join(b, a)
    header = desk.host.groups["g1"].header
    assert header is not None
    assert header.title == "Group"
    await desk.groups.rename("g1", "Trading")
    header = desk.host.groups["g1"].header
    assert header is not None
    assert header.title == "Trading"
    for members in ({"editTitle": False}, {"hide": True}):
        other = Desk(tmp_path, group={"header": members})
        a, b = await other.opened("a", "b")
        await other.groups.join(b, a)
        with pytest.raises(DesktopError, match=r"windowManagement\.group\.header"):
            await other.groups.rename("g1", "Trading")


async def test_windows_that_cannot_be_grouped_are_rejected_with_the_reason(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b, c = await desk.opened("a", "b", "c")
    await desk.groups.join(b, a)
    for work, message in (
        (desk.groups.join(a, a), "with itself"),
        (desk.groups.join("gone", a), "there is no instance 'gone'"),
        (desk.groups.join(c, a), "another window of the group is in that place"),
        (desk.groups.rename("gone", "x"), "there is no group 'gone'"),
        (desk.groups.collapse(c), "is in no group"),
    ):
        with pytest.raises(DesktopError, match=message):
            await work
    assert desk.drawn() == [{a, b}]


@pytest.mark.setting("windowManagement.snapping.enabled")
@pytest.mark.rule("R-2.16-11")
async def test_a_window_dropped_near_another_joins_it_unless_alt_is_held(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b = await desk.opened("a", "b")
    near = Bounds(530, 120, 200, 200)
    assert await desk.groups.drag_ended(b, near, alt=True) == near
    assert (desk.host.bounds(b), desk.drawn()) == (near, [])
    assert await desk.groups.drag_ended(b, near) == Bounds(504, 100, 200, 300)
    assert (desk.host.bounds(b), desk.drawn()) == (Bounds(504, 100, 200, 300), [{a, b}])
    await desk.groups.drag_ended(b, Bounds(604, 150, 200, 300))
    assert (desk.host.bounds(a), desk.host.bounds(b)) == (Bounds(200, 150, 400, 300), Bounds(604, 150, 200, 300))
    far = Desk(tmp_path, snapping={"enabled": False})
    a, b = await far.opened("a", "b")
    assert (await far.groups.drag_ended(b, near), far.drawn()) == (near, [])


@pytest.mark.rule("R-2.16-10")
async def test_a_program_dropped_near_the_edge_of_the_screen_stays_and_a_web_window_snaps(
    tmp_path: Path,
) -> None:
    desk = Desk(tmp_path, Mode.ADVANCED, snapToScreenEdges={"enabled": True})
    a, native = await desk.opened("a", "native")
    await desk.host.adopt_window(native, None)
    await desk.groups.drag_ended(a, Bounds(12, 300, 400, 300))
    assert desk.host.bounds(a) == Bounds(0, 300, 400, 300)
    await desk.groups.drag_ended(native, Bounds(1200, 12, 400, 300))
    assert desk.host.bounds(native) == Bounds(1200, 12, 400, 300)
    await desk.instances.stop(native)


@pytest.mark.setting("windowManagement.group.externalResizeMode")
@pytest.mark.rule("R-2.16-2")
@pytest.mark.parametrize(
    ("members", "widths"), [({}, (400, 500)), ({"externalResizeMode": "Proportional"}, (450, 450))]
)
async def test_a_dragged_border_gives_its_room_as_the_settings_say(tmp_path: Path, members: Any, widths: Any) -> None:
    desk = Desk(tmp_path, group=members)
    a, b = await desk.opened("a", "b")
    await desk.groups.join(b, a)
    await desk.groups.drag_border(b, "right", 100)
    found = [desk.host.bounds(one) for one in (a, b)]
    assert [one and round(one.width) for one in found] == list(widths)
