"""Windows that their definition docks to an edge or places on the display, with a whole platform."""

from typing import Any

import pytest

from rostrum.desktop.errors import LaunchFailed
from rostrum.desktop.hosts.actions import ClaimEdge
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import Dropped, ScreensChanged
from rostrum.desktop.launch.launcher import Placement
from rostrum.desktop.windows.geometry import Bounds, Screen
from tests.desktop.test_platform import APPS, Desk, desk, until

__all__ = ["desk"]

AREA = Bounds(0, 30, 1000, 770)
SCREEN = Screen("one", AREA, primary=True, bounds=Bounds(0, 0, 1000, 800))
DOCKED = {"enabled": True, "initialPosition": "left", "allowedPositions": ["left", "top"], "width": 300}


class Displays(RecordingHost):
    """A host whose displays a test changes."""

    shown: tuple[Screen, ...] = (SCREEN,)

    def screens(self) -> tuple[Screen, ...]:
        return self.shown


def write(desk: Desk, **apps: dict[str, Any]) -> Displays:
    for name, details in apps.items():
        desk.write_app(name, details={"url": "https://x.example", "width": 400, "height": 200, **details})
    desk.system(**APPS)
    desk.host = Displays()
    return desk.host


async def test_a_window_opens_docked_by_its_definition_and_is_released_by_a_drag(desk: Desk) -> None:
    write(desk, bar={"docking": DOCKED}, claiming={"docking": {**DOCKED, "claimScreenArea": True}})
    async with desk.running() as platform:
        registry = platform.services.windows.registry
        bar = (await platform.services.instances.start("bar")).id
        assert desk.host.windows[bar].bounds == Bounds(0, 30, 300, 770)
        docked = registry.find(bar).docking
        assert docked is not None
        assert (docked.position, docked.size, docked.claims) == ("left", 300, False)
        claiming = (await platform.services.instances.start("claiming")).id
        # One that claims its part is itself the reason why the work area ends there.
        assert desk.host.windows[claiming].bounds == Bounds(0, 0, 300, 800)
        await until(lambda: ("act", (claiming, ClaimEdge(side="left"))) in desk.host.calls)
        desk.host.reports.report(Dropped(instance=bar, bounds=Bounds(400, 200, 300, 770)))
        await until(lambda: registry.find(bar).docking is None)


async def test_a_window_opens_and_stays_at_its_placement_unless_a_layout_puts_it_elsewhere(desk: Desk) -> None:
    placement = {"snapped": True, "horizontalAlignment": "right", "verticalAlignment": "stretch", "width": "50%"}
    host = write(desk, side={"placement": placement})
    async with desk.running() as platform:
        start = platform.services.instances.start
        side = (await start("side")).id
        assert desk.host.windows[side].bounds == Bounds(500, 30, 500, 770)
        elsewhere = (await start("side", placement=Placement(bounds=Bounds(7, 40, 300, 200)))).id
        assert desk.host.windows[elsewhere].bounds == Bounds(7, 40, 300, 200)
        larger = Screen("one", Bounds(0, 0, 1600, 900), primary=True)
        host.shown = (larger,)
        desk.host.reports.report(ScreensChanged(screens=(larger,)))
        await until(lambda: desk.host.bounds(side) == Bounds(800, 0, 800, 900))
        assert desk.host.bounds(elsewhere) == Bounds(7, 40, 300, 200)


async def test_a_window_with_an_invalid_docking_definition_is_not_opened(desk: Desk) -> None:
    write(desk, bar={"docking": {**DOCKED, "initialPosition": "bottom"}}, off={"docking": {**DOCKED, "enabled": False}})
    async with desk.running() as platform:
        with pytest.raises(LaunchFailed, match="must be one of allowedPositions: left, top"):
            await platform.services.instances.start("bar")
        off = (await platform.services.instances.start("off")).id
        assert platform.services.windows.registry.find(off).docking is None
