"""The token of a browser platform's session: a credential in a separate header.

Clients send it beside ``Authorization``. On the addresses of their protocol both must be valid and of the same user,
and an invalid token has an answer of its own. Elsewhere it is a bearer token where there is no ``Authorization``.
"""

from dataclasses import replace

from rostrum.contracts.browser_platform import TOKEN_HEADER
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.caller import Caller, Credentials
from rostrum.manager.auth.tokens import Use
from rostrum.manager.errors import InvalidPlatformToken, Unauthenticated

PLATFORM = "platform"
"""The option of the handlers of the protocol."""

TOKEN = TOKEN_HEADER.encode()


def as_bearer(authorization: str | None, token: str | None) -> str | None:
    """Return the credentials of a request in one form; an empty token is ignored."""
    return f"Bearer {token}" if authorization is None and token else authorization


def holds_token(holder: Caller, caller: Caller | None) -> bool:
    """Return whether a token is one of a client, and of the user whose other credentials came with it."""
    if holder.claims is None or holder.claims.use is not Use.CLIENT:
        return False
    return caller is None or caller.identity.user == holder.identity.user


async def authenticate_platform(authenticator: Authenticator, credentials: Credentials, token: str) -> Caller:
    """Determine the caller of an address of the protocol; with a token, this is the user of the token."""
    if not token:
        return await authenticator.authenticate(credentials)
    caller = None if credentials.authorization is None else await authenticator.authenticate(credentials)
    try:
        bearer = replace(credentials, authorization=as_bearer(None, token), cookie=None)
        holder = await authenticator.authenticate(bearer)
    except Unauthenticated:
        raise InvalidPlatformToken from None
    if not holds_token(holder, caller):
        raise InvalidPlatformToken
    return holder
