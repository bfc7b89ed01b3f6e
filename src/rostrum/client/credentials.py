"""Credentials: how requests prove who asks."""

from collections.abc import Generator
from typing import Protocol

import httpx

from rostrum.client.kerberos import KerberosTicket
from rostrum.settings.types import Auth

__all__ = ["NOBODY", "Basic", "Bearer", "Credentials", "credentials_for"]


class Credentials(Protocol):
    """Attaches the proof to a request."""

    def auth(self) -> httpx.Auth | None:
        """Return what the HTTP library calls for each request."""
        ...


class _Nobody:
    """Sends no proof."""

    def auth(self) -> httpx.Auth | None:
        """Return nothing to call."""
        return None


NOBODY: Credentials = _Nobody()


def credentials_for(auth: Auth | None) -> Credentials:
    """Return what the settings of a REST store ask for."""
    return NOBODY if auth is None or auth == "no-auth" else KerberosTicket(auth)


class Basic:
    """A user name and a password, sent with every request (RFC 7617, UTF-8)."""

    def __init__(self, user: str, password: str) -> None:
        """Keep them in memory only."""
        self.user = user
        self._auth = httpx.BasicAuth(user.encode(), password.encode())

    def auth(self) -> httpx.Auth | None:
        """Return the ready header."""
        return self._auth


class Bearer:
    """A token that may be replaced while requests go on.

    Attributes:
        token: The token in force.

    """

    def __init__(self, token: str) -> None:
        """Start with one token."""
        self.token = token

    def auth(self) -> httpx.Auth | None:
        """Read the token anew for each request."""
        return _BearerAuth(self)


class _BearerAuth(httpx.Auth):
    def __init__(self, bearer: Bearer) -> None:
        self._bearer = bearer

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._bearer.token}"
        yield request
