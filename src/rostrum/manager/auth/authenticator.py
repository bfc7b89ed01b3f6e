"""From the credentials of a request to the identity behind them."""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from rostrum.base.clock import Clock
from rostrum.base.errors import Overloaded, TooManyAttempts
from rostrum.base.passwords import Passwords
from rostrum.base.throttle import Throttle, network_of
from rostrum.manager.access.identity import Identity
from rostrum.manager.auth.basic import parse_basic
from rostrum.manager.auth.caller import Caller, Credentials, Method
from rostrum.manager.auth.credential_cache import CredentialCache
from rostrum.manager.auth.password_cache import PasswordCache
from rostrum.manager.auth.repository import ADDRESSES_KNOWN_FOR
from rostrum.manager.auth.security_log import SecurityEvent, tell
from rostrum.manager.auth.tokens import Claims, Tokens, Use
from rostrum.manager.content_versions import ContentVersions, Topic
from rostrum.manager.errors import NoRoom, StorageError, Unauthenticated
from rostrum.manager.groups.model import expand
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.model import Login

_log = logging.getLogger(__name__)

_RECORDED_EVERY = timedelta(hours=1)
_RECORDING_SECONDS = 2.0
_MOST_EXPANDED = 5_000


class Authenticator:
    """Checks credentials: a header is a deliberate word and goes before the cookie."""

    def __init__(
        self, storage: Storage, tokens: Tokens, passwords: Passwords, clock: Clock, *, most_known: int
    ) -> None:
        """Join the parts; so many callers are remembered at most."""
        self._storage = storage
        self._tokens = tokens
        self._passwords = passwords
        self._verified = PasswordCache(clock)
        self._refused = PasswordCache(clock, seconds=60, is_renewed_by_use=False)
        # Which account has signed in from which address is kept in the database, for all nodes.
        self._throttle = Throttle(clock, remembers_pairs=False)
        self._known = CredentialCache(most=most_known)
        self._clock = clock
        # Which group expands to which, as of a revision: as long as nothing was written, it is still so.
        self._graph: tuple[int, Mapping[str, tuple[str, ...]]] = (-1, {})
        # Thousands of users are in the same groups: the sets are worked out, and held, once.
        self._expanded: dict[tuple[str, ...], Identity] = {}

    def recall(self, authorization: str | None, cookie: str | None, marks: ContentVersions) -> Caller | None:
        """Tell who is calling without asking the database, if that is known as of these marks."""
        return self._recall(self._known.key(authorization, cookie), marks)

    async def authenticate(self, credentials: Credentials) -> Caller:
        marks = await self._storage.revisions.current()
        if marks is None:
            return (await self._judge(credentials))[0]
        key = self._known.key(credentials.authorization, credentials.cookie)
        caller = self._recall(key, marks)
        if caller is None:
            caller, password = await self._judge(credentials)
            self._known.remember(key, caller, marks, password)
        return caller

    def _recall(self, key: bytes, marks: ContentVersions) -> Caller | None:
        known = self._known.find(key, marks)
        if known is None:
            return None
        claims = known.caller.claims
        if claims is not None:
            is_over = claims.expires <= self._clock.now()
        else:
            is_over = known.password is None or self._verified.recall(known.password) is None
        if is_over:
            self._known.forget(key)
            return None
        return known.caller

    async def _judge(self, credentials: Credentials) -> tuple[Caller, bytes | None]:
        """Judge the credentials; a right password comes with the key it is remembered by."""
        if credentials.authorization is not None:
            scheme, _, value = credentials.authorization.strip().partition(" ")
            match scheme.lower():
                case "basic":
                    user_id, password = parse_basic(value.strip())
                    caller = await self._basic(user_id, password, credentials)
                    return caller, self._verified.key(user_id, password)
                case "bearer":
                    return await self._token(value.strip(), Use.CLIENT, Use.PAGE), None
        elif credentials.cookie is not None:
            return await self._token(credentials.cookie, Use.SESSION), None
        raise Unauthenticated

    async def is_still_let_in(self, caller: Caller, session: str | None = None) -> bool:
        """Say whether a caller of a while ago would still get in, and whether their client session is still open."""
        async with self._storage.read() as work:
            if await _login(work, caller.identity.user, caller.epoch, caller.claims) is None:
                return False
            return session is None or await _is_open(work, session)

    async def confirm(self, caller: Caller, password: str, address: str) -> bool:
        """Say whether a signed-in user knows the password; wrong ones count as guesses for the account there."""
        user = caller.identity.user
        async with self._storage.read() as work:
            login = await work.users.login(user)
            last_seen = await work.known_addresses.last_seen(user, network_of(address))
        try:
            self._throttle.enter(user, address, is_known=True)
        except TooManyAttempts:
            tell(SecurityEvent.THROTTLED, user, address=address)
            raise
        try:
            matches = await self._passwords.verify(login.password_hash if login else None, password)
        except Overloaded:
            self._throttle.take_back(user, address, is_known=True)
            raise
        if matches:
            self._throttle.succeeded(user, address, is_known=True)
            if login is not None:
                await self._record_address(login, address, last_seen)
        else:
            tell(SecurityEvent.REFUSED, user, address=address)
        return matches

    async def _basic(self, user_id: str, password: str, credentials: Credentials) -> Caller:
        caller = await self._remembered(user_id, password)
        if caller is None:
            # A client that starts sends many requests at once: they are one sign-in, not as many guesses.
            async with self._verified.turn(user_id, password):
                caller = await self._remembered(user_id, password)
                caller = caller or await self._checked(user_id, password, credentials)
        return caller

    async def _remembered(self, user_id: str, password: str) -> Caller | None:
        epoch = self._verified.epoch(user_id, password)
        if epoch is None:
            return None
        async with self._storage.read() as work:
            login = await work.users.login(user_id)
            if login is None or login.disabled or login.epoch != epoch:
                return None
            return await self._caller(work, login, Method.BASIC)

    async def _checked(self, user_id: str, password: str, credentials: Credentials) -> Caller:
        address = credentials.address
        async with self._storage.read() as work:
            login = await work.users.login(user_id)
            # Asked for names that no user has, too: the time that it takes must not tell them apart.
            last_seen = await work.known_addresses.last_seen(user_id, network_of(address))
        state = _refusal_state(login)
        known = login.user if login else None
        if self._refused.epoch(user_id, password) == state:
            # The same wrong password again is a client with an old one, not a guess: it costs and counts nothing.
            raise Unauthenticated
        is_known = login is not None and (
            _is_recent(last_seen, self._clock.now()) or self._has_cookie_of(login, credentials.cookie)
        )
        try:
            self._throttle.enter(user_id, address, is_known=is_known)
        except TooManyAttempts:
            tell(SecurityEvent.THROTTLED, known, address=address)
            raise
        try:
            matches = await self._passwords.verify(login.password_hash if login else None, password)
        except Overloaded:
            self._throttle.take_back(user_id, address, is_known=is_known)
            raise
        if not matches or login is None or login.disabled:
            # Whatever the reason, the next answer to the same credentials takes the same way and the same time.
            self._refused.remember(user_id, password, state)
            tell(SecurityEvent.REFUSED, known, address=address)
            raise Unauthenticated
        self._throttle.succeeded(user_id, address, is_known=is_known)
        self._verified.remember(user_id, password, login.epoch)
        await self._record_address(login, address, last_seen)
        await self._renew_hash(login, password)
        caller = await self._remembered(user_id, password)
        if caller is None:
            # Disabled, deleted or given another password while we were hashing.
            tell(SecurityEvent.REFUSED, known, address=address)
            raise Unauthenticated
        tell(SecurityEvent.LOGGED_IN, known, address=address)
        return caller

    def _has_cookie_of(self, login: Login, cookie: str | None) -> bool:
        """Say whether the client also has a valid session cookie of the user it sends a password for."""
        if cookie is None:
            return False
        try:
            claims = self._tokens.check(cookie, Use.SESSION)
        except Unauthenticated:
            return False
        return claims.user == login.user and claims.epoch == login.epoch

    async def _token(self, text: str, *uses: Use) -> Caller:
        claims = self._tokens.check(text, *uses)
        async with self._storage.read() as work:
            login = await _login(work, claims.user, claims.epoch, claims)
            if login is None:
                raise Unauthenticated
            method = Method.COOKIE if claims.use is Use.SESSION else Method.BEARER
            return await self._caller(work, login, method, claims)

    async def _caller(self, work: Work, login: Login, method: Method, claims: Claims | None = None) -> Caller:
        revision, graph = self._graph
        if revision != login.revision:
            graph = await work.groups.graph()
            self._graph = (login.revision, graph)
            self._expanded.clear()
        if login.groups not in self._expanded:
            if len(self._expanded) >= _MOST_EXPANDED:
                self._expanded.clear()
            self._expanded[login.groups] = Identity.of("", expand(login.groups, graph))
        identity = replace(self._expanded[login.groups], user=login.user)
        owned = {Topic.APPS: login.has_apps, Topic.CONFIGS: login.has_configs}
        return Caller(
            identity=identity,
            method=method,
            epoch=login.epoch,
            claims=claims,
            personal=frozenset(topic for topic, is_owned in owned.items() if is_owned),
        )

    async def _record_address(self, login: Login, address: str, last_seen: datetime | None) -> None:
        """Record that a user has signed in from an address, at most once an hour."""
        if last_seen is not None and self._clock.now() - last_seen < _RECORDED_EVERY:
            return
        try:
            # A sign-in neither fails nor waits for long when nothing can be written now: the next one records it.
            async with asyncio.timeout(_RECORDING_SECONDS), self._storage.note() as work:
                await work.known_addresses.record(login.user, login.epoch, network_of(address), work.now)
        except StorageError as error:
            _log.warning("the address of a sign-in could not be recorded: %s", error)
        except TimeoutError:
            _log.warning("the address of a sign-in could not be recorded: the database is busy")

    async def _renew_hash(self, login: Login, password: str) -> None:
        if login.password_hash and self._passwords.is_outdated(login.password_hash):
            renewed = await self._passwords.hash(password)
            # There is time until the next sign-in: none fails because nothing can be written now.
            with suppress(NoRoom):
                async with self._storage.note() as work:
                    await work.users.set_password_hash(login.user, renewed, login.epoch)


def _is_recent(last_seen: datetime | None, now: datetime) -> bool:
    return last_seen is not None and now - last_seen < ADDRESSES_KNOWN_FOR


def _refusal_state(login: Login | None) -> int:
    """Give a number that changes whenever credentials that were refused could be accepted."""
    return -1 if login is None else login.epoch * 2 + login.disabled


async def _login(work: Work, user_id: str, epoch: int, claims: Claims | None) -> Login | None:
    """Read what is known of a user, unless what they came with has ended meanwhile."""
    login = await work.users.login(user_id, claims.family if claims else "")
    if login is None or login.disabled or login.is_revoked or login.epoch != epoch:
        return None
    if claims is not None and claims.session is not None and not await _is_open(work, claims.session):
        return None
    return login


async def _is_open(work: Work, session_id: str) -> bool:
    session = await work.sessions.get(session_id)
    return session is not None and session.ended is None
