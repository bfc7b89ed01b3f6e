"""The tokens a caller holds: issued, and ended before their time."""

from rostrum.manager.auth.authenticator import Caller
from rostrum.manager.auth.tokens import Tokens, Use
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

    async def end(self, caller: Caller) -> None:
        """End the token that the caller came with."""
        if caller.claims is not None:
            async with self._storage.note() as work:
                await work.revoked_tokens.add(caller.claims.id, caller.claims.expires)
