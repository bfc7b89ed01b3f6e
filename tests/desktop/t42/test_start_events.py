"""What clients of the desktop hear about instances that start, in which order."""

import asyncio
from typing import Any

import pytest

from rostrum.desktop.errors import LaunchFailed
from rostrum.gateway.local.methods import LocalSubscription
from tests.desktop.test_identities import bearing, signed_in
from tests.desktop.test_platform import APPS, Desk, desk, until

__all__ = ["desk"]


async def heard_from(stream: LocalSubscription, count: int) -> list[Any]:
    async with asyncio.timeout(60):
        return [await stream.events.get() for _ in range(count)]


async def test_a_start_that_fails_is_announced_and_followed_by_the_failure(desk: Desk) -> None:
    desk.write_app("broken", type="exe", details={"command": "no-such-program"})
    desk.system(**APPS)
    async with desk.running() as platform:
        watcher = await platform.gateway.local_peer("watcher", "ann")
        streams = ("T42.ACS.OnEvent", "Rostrum.Platform.Changes")
        await until(lambda: all(watcher.methods.find(name) is not None for name in streams))
        acs, changes = [await watcher.methods.subscribe(name) for name in streams]
        assert "OnApplicationAdded" in (await heard_from(acs, 1))[0]

        with pytest.raises(LaunchFailed):
            await platform.services.instances.start("broken")

        heard = await heard_from(acs, 3)
        kinds = ["OnApplicationStarted", "OnApplicationStartFailed", "OnApplicationStopped"]
        assert [[*one] for one in heard] == [[kind] for kind in kinds]
        [(identity, name)] = {(one["Id"], one["Name"]) for event in heard for found in event.values() for one in found}
        assert name == "broken"
        told = await heard_from(changes, 2)
        assert told == [{"started": identity, "app": "broken"}, {"ended": identity, "app": "broken"}]


async def test_an_instance_states_which_instance_has_started_it(desk: Desk) -> None:
    desk.write_app("page")
    desk.system(**APPS)
    async with desk.running() as platform:
        instances = platform.services.instances
        first = await instances.start("page")
        assert first.started_by.kind == "autoStart"
        token = bearing(platform.services.tokens.token(first.id))
        async with signed_in(platform.gateway.address, token, application="forged", instance="forged") as page:
            second = (await page.call("Apps.Start", name="page"))["id"]
        found = instances.get(second)
        assert found is not None
        assert (found.started_by.kind, found.started_by.app, found.started_by.instance) == (
            "application",
            "page",
            first.id,
        )
