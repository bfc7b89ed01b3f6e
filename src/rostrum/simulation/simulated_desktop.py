"""A simulated desktop: signs in, holds a session, fetches changes and responds to commands."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any

from rostrum.client.changes import ChangedContent, ChangeFeed, ManagerChanges
from rostrum.client.credentials import Basic
from rostrum.client.errors import NotPermitted, ServiceFailed
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Reply, Service
from rostrum.desktop.commands import CommandRunner
from rostrum.desktop.manager_session import ManagerSession
from rostrum.simulation.command_results import CommandResults
from rostrum.stores.errors import StoreFailed
from rostrum.stores.poll import Poller

_log = logging.getLogger(__name__)

_RETRY = 30.0
_RETRY_WHEN_REFUSED = 300.0
"""Seconds until a rejected sign-in is retried: the user may have been enabled again."""
_POLL = 60.0
_RECEIPT_SHARE = 0.2
"""Receipts follow a change within this fraction of the time over which desktops of a large firm spread them."""


class SimulatedDesktop:
    """A desktop of the demo that uses the real client code, without windows and apps."""

    def __init__(
        self, address: str, password: str, desktop: Mapping[str, Any], signing_in: AbstractAsyncContextManager[Any]
    ) -> None:
        """Use the manager's address, the password of the demo users, and an entry of the demo's desktops.

        Desktops that share ``signing_in`` sign in one after the other: password checks are slow by design, and users of
        the demo must not wait for all desktops.
        """
        self._address = address
        self._password = password
        self._user: str = desktop["user"]
        self._commands = tuple(desktop["commands"])
        self._opening = {name: desktop[name] for name in ("machine", "version", "env", "region", "product")}
        self._signing_in = signing_in
        self._was_refused = False

    async def run(self) -> None:
        """Run until cancelled; open a new session after a restart or when the manager is available again."""
        while True:
            try:
                await self._run_once()
            except NotPermitted as error:
                if not self._was_refused:
                    _log.warning(
                        "The simulated desktop of %s cannot sign in: %s. It stays offline while the user is disabled"
                        " or has another password than the one in the settings.",
                        self._user,
                        error,
                    )
                self._was_refused = True
                await asyncio.sleep(_RETRY_WHEN_REFUSED)
            except ServiceFailed as error:
                _log.info("the simulated desktop of %s retries: %s", self._user, error)
                await asyncio.sleep(_RETRY)
            else:
                self._was_refused = False

    async def _run_once(self) -> None:
        """Hold one session until the desktop restarts."""
        async with AsyncExitStack() as parts:
            login = await parts.enter_async_context(Service(self._address, Basic(self._user, self._password)))
            work = await parts.enter_async_context(Service(self._address))
            session = ManagerSession(
                login,
                work,
                self._opening,
                self._commands,
                spread=lambda: _RECEIPT_SHARE * random.random(),  # noqa: S311 - no secret
            )
            async with self._signing_in:
                await session.open()
            parts.push_async_callback(session.close)
            client = ManagerClient(work)
            changes = ManagerChanges(client)
            session.report(changes)
            pollers = {kind: _poller(kind, fetch, changes) for kind, fetch in self._fetches(client).items()}
            for poller in pollers.values():
                poller.listen()
                poller.start()
                parts.push_async_callback(poller.stop)
            restarting = asyncio.Event()
            results = CommandResults(
                commands=self._commands,
                machine=self._opening["machine"],
                refresh=pollers["apps"].wake,
                restart=restarting.set,
                send_feedback=client.send_feedback,
            )
            runner = CommandRunner(client, changes, lambda: session.id, results.handlers())
            runner.start()
            parts.push_async_callback(runner.stop)
            changes.start()
            parts.push_async_callback(changes.stop)
            await restarting.wait()
            # Wait until the response was sent: the session accepts none after its end.
            await runner.run_pending()

    def _fetches(self, client: ManagerClient) -> "dict[ChangedContent, Callable[[str | None], Awaitable[Reply]]]":
        version = {"version": self._opening["version"]}

        def configuration(etag: str | None) -> Awaitable[Reply]:
            return client.service.request("GET", "/systemConfig/get", query=version, etag=etag)

        return {
            "apps": client.apps,
            "layouts": client.layouts.all,
            "prefs": client.preferences.all,
            "systemConfig": configuration,
        }


def _poller(kind: ChangedContent, fetch: Callable[[str | None], Awaitable[Reply]], changes: ManagerChanges) -> Poller:
    """Fetch a kind of documents when it changes; only the version of the response is stored."""
    etag: str | None = None

    async def ask() -> None:
        nonlocal etag
        try:
            etag = (await fetch(etag)).etag
        except ServiceFailed as error:
            raise StoreFailed(str(error)) from error

    return Poller(kind, ask, _POLL, feed=ChangeFeed(changes, kind))
