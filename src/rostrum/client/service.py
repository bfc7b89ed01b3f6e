"""A client of one HTTP service, with time limits, bounded responses and readable errors."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

import httpx

from rostrum.base.addresses import url_origin
from rostrum.base.errors import Invalid
from rostrum.base.json_text import dump, parse
from rostrum.base.tls import tls_context_for
from rostrum.client.bounded_body import ACCEPTED, MOST_ELEMENTS, BadBody, read_body
from rostrum.client.credentials import NOBODY, Credentials
from rostrum.client.errors import NotPermitted, Refused, Unanswered, Unreachable

MAX_BYTES = 64 * 1024 * 1024
"""Longer responses are aborted."""

_TOO_MANY = 429
_NOT_MODIFIED = 304
_LONGEST_REASON = 300
_LONGEST_ETAG = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A response of a service.

    Attributes:
        body: The JSON value or plain text; None if the response is empty or the content is not modified.
        etag: The version, for conditional requests.
    """

    status: int
    body: Any = field(default=None, repr=False)
    etag: str | None = None

    @property
    def unchanged(self) -> bool:
        return self.status == _NOT_MODIFIED


@dataclass(frozen=True, slots=True)
class Form:
    """A form with files, each with its name and content."""

    fields: Mapping[str, str]
    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict, repr=False)


