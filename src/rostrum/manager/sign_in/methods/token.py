"""Requests with an API token in the Authorization header."""

import asyncio
import logging
from collections import OrderedDict
from datetime import datetime

from rostrum.base.clock import Clock
from rostrum.base.errors import TooManyAttempts
from rostrum.base.throttle import Throttle
from rostrum.manager.api_tokens.topic import LAST_USE_EVERY, ApiToken, ApiTokens, parse
from rostrum.manager.auth.caller import Caller, Credentials, Evidence, Method
from rostrum.manager.auth.schemes import API_TOKEN_PREFIX
from rostrum.manager.auth.security_log import SecurityEvent, report
from rostrum.manager.auth.tokens import Claims, Use
from rostrum.manager.errors import StorageError, Unauthenticated
from rostrum.manager.sign_in.callers import Callers
from rostrum.manager.sign_in.password_cache import PasswordCache
from rostrum.manager.storage import Storage
from rostrum.manager.users.repository import Users

_log = logging.getLogger(__name__)

_START = f"bearer {API_TOKEN_PREFIX}"
_MOST = 10_000
_RECORDING_SECONDS = 2.0


class TokenMethod:
    """Checks API tokens. They have the rights of the owner at this moment that the token has as well."""

    names = frozenset({Method.TOKEN})

    def __init__(self, storage: Storage, callers: Callers, clock: Clock, throttle: Throttle) -> None:
        self._storage = storage
        self._callers = callers
        self._clock = clock
        self._throttle = throttle
        # A program that repeats a revoked token does not guess: it is neither checked nor counted again.
        self._refused = PasswordCache(clock, seconds=60, is_renewed_by_use=False)
        self._recorded: OrderedDict[str, datetime] = OrderedDict()

    def handles(self, credentials: Credentials) -> bool:
        authorization = (credentials.authorization or "").lstrip()
        return authorization[: len(_START)].lower() == _START

    async def sign_in(self, credentials: Credentials) -> tuple[Caller, bytes | None]:
        found = parse((credentials.authorization or "").strip()[len("bearer ") :])
        if found is None:
            self._count("", credentials.address, None)
            raise Unauthenticated
        token_id, secret = found
        if self._refused.epoch(token_id, secret) is not None:
            raise Unauthenticated
        async with self._storage.read() as work:
            token = await work.of(ApiTokens).get(token_id)
            login = None if token is None else await work.of(Users).login(token.user)
            if token is not None and login is not None and token.has_secret(secret):
                if login.disabled or token.expires <= self._clock.now():
                    report(SecurityEvent.REFUSED, token.user, address=credentials.address)
                    raise Unauthenticated
                claims = Claims(family=token.id, user=token.user, use=Use.API, epoch=login.epoch, expires=token.expires)
                caller = await self._callers.build(work, login, Method.TOKEN, claims, token.use)
            else:
                caller = None
        if token is None or caller is None:
            self._refused.remember(token_id, secret, 0)
            self._count(token_id, credentials.address, token)
            raise Unauthenticated
        await self._record_use(token)
        return caller, None

    def is_valid(self, caller: Caller, proof: bytes | None) -> bool:  # noqa: ARG002 - the claims have the expiry
        # A caller is checked again when the last use is to be written, so that cached requests write nothing.
        claims = caller.claims
        return claims is not None and claims.expires > self._clock.now() and not self._is_use_due(claims.family)

    async def confirm_identity(self, caller: Caller, evidence: Evidence, address: str) -> None:
        """Return None: programs cannot confirm an identity."""

    def _count(self, token_id: str, address: str, token: ApiToken | None) -> None:
        """Count a wrong token. Right ones are never refused for the guesses of others: a secret cannot be guessed."""
        owner = None if token is None else token.user
        try:
            # User IDs contain no colon, so sign-ins with passwords have other counters.
            self._throttle.enter(f"token:{token_id}", address)
        except TooManyAttempts:
            report(SecurityEvent.THROTTLED, owner, address=address)
            raise
        report(SecurityEvent.REFUSED, owner, address=address)

    def _is_use_due(self, token_id: str) -> bool:
        recorded = self._recorded.get(token_id)
        return recorded is None or abs(self._clock.now() - recorded) >= LAST_USE_EVERY

    async def _record_use(self, token: ApiToken) -> None:
        """Write the last use, at most once a minute; a request neither fails nor waits long if that is impossible."""
        if not self._is_use_due(token.id):
            return
        # Before it is written: requests at the same time must not write it too.
        self._recorded[token.id] = self._clock.now()
        self._recorded.move_to_end(token.id)
        while len(self._recorded) > _MOST:
            self._recorded.popitem(last=False)
        try:
            async with asyncio.timeout(_RECORDING_SECONDS), self._storage.note() as work:
                await work.of(ApiTokens).record_use(token.id, work.now)
        except StorageError as error:
            _log.warning("the use of an API token could not be recorded: %s", error)
        except TimeoutError:
            _log.warning("the use of an API token could not be recorded: the database is busy")
