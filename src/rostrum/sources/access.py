"""SourceAccess: with which credentials each remote source is asked, and which sources are not asked at all."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx

from rostrum.base.addresses import url_origin
from rostrum.sources.source import Source

AskSource = Callable[[str], Awaitable[httpx.Auth | None]]
"""Asks the user for credentials for one origin; None when the user gives none."""


async def _nobody(_: str) -> httpx.Auth | None:
    return None


class SourceAccess:
    """Credentials by origin: those of the manager go to its origin only, others only where the user entered them."""

    def __init__(
        self,
        origin: str | None = None,
        account: str = "",
        auth: Callable[[], httpx.Auth | None] = lambda: None,
        *,
        offline_reason: Callable[[], str | None] = lambda: None,
        ask: AskSource = _nobody,
    ) -> None:
        """Use the origin of the manager, the account that is signed in there and its credentials.

        While ``offline_reason`` returns a text, the sources of the manager are not asked.
        """
        self._origin = origin
        self._account = account
        self._auth = auth
        self._offline_reason = offline_reason
        self._ask = ask
        self._asking = asyncio.Lock()
        self._may_ask = True
        self._entered: dict[str, httpx.Auth | None] = {}

    def auth_for(self, address: str) -> httpx.Auth | None:
        """Return the credentials for one request; None for origins that get none."""
        origin = url_origin(address)
        if origin is None:
            return None
        return self._auth() if origin == self._origin else self._entered.get(origin)

    def offline_reason(self, source: Source) -> str | None:
        """Return why a source is not asked now; None when it is."""
        return self._offline_reason() if self._is_managers(source) else None

    def account_of(self, source: Source) -> str:
        """Return whose answer a source gives; empty for sources that answer everybody the same."""
        return self._account if self._is_managers(source) else ""

    def may_keep(self, source: Source) -> bool:
        """Return whether an answer may be kept on disk: not if it required credentials that only this run knows."""
        return self._entered.get(url_origin(source.source) or "") is None

    async def enter(self, address: str) -> bool:
        """Ask the user for the credentials of a source that requires them; at most once for each origin."""
        origin = url_origin(address)
        if origin is None or origin == self._origin:
            return False
        async with self._asking:
            if origin not in self._entered and self._may_ask:
                self._entered[origin] = await self._ask(origin)
        return self._entered.get(origin) is not None

    def stop_asking(self) -> None:
        """Ask the user no more: nobody waits for a prompt while the desktop runs."""
        self._may_ask = False

    def _is_managers(self, source: Source) -> bool:
        return self._origin is not None and url_origin(source.source) == self._origin
