"""Checks sign-ins with a manager, which also reports revoked accounts."""

import asyncio
import base64
import binascii
import logging
import random
import re
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import httpx
import msgspec

from rostrum.base.addresses import HEADER, sign_address
from rostrum.base.clock import Clock, SystemClock
from rostrum.base.signal import Signal
from rostrum.base.tls import tls_context_for
from rostrum.client.bounded_body import ACCEPTED, BadBody, read_body
from rostrum.gateway.authentication import Account, CannotCheck
from rostrum.gateway.sessions import Session, owner_of

_log = logging.getLogger("rostrum.gateway")

_TIMEOUT_SECONDS = 10.0
_MOST_AT_ONCE = 16
_MOST_WAITING = 1000
_LONGEST_ANSWER = 1024 * 1024
_LONGEST = 64 * _LONGEST_ANSWER
"""For all requests, also for the apps of a user."""
_KEPT_HEADERS = ("retry-after",)

_SILENCE_SECONDS = 75.0
"""An event stream that is silent for this time is reopened: its connection may be lost."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
_LONGEST_DOUBT = 300.0
"""Seconds for which peers stay connected while the manager is not reachable; a restart takes less."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_LONGEST_TOKEN = 16_384
_COOKIES = {"http": "PLATFORM_SESSION", "https": "__Host-PLATFORM_SESSION"}
"""The name of the manager's session cookie for each scheme of an address."""
_CHANGES = (b"event: apps", b"event: systemConfig", b"event: reset", b"event: ready")

_REFUSED = (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN)


class _AsSent(httpx.Auth):
    """Keeps the credentials of the request: the library would replace them with those in the address."""

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        yield request


_AS_SENT = _AsSent()


