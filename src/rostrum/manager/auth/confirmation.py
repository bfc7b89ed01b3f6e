"""Confirms the identity of a signed-in user again, before changes that would outlive a stolen session.

The proof is a signed text that only the response to the confirmation contains: a thief of the session cookie does
not profit from it. All nodes can check it, and it ends with the session, a new password and after a few minutes.
"""

from collections.abc import Awaitable, Callable

from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.caller import Caller, Evidence, Method
from rostrum.manager.auth.security_log import SecurityEvent, report
from rostrum.manager.auth.tokens import Tokens, Use
from rostrum.manager.changes.origin import Unconfirmed
from rostrum.manager.errors import Conflict, Forbidden, Unauthenticated

SECONDS = 300
"""How long a confirmation is valid."""


Record = Callable[[str], Awaitable[None]]
"""Records a confirmation of a user in the audit log."""


class Confirmations:
    """Issues and checks confirmations."""

    def __init__(self, record: Record, tokens: Tokens, authenticator: Authenticator) -> None:
        self._record = record
        self._tokens = tokens
        self._authenticator = authenticator

    async def confirm(self, caller: Caller, evidence: Evidence, address: str) -> str:
        """Check the evidence with the sign-in methods, and return the confirmation of the caller's session."""
        user, claims = caller.identity.user, caller.claims
        if claims is None:
            raise Conflict("a request with user ID and password needs no confirmation")
        if not await self._authenticator.confirm_identity(caller, evidence, address):
            raise Forbidden("the password is wrong")
        await self._record(user)
        report(SecurityEvent.CONFIRMED, user, address=address)
        return self._tokens.sign(user, Use.CONFIRMATION, epoch=caller.epoch, seconds=SECONDS, parent=claims)

    def unconfirmed(self, caller: Caller, confirmation: str | None) -> Unconfirmed | None:
        """Return why the identity of a caller does not count as confirmed; ``None`` if it does."""
        if caller.method is Method.TOKEN:
            return Unconfirmed.TOKEN
        if caller.method is Method.PASSWORD or (confirmation and self._is_valid(caller, confirmation)):
            return None
        return Unconfirmed.SESSION

    def _is_valid(self, caller: Caller, confirmation: str) -> bool:
        try:
            claims = self._tokens.check(confirmation, Use.CONFIRMATION)
        except Unauthenticated:
            return False
        session = caller.claims
        given = claims.user, claims.family, claims.epoch
        return session is not None and given == (caller.identity.user, session.family, caller.epoch)
