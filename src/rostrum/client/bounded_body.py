"""Reads the body of an HTTP response within a limit, also a compressed one."""

from collections.abc import AsyncIterator, Mapping
from zlib import decompressobj, error

import httpx

ACCEPTED: Mapping[str, str] = {"Accept-Encoding": "gzip"}
"""The header of requests. Others would need libraries, and can be packed much more tightly."""

MOST_ELEMENTS = 1_000_000
"""For ``json_text.parse``: more elements of a JSON answer would use very much memory."""

_PLAIN, _GZIP = frozenset({"", "identity"}), frozenset({"gzip", "x-gzip"})
_GZIP_FORMAT = 31
_PIECE = 65_536


class BadBody(Exception):
    """The body is too long, or is not compressed as it should be; the message states which."""


async def read_body(response: httpx.Response, most: int) -> bytes:
    """Return the unpacked body; raise BadBody if it is longer than a limit, before the rest is unpacked."""
    content = bytearray()
    async for piece in _unpacked(response, most):
        content += piece
        if len(content) > most:
            raise _too_long(most)
    return bytes(content)


async def read_lines(response: httpx.Response, longest: int) -> AsyncIterator[str]:
    """Yield the lines of an endless body; raise BadBody for a line that is too long."""
    rest = b""
    async for piece in _unpacked(response, None):
        *lines, rest = (rest + piece).replace(b"\r\n", b"\n").split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace")
        if len(rest) > longest:
            raise BadBody(f"a line is longer than {longest:,} bytes")


async def _unpacked(response: httpx.Response, most: int | None) -> AsyncIterator[bytes]:
    """Yield the body in pieces. The HTTP library would unpack several times, and without a limit."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in _PLAIN | _GZIP:
        raise BadBody("the answer is compressed in another way than with gzip, or several times")
    unpacker = decompressobj(wbits=_GZIP_FORMAT) if encoding in _GZIP else None
    received = 0
    async for chunk in response.aiter_raw():
        received += len(chunk)
        if most is not None and received > most:
            # Compressed bytes may contain nothing.
            raise _too_long(most)
        if unpacker is None:
            yield chunk
            continue
        try:
            rest = chunk
            while rest and not unpacker.eof:
                yield unpacker.decompress(rest, _PIECE)
                rest = unpacker.unconsumed_tail
        except error:
            raise BadBody("the answer is not compressed as it says") from None
    if unpacker is not None and received and not unpacker.eof:
        raise BadBody("the compressed answer is incomplete")


def _too_long(most: int) -> BadBody:
    return BadBody(f"the answer is longer than {most:,} bytes")
