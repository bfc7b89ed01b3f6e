"""Signed tokens with which a program signs in without a password."""

import secrets
from datetime import timedelta
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from rostrum.base.clock import Clock

_ALGORITHM = "HS256"
_LONGEST = 16_384
_ACCESS_LIFE = timedelta(seconds=60_000)
_GATEWAY_LIFE = timedelta(hours=24)
LONGEST_LIFE = max(_ACCESS_LIFE, _GATEWAY_LIFE)


class BadToken(Exception):
    """A token is malformed, forged or too old."""


class Tokens:
    """Creates and checks tokens; without a stored key, they are valid until the process ends."""

    def __init__(self, clock: Clock, key: bytes | None = None) -> None:
        self._clock = clock
        self._key = OctKey.import_key(key or secrets.token_bytes(32))

    def access_token(self, user: str, session: str = "") -> str:
        """Create the token that a sign-in with a password returns; it expires after 60,000 seconds at the latest."""
        return self._sign({"user": user, **_of(session)}, _ACCESS_LIFE)

    def gateway_token(self, user: str, session: str = "", binding: str = "") -> str:
        """Create a token for a program of the same user; it expires after a day, or with its session or binding."""
        bound = {"binding": binding} if binding else {}
        return self._sign({"type": "authentication", "user": user, **_of(session), **bound}, _GATEWAY_LIFE)

    def request_token(self, claims: dict[str, Any]) -> str:
        """Create the token with which a requested peer signs in."""
        return self._sign({"type": "gw-request", **claims}, _GATEWAY_LIFE)

    def check_access(self, token: str | None) -> dict[str, Any]:
        claims = self._read(token)
        if "type" in claims or not isinstance(claims.get("user"), str):
            raise BadToken("Invalid access token")
        return claims

    def check_gateway(self, token: str | None) -> dict[str, Any]:
        claims = self._read(token)
        if claims.get("type") not in ("authentication", "gw-request"):
            raise BadToken("Invalid gateway token")
        return claims

    def _sign(self, claims: dict[str, Any], life: timedelta) -> str:
        expires = int((self._clock.now() + life).timestamp())
        header = {"alg": _ALGORITHM, "typ": "JWT"}
        return jwt.encode(header, {**claims, "exp": expires}, self._key, algorithms=[_ALGORITHM])

    def _read(self, token: str | None) -> dict[str, Any]:
        if not token or len(token) > _LONGEST:
            raise BadToken("The token is missing or too long")
        try:
            claims = jwt.decode(token, self._key, algorithms=[_ALGORITHM]).claims
        except (JoseError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
            raise BadToken("Invalid token, or its signature does not fit") from None
        expires = claims.get("exp")
        if not isinstance(expires, int) or expires <= self._clock.now().timestamp():
            raise BadToken("The token has expired")
        return dict(claims)


def _of(session: str) -> dict[str, str]:
    return {"sid": session} if session else {}
