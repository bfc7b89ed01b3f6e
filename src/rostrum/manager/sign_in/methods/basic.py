"""Sign-in with a user ID and a password in the Authorization header (RFC 7617)."""

import asyncio
import base64
import binascii
import logging
from contextlib import suppress
from datetime import datetime, timedelta

from rostrum.base.clock import Clock
from rostrum.base.errors import Overloaded, TooManyAttempts
from rostrum.base.passwords import Passwords
from rostrum.base.throttle import Throttle, network_of
from rostrum.manager.auth.caller import Caller, Credentials, Evidence, Method
from rostrum.manager.auth.schemes import SCHEME
from rostrum.manager.auth.security_log import SecurityEvent, report
from rostrum.manager.auth.tokens import Tokens, Use
from rostrum.manager.errors import NoRoom, StorageError, Unauthenticated
from rostrum.manager.sign_in.callers import Callers
from rostrum.manager.sign_in.password_cache import PasswordCache
from rostrum.manager.sign_in.repository import ADDRESSES_KNOWN_FOR, KnownAddresses
from rostrum.manager.storage import Storage
from rostrum.manager.users.model import Login
from rostrum.manager.users.repository import Users

_log = logging.getLogger(__name__)

_RECORDED_EVERY = timedelta(hours=1)
_RECORDING_SECONDS = 2.0


