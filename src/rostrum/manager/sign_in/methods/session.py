"""Sign-in with the result of an earlier sign-in: the session cookie or a bearer token."""

from rostrum.base.clock import Clock
from rostrum.manager.auth.caller import Caller, Credentials, Evidence, Method
from rostrum.manager.auth.tokens import Tokens, Use
from rostrum.manager.errors import Unauthenticated
from rostrum.manager.sign_in.callers import Callers, current_login
from rostrum.manager.storage import Storage


class SessionMethod:
    """Checks tokens. Clients send a header deliberately, so the cookie is used only without a header."""

    names = frozenset({Method.COOKIE, Method.BEARER})

    def __init__(self, storage: Storage, callers: Callers, tokens: Tokens, clock: Clock) -> None:
        self._storage = storage
        self._callers = callers
        self._tokens = tokens
        self._clock = clock

    def handles(self, credentials: Credentials) -> bool:
        if credentials.authorization is None:
            return credentials.cookie is not None
        return _scheme_and_value(credentials.authorization)[0] == "bearer"

    async def sign_in(self, credentials: Credentials) -> tuple[Caller, bytes | None]:
        if credentials.authorization is None:
            return await self._caller(credentials.cookie or "", Use.SESSION), None
        return await self._caller(_scheme_and_value(credentials.authorization)[1], Use.CLIENT, Use.PAGE), None

    def is_valid(self, caller: Caller, proof: bytes | None) -> bool:  # noqa: ARG002 - the claims have the expiry
        return caller.claims is not None and caller.claims.expires > self._clock.now()

    async def confirm_identity(self, caller: Caller, evidence: Evidence, address: str) -> None:
        """Return None: this method only continues an earlier sign-in."""

    async def _caller(self, text: str, *uses: Use) -> Caller:
        claims = self._tokens.check(text, *uses)
        async with self._storage.read() as work:
            login = await current_login(work, claims.user, claims.epoch, claims)
            if login is None:
                raise Unauthenticated
            method = Method.COOKIE if claims.use is Use.SESSION else Method.BEARER
            return await self._callers.build(work, login, method, claims)


def _scheme_and_value(authorization: str) -> tuple[str, str]:
    scheme, _, value = authorization.strip().partition(" ")
    return scheme.lower(), value.strip()
