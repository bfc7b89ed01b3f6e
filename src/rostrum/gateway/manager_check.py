"""Checks log-ins by asking a manager who the user is."""

import asyncio
from typing import Any

import httpx
import msgspec

from rostrum.gateway.authentication import Account, CannotCheck

__all__ = ["ManagerCheck"]

_PATIENCE = 10.0
_MOST_AT_ONCE = 16
_MOST_WAITING = 1000
_LONGEST_ANSWER = 1024 * 1024


class ManagerCheck:
    """Takes those whom the manager takes, by the name it knows them under."""

    def __init__(self, base_url: str, client: httpx.AsyncClient | None = None, *, patience: float = _PATIENCE) -> None:
        """Take the manager's address, the prefix of its API included."""
        self._address = f"{base_url.rstrip('/')}/me"
        self._client = client or httpx.AsyncClient(follow_redirects=False, timeout=patience)
        self._patience = patience
        self._turn = asyncio.Semaphore(_MOST_AT_ONCE)
        self._waiting = 0

    async def check(self, login: str, secret: str, address: str) -> Account | None:  # noqa: ARG002
        """Ask the manager."""
        if ":" in login:
            # Basic credentials end the name at the first colon: another user would be asked for.
            return None
        if self._waiting >= _MOST_WAITING:
            raise CannotCheck("Too many log-ins at once")
        self._waiting += 1
        try:
            async with self._turn, asyncio.timeout(self._patience):
                answer = await self._client.get(self._address, auth=httpx.BasicAuth(login, secret))
        except (TimeoutError, httpx.HTTPError, httpx.InvalidURL):
            raise CannotCheck("The manager cannot be asked who you are") from None
        finally:
            self._waiting -= 1
        return _account(answer)

    async def close(self) -> None:
        """Close the connections to the manager."""
        await self._client.aclose()


def _account(answer: httpx.Response) -> Account | None:
    if answer.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        return None
    if answer.status_code != httpx.codes.OK or len(answer.content) > _LONGEST_ANSWER:
        raise CannotCheck(f"The manager answered {answer.status_code} when asked who you are")
    try:
        me: Any = msgspec.json.decode(answer.content)
        user = me["id"]
    except (msgspec.DecodeError, RecursionError, KeyError, TypeError):
        raise CannotCheck("The manager's answer cannot be read") from None
    if not isinstance(user, str) or not user:
        raise CannotCheck("The manager's answer cannot be read")
    return Account(user=user)
