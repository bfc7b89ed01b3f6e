"""Remote sources: a POST request with the impersonation, which returns an object of files."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

from rostrum.base.errors import Invalid
from rostrum.base.json_text import dump, parse
from rostrum.base.retry import Sleep, attempt, waits
from rostrum.base.tls import tls_context
from rostrum.client.bounded_body import ACCEPTED, MOST_ELEMENTS, BadBody, read_body
from rostrum.sources.access import SourceAccess
from rostrum.sources.answer import checked_files
from rostrum.sources.errors import SourceFailed, SourceRefused, Unauthorized, Unreachable
from rostrum.sources.source import Fetched, FetchedFile, Remark, Source

MAX_BYTES = 64 * 1024 * 1024
"""Longer responses are aborted."""

_MAX_REDIRECTS = 5
_WORTH_ANOTHER_TRY = 429
_SAME_REQUEST_ELSEWHERE = frozenset({301, 302, 307, 308})
# For a POST, HTTP specifies 412 where a GET returns 304; managers return 304 for both.
_UNCHANGED = frozenset({304, 412})
_LONGEST_VALIDATOR = 1024

TimeLimit = Callable[[float], AbstractAsyncContextManager[object]]
"""Creates a context that raises TimeoutError in its body after a number of seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceResponse:
    """The files of a source, and the validators for conditional requests."""

    files: Mapping[str, FetchedFile]
    etag: str | None = None
    last_modified: str | None = None

    def conditions(self) -> dict[str, str]:
        """Return the headers of a conditional request."""
        given = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in given.items() if value}


Answers = dict[tuple[str, bytes], SourceResponse]
"""The last response of each source in this run, by address and impersonation."""


def open_client(*, insecure: bool = False) -> httpx.AsyncClient:
    """Open a client that does not follow redirects; ``insecure`` accepts any certificate."""
    # All sources share the client, and cookies are not bound to a port: the session cookie of one source would be sent
    # to others on the same host.
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    return httpx.AsyncClient(
        verify=tls_context(verify=not insecure),
        cookies=no_cookies,
        follow_redirects=False,
        timeout=None,  # noqa: S113 - limited per source
    )


@dataclass(frozen=True, slots=True)
class RestReader:
    """Fetches remote sources.

    Attributes:
        answers: Earlier responses; sources that send validators get conditional requests.
    """

    client: httpx.AsyncClient
    sleep: Sleep = field(default=asyncio.sleep)
    max_bytes: int = MAX_BYTES
    limit: TimeLimit = field(default=asyncio.timeout)
    access: SourceAccess = field(default_factory=SourceAccess)
    answers: Answers = field(default_factory=dict)

    async def __call__(self, source: Source) -> Fetched:
        """Request the files, with retries."""
        offline = self.access.offline_reason(source)
        if offline is not None:
            return _failed(source, offline)
        key = (source.source, dump(source.impersonation.body()))
        known = self.answers.get(key)
        try:
            answer = await attempt(
                lambda: self._once(source, known),
                waits(source.rest_backoff_factor, source.rest_retries),
                lambda error: isinstance(error, Unreachable),
                self.sleep,
            )
        except SourceFailed as error:
            return _failed(source, str(error), refused=isinstance(error, SourceRefused))
        self.answers[key] = answer
        return Fetched(files=answer.files, unchanged=answer is known)

    async def _once(self, source: Source, known: SourceResponse | None) -> SourceResponse:
        try:
            return await self._post(source, known)
        except Unauthorized:
            if not await self.access.enter(source.source):
                raise
        return await self._post(source, known)

    async def _post(self, source: Source, known: SourceResponse | None) -> SourceResponse:
        return await post(
            self.client,
            source.source,
            source.impersonation.body(),
            timeout=source.rest_timeout,
            max_bytes=self.max_bytes,
            limit=self.limit(source.rest_timeout),
            access=self.access,
            known=known,
        )


def _failed(source: Source, reason: str, *, refused: bool = False) -> Fetched:
    remark = Remark(source=source.name, message=reason, severity="error" if source.required else "warning")
    return Fetched(status="failed", error=reason, refused=refused, remarks=(remark,))


