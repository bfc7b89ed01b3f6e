"""What people do on the screen with windows of groups, as the window host reports it to a whole platform."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import (
    Dropped,
    GroupPageFailed,
    GroupRetitled,
    Moved,
    ProgramDropped,
    ProgramWindowChanged,
    StateChanged,
    TornOut,
    VisibilityChanged,
)
from rostrum.desktop.platform import Platform
from rostrum.desktop.windows.geometry import Bounds
from tests.desktop.test_platform import APPS, Desk, desk, until

__all__ = ["desk"]

NEAR = Bounds(530, 120, 200, 200)
"""Where a window is dropped near the right edge of the first one."""
BESIDE = Bounds(504, 100, 200, 300)
"""Where it rests then."""


@asynccontextmanager
async def windows(
    desk: Desk, *, management: Mapping[str, Any] | None = None, **details: Any
) -> AsyncIterator[tuple[Platform, list[str]]]:
    """Three windows, the first one at 100, 100 with 400 by 300 pixels; ``details`` are those of the third one."""
    place = {"url": "https://x.example", "top": 100, "width": 400, "height": 300}
    for number, name in enumerate(("a", "b", "c")):
        more = details if name == "c" else {}
        desk.write_app(name, details={**place, "left": 100 + 1000 * number, **more})
    desk.system(**APPS, windowManagement=dict(management or {}))
    async with desk.running() as platform:
        yield platform, [(await platform.services.instances.start(name)).id for name in ("a", "b", "c")]


def groups(platform: Platform) -> list[set[str]]:
    return [{*one.windows} for one in platform.services.windows.groups.all]


def drop(desk: Desk, window: str, bounds: Bounds, **more: Any) -> None:
    """Let a window go, as the host does: it has moved, and it was dropped."""
    desk.host.reports.report(Moved(instance=window, bounds=bounds))
    desk.host.reports.report(Dropped(instance=window, bounds=bounds, **more))


@pytest.mark.rule("R-2.16-11")
async def test_a_window_that_is_dropped_beside_another_is_grouped_with_it_unless_alt_is_held(desk: Desk) -> None:
    async with windows(desk) as (platform, (a, b, c)):
        drop(desk, c, Bounds(100, 430, 400, 300), alt=True)
        drop(desk, b, NEAR)
        await until(lambda: groups(platform) == [{a, b}])
        assert desk.host.bounds(b) == BESIDE
        (drawing,) = desk.host.groups.values()
        assert drawing.windows == {a: Bounds(100, 100, 400, 300), b: BESIDE}


@pytest.mark.setting("windowManagement.alternateBehavior.dropInWorkspace.reverse")
@pytest.mark.rule("R-2.16-11")
@pytest.mark.parametrize("reverse", [False, True])
async def test_a_window_that_is_dropped_on_a_workspaces_frame_goes_in_or_stays_apart_as_alt_says(
    desk: Desk, *, reverse: bool
) -> None:
    desk.write_app("frame", type="workspaces", details={"url": "https://x.example"})
    alternate = {"alternateBehavior": {"dropInWorkspace": {"reverse": reverse}}}
    async with windows(desk, management=alternate) as (platform, (_, b, c)):
        workspaces = platform.services.windows.workspaces
        frame = (await platform.services.instances.start("frame")).id
        await until(lambda: bool(workspaces.all))
        away = Bounds(2600, 900, 400, 300)
        for window, alt in ((b, False), (c, True)):
            drop(desk, window, away, alt=alt, over=frame)
        taken, other = (c, b) if reverse else (b, c)
        await until(lambda: workspaces.holds(taken))
        drawing = [about[2] for what, about in desk.host.calls if what == "workspaces"][-1]
        assert [[*one["windows"].values()] for one in drawing["workspaces"]] == [[taken]]
        assert not workspaces.holds(other)


async def test_nothing_is_grouped_with_windows_that_are_not_on_the_screen(desk: Desk) -> None:
    async with windows(desk) as (platform, (a, b, c)):
        desk.host.reports.report(VisibilityChanged(instance=a, visible=False))
        drop(desk, b, NEAR)
        desk.host.reports.report(VisibilityChanged(instance=a, visible=True))
        desk.host.reports.report(StateChanged(instance=a, state="minimized"))
        drop(desk, c, Bounds(504, 500, 200, 300))
        last = Bounds(1500, 500, 400, 300)
        drop(desk, c, last)
        # Drops are processed one after the other, so that the ones before are done.
        await until(lambda: desk.host.bounds(c) == last)
        assert groups(platform) == []


async def test_a_group_that_a_person_has_moved_is_where_the_host_says(desk: Desk) -> None:
    async with windows(desk) as (platform, (a, b, _)):
        model = platform.services.windows.groups
        group = await model.join(b, a)
        drawn = len(desk.host.calls)
        for window, place in ((a, Bounds(150, 120, 400, 300)), (b, Bounds(554, 120, 400, 300))):
            desk.host.reports.report(Moved(instance=window, bounds=place, at_rest=False))
            assert model.all == (group,)
        desk.host.reports.report(Moved(instance=a, bounds=Bounds(150, 120, 400, 300)))
        # The neighbours move along, also before the host reports them.
        assert model.all[0].windows == {a: Bounds(150, 120, 400, 300), b: Bounds(554, 120, 400, 300)}
        desk.host.reports.report(Moved(instance=b, bounds=Bounds(554, 120, 300, 300)))
        assert model.all[0].windows[b] == Bounds(554, 120, 300, 300)
        # The host shows it already, so that nothing is drawn in the middle of the next drag.
        assert desk.host.calls[drawn:] == []


async def test_a_window_that_is_torn_out_leaves_its_group_and_may_join_another(desk: Desk) -> None:
    async with windows(desk) as (platform, (a, b, c)):
        model = platform.services.windows.groups
        await model.join(b, a)
        away = Bounds(1400, 600, 400, 300)
        desk.host.reports.report(TornOut(instance=b, bounds=away))
        drop(desk, b, away)
        await until(lambda: groups(platform) == [])
        assert desk.host.groups == {}
        beside_c = Bounds(2100 + 404, 100, 400, 300)
        drop(desk, b, beside_c)
        await until(lambda: groups(platform) == [{b, c}])


@pytest.mark.rule("R-2.16-7")
async def test_a_long_press_takes_a_window_out_unless_it_is_locked(desk: Desk) -> None:
    async with windows(desk) as (platform, (a, b, c)):
        model, registry = platform.services.windows.groups, platform.services.windows.registry
        await model.join(b, a)
        await model.join(c, b)
        registry.update(b, locked=True)
        drawn = len(desk.host.calls)
        for window in (b, c):
            desk.host.reports.report(TornOut(instance=window, bounds=NEAR, dropped=False))
        await until(lambda: groups(platform) == [{a, b}])
        # The locked window is drawn in its group again.
        assert [{*about.windows} for what, about in desk.host.calls[drawn:] if what == "group"] == [{a, b, c}, {a, b}]
        # A refused press is over at once: the next drop counts.
        registry.update(b, locked=False)
        await model.leave(b)
        drop(desk, b, NEAR)
        await until(lambda: groups(platform) == [{a, b}])


@pytest.mark.parametrize("locked", [True, False])
async def test_a_window_that_may_not_leave_its_group_is_drawn_in_it_again(desk: Desk, *, locked: bool) -> None:
    details: dict[str, Any] = {} if locked else {"allowExtract": False}
    async with windows(desk, **details) as (platform, (a, _, c)):
        await platform.services.windows.groups.join(c, a)
        if locked:
            platform.services.windows.registry.update(c, locked=True)
        (before,) = desk.host.groups.values()
        drawn = len(desk.host.calls)
        away = Bounds(900, 600, 400, 300)
        desk.host.reports.report(TornOut(instance=c, bounds=away))
        desk.host.reports.report(Moved(instance=c, bounds=away))
        desk.host.reports.report(Dropped(instance=c, bounds=away))
        await until(lambda: ("group", before) in desk.host.calls[drawn:])
        assert groups(platform) == [{a, c}]


async def test_a_title_that_a_person_enters_is_that_of_the_group(desk: Desk) -> None:
    async with windows(desk) as (platform, (a, _, c)):
        group = await platform.services.windows.groups.join(c, a)
        desk.host.reports.report(GroupRetitled(group="unknown", title="Nothing"))
        desk.host.reports.report(GroupRetitled(group=group.id, title="Prices"))
        await until(lambda: desk.host.groups[group.id].title == "Prices")
        header = desk.host.groups[group.id].header
        assert header is not None
        assert header.title == "Prices"


async def test_the_log_reports_why_a_page_does_not_draw_a_group(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    async with windows(desk):
        desk.host.reports.report(GroupPageFailed(group="g", app="frames", reason="its page cannot be loaded"))
        told = (
            "the web group app frames does not draw the group: its page cannot be loaded; the built-in frame is shown"
        )
        await until(lambda: told in caplog.text)


async def test_windows_that_belong_to_no_app_are_grouped_and_leave_when_they_are_closed(desk: Desk) -> None:
    async with windows(desk) as (platform, (a, b, _)):
        client = await platform.gateway.local_peer("client", "ann")
        place = {"left": 1500, "top": 700, "width": 300, "height": 200}
        opened = await client.methods.call("T42.Wnd.Create", {"name": "x", "url": "https://y.example", **place})
        drop(desk, opened["id"], NEAR)
        await until(lambda: groups(platform) == [{a, opened["id"]}])
        await platform.services.windows.groups.join(b, a, "bottom")
        await platform.services.windows.control.close(opened["id"])
        await until(lambda: groups(platform) == [{a, b}])


async def test_a_tab_is_torn_out_and_dropped_on_the_tabs_of_another_window(desk: Desk) -> None:
    async with windows(desk) as (platform, (a, b, c)):
        tabs, model = platform.services.windows.tabs, platform.services.windows.groups
        await model.join(c, a)
        await tabs.join(b, a)
        assert groups(platform) == [{b, c}]
        away = Bounds(900, 600, 400, 300)
        desk.host.reports.report(TornOut(instance=b, bounds=away))
        drop(desk, b, away)
        await until(lambda: groups(platform) == [{a, c}] and desk.host.bounds(b) == away)
        desk.host.reports.report(Dropped(instance=b, bounds=away, over=c, tab=0))
        await until(lambda: [one.tabs for one in tabs.all.values()] == [(a,), (b, c)])
        assert groups(platform) == [{a, b}]
        # ALT drops it beside the tabs, and a report that comes late does no harm.
        desk.host.reports.report(TornOut(instance=b, bounds=away))
        drop(desk, b, away, over=c, tab=0, alt=True)
        drop(desk, "gone", away, over=c, tab=0)
        await until(lambda: groups(platform) == [{a, c}])
        assert tabs.of(b) is None


async def test_a_program_leaves_its_group_when_it_is_torn_out_and_when_its_window_is_gone(desk: Desk) -> None:
    desk.write_app("a", details={"url": "https://x.example", "left": 100, "top": 100, "width": 400, "height": 300})
    desk.write_app("tool", type="exe", details={"command": "sleep", "parameters": "600"})
    desk.system(**APPS, advancedMode=True)
    async with desk.running() as platform:
        a, tool = [(await platform.services.instances.start(name)).id for name in ("a", "tool")]
        model = platform.services.windows.groups
        await model.join(tool, a)
        await platform.services.windows.tabs.join(tool, a)
        assert (groups(platform), platform.services.windows.tabs.of(tool) is not None) == ([], True)
        await platform.services.windows.tabs.leave(tool)
        await model.join(tool, a)
        away = Bounds(1400, 600, 400, 300)
        desk.host.reports.report(TornOut(instance=tool, bounds=away))
        drop(desk, tool, away)
        await until(lambda: groups(platform) == [])
        # Dropped beside the page, it joins it again.
        drop(desk, tool, NEAR)
        await until(lambda: groups(platform) == [{a, tool}])
        desk.host.reports.report(ProgramWindowChanged(instance=tool, bounds=None))
        await until(lambda: groups(platform) == [])
        # A report about a window that nobody knows changes nothing.
        desk.host.reports.report(TornOut(instance="other", bounds=away))
        drop(desk, "other", NEAR)
        await platform.services.instances.stop(tool)


@pytest.mark.rule("R-2.6-22")
@pytest.mark.parametrize("advanced", [True, False])
async def test_a_program_that_is_dropped_beside_a_window_joins_it_in_the_advanced_mode_only(
    desk: Desk, *, advanced: bool
) -> None:
    desk.write_app("a", details={"url": "https://x.example", "left": 100, "top": 100, "width": 400, "height": 300})
    desk.write_app("tool", type="exe", details={"command": "sleep", "parameters": "600"})
    desk.system(**APPS, advancedMode=advanced)
    async with desk.running() as platform:
        a, tool = [(await platform.services.instances.start(name)).id for name in ("a", "tool")]
        model = platform.services.windows.groups
        # Far away, and a program that nobody knows.
        await model.program_dropped(tool, Bounds(1400, 600, 400, 300))
        await model.program_dropped("gone", NEAR)
        assert (groups(platform), desk.host.bounds(tool)) == ([], None)
        if advanced:
            desk.host.reports.report(ProgramDropped(instance=tool, bounds=NEAR))
            await until(lambda: groups(platform) == [{a, tool}])
        else:
            await model.program_dropped(tool, NEAR)
            with pytest.raises(DesktopError, match="not supported in the default mode"):
                await platform.services.windows.tabs.join(tool, a)
            assert (groups(platform), desk.host.bounds(tool)) == ([], None)
        await platform.services.instances.stop(tool)
