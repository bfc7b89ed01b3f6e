"""Issues and revokes tokens."""

from contextlib import suppress
from datetime import datetime, timedelta

from rostrum.manager.auth.caller import Caller
from rostrum.manager.auth.security_log import SecurityEvent, report
from rostrum.manager.auth.tokens import Tokens, Use
from rostrum.manager.database.paging import Query
from rostrum.manager.errors import Unauthenticated
from rostrum.manager.sessions.model import Session
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.sign_in.repository import KnownAddresses, RevokedTokens
from rostrum.manager.storage import Storage
from rostrum.manager.users.endings import Endings
from rostrum.manager.users.service import end_sessions

_MOST_SHOWN = 200


class LoginSessions:
    """Issues client tokens and revokes tokens."""

    def __init__(self, storage: Storage, tokens: Tokens, *, client_token_seconds: int, session_seconds: int) -> None:
        self._storage = storage
        self._tokens = tokens
        self._seconds = client_token_seconds
        self._session_seconds = session_seconds

    def client_token(self, caller: Caller, session: str | None = None) -> tuple[str, int]:
        """Issue a token for further requests of a client, with its lifetime.

        It belongs to the same session as the caller's own token.
        """
        claims = caller.claims
        if session is None and claims is not None:
            session = claims.session
        seconds = self._tokens.lifetime(self._seconds, claims)
        token = self._tokens.sign(
            caller.identity.user,
            Use.CLIENT,
            epoch=caller.epoch,
            seconds=seconds,
            session=session,
            parent=claims,
        )
        report(SecurityEvent.TOKEN_MADE, caller.identity.user)
        return token, seconds

    def page_token(self, caller: Caller) -> tuple[str, int]:
        """Issue or renew the token that replaces the session cookie of a page; return its lifetime too."""
        user, claims = caller.identity.user, caller.claims
        seconds = self._tokens.lifetime(self._session_seconds, claims, outlives=True)
        token = self._tokens.sign(user, Use.PAGE, epoch=caller.epoch, seconds=seconds, parent=claims, outlives=True)
        report(SecurityEvent.TOKEN_MADE, user)
        return token, seconds

    async def end_all(self, caller: Caller, ends: Endings) -> None:
        """End all sessions of the caller, including this one, and all desktops."""
        user = caller.identity.user
        async with self._storage.write(user) as work:
            await end_sessions(work, user, ends)
        report(SecurityEvent.LOGGED_OUT, user)

    async def own(self, caller: Caller) -> tuple[list[Session], list[tuple[str, datetime]]]:
        """Return the caller's client sessions that have not ended, and the networks of recent sign-ins."""
        user = caller.identity.user
        async with self._storage.read() as work:
            page = await work.of(Sessions).page(Query(limit=_MOST_SHOWN, sort=("-lastSeen",), filters={"user": user}))
            return [each for each in page.items if each.ended is None], await work.of(KnownAddresses).of_user(user)

    async def end(self, caller: Caller, cookie: str | None) -> None:
        """End the caller's sign-in with all its tokens, and the sign-in of the cookie in the same request."""
        ending = [caller.claims] if caller.claims is not None else []
        if cookie is not None:
            with suppress(Unauthenticated):
                ending.append(self._tokens.check(cookie, Use.SESSION))
        if not ending:
            return
        user = caller.identity.user
        async with self._storage.write(user) as work:
            for claims in ending:
                # A renewed token of the same sign-in can live as long as a token that is issued now.
                longest = max(claims.expires, work.now + timedelta(seconds=self._seconds))
                await work.of(RevokedTokens).add(claims.family, longest, user)
                if claims.session is not None:
                    await work.of(Sessions).end(claims.session, work.now)
        report(SecurityEvent.LOGGED_OUT, user)
