"""Commands of the manager: fetched when reported, executed once, and answered."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.client.changes import ChangeFeed, ManagerChanges
from rostrum.client.errors import ServiceFailed
from rostrum.client.manager_client import ManagerClient
from rostrum.contracts.sessions import PendingCommand
from rostrum.desktop.errors import NotInThisMode, NotOnThisSystem
from rostrum.stores.errors import StoreFailed
from rostrum.stores.poll import Poller

_log = logging.getLogger(__name__)
_INTERVAL = 30.0
_MOST_REMEMBERED = 1000

Handler = Callable[[Mapping[str, Any]], Awaitable[Any]]
"""Executes a command with its parameters and returns the data of the response."""


class CommandRunner:
    """Fetches commands, executes them in order, and reports the results."""

    def __init__(
        self,
        client: ManagerClient,
        changes: ManagerChanges,
        session: Callable[[], str],
        handlers: Mapping[str, Handler],
        *,
        interval: float = _INTERVAL,
    ) -> None:
        self._client = client
        self._session = session
        self._handlers = dict(handlers)
        self._answers: dict[str, tuple[str, Any]] = {}
        self._poller = Poller("commands", self.run_pending, interval, feed=ChangeFeed(changes, "commands"))
        self._busy = asyncio.Lock()

    def start(self) -> None:
        """Fetch commands now, and when the manager reports them."""
        self._poller.listen()
        self._poller.start()
        self._poller.wake()

    async def stop(self) -> None:
        """Stop fetching commands."""
        await self._poller.stop()

    async def run_pending(self) -> None:
        """Execute pending commands; a lost response is sent again without running the command again."""
        session = self._session()
        if not session:
            return
        async with self._busy:
            try:
                for command in await self._client.commands(session):
                    status, data = self._answers.get(command.id) or await self._carried_out(command)
                    self._remember(command.id, status, data)
                    await self._client.answer_command(session, command.id, status, data)
            except ServiceFailed as error:
                raise StoreFailed(str(error)) from error

    async def _carried_out(self, command: PendingCommand) -> tuple[str, Any]:
        handler = self._handlers.get(command.command)
        if handler is None:
            return "unsupported", {"message": f"this desktop does not know the command {command.command}"}
        try:
            return "done", await handler(command.params)
        except (NotInThisMode, NotOnThisSystem) as error:
            return "unsupported", {"message": str(error)}
        except RostrumError as error:
            return "failed", {"message": str(error)}
        except Exception:  # noqa: BLE001 - a handler may be anybody's
            _log.exception("the command %s failed", command.command)
            return "failed", {"message": "the command failed; see the log of the desktop"}

    def _remember(self, command: str, status: str, data: Any) -> None:
        self._answers[command] = (status, data)
        while len(self._answers) > _MOST_REMEMBERED:
            self._answers.pop(next(iter(self._answers)))
