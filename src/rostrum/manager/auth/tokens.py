"""Signed tokens for session cookies and clients, with one algorithm and one key."""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey
from msgspec import Struct

from rostrum.base.clock import Clock
from rostrum.base.ids import new_id
from rostrum.manager.errors import Unauthenticated

_ALGORITHM = "HS256"
_ISSUER = "rostrum"
_LONGEST = 4096
_PAGE_HOURS = timedelta(hours=12)
"""A working day: a browser platform is not interrupted, and a stolen session is not renewed for ever."""


class Use(StrEnum):
    """The purpose of a token. A token cannot be used for another purpose."""

    SESSION = "session"
    """For the session cookie."""
    PAGE = "page"
    """For a page in a browser that stores no cookie; kept in the memory of the page."""
    CLIENT = "client"
    """For a desktop or another program."""
    CONFIRMATION = "confirmation"
    """Proves that the user of a session has just confirmed the own identity; it is no credential by itself."""
    API = "api"
    """Never signed: the claims of a request with an API token, which is stored in the database."""


_OF_PAGES = frozenset({Use.SESSION, Use.PAGE})


class Claims(Struct, frozen=True, kw_only=True):
    """The contents of a valid token.

    Attributes:
        family: The sign-in from which it was created; ending the sign-in ends all of its tokens.
        epoch: The user's epoch when the token was issued.
        session: The client session to which it belongs, if any.
        end: When the sign-in ends, however often its tokens are renewed; ``None`` for programs with a password.

    """

    family: str
    user: str
    use: Use
    epoch: int
    expires: datetime
    session: str | None = None
    end: datetime | None = None


class Tokens:
    """Issues and checks tokens. They contain no groups: groups are read with each request."""

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
        """Issue a token for a user. A token from the session of a page expires with it, unless it ``outlives`` it.

        No token expires after the end of the sign-in from which it was created, directly or through other tokens.
        """
        now = self._clock.now()
        seconds = self.lifetime(seconds, parent, outlives=outlives)
        expires = now + timedelta(seconds=seconds)
        end = _end(parent)
        if parent is None and use in _OF_PAGES:
            end = max(expires, now + _PAGE_HOURS)
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
        if end is not None:
            claims["end"] = int(end.timestamp())
        if session is not None:
            # Clients of browser platforms read these two values under other names.
            claims |= {"sid": session, "session": session, "user": user}
        return jwt.encode({"alg": _ALGORITHM, "typ": "JWT"}, claims, self._key, algorithms=[_ALGORITHM])

    def lifetime(self, seconds: int, parent: Claims | None, *, outlives: bool = False) -> int:
        """Return how long a token that is created from another one will be valid, if it should be this long."""
        limits = [_end(parent)]
        if parent is not None and parent.use in _OF_PAGES and not outlives:
            limits.append(parent.expires)
        now = self._clock.now()
        return min([seconds, *(int((limit - now).total_seconds()) for limit in limits if limit is not None)])

    def check(self, text: str, *uses: Use) -> Claims:
        """Read a token; all problems cause the same refusal."""
        if len(text) > _LONGEST:
            raise Unauthenticated
        try:
            claims = _claims(jwt.decode(text, self._key, algorithms=[_ALGORITHM]).claims)
        except (JoseError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
            raise Unauthenticated from None
        if claims.use not in uses or claims.expires <= self._clock.now():
            raise Unauthenticated
        return claims


def _end(parent: Claims | None) -> datetime | None:
    if parent is None:
        return None
    # Older versions did not state the end.
    return parent.expires if parent.end is None and parent.use in _OF_PAGES else parent.end


def _claims(found: dict[str, Any]) -> Claims:
    texts = (found["iss"], found["sub"], found["jti"], found["fam"], found["use"], found.get("sid", ""))
    numbers = (found["exp"], found["epoch"], found.get("end", 0))
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
        end=datetime.fromtimestamp(found["end"], UTC) if "end" in found else None,
    )
