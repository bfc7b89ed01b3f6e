"""How long an app is waited for before its flydown shows, and when the pointer is watched."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import PointerMoved
from rostrum.desktop.services.flydowns import Flydown, Flydowns, ZoneAnswer
from rostrum.desktop.windows.flydowns import Zone
from rostrum.desktop.windows.geometry import Bounds
from rostrum.settings.scope import Mode
from rostrum.settings.sections.window_management import FlydownWindows
from tests.desktop.services.test_groups import Desk
from tests.desktop.services.test_notifications import Timer


@pytest.mark.setting("windowManagement.flydownWindows.zoneChangeCallbackTimeout")
@pytest.mark.rule("L-D-21")
@pytest.mark.rule("R-2.16-14")
@pytest.mark.parametrize(("members", "seconds"), [({}, 0.15), ({"zoneChangeCallbackTimeout": 700}, 0.7)])
async def test_an_unresponsive_app_has_the_time_limit_of_the_settings(
    tmp_path: Path, members: Any, seconds: float
) -> None:
    desk, timer, clock = Desk(tmp_path), Timer(), SettableClock()
    owner, window = await desk.opened("a", "b")

    async def silent(_: Zone, __: Bounds) -> ZoneAnswer:
        await asyncio.Event().wait()
        return ZoneAnswer()

    settings = FlydownWindows.model_validate(members)
    flydowns = Flydowns(
        settings,
        Mode.ADVANCED,
        desk.host,
        reports=desk.host.reports,
        background=BackgroundTasks(""),
        clock=clock,
        sleep=timer,
    )
    zone = Zone("menu", Bounds(0, 0, 10, 10), window, width=50, height=60)
    await flydowns.set(Flydown(owner=owner, zones=(zone,), ask=silent))
    place = desk.host.bounds(owner)
    assert place is not None
    flydowns.pointer(owner, place.left + 5, place.top + 5)
    clock.advance(1)
    looking = asyncio.create_task(flydowns.look(owner))
    assert await timer.ring() == seconds
    await looking
    assert (desk.host.hidden, desk.host.bounds(window)) == (set(), Bounds(place.left, place.top + 10, 50, 60))
    assert not desk.host.shown_with_focus


async def test_the_pointer_is_watched_only_while_there_are_zones(tmp_path: Path) -> None:
    desk, clock, background = Desk(tmp_path), SettableClock(), BackgroundTasks("")
    owner, window, second = await desk.opened("a", "b", "c")
    settings = FlydownWindows.model_validate({"showDelay": 0, "hideDelay": 0, "hideCheckInterval": 0})
    flydowns = Flydowns(
        settings, Mode.ADVANCED, desk.host, reports=desk.host.reports, background=background, clock=clock
    )
    assert not desk.host.watches_pointer
    with pytest.raises(DesktopError, match="its own zones"):
        await flydowns.set(Flydown(owner=owner, zones=(Zone("menu", Bounds(0, 0, 10, 10), owner),)))
    # Two zones with a window each: the other one goes when the pointer is on the next zone.
    zones = (Zone("menu", Bounds(0, 0, 10, 10), window), Zone("more", Bounds(10, 0, 10, 10), second))
    await flydowns.set(Flydown(owner=owner, zones=zones))
    assert desk.host.watches_pointer
    place = desk.host.bounds(owner)
    assert place is not None
    for x, over, hidden in ((5, "another window", {window, second}), (5, owner, {second}), (15, owner, {window})):
        desk.host.reports.report(PointerMoved(left=place.left + x, top=place.top + 5, over=over))
        async with asyncio.timeout(20):
            while desk.host.hidden != hidden:  # noqa: ASYNC110 - the host has no event for it
                await asyncio.sleep(0)
    await desk.host.close_window(second)
    await background.close()
    assert not desk.host.watches_pointer
