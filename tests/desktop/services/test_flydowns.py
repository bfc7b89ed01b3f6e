"""How long an app is waited for before its flydown shows."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.desktop.services.flydowns import Flydown, Flydowns
from rostrum.desktop.windows.flydowns import Zone
from rostrum.desktop.windows.geometry import Bounds
from rostrum.gateway.local.methods import RemoteMethod
from rostrum.settings.scope import Mode
from rostrum.settings.sections.window_management import FlydownWindows
from tests.desktop.services.test_groups import Desk
from tests.desktop.services.test_notifications import Timer


@pytest.mark.rule("L-D-21")
@pytest.mark.part_of_rule("R-2.16-14")
@pytest.mark.parametrize(("members", "seconds"), [({}, 0.15), ({"zoneChangeCallbackTimeout": 700}, 0.7)])
async def test_an_app_that_says_nothing_is_waited_for_as_long_as_the_settings_say(
    tmp_path: Path, members: Any, seconds: float
) -> None:
    desk, timer, clock = Desk(tmp_path), Timer(), SettableClock()
    owner, window = await desk.opened("a", "b")

    async def silent(_: RemoteMethod, __: Mapping[str, Any]) -> Any:
        await asyncio.Event().wait()

    settings = FlydownWindows.model_validate(members)
    flydowns = Flydowns(settings, Mode.ADVANCED, desk.host, desk.instances, ask=silent, clock=clock, sleep=timer)
    zone = Zone("menu", Bounds(0, 0, 10, 10))
    method = RemoteMethod("p1", 1, "Menu", {})
    await flydowns.set(Flydown(owner=owner, window=window, zones=(zone,), width=50, height=60, method=method))
    flydowns.pointer(owner, 5, 5)
    clock.advance(1)
    looking = asyncio.create_task(flydowns.look(owner))
    assert await timer.ring() == seconds
    await looking
    assert (desk.host.hidden, desk.host.bounds(window)) == (set(), Bounds(0, 10, 50, 60))
