"""Credentials of requests."""

from collections.abc import Generator
from typing import Protocol

import httpx

from rostrum.client.errors import Unreachable
from rostrum.client.kerberos import KerberosTicket
from rostrum.settings.types import Auth


class Credentials(Protocol):
    """Adds credentials to a request.

    Attributes:
        origin: The only origin that may receive them; None if they contain no reusable secret, such as a ticket.
    """

    @property
    def origin(self) -> str | None:
        """Return the only origin that may receive the credentials."""
        ...

    def auth(self) -> httpx.Auth | None:
        """Return the object that the HTTP library calls for each request."""
        ...


class _Nobody:
    """No credentials."""

    origin: str | None = None

    def auth(self) -> httpx.Auth | None:
        return None


NOBODY: Credentials = _Nobody()


class NotSignedIn:
    """Rejects all requests in the same way as while the service is not reachable."""

    origin: str | None = None

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def auth(self) -> httpx.Auth | None:
        """Reject the request."""
        raise Unreachable(self._reason)


def credentials_for(auth: Auth | None) -> Credentials:
    """Return the credentials that the settings of a REST store configure."""
    return NOBODY if auth is None or auth == "no-auth" else KerberosTicket(auth)


class Basic:
    """A user name and a password, sent with every request (RFC 7617, UTF-8)."""

    def __init__(self, user: str, password: str, origin: str | None = None) -> None:
        self.user = user
        self.origin = origin
        self._auth = httpx.BasicAuth(user.encode(), password.encode())

    def auth(self) -> httpx.Auth | None:
        """Return the prepared header."""
        return self._auth


class Bearer:
    """A token that can be replaced at any time.

    Attributes:
        token: The current token.
    """

    def __init__(self, token: str, origin: str | None = None) -> None:
        self.token = token
        self.origin = origin

    def auth(self) -> httpx.Auth | None:
        """Read the current token for each request."""
        return _BearerAuth(self)


class _BearerAuth(httpx.Auth):
    def __init__(self, bearer: Bearer) -> None:
        self._bearer = bearer

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._bearer.token}"
        yield request