async def post(
    client: httpx.AsyncClient,
    address: str,
    body: Mapping[str, str],
    *,
    timeout: float,  # noqa: ASYNC109 - a limit from the configuration, for the whole exchange
    max_bytes: int = MAX_BYTES,
    limit: AbstractAsyncContextManager[object] | None = None,
    access: SourceAccess | None = None,
    known: SourceResponse | None = None,
) -> SourceResponse:
    """Request the files once, with a limit for the entire exchange; return ``known`` if they have not changed."""
    asked = _Request(client, body, max_bytes, access or SourceAccess(), known)
    try:
        async with limit or asyncio.timeout(timeout):
            response, content = await asked.send(httpx.URL(address))
    except TimeoutError:
        raise Unreachable(f"no full answer within {timeout:g} s") from None
    except (httpx.InvalidURL, httpx.UnsupportedProtocol):
        # The text of the error may contain the address, and the address may contain credentials.
        raise SourceFailed("the address cannot be used: it must look like https://example.com/path") from None
    except (httpx.TransportError, httpx.DecodingError) as error:
        raise Unreachable(f"the connection failed: {str(error) or type(error).__name__}") from None
    if content is None and known is not None:
        return known
    try:
        files = checked_files(parse(content or b"", max_elements=MOST_ELEMENTS))
    except Invalid as error:
        raise SourceFailed(str(error)) from None
    return SourceResponse(
        files=files, etag=_validator(response, "etag"), last_modified=_validator(response, "last-modified")
    )


@dataclass(frozen=True, slots=True)
class _Request:
    client: httpx.AsyncClient
    body: Mapping[str, str]
    max_bytes: int
    access: SourceAccess
    known: SourceResponse | None

    async def send(self, address: httpx.URL) -> tuple[httpx.Response, bytes | None]:
        """Follow redirects within the origin; the content is None if the known content is still valid."""
        conditions = self.known.conditions() if self.known is not None else {}
        headers = {"Accept": "application/json", **ACCEPTED, **conditions}
        for _ in range(_MAX_REDIRECTS + 1):
            # Without other credentials, those in the address are used.
            auth = self.access.auth_for(str(address)) or httpx.USE_CLIENT_DEFAULT
            async with self.client.stream(
                "POST", address, json=dict(self.body), headers=headers, auth=auth
            ) as response:
                if conditions and response.status_code in _UNCHANGED:
                    return response, None
                if not response.is_redirect:
                    _refuse_status(response.status_code)
                    return response, await _bounded(response, self.max_bytes)
                address = _next_address(response, address)
        raise SourceFailed(f"the address redirects more than {_MAX_REDIRECTS} times")


def _validator(response: httpx.Response, name: str) -> str | None:
    # The value is sent back in a header, which allows printable ASCII only.
    value = response.headers.get(name, "")
    return value if 0 < len(value) <= _LONGEST_VALIDATOR and value.isascii() and value.isprintable() else None


def _next_address(response: httpx.Response, address: httpx.URL) -> httpx.URL:
    there = address.join(response.headers["location"])
    if (there.scheme, there.host, there.port) != (address.scheme, address.host, address.port):
        raise SourceFailed(f"the address redirects to another origin ({there.scheme}://{there.netloc.decode()})")
    if response.status_code not in _SAME_REQUEST_ELSEWHERE:
        raise SourceFailed(f"the address redirects with status {response.status_code}, which is not supported")
    return there.copy_with(userinfo=address.userinfo)


def _refuse_status(status: int) -> None:
    if status >= 500 or status == _WORTH_ANOTHER_TRY:
        raise Unreachable(f"answered with status {status}")
    if status == 401:
        raise Unauthorized(f"answered with status {status}: requires a user name and password that it accepts")
    if status == 403:
        raise SourceRefused(f"answered with status {status}: not permitted for this user")
    if status != 200:
        raise SourceFailed(f"answered with status {status}")


async def _bounded(response: httpx.Response, max_bytes: int) -> bytes:
    try:
        return await read_body(response, max_bytes)
    except BadBody as error:
        raise SourceFailed(str(error)) from None
