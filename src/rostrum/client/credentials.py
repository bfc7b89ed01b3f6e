"""Credentials: how requests prove who asks."""

from collections.abc import Generator
from typing import Protocol

import httpx

from rostrum.client.errors import Unreachable
from rostrum.client.kerberos import KerberosTicket
from rostrum.settings.types import Auth


class Credentials(Protocol):
    """Attaches the proof to a request.

    Attributes:
        origin: The origin that the proof is for; None for one that shows no secret, such as a ticket.

    """

    @property
    def origin(self) -> str | None:
        """Return the only origin that may see the proof."""
        ...

    def auth(self) -> httpx.Auth | None:
        """Return what the HTTP library calls for each request."""
        ...


class _Nobody:
    """Sends no proof."""

    origin: str | None = None

    def auth(self) -> httpx.Auth | None:
        return None


NOBODY: Credentials = _Nobody()


class NotSignedIn:
    """Sends no request at all: each one fails as it does while the service cannot be reached."""

    origin: str | None = None

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def auth(self) -> httpx.Auth | None:
        """Refuse the request."""
        raise Unreachable(self._reason)


def credentials_for(auth: Auth | None) -> Credentials:
    """Return what the settings of a REST store ask for."""
    return NOBODY if auth is None or auth == "no-auth" else KerberosTicket(auth)


class Basic:
    """A user name and a password, sent with every request (RFC 7617, UTF-8)."""

    def __init__(self, user: str, password: str, origin: str | None = None) -> None:
        self.user = user
        self.origin = origin
        self._auth = httpx.BasicAuth(user.encode(), password.encode())

    def auth(self) -> httpx.Auth | None:
        """Return the ready header."""
        return self._auth


class Bearer:
    """A token that may be replaced while requests go on.

    Attributes:
        token: The effective token.

    """

    def __init__(self, token: str, origin: str | None = None) -> None:
        self.token = token
        self.origin = origin

    def auth(self) -> httpx.Auth | None:
        """Read the token anew for each request."""
        return _BearerAuth(self)


class _BearerAuth(httpx.Auth):
    def __init__(self, bearer: Bearer) -> None:
        self._bearer = bearer

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._bearer.token}"
        yield request
