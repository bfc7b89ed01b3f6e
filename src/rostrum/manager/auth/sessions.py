"""The tokens a caller holds: issued, and ended before their time."""

from contextlib import suppress
from datetime import timedelta

from rostrum.manager.auth.caller import Caller
from rostrum.manager.auth.security_log import SecurityEvent, report
from rostrum.manager.auth.tokens import Tokens, Use
from rostrum.manager.errors import Unauthenticated
from rostrum.manager.storage import Storage


class LoginSessions:
    """Issues client tokens and ends tokens."""

    def __init__(self, storage: Storage, tokens: Tokens, *, client_token_seconds: int, session_seconds: int) -> None:
        self._storage = storage
        self._tokens = tokens
        self._seconds = client_token_seconds
        self._session_seconds = session_seconds

    def client_token(self, caller: Caller, session: str | None = None) -> tuple[str, int]:
        """Sign a token for a client's further requests; it stays with the session the caller's own belongs to."""
        claims = caller.claims
        if session is None and claims is not None:
            session = claims.session
        token = self._tokens.sign(
            caller.identity.user,
            Use.CLIENT,
            epoch=caller.epoch,
            seconds=self._seconds,
            session=session,
            parent=claims,
        )
        report(SecurityEvent.TOKEN_MADE, caller.identity.user)
        return token, self._seconds

    def page_token(self, caller: Caller) -> tuple[str, int]:
        """Sign the token that stands for the session cookie of a page, or renew it; return its lifetime too."""
        user, seconds = caller.identity.user, self._session_seconds
        token = self._tokens.sign(
            user, Use.PAGE, epoch=caller.epoch, seconds=seconds, parent=caller.claims, outlives=True
        )
        report(SecurityEvent.TOKEN_MADE, user)
        return token, seconds

    async def end(self, caller: Caller, cookie: str | None) -> None:
        """End the sign-in that the caller came with and all tokens made from it, and that of the cookie beside it."""
        ending = [caller.claims] if caller.claims is not None else []
        if cookie is not None:
            with suppress(Unauthenticated):
                ending.append(self._tokens.check(cookie, Use.SESSION))
        if not ending:
            return
        user = caller.identity.user
        async with self._storage.write(user) as work:
            for claims in ending:
                # A refreshed token of the family may live as long as one signed at this moment.
                longest = max(claims.expires, work.now + timedelta(seconds=self._seconds))
                await work.revoked_tokens.add(claims.family, longest, user)
                if claims.session is not None:
                    await work.sessions.end(claims.session, work.now)
        report(SecurityEvent.LOGGED_OUT, user)