def parse_basic(encoded: str) -> tuple[str, str]:
    """Decode the part after ``Basic``. The first colon separates, so a password can contain colons."""
    try:
        text = base64.b64decode(encoded, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        raise Unauthenticated from None
    user_id, colon, password = text.partition(":")
    if not colon or not user_id or not password or "\0" in text:
        raise Unauthenticated
    return user_id, password


class BasicMethod:
    """Checks user IDs and passwords, slows down guessing, and caches correct passwords for a short time."""

    names = frozenset({Method.PASSWORD})

    def __init__(
        self,
        storage: Storage,
        callers: Callers,
        tokens: Tokens,
        passwords: Passwords,
        *,
        clock: Clock,
        throttle: Throttle,
    ) -> None:
        self._storage = storage
        self._callers = callers
        self._tokens = tokens
        self._passwords = passwords
        self._verified = PasswordCache(clock)
        self._refused = PasswordCache(clock, seconds=60, is_renewed_by_use=False)
        self._throttle = throttle
        self._clock = clock

    def handles(self, credentials: Credentials) -> bool:
        return _scheme_and_value(credentials)[0] == SCHEME

    async def sign_in(self, credentials: Credentials) -> tuple[Caller, bytes | None]:
        user_id, password = parse_basic(_scheme_and_value(credentials)[1])
        return await self._caller(user_id, password, credentials), self._verified.key(user_id, password)

    def is_valid(self, caller: Caller, proof: bytes | None) -> bool:  # noqa: ARG002 - the password alone decides
        return proof is not None and self._verified.recall(proof) is not None

    async def confirm_identity(self, caller: Caller, evidence: Evidence, address: str) -> bool | None:
        """Return whether a signed-in user knows the password; a wrong one counts as an attempt for the account."""
        if evidence.password is None:
            return None
        user = caller.identity.user
        async with self._storage.read() as work:
            login = await work.of(Users).login(user)
            last_seen = await work.of(KnownAddresses).last_seen(user, network_of(address))
        try:
            self._throttle.enter(user, address, is_known=True)
        except TooManyAttempts:
            report(SecurityEvent.THROTTLED, user, address=address)
            raise
        try:
            matches = await self._passwords.verify(login.password_hash if login else None, evidence.password)
        except Overloaded:
            self._throttle.take_back(user, address, is_known=True)
            raise
        if matches:
            self._throttle.succeeded(user, address, is_known=True)
            if login is not None:
                await self._record_address(login, address, last_seen)
        else:
            report(SecurityEvent.REFUSED, user, address=address)
        return matches

    async def _caller(self, user_id: str, password: str, credentials: Credentials) -> Caller:
        caller = await self._remembered(user_id, password)
        if caller is None:
            # A client sends many requests at its start: they are one sign-in, not many attempts.
            async with self._verified.turn(user_id, password):
                caller = await self._remembered(user_id, password)
                caller = caller or await self._checked(user_id, password, credentials)
        return caller

    async def _remembered(self, user_id: str, password: str) -> Caller | None:
        epoch = self._verified.epoch(user_id, password)
        if epoch is None:
            return None
        async with self._storage.read() as work:
            login = await work.of(Users).login(user_id)
            if login is None or login.disabled or login.epoch != epoch:
                return None
            return await self._callers.build(work, login, Method.PASSWORD)

    async def _checked(self, user_id: str, password: str, credentials: Credentials) -> Caller:
        address = credentials.address
        async with self._storage.read() as work:
            login = await work.of(Users).login(user_id)
            # Also for unknown users: the response time must not reveal whether a user exists.
            last_seen = await work.of(KnownAddresses).last_seen(user_id, network_of(address))
        state = _refusal_state(login)
        known = login.user if login else None
        if self._refused.epoch(user_id, password) == state:
            # The same wrong password again is a client with an old password, not a guess: it is not checked or counted.
            raise Unauthenticated
        is_known = login is not None and (
            _is_recent(last_seen, self._clock.now()) or self._has_cookie_of(login, credentials.cookie)
        )
        try:
            self._throttle.enter(user_id, address, is_known=is_known)
        except TooManyAttempts:
            report(SecurityEvent.THROTTLED, known, address=address)
            raise
        try:
            matches = await self._passwords.verify(login.password_hash if login else None, password)
        except Overloaded:
            self._throttle.take_back(user_id, address, is_known=is_known)
            raise
        if not matches or login is None or login.disabled:
            # Whatever the reason, the next response to the same credentials takes the same path and time.
            self._refused.remember(user_id, password, state)
            report(SecurityEvent.REFUSED, known, address=address)
            raise Unauthenticated
        self._throttle.succeeded(user_id, address, is_known=is_known)
        self._verified.remember(user_id, password, login.epoch)
        await self._record_address(login, address, last_seen)
        await self._renew_hash(login, password)
        caller = await self._remembered(user_id, password)
        if caller is None:
            # The user was disabled or deleted, or the password was changed, during the check.
            report(SecurityEvent.REFUSED, known, address=address)
            raise Unauthenticated
        report(SecurityEvent.LOGGED_IN, known, address=address)
        return caller

    def _has_cookie_of(self, login: Login, cookie: str | None) -> bool:
        """Return whether the client also sent a valid session cookie of the same user."""
        if cookie is None:
            return False
        try:
            claims = self._tokens.check(cookie, Use.SESSION)
        except Unauthenticated:
            return False
        return claims.user == login.user and claims.epoch == login.epoch

    async def _record_address(self, login: Login, address: str, last_seen: datetime | None) -> None:
        """Record that a user has signed in from an address, at most once an hour."""
        if last_seen is not None and self._clock.now() - last_seen < _RECORDED_EVERY:
            return
        try:
            # A sign-in neither fails nor waits long if this cannot be written: the next sign-in records it.
            async with asyncio.timeout(_RECORDING_SECONDS), self._storage.note() as work:
                await work.of(KnownAddresses).record(login.user, login.epoch, network_of(address), work.now)
        except StorageError as error:
            _log.warning("the address of a sign-in could not be recorded: %s", error)
        except TimeoutError:
            _log.warning("the address of a sign-in could not be recorded: the database is busy")

    async def _renew_hash(self, login: Login, password: str) -> None:
        if login.password_hash and self._passwords.is_outdated(login.password_hash):
            renewed = await self._passwords.hash(password)
            # A failed write must not fail the sign-in; the next sign-in renews the hash.
            with suppress(NoRoom):
                async with self._storage.note() as work:
                    await work.of(Users).set_password_hash(login.user, renewed, login.epoch)


def _scheme_and_value(credentials: Credentials) -> tuple[str, str]:
    scheme, _, value = (credentials.authorization or "").strip().partition(" ")
    return scheme.lower(), value.strip()


def _is_recent(last_seen: datetime | None, now: datetime) -> bool:
    return last_seen is not None and now - last_seen < ADDRESSES_KNOWN_FOR


def _refusal_state(login: Login | None) -> int:
    """Return a number that changes when refused credentials could become valid."""
    return -1 if login is None else login.epoch * 2 + login.disabled