class ManagerCheck:
    """Accepts the credentials that the manager accepts. The user is the ID that the manager returns, unchanged.

    Each sign-in at the manager has one session here, with a client token of the manager; all sign-ins of a user with a
    password share one. While peers are connected, the session reads the manager's event stream, which ends immediately
    when the account is revoked or its sign-in ends.

    Attributes:
        changed: Emitted with a user, with the account, whose apps or configuration may have changed.
    """

    def __init__(
        self,
        base_url: str,
        client: httpx.AsyncClient | None = None,
        *,
        timeout_seconds: float = _TIMEOUT_SECONDS,
        longest_doubt: float = _LONGEST_DOUBT,
        address_secret: str | None = None,
        node: str = "",
        clock: Clock | None = None,
    ) -> None:
        """Use the manager's address, including the prefix of its API.

        With the secret of the manager's setting ``gateway.secret``, the addresses of clients are forwarded. With the
        address of this gateway among several (``node``), users of other gateways are rejected.
        """
        self._base = base_url.rstrip("/")
        tls = tls_context_for(self._base)
        self._client = client or httpx.AsyncClient(verify=tls, follow_redirects=False, timeout=timeout_seconds)
        # One stream for each connected user: streams must not use up the connections for requests.
        self._streams = client or httpx.AsyncClient(
            verify=tls, follow_redirects=False, limits=httpx.Limits(max_keepalive_connections=0)
        )
        self._timeout_seconds = timeout_seconds
        self.longest_doubt = longest_doubt
        self._address_secret = address_secret
        self._node = node
        self._clock = clock or SystemClock()
        self._turn = asyncio.Semaphore(_MOST_AT_ONCE)
        self._waiting = 0
        self.changed: Signal[str] = Signal()
        self._sessions: dict[tuple[str, str], ManagerSession] = {}
        self._opening: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def check(self, login: str, secret: str, address: str) -> Account | None:
        if ":" in login:
            # In Basic credentials the name ends at the first colon, so this would check another user.
            return None
        return await self._account(self._basic(login, secret, address), "")

    async def check_token(self, token: str) -> Account | None:
        """Check a client token of the manager."""
        family = _family(token)
        return None if family is None else await self._account({"Authorization": f"Bearer {token}"}, family)

    async def check_cookie(self, cookies: str) -> Account | None:
        """Check the manager's session cookie, which is one of the cookies of a request."""
        for pair in cookies.split(";"):
            name, _, token = pair.strip().partition("=")
            family = _family(token) if name in _COOKIES.values() else None
            if family is not None:
                # The scheme of the address here may differ from the one in the browser.
                base = httpx.URL(self._base)
                headers = {
                    "Cookie": f"{_COOKIES[base.scheme]}={token}",
                    # The manager requires an origin; the page's origin was checked when it connected.
                    "Origin": f"{base.scheme}://{base.netloc.decode()}",
                }
                return await self._account(headers, family)
        return None

    def headers_of(self, owner: str) -> dict[str, str] | None:
        """Return the headers of a request on behalf of a connected user, with the account."""
        found = (one for (other, _), one in self._sessions.items() if other == owner and not one.is_ended)
        return next((one.headers for one in found), None)

    async def _account(self, headers: Mapping[str, str], family: str) -> Account | None:
        answer = await self.ask("GET", "/me", headers)
        if answer.status_code in _REFUSED:
            return None
        who = _Who.of(answer)
        if self._node:
            await self._check_node(headers)
        opening = self._opening.setdefault((who.owner, family), asyncio.Lock())
        async with opening:
            session = await self._session(who, family, headers)
        return None if session is None else Account(user=who.user, session=session)

    async def _check_node(self, headers: Mapping[str, str]) -> None:
        """Reject a user whose agent runs on another gateway: the user would have two separate agents."""
        info = _body(await self.ask("GET", "/v2/server/info", headers), httpx.codes.OK)
        address = info.get("gatewayUrl")
        if address != self._node:
            raise CannotCheck(f"This gateway does not serve you. Connect to {address or 'the gateway of the manager'}")

    async def ask(self, method: str, path: str, headers: Mapping[str, str]) -> httpx.Response:
        """Send a request to the manager; raise CannotCheck if it does not respond."""
        if self._waiting >= _MOST_WAITING:
            raise CannotCheck("Too many sign-ins at once. Try again later")
        self._waiting += 1
        body: dict[str, Any] | None = None if method == "GET" else {}
        try:
            async with (
                self._turn,
                asyncio.timeout(self._timeout_seconds),
                self._client.stream(
                    method, self._base + path, headers={**headers, **ACCEPTED}, auth=_AS_SENT, json=body
                ) as answer,
            ):
                content = await read_body(answer, _LONGEST)
                kept = {name: answer.headers[name] for name in _KEPT_HEADERS if name in answer.headers}
                return httpx.Response(answer.status_code, headers=kept, content=content)
        except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, BadBody):
            raise CannotCheck("The manager cannot be reached to check the sign-in") from None
        finally:
            self._waiting -= 1

    async def listen(
        self, headers: Mapping[str, str], seconds: float, heard: asyncio.Event, changed: Callable[[], None]
    ) -> None:
        """Read the event stream until it ends, with a time limit; report contact and changes."""
        timeout = httpx.Timeout(self._timeout_seconds, read=_SILENCE_SECONDS)
        with suppress(TimeoutError, httpx.HTTPError, httpx.InvalidURL):
            async with (
                asyncio.timeout(seconds),
                self._streams.stream(
                    "GET", self._base + "/events", headers=dict(headers), auth=_AS_SENT, timeout=timeout
                ) as answer,
            ):
                if answer.status_code == httpx.codes.OK:
                    async for text in answer.aiter_raw():
                        heard.set()
                        if any(one in text for one in _CHANGES):
                            changed()

    def forget(self, session: "ManagerSession") -> None:
        if self._sessions.get(session.key) is session:
            del self._sessions[session.key]

    async def close(self) -> None:
        for session in list(self._sessions.values()):
            session.stop()
        await self._client.aclose()
        await self._streams.aclose()

    async def _session(self, who: "_Who", family: str, headers: Mapping[str, str]) -> "ManagerSession | None":
        known = self._sessions.get((who.owner, family))
        # Checked even if a stream is open: new credentials must not depend on an older session.
        if known is not None and await known.ask_again():
            return known
        answer = await self.ask("POST", "/token/refresh", headers)
        if answer.status_code in _REFUSED:
            return None
        session = ManagerSession(self, who, family, _Token.of(answer))
        self._sessions[session.key] = session
        # The account may have been replaced between the two answers: then the token is for the new one.
        return session if not who.account or await session.ask_again() else None

    def _basic(self, login: str, secret: str, address: str) -> dict[str, str]:
        credentials = base64.b64encode(f"{login}:{secret}".encode("utf-8", "surrogatepass")).decode()
        authorization = f"Basic {credentials}"
        if self._address_secret is None or not address:
            return {"Authorization": authorization}
        signed = sign_address(self._address_secret, address, authorization, self._clock.now())
        return {"Authorization": authorization, HEADER: signed}


class _Token(msgspec.Struct, frozen=True):
    """A client token of the manager."""

    text: str
    renew_at: float

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers of a request with this token."""
        return {"Authorization": f"Bearer {self.text}"}

    @classmethod
    def of(cls, answer: httpx.Response) -> "_Token":
        body = _body(answer, httpx.codes.CREATED)
        life = body.get("expiresIn")
        if isinstance(life, bool) or not isinstance(life, (int, float)):
            raise CannotCheck("The manager's answer cannot be read")
        return cls(_text(body, "token"), time.monotonic() + life / 2)


class _Who(msgspec.Struct, frozen=True):
    """The user that credentials belong to, with the manager's name for the account; older managers have none."""

    user: str
    account: str

    @property
    def owner(self) -> str:
        return owner_of(self.user, self.account)

    @classmethod
    def of(cls, answer: httpx.Response) -> "_Who":
        body = _body(answer, httpx.codes.OK)
        return cls(_text(body, "id"), _text(body, "account") if "account" in body else "")


