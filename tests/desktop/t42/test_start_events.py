"""What clients of the desktop hear about instances that start, in which order."""

import pytest

from rostrum.desktop.errors import LaunchFailed
from tests.desktop.test_platform import APPS, Desk, desk, until

__all__ = ["desk"]


async def test_a_start_that_fails_is_announced_and_followed_by_the_failure(desk: Desk) -> None:
    desk.write_app("broken", type="exe", details={"command": "no-such-program"})
    desk.system(**APPS)
    async with desk.running() as platform:
        watcher = await platform.gateway.local_peer("watcher", "ann")
        streams = ("T42.ACS.OnEvent", "Rostrum.Platform.Changes")
        await until(lambda: all(watcher.methods.find(name) is not None for name in streams))
        acs, changes = [(await watcher.methods.subscribe(name)).events for name in streams]
        assert "OnApplicationAdded" in await acs.get()

        with pytest.raises(LaunchFailed):
            await platform.services.instances.start("broken")

        heard = [await acs.get() for _ in range(3)]
        kinds = ["OnApplicationStarted", "OnApplicationStartFailed", "OnApplicationStopped"]
        assert [[*one] for one in heard] == [[kind] for kind in kinds]
        [(identity, name)] = {(one["Id"], one["Name"]) for event in heard for found in event.values() for one in found}
        assert name == "broken"
        told = [await changes.get() for _ in range(2)]
        assert told == [{"started": identity, "app": "broken"}, {"ended": identity, "app": "broken"}]
