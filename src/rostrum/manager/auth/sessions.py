"""The tokens a caller holds: issued, and ended before their time."""

from contextlib import suppress

from rostrum.manager.auth.authenticator import Caller
from rostrum.manager.auth.tokens import Tokens, Use
from rostrum.manager.errors import Unauthenticated
from rostrum.manager.storage import Storage

__all__ = ["LoginSessions"]


class LoginSessions:
    """Issues client tokens and ends tokens."""

    def __init__(self, storage: Storage, tokens: Tokens, *, client_token_seconds: int) -> None:
        """Join the parts."""
        self._storage = storage
        self._tokens = tokens
        self._seconds = client_token_seconds

    def client_token(self, caller: Caller, session: str | None = None) -> tuple[str, int]:
        """Sign a token for a client's further requests; it stays with the session the caller's own belongs to."""
        if session is None and caller.claims is not None:
            session = caller.claims.session
        token = self._tokens.sign(
            caller.identity.user, Use.CLIENT, epoch=caller.epoch, seconds=self._seconds, session=session
        )
        return token, self._seconds

    async def end(self, caller: Caller, cookie: str | None) -> None:
        """End the token that the caller came with, and the session of the cookie beside it."""
        ending = [caller.claims] if caller.claims is not None else []
        if cookie is not None:
            with suppress(Unauthenticated):
                ending.append(self._tokens.check(cookie, Use.SESSION))
        async with self._storage.note() as work:
            for claims in ending:
                await work.revoked_tokens.add(claims.id, claims.expires)
