"""The session of this desktop at the manager."""

import asyncio
import logging
import math
import platform as machine_facts
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from rostrum.base.retry import Sleep
from rostrum.client.changes import ManagerChanges
from rostrum.client.credentials import Bearer
from rostrum.client.errors import NotPermitted, Refused, ServiceFailed
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from rostrum.contracts.sessions import OpenedSession

_log = logging.getLogger(__name__)
_HEARTBEAT = 60.0
_RECEIPT_WITHIN = 10.0
_GONE = 404
_WRONG = 400
# Renewed well before it ends, so that a slow manager does not end the session.
_REFRESH_AT = 0.5


async def _nothing() -> None:
    return None


class ManagerSession:
    """Keeps the session and its token valid, and opens a new one when the manager no longer has it.

    Attributes:
        id: The session's id; empty while there is none.
    """

    def __init__(
        self,
        login: Service,
        work: Service,
        opening: dict[str, Any],
        commands: Sequence[str],
        *,
        confirm: Callable[[], Awaitable[None]] = _nothing,
        refresh_interval: float | None = None,
        refuse: Callable[[], Awaitable[None]] = _nothing,
        sleep: Sleep = asyncio.sleep,
        spread: Callable[[], float] = random.random,
    ) -> None:
        """Use the service with the user's credentials, and the one that gets the session's token.

        ``confirm`` is called after each accepted heartbeat, ``refuse`` when the manager no longer accepts the user's
        credentials. The token is renewed every ``refresh_interval`` seconds, at the latest after half of its lifetime.
        """
        self.id = ""
        self._login = ManagerClient(login)
        self._work = work
        self._client = ManagerClient(work)
        self._opening = {**opening, "commands": list(commands)}
        self._sleep = sleep
        self._spread = spread
        self._confirm = confirm
        self._refuse = refuse
        self._changes: ManagerChanges | None = None
        self._has_news = asyncio.Event()
        self._lasts = 3600.0
        self._refresh_interval = refresh_interval or math.inf
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Open the session, and send heartbeats."""
        self._take(await self._login.open_session(self._opening))
        self._tasks = [
            asyncio.create_task(self._beat(), name="manager heartbeat"),
            asyncio.create_task(self._refresh(), name="manager token"),
        ]

    def report(self, changes: ManagerChanges) -> None:
        """Report the revisions in use to the manager with each heartbeat."""
        self._changes = changes
        changes.grown.connect(lambda _: self._has_news.set())

    async def close(self) -> None:
        """Report the end to the manager, if it responds soon."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        if self.id:
            try:
                await self._client.close_session(self.id)
            except ServiceFailed as error:
                _log.info("the manager could not be notified that this desktop stops: %s", error)
            self.id = ""

    def _take(self, opened: OpenedSession) -> None:
        self.id = opened.id
        self._lasts = float(opened.expires_in)
        self._work.credentials = Bearer(opened.token, self._work.origin)

    async def _beat(self) -> None:
        while True:
            await self._pause()
            applied = {str(kind): at for kind, at in self._changes.applied.items()} if self._changes is not None else {}
            try:
                await self._client.heartbeat(self.id, applied=applied)
                await self._confirm()
            except (NotPermitted, Refused) as error:
                if isinstance(error, NotPermitted) or error.status == _GONE:
                    await self._reopen()
                elif error.status == _WRONG and self._changes is not None:
                    # The revisions of the manager restarted, as after a restored backup, so all are reported again.
                    self._changes.applied.clear()
            except ServiceFailed as error:
                _log.info("no heartbeat: %s", error)

    async def _pause(self) -> None:
        """Wait for the next heartbeat; it is sent earlier if there are changes to report."""
        turn = asyncio.create_task(_wait(self._sleep, _HEARTBEAT))
        news = asyncio.create_task(self._has_news.wait())
        try:
            await asyncio.wait({turn, news}, return_when=asyncio.FIRST_COMPLETED)
            if not turn.done():
                # All desktops receive a change at the same time; random delays spread their responses.
                await self._sleep(_RECEIPT_WITHIN * self._spread())
        finally:
            turn.cancel()
            news.cancel()
        self._has_news.clear()

    async def _refresh(self) -> None:
        while True:
            await self._sleep(max(1.0, min(self._refresh_interval, self._lasts * _REFRESH_AT)))
            try:
                fresh = await self._client.refresh_token()
            except NotPermitted:
                await self._reopen()
            except ServiceFailed as error:
                _log.info("the token is not fresh: %s", error)
            else:
                self._lasts = float(fresh.expires_in)
                self._work.credentials = Bearer(fresh.token, self._work.origin)

    async def _reopen(self) -> None:
        try:
            self._take(await self._login.open_session(self._opening))
            _log.info("a new session with the manager is open")
        except NotPermitted as error:
            _log.warning("the session with the manager is lost: %s", error)
            await self._refuse()
        except ServiceFailed as error:
            _log.warning("the session with the manager is lost: %s", error)


async def _wait(sleep: Sleep, seconds: float) -> None:
    await sleep(seconds)


def machine() -> dict[str, Any]:
    """Return the description of this computer."""
    return {
        "name": machine_facts.node(),
        "os": f"{machine_facts.system()} {machine_facts.release()}",
        "cpu": machine_facts.machine(),
    }
