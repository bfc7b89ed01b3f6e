"""Divides large JSON texts, so that no call of the decoder takes long: it cannot be interrupted."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from msgspec import Raw

T = TypeVar("T")

SMALL = 65_536
"""Bytes that are decoded at once, whatever they contain."""
PIECE = 4096
"""Elements of a large object or array that are decoded at once: about a millisecond."""
_TOKENS = 512
"""Parts of a text that are examined between two places to pause: a few tenths of a millisecond."""
# Both match some kilobytes at most. A longer text between quotation marks is continued with the second one.
_TOKEN = re.compile(
    rb'[^"{}\[\],]{0,8192}+(?:([{}\[\],])|"(?:[^"\\]{1,128}+|\\.){0,64}+("?)|)',
    re.DOTALL,
)
_IN_STRING = re.compile(rb'(?:[^"\\]{1,128}+|\\.){0,64}+("?)', re.DOTALL)


def batches(text: Raw, decode: Callable[[Raw | bytes], T]) -> Iterable[T | None]:
    """Decode an object or array, in parts if it is large; None is a place to pause.

    A value of another type is given to the decoder, which refuses it or returns None.
    """
    if memoryview(text).nbytes <= SMALL:
        return (decode(text),)
    return _decoded(bytes(text), decode)


def _decoded(text: bytes, decode: Callable[[Raw | bytes], T]) -> Iterator[T | None]:
    yield None
    # Commas inside values count too, so that the number of elements is not larger.
    if text.count(b",") < PIECE or text[:1] not in (b"{", b"["):
        yield decode(text)
        yield None
        return
    for piece in _pieces(text):
        yield None if piece is None else decode(piece)


def _pieces(text: bytes) -> Iterator[bytes | None]:
    opening, closing = text[:1], b"}" if text[:1] == b"{" else b"]"
    start, found = 1, 0
    for comma in _commas(text):
        if comma is None:
            yield None
            continue
        found += 1
        if found == PIECE:
            yield opening + text[start:comma] + closing
            start, found = comma + 1, 0
    yield opening + text[start:]


def _commas(text: bytes) -> Iterator[int | None]:
    """Find the commas between the elements of a valid object or array."""
    depth = position = tokens = 0
    is_in_string = False
    while position < len(text):
        token = (_IN_STRING if is_in_string else _TOKEN).match(text, position)
        if token is None or token.end() == position:
            return
        position = token.end()
        if is_in_string:
            is_in_string = not token[1]
        elif (sign := token[1]) is None:
            is_in_string = token[2] == b""
        elif sign == b",":
            if depth == 1:
                yield position - 1
        else:
            depth += 1 if sign in b"{[" else -1
        tokens += 1
        if tokens % _TOKENS == 0:
            yield None
