"""Signed tokens: the session cookie's and the client's, one algorithm, one key."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from rostrum.base.clock import Clock
from rostrum.base.ids import new_id
from rostrum.manager.errors import Unauthenticated

_ALGORITHM = "HS256"
_ISSUER = "rostrum"
_LONGEST = 4096


class Use(StrEnum):
    """What a token is for; one kind is never taken for the other."""

    SESSION = "session"
    """In the session cookie."""
    PAGE = "page"
    """In the memory of a page, where a browser keeps no cookie."""
    CLIENT = "client"
    """Of a desktop or another program."""


_OF_PAGES = frozenset({Use.SESSION, Use.PAGE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What a good token says.

    Attributes:
        family: The sign-in it comes from; ending that ends every token made from it.
        epoch: The user's epoch when it was signed.
        session: The client session it belongs to, if any.

    """

    family: str
    user: str
    use: Use
    epoch: int
    expires: datetime
    session: str | None = None


class Tokens:
    """Signs and checks tokens. Groups are never in them: they are read at each request."""

    def __init__(self, secret: str, clock: Clock) -> None:
        self._key = OctKey.import_key(secret.encode())
        self._clock = clock

    def sign(
        self,
        user: str,
        use: Use,
        *,
        epoch: int,
        seconds: int,
        session: str | None = None,
        parent: Claims | None = None,
        outlives: bool = False,
    ) -> str:
        """Make a token for a user; one made from the session of a page does not outlive it, unless it renews it."""
        now = self._clock.now()
        expires = now + timedelta(seconds=seconds)
        if parent is not None and parent.use in _OF_PAGES and not outlives:
            expires = min(expires, parent.expires)
        token_id = new_id()
        claims: dict[str, Any] = {
            "iss": _ISSUER,
            "sub": user,
            "iat": int(now.timestamp()),
            "exp": int(expires.timestamp()),
            "jti": token_id,
            "fam": parent.family if parent else token_id,
            "use": use.value,
            "epoch": epoch,
        }
        if session is not None:
            # Clients of browser platforms read the same two under other names.
            claims |= {"sid": session, "session": session, "user": user}
        return jwt.encode({"alg": _ALGORITHM, "typ": "JWT"}, claims, self._key, algorithms=[_ALGORITHM])

    def check(self, text: str, *uses: Use) -> Claims:
        """Read a token; anything wrong with it is the same refusal."""
        if len(text) > _LONGEST:
            raise Unauthenticated
        try:
            claims = _claims(jwt.decode(text, self._key, algorithms=[_ALGORITHM]).claims)
        except (JoseError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
            raise Unauthenticated from None
        if claims.use not in uses or claims.expires <= self._clock.now():
            raise Unauthenticated
        return claims


def _claims(found: dict[str, Any]) -> Claims:
    texts = (found["iss"], found["sub"], found["jti"], found["fam"], found["use"], found.get("sid", ""))
    numbers = (found["exp"], found["epoch"])
    if not all(type(text) is str for text in texts) or not all(type(number) is int for number in numbers):
        raise TypeError
    if found["iss"] != _ISSUER:
        raise ValueError
    return Claims(
        family=found["fam"],
        user=found["sub"],
        use=Use(found["use"]),
        epoch=found["epoch"],
        expires=datetime.fromtimestamp(found["exp"], UTC),
        session=found.get("sid"),
    )
