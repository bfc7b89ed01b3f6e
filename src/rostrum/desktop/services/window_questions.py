"""Handlers of apps that are called before a window is closed, reloaded or navigated."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from typing import Any, Literal

from rostrum.base.errors import RostrumError
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import AskHandlers
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import MayRefresh, Reports, WindowClosed

_log = logging.getLogger(__name__)
_TIMEOUT = 10.0
"""Time limit in seconds for handlers; after it, the operation continues."""
_MOST_APPS = 100

Ask = Callable[[Mapping[str, Any]], Awaitable[bool]]
"""Calls the handler of one app with data for its decision; False if the app prevents the operation."""


class Asked(StrEnum):
    """Operations that apps may prevent."""

    CLOSING = "OnClosing"
    REFRESHING = "OnRefreshing"
    NAVIGATING = "OnNavigating"


_EVENTS: Mapping[Asked, Literal["close", "refresh", "navigate"]] = {
    Asked.CLOSING: "close",
    Asked.REFRESHING: "refresh",
    Asked.NAVIGATING: "navigate",
}


class WindowQuestions:
    """Stores which peers have handlers for which operations and windows, and calls them in parallel."""

    def __init__(self, reports: Reports, host: WindowHost | None = None, *, timeout: float = _TIMEOUT) -> None:
        """Answer the window host's question about reloading a page; other services answer the other questions.

        ``host`` calls the handlers that pages have added themselves (``addCloseHandler`` and similar functions).
        """
        self._host = host
        self._timeout = timeout
        self._asks: dict[tuple[Asked, str], dict[str, Ask]] = {}
        reports.handle(MayRefresh, self._may_refresh)
        reports.listen(WindowClosed, lambda told: self._forget_window(told.instance))

    def add(self, what: Asked, window: str, peer: str, ask: Ask) -> None:
        """Add a handler of a peer; a peer is called once, even if it is added several times."""
        asks = self._asks.setdefault((what, window), {})
        if peer not in asks and len(asks) >= _MOST_APPS:
            raise DesktopError(f"{_MOST_APPS} apps are asked about this window already, which is the limit.")
        asks[peer] = ask

    def remove(self, what: Asked, window: str, peer: str) -> None:
        """Remove a handler of a peer."""
        asks = self._asks.get((what, window), {})
        asks.pop(peer, None)
        if not asks:
            self._asks.pop((what, window), None)

    def forget(self, peer: str) -> None:
        """Remove a peer that has left."""
        for what, window in [key for key, asks in self._asks.items() if peer in asks]:
            self.remove(what, window, peer)

    async def may(self, what: Asked, window: str, **details: Any) -> bool:
        """Call the handlers of all apps and pages; True unless one prevents the operation."""
        asks = [*self._asks.get((what, window), {}).values()]
        answers = (self._answer(ask, details) for ask in asks)
        return all(await asyncio.gather(self._pages_allow(what, window, details), *answers))

    async def may_navigate(self, window: str, url: str) -> bool:
        """Return whether a window may navigate to another address."""
        return await self.may(Asked.NAVIGATING, window, newUrl=url)

    async def _pages_allow(self, what: Asked, window: str, details: Mapping[str, Any]) -> bool:
        # The host knows the time limit of each page.
        if self._host is None:
            return True
        try:
            return await self._host.act(window, AskHandlers(event=_EVENTS[what], details=details)) is not False
        except DesktopError:
            return True

    async def _answer(self, ask: Ask, details: Mapping[str, Any]) -> bool:
        try:
            async with asyncio.timeout(self._timeout):
                return await ask(details)
        except (TimeoutError, RostrumError) as error:
            # An app that fails must not keep a window open forever.
            reason = str(error) or f"{self._timeout:g} s have passed"
            _log.warning("an app did not answer before a window changed: %s", reason)
            return True

    async def _may_refresh(self, question: MayRefresh) -> bool:
        return await self.may(Asked.REFRESHING, question.instance)

    def _forget_window(self, window: str) -> None:
        for what in Asked:
            self._asks.pop((what, window), None)
