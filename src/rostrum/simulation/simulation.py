"""Runs the simulated desktops of the demo in a thread of the manager's process."""

import asyncio
import logging
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from rostrum.manager.demo.read import read_demo
from rostrum.manager.demo.refresh import refresh_demo
from rostrum.manager.topics import manager_storage

_STOP_SECONDS = 5.0
_CLIENT_LOGGERS = ("rostrum.client", "rostrum.desktop", "rostrum.stores")


async def prepare_simulation(store: str, password: str) -> "Simulation":
    """Set the demo's times relative to now, and choose the desktops of demo users who exist in this database."""
    content = read_demo()
    storage = manager_storage(store)
    try:
        await storage.open()
        users = await refresh_demo(storage, content)
    finally:
        await storage.close()
    online = [desktop for desktop in content.desktops if desktop["online"] and desktop["user"] in users]
    return Simulation(online if password else [], password)


class Simulation:
    """Runs simulated desktops in a thread, not a process, so that they always end with the manager.

    Attributes:
        desktops: The running desktops, as described in the demo's content.
    """

    def __init__(self, desktops: Sequence[dict[str, Any]], password: str) -> None:
        """Use the password of the demo users; it stays in this process."""
        self.desktops = tuple(desktops)
        self._password = password
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._begun = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, address: str) -> None:
        """Start to sign in at a running manager, without waiting."""
        if not self.desktops:
            return
        # Errors of simulated desktops do not belong in the manager's log.
        for name in _CLIENT_LOGGERS:
            logging.getLogger(name).setLevel(logging.ERROR)
        self._thread = threading.Thread(target=self._run, args=(address,), name="rostrum-simulation", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End all sessions and the thread, before the manager stops."""
        if self._thread is None:
            return
        self._begun.wait(_STOP_SECONDS)
        if self._loop is not None and self._stopping is not None:
            # Raised if the loop has already ended.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(_STOP_SECONDS)

    def _run(self, address: str) -> None:
        try:
            asyncio.run(self._run_desktops(address))
        finally:
            self._begun.set()

    async def _run_desktops(self, address: str) -> None:
        # Imported here, to keep the start of the manager fast.
        from rostrum.simulation.simulated_desktop import SimulatedDesktop

        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        self._begun.set()
        signing_in = asyncio.Lock()
        desktops = [SimulatedDesktop(address, self._password, one, signing_in) for one in self.desktops]
        tasks = [asyncio.create_task(one.run(), name="simulated desktop") for one in desktops]
        await self._stopping.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