class ManagerSession(Session):
    """A sign-in of a user of the manager.

    Attributes:
        key: The owner, and the manager's id of the sign-in; empty for passwords.
    """

    def __init__(self, manager: ManagerCheck, who: _Who, family: str, token: _Token) -> None:
        """Start with a token for the credentials; the stream is opened with the first peer."""
        super().__init__(who.user, who.account)
        self.key = (who.owner, family)
        self._manager = manager
        self._token = token
        self._is_heard = False
        self._watching: asyncio.Task[None] | None = None

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers of a request on behalf of the user."""
        return self._token.headers

    async def confirm(self) -> bool:
        """Return whether the session is active: without a request while its stream is open."""
        if self.is_ended or self._is_heard:
            return not self.is_ended
        return await self.ask_again()

    async def ask_again(self) -> bool:
        """Check the session's token with the manager; end the session if it is not accepted, or of another account."""
        answer = await self._manager.ask("GET", "/me", self._token.headers)
        if answer.status_code in _REFUSED:
            self.end()
        elif (account := _Who.of(answer).account) and account != self.account:
            # Also a session from before the manager was updated: its peers sign in again, and get the account.
            self.end()
        return not self.is_ended

    def peer_joined(self) -> None:
        """Count a peer; the first one opens the stream."""
        super().peer_joined()
        if self._watching is None and not self.is_ended:
            self._watching = asyncio.get_running_loop().create_task(self._watch())
            self._watching.add_done_callback(self._check_fault)

    def peer_left(self) -> None:
        """Remove a peer; the last one closes the stream."""
        super().peer_left()
        if self.peers == 0:
            self.stop()

    def end(self) -> None:
        self._manager.forget(self)
        super().end()
        self.stop()

    def stop(self) -> None:
        """Close the stream."""
        watching, self._watching, self._is_heard = self._watching, None, False
        if watching is not None and watching is not asyncio.current_task():
            watching.cancel()

    def _check_fault(self, watching: asyncio.Task[None]) -> None:
        """End the session if its stream was stopped by an internal error: revocations would be missed."""
        if not watching.cancelled() and watching.exception() is not None:
            _log.error("the session of %s cannot be watched", self.user, exc_info=watching.exception())
            self.end()

    async def _watch(self) -> None:
        pause, doubt_since = _FIRST_PAUSE, None
        while not self.is_ended:
            was_heard = await self._listen()
            pause = _FIRST_PAUSE if was_heard else min(2 * pause, _LONGEST_PAUSE)
            try:
                if not await self.ask_again():
                    _log.info("the manager has revoked the access of %s", self.user)
                    return
                doubt_since = None
                if time.monotonic() >= self._token.renew_at:
                    self._token = _Token.of(await self._manager.ask("POST", "/token/refresh", self._token.headers))
            except CannotCheck as error:
                doubt_since = time.monotonic() if doubt_since is None else doubt_since
                if time.monotonic() - doubt_since > self._manager.longest_doubt:
                    _log.warning("%s is disconnected, because the manager cannot be reached: %s", self.user, error)
                    self.end()
                    return
            # Random delays: otherwise all sessions would reconnect to a restarted manager at the same time.
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311

    async def _listen(self) -> bool:
        """Read the stream until it ends or the token must be renewed; return whether it was open."""
        opened = asyncio.Event()
        seconds = max(1.0, self._token.renew_at - time.monotonic())
        changed = partial(self._manager.changed.emit, self.key[0])
        listening = asyncio.ensure_future(self._manager.listen(self._token.headers, seconds, opened, changed))
        opening = asyncio.ensure_future(opened.wait())
        try:
            await asyncio.wait((listening, opening), return_when=asyncio.FIRST_COMPLETED)
            if not listening.done():
                # Revocations before the stream was open are not reported on it.
                with suppress(CannotCheck):
                    self._is_heard = await self.ask_again()
                    if not self._is_heard:
                        return True
            await listening
        finally:
            self._is_heard = False
            opening.cancel()
            listening.cancel()
            await asyncio.gather(opening, listening, return_exceptions=True)
        return opened.is_set()


def _body(answer: httpx.Response, expected: int) -> dict[str, Any]:
    if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
        seconds = answer.headers.get("retry-after", "")
        raise CannotCheck(f"Too many wrong passwords. Try again in {seconds if seconds.isdecimal() else 'some'} s")
    if answer.status_code != expected or len(answer.content) > _LONGEST_ANSWER:
        raise CannotCheck(f"The manager responded with status {answer.status_code} to the check of the sign-in")
    try:
        return msgspec.json.decode(answer.content, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise CannotCheck("The manager's answer cannot be read") from None


def _text(body: Mapping[str, Any], member: str) -> str:
    text = body.get(member)
    if not isinstance(text, str) or not text:
        raise CannotCheck("The manager's answer cannot be read")
    return text


def _family(token: str) -> str | None:
    """Return the sign-in that a token belongs to; the manager checks whether the token is genuine."""
    if len(token) > _LONGEST_TOKEN or not _TOKEN.fullmatch(token):
        return None
    payload = token.split(".")[1]
    try:
        claims = msgspec.json.decode(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (ValueError, binascii.Error, msgspec.DecodeError, RecursionError):
        return None
    family = claims.get("fam") if isinstance(claims, dict) else None
    return family if isinstance(family, str) and family else None
