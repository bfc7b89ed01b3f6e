"""What a node does for its clients ends with it."""

import asyncio
from typing import NoReturn

from rostrum.base.clock import SettableClock
from rostrum.manager.access.identity import Identity
from rostrum.manager.audiences import Announcement, EventKind
from rostrum.manager.auth.caller import Caller, Method
from rostrum.manager.events.live import LiveUpdates
from rostrum.manager.storage import Storage
from tests.conftest import manager_config


async def test_a_check_of_a_sign_in_ends_before_the_database_is_closed(
    storage: Storage, store: str, clock: SettableClock
) -> None:
    has_begun = asyncio.Event()

    async def check(*_: object) -> NoReturn:
        has_begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    live = LiveUpdates(manager_config(store), storage, clock, check)
    identity = Identity(user="ann", groups=frozenset(), permissions=frozenset())
    ann = Caller(identity=identity, method=Method.PASSWORD, epoch=0)
    async with live.running():
        with live.joined(ann, None):
            live.hub.on_change(1, [Announcement(EventKind.ACCESS, 1, "ann")])
            async with asyncio.timeout(30):
                await has_begun.wait()
            (checking,) = live.hub.checks
    assert checking.cancelled()
    assert live.hub.checks == set()