class Service:
    """A service at one address. Redirects are not followed, so that credentials are not sent elsewhere."""

    def __init__(
        self,
        address: str,
        credentials: Credentials = NOBODY,
        *,
        timeout: float = 60,
        verify: bool = True,
        proxy: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Open no connection yet; ``timeout`` is in seconds, for one complete exchange."""
        self.address = address.rstrip("/")
        self.credentials = credentials
        self._timeout = timeout
        try:
            self._client = httpx.AsyncClient(
                verify=tls_context_for(self.address, verify=verify),
                proxy=proxy,
                headers={**(headers or {}), **ACCEPTED},
                follow_redirects=False,
                timeout=None,  # noqa: S113 - limited below
            )
        except (httpx.InvalidURL, ValueError):
            # The text of the error may contain the credentials of the proxy.
            raise Refused("the address of the proxy cannot be used", 0) from None

    @property
    def shown(self) -> str:
        """Return the address without credentials and query, for display."""
        try:
            parts = urlsplit(self.address)
        except ValueError:
            return "(an address that cannot be read)"
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._client.aclose()

    @property
    def origin(self) -> str | None:
        return url_origin(self.address)

    def _auth(self, request: httpx.Request) -> httpx.Auth | None:
        """Return the credentials for a request, if they are valid for its origin."""
        bound = self.credentials.origin
        if bound is not None and url_origin(str(request.url)) != bound:
            raise Refused(f"the credentials were entered for {bound} and are not sent to another origin", 0)
        return self.credentials.auth()

    async def request(
        self,
        method: str,
        path: str = "",
        *,
        json: Any = None,
        query: Mapping[str, str] | None = None,
        etag: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - for the whole exchange
        form: Form | None = None,
    ) -> Reply:
        """Send a request; raise an error with a description if it fails."""
        asked = {"Accept": "application/json", **_known(etag)}
        parts = {"params": dict(query) if query else None, **_body(json, form)}
        response, content = await self._answer(method, path, asked, parts, timeout=timeout or self._timeout)
        etag = _etag(response)
        if response.status_code == _NOT_MODIFIED or not content.strip():
            return Reply(status=response.status_code, etag=etag)
        if response.headers.get("content-type", "").startswith("text/plain"):
            return Reply(status=response.status_code, body=content.decode("utf-8", "replace"), etag=etag)
        try:
            return Reply(status=response.status_code, body=parse(content, max_elements=MOST_ELEMENTS), etag=etag)
        except Invalid as error:
            raise Refused(f"the answer is not JSON: {error}", response.status_code) from None

    async def download(self, *, etag: str | None = None, limit: int | None = None) -> Reply:
        """Return the content at the address as bytes."""
        response, content = await self._answer("GET", "", _known(etag), {}, timeout=self._timeout, limit=limit)
        return Reply(status=response.status_code, body=content, etag=_etag(response))

    async def _answer(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        parts: dict[str, Any],
        *,
        timeout: float,  # noqa: ASYNC109 - for the whole exchange
        limit: int | None = None,
    ) -> tuple[httpx.Response, bytes]:
        try:
            async with asyncio.timeout(timeout):
                request = self._client.build_request(method, self.address + path, **parts)
                request.headers.update(headers)
                response = await self._client.send(request, stream=True, auth=self._auth(request))
                try:
                    content = await _bounded(response, limit)
                finally:
                    await response.aclose()
        except TimeoutError:
            raise Unanswered(f"no full answer within {timeout:g} s") from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol):
            # The text of the error may contain the address, and the address may contain credentials.
            raise Refused("the address cannot be used: it must look like https://example.com/path", 0) from None
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
            raise Unreachable(f"the connection failed: {str(error) or type(error).__name__}") from None
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise Unanswered(f"the connection failed: {str(error) or type(error).__name__}") from None

        if response.status_code != _NOT_MODIFIED and not response.is_success:
            _raise(response.status_code, content)
        return response, content

    @asynccontextmanager
    async def stream(self, path: str, headers: Mapping[str, str]) -> AsyncIterator[httpx.Response]:
        """Open an endless response; only the time until its headers, or an error, have arrived is limited."""
        try:
            async with asyncio.timeout(self._timeout):
                request = self._client.build_request("GET", self.address + path, headers=dict(headers))
                response = await self._client.send(request, stream=True, auth=self._auth(request))
                if not response.is_success:
                    try:
                        _raise(response.status_code, await _bounded(response))
                    finally:
                        await response.aclose()
        except TimeoutError:
            raise Unreachable(f"no answer within {self._timeout:g} s") from None
        except httpx.TransportError as error:
            raise Unreachable(f"the connection failed: {str(error) or type(error).__name__}") from None
        try:
            yield response
        except BadBody as error:
            raise Unreachable(str(error)) from None
        except httpx.TransportError as error:
            raise Unreachable(f"the connection failed: {str(error) or type(error).__name__}") from None
        finally:
            await response.aclose()


def _body(json: Any, form: Form | None) -> dict[str, Any]:
    if form is not None:
        # A part without a file name is a field; this makes the form multipart even if it has no files.
        fields = [(name, (None, value.encode("utf-8", "replace"))) for name, value in form.fields.items()]
        return {"files": [*fields, *form.files.items()]}
    if json is None:
        return {}
    return {"content": dump(json), "headers": {"Content-Type": "application/json"}}


def _etag(response: httpx.Response) -> str | None:
    """Return the version of a response if it is safe to send back: printable ASCII of a moderate length."""
    etag = response.headers.get("etag", "")
    return etag if 0 < len(etag) <= _LONGEST_ETAG and etag.isascii() and etag.isprintable() else None


def _known(etag: str | None) -> dict[str, str]:
    return {} if etag is None else {"If-None-Match": etag}


async def _bounded(response: httpx.Response, limit: int | None = None) -> bytes:
    try:
        return await read_body(response, MAX_BYTES if limit is None else limit)
    except BadBody as error:
        raise Refused(str(error), response.status_code) from None


def _raise(status: int, content: bytes) -> None:
    reason = _reason(content)
    text = f"answered with status {status}" + (f": {reason}" if reason else "")
    if status >= 500 or status == _TOO_MANY:
        raise Unreachable(text)
    if status in (401, 403, 407):
        raise NotPermitted(text)
    raise Refused(text, status)


def _reason(content: bytes) -> str:
    """Return the message of an error body in our own format; other bodies are not shown."""
    try:
        error = parse(content, max_elements=MOST_ELEMENTS)["error"]
        return str(error["message"])[:_LONGEST_REASON]
    except (Invalid, KeyError, TypeError, IndexError):
        return ""
