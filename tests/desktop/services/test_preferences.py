"""Apps of a running platform that are notified of changed preferences."""

import asyncio
from typing import Any

import pytest

from rostrum.gateway import CallFailed
from tests.desktop.test_platform import Desk, desk, until
from tests.stores.rest_service import rest_service

__all__ = ["desk"]

STREAM = "Rostrum.Preferences.Changes"


async def first(events: Any) -> Any:
    async with asyncio.timeout(60):
        return await anext(aiter(events))


@pytest.mark.rule("R-2.14-3")
async def test_apps_subscribe_to_preferences_and_are_notified_of_what_a_service_has_new(desk: Desk) -> None:
    async with rest_service() as rest:
        rest.paths = {"preferences": "/kept/for/us"}
        store = {"type": "rest", "restClientAuth": "no-auth", "restURL": f"{rest.address}/kept/for/us"}
        desk.system(applicationPreferences={"store": {**store, "newDataCheckInterval": 0.02}})
        async with desk.running() as platform:
            clock = await platform.gateway.local_peer("clock", "ann")
            own = await clock.methods.subscribe(STREAM)
            mail = await clock.methods.subscribe(STREAM, {"app": "mail"})
            rest.preferences["mail"] = {"box": 1}
            assert await first(mail) == {"app": "mail", "data": {"box": 1}}
            rest.preferences["clock"] = {"zone": "Oslo"}
            assert await first(own) == {"app": "clock", "data": {"zone": "Oslo"}}
            await clock.methods.call("Rostrum.Preferences.Set", {"app": "clock", "data": {"zone": "Bern"}})
            assert await first(own) == {"app": "clock", "data": {"zone": "Bern"}}
            assert rest.preferences["clock"] == {"zone": "Bern"}
            for wrong in ("", 5, None):
                with pytest.raises(CallFailed, match="app must be the name"):
                    await clock.methods.subscribe(STREAM, {"app": wrong})
            await own.close()
            await mail.close()
            # The service is asked no more once the last subscriber has left and the turn under way is over.
            await until(lambda: not platform.stores.preferences._listeners)  # type: ignore[attr-defined]
