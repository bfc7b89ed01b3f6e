"""A platform in a process whose disk is full for a while: no file may grow any more. Prints what happened."""

import asyncio
import json
import logging
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.client.layout_calls import RestLayoutCalls
from rostrum.client.preference_calls import RestPreferenceCalls
from rostrum.client.service import Service
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.platform import Platform
from rostrum.sources.load import Start
from rostrum.stores.layouts.remote_store import RemoteLayoutStore
from rostrum.stores.preferences.remote_store import RemotePreferenceStore
from tests.stores.layouts.test_layout_stores import layout
from tests.stores.rest_service import rest_service


@contextmanager
def no_room() -> Iterator[None]:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


async def said(action: Any) -> str:
    try:
        await action
    except RostrumError as error:
        return str(error)
    return "done"


async def files(root: Path) -> dict[str, Any]:
    """Local files: layouts, preferences, crash reports, while the platform runs."""

    async def ask(_: str) -> None:
        return None

    platform = Platform(Start(root=root, variables={"USER": "ann"}), RecordingHost(), ask)
    await platform.start()
    await platform.services.layouts.save("Morning")
    await platform.stores.preferences.set("clock", {"zone": "Oslo"})
    with no_room():
        refused = [
            await said(platform.services.layouts.save("Evening")),
            await said(platform.stores.preferences.set("clock", {"zone": "Bergen"})),
        ]
        platform.crashes.error(ValueError("while the disk is full"))
        kept = await platform.stores.preferences.get("clock")
        names = sorted(key.name for key in platform.stores.layouts.layouts())
    platform.crashes.error(ValueError("when there is room again"))
    accepted = [
        await said(platform.services.layouts.save("Evening")),
        await said(platform.stores.preferences.set("clock", {"zone": "Bergen"})),
    ]
    crashes = len(platform.crashes.waiting)
    await platform.stop()
    return {"refused": refused, "kept": kept, "names": names, "accepted": accepted, "crashes": crashes}


async def outboxes(root: Path) -> dict[str, Any]:
    """Edits for a service that is away."""
    async with rest_service() as rest, Service(rest.address) as service:
        layouts = RemoteLayoutStore("rest", RestLayoutCalls(service), root / "layouts", interval=0)
        preferences = RemotePreferenceStore("rest", RestPreferenceCalls(service), root / "prefs", interval=0, retries=0)
        for store in (layouts, preferences):
            await store.open()
        rest.away = True
        await layouts.save(layout("Before"))
        with no_room():
            refused = [await said(layouts.save(layout("Lost"))), await said(preferences.set("clock", {"x": 1}))]
            shown = sorted(key.name for key in layouts.layouts())
            rest.away = False
            # What waits is sent although nothing can be written; that it was sent is written down later.
            await layouts.refresh()
            sent = sorted(name for _, name in rest.layouts)
        await layouts.refresh()
        await layouts.close()
        again = RemoteLayoutStore("rest", RestLayoutCalls(service), root / "layouts", interval=0)
        waiting = again.waiting
        accepted = await said(preferences.set("clock", {"x": 2}))
        await preferences.close()
        return {
            "refused": refused,
            "shown": shown,
            "sent": sent,
            "waiting": waiting,
            "accepted": accepted,
            "preferences": rest.preferences,
        }


async def main(root: Path) -> None:
    told = {"files": await files(root), "outboxes": await outboxes(root / "remote")}
    json.dump(told, sys.stdout)


# The log file of the platform has no room either.
logging.basicConfig(format="%(message)s", stream=sys.stderr)
asyncio.run(main(Path(sys.argv[1])))
