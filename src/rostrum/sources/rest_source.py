"""Remote sources: one POST with the impersonation, answered by an object of files."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

import httpx

from rostrum.base.errors import Invalid
from rostrum.base.json_text import parse
from rostrum.base.retry import Sleep, attempt, waits
from rostrum.sources.answer import checked_files
from rostrum.sources.errors import SourceFailed, Unreachable
from rostrum.sources.source import Fetched, FetchedFile, Remark, Source

__all__ = ["MAX_BYTES", "RestReader", "TimeLimit", "open_client", "post"]

MAX_BYTES = 64 * 1024 * 1024
"""Longer answers are refused while they arrive."""

_MAX_REDIRECTS = 5
_WORTH_ANOTHER_TRY = 429
_SAME_REQUEST_ELSEWHERE = frozenset({301, 302, 307, 308})


TimeLimit = Callable[[float], AbstractAsyncContextManager[object]]
"""Makes what ends its body with TimeoutError after a number of seconds."""


def open_client(*, insecure: bool = False) -> httpx.AsyncClient:
    """Open a client that never follows redirects by itself; ``insecure`` accepts any certificate."""
    return httpx.AsyncClient(verify=not insecure, follow_redirects=False, timeout=None)  # noqa: S113 - limited per source


@dataclass(frozen=True, slots=True)
class RestReader:
    """Fetches remote sources."""

    client: httpx.AsyncClient
    sleep: Sleep = field(default=asyncio.sleep)
    max_bytes: int = MAX_BYTES
    limit: TimeLimit = field(default=asyncio.timeout)

    async def __call__(self, source: Source) -> Fetched:
        """Ask, and ask again while that may help."""
        try:
            files = await attempt(
                lambda: self._once(source),
                waits(source.rest_backoff_factor, source.rest_retries),
                lambda error: isinstance(error, Unreachable),
                self.sleep,
            )
        except SourceFailed as error:
            remark = Remark(source=source.name, message=str(error), severity="error" if source.required else "warning")
            return Fetched(status="failed", error=str(error), remarks=(remark,))
        return Fetched(files=files)

    async def _once(self, source: Source) -> Mapping[str, FetchedFile]:
        body = source.impersonation.body()
        limit = self.limit(source.rest_timeout)
        return await post(
            self.client, source.source, body, timeout=source.rest_timeout, max_bytes=self.max_bytes, limit=limit
        )


async def post(
    client: httpx.AsyncClient,
    address: str,
    body: Mapping[str, str],
    *,
    timeout: float,  # noqa: ASYNC109 - a limit from the configuration, for the whole exchange
    max_bytes: int = MAX_BYTES,
    limit: AbstractAsyncContextManager[object] | None = None,
) -> Mapping[str, FetchedFile]:
    """Ask for the files once, within a time limit for the whole exchange."""
    try:
        async with limit or asyncio.timeout(timeout):
            content = await _answer(client, httpx.URL(address), body, max_bytes)
    except TimeoutError:
        raise Unreachable(f"no full answer within {timeout:g} s") from None
    except (httpx.InvalidURL, httpx.UnsupportedProtocol):
        # The error's own text may hold the address, and that the credentials.
        raise SourceFailed("the address cannot be used: it must look like https://example.com/path") from None
    except (httpx.TransportError, httpx.DecodingError) as error:
        raise Unreachable(f"the connection failed: {str(error) or type(error).__name__}") from None
    try:
        return checked_files(parse(content))
    except Invalid as error:
        raise SourceFailed(str(error)) from None


async def _answer(client: httpx.AsyncClient, address: httpx.URL, body: Mapping[str, str], max_bytes: int) -> bytes:
    for _ in range(_MAX_REDIRECTS + 1):
        async with client.stream("POST", address, json=dict(body), headers={"Accept": "application/json"}) as response:
            if not response.is_redirect:
                _refuse_status(response.status_code)
                return await _bounded(response, max_bytes)
            address = _next_address(response, address)
    raise SourceFailed(f"the address redirects more than {_MAX_REDIRECTS} times")


def _next_address(response: httpx.Response, address: httpx.URL) -> httpx.URL:
    there = address.join(response.headers["location"])
    if (there.scheme, there.host, there.port) != (address.scheme, address.host, address.port):
        raise SourceFailed(f"the address redirects to another origin ({there.scheme}://{there.netloc.decode()})")
    if response.status_code not in _SAME_REQUEST_ELSEWHERE:
        raise SourceFailed(f"the address redirects with status {response.status_code}, which is not for configuration")
    return there.copy_with(userinfo=address.userinfo)


def _refuse_status(status: int) -> None:
    if status >= 500 or status == _WORTH_ANOTHER_TRY:
        raise Unreachable(f"answered with status {status}")
    if status in (401, 403):
        raise SourceFailed(f"answered with status {status}: not permitted for this user")
    if status != 200:
        raise SourceFailed(f"answered with status {status}")


async def _bounded(response: httpx.Response, max_bytes: int) -> bytes:
    content = bytearray()
    async for chunk in response.aiter_bytes():
        content += chunk
        if len(content) > max_bytes:
            raise SourceFailed(f"the answer is longer than {max_bytes:,} bytes")
    return bytes(content)
