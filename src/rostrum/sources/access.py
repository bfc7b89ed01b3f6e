"""Credentials of remote sources, and which sources are not requested while the manager is offline."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx

from rostrum.base.addresses import url_origin
from rostrum.sources.source import Source

AskSource = Callable[[str], Awaitable[httpx.Auth | None]]
"""Prompts the user for credentials for one origin; returns None if the user enters none."""


async def _nobody(_: str) -> httpx.Auth | None:
    return None


class SourceAccess:
    """Credentials by origin: those of the manager for its origin, others for the origin where they were entered."""

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

        While ``offline_reason`` returns a text, the sources of the manager are not requested.
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
        """Return the credentials for one request; None for origins without credentials."""
        origin = url_origin(address)
        if origin is None:
            return None
        return self._auth() if origin == self._origin else self._entered.get(origin)

    def offline_reason(self, source: Source) -> str | None:
        """Return why a source is not requested at present; None if it is requested."""
        return self._offline_reason() if self._is_managers(source) else None

    def account_of(self, source: Source) -> str:
        """Return the account that a source's response belongs to; empty if the response does not depend on the user."""
        return self._account if self._is_managers(source) else ""

    def may_keep(self, source: Source) -> bool:
        """Return whether a response may be cached on disk: not if it required credentials entered in this run."""
        return self._entered.get(url_origin(source.source) or "") is None

    async def enter(self, address: str) -> bool:
        """Prompt the user for the credentials of a source that requires them; at most once for each origin."""
        origin = url_origin(address)
        if origin is None or origin == self._origin:
            return False
        async with self._asking:
            if origin not in self._entered and self._may_ask:
                self._entered[origin] = await self._ask(origin)
        return self._entered.get(origin) is not None

    def stop_asking(self) -> None:
        """Disable prompts, which must not appear while the desktop runs."""
        self._may_ask = False

    def _is_managers(self, source: Source) -> bool:
        return self._origin is not None and url_origin(source.source) == self._origin
