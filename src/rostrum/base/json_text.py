"""Reads and writes JSON, with limits for untrusted input."""

import hashlib
import math
import re
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from rostrum.base.errors import Invalid, TooLarge
from rostrum.base.problems import MAX_DEPTH

JsonObject = dict[str, Any]

T = TypeVar("T")

_encoder = msgspec.json.Encoder()
_BYTE_ORDER_MARK = "\ufeff"
_PIECE = 65_536
# Everything up to a half of a surrogate pair: the text is scanned in C, whatever other escapes it contains.
_WITHOUT_HALVES = re.compile(
    rb"(?:[^\\]++"
    rb"|\\(?!u[dD][89a-fA-F][0-9a-fA-F]{2})."
    rb"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})*+",
    re.DOTALL,
)
_HALF = 6
_UNKNOWN_CHARACTER = rb"\ufffd"
_MOST_HALVES = 20_000
"""More of them are no truncated texts; replacing them would take long."""
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)


def decoder(kind: type[T] | Any = Any) -> msgspec.json.Decoder[Any]:
    """Create a decoder of untrusted JSON.

    By itself, the library takes a hundred times as long for some short numbers, such as 1e308.
    """
    return msgspec.json.Decoder(kind, float_hook=_number)


def _number(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError("Number out of range")
    return value


_decoder = decoder()


def parse(text: bytes | str, *, max_elements: int | None = None) -> Any:
    """Read one JSON value, with or without a byte order mark; raise an error with a description for invalid text.

    Always set ``max_elements`` for untrusted input: a few kilobytes of compressed text could otherwise create gigabytes
    of objects.
    """
    if max_elements is not None:
        refuse_many_elements(text.encode(errors="replace") if isinstance(text, str) else text, max_elements)
    try:
        value = _decoder.decode(_without_mark(text))
    except RecursionError:
        raise Invalid(f"the JSON is nested deeper than {MAX_DEPTH} levels") from None
    except UnicodeDecodeError as error:
        raise Invalid(f"the body is not UTF-8: {error.reason} at byte {error.start}") from None
    except UnicodeEncodeError:
        raise Invalid("the JSON holds half of a surrogate pair, which no text can hold") from None
    except msgspec.DecodeError as error:
        raise Invalid(f"the body is not JSON: {error}") from None
    # Each level needs at least two characters.
    if len(text) > 2 * MAX_DEPTH:
        _refuse_deep(value)
    return value


def count_elements(text: bytes | str, limit: int) -> int:
    """Count commas, objects and arrays, including those inside strings, and stop above a limit."""
    data = text.encode(errors="replace") if isinstance(text, str) else text
    return _elements(data, 0, len(data), limit)


def dump(value: Any) -> bytes:
    """Write a value as compact UTF-8 JSON."""
    return _encoder.encode(value)


def digest(text: bytes) -> str:
    """Return a short text that identifies the bytes."""
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def replace_half_characters(text: bytes) -> bytes:
    """Replace escaped halves of surrogate pairs with U+FFFD.

    JavaScript strings may contain half a surrogate pair, such as a truncated emoji; encoded text cannot.
    A text with very many of them is returned unchanged.
    """
    parts: list[bytes] = []
    start = 0
    while (end := _end_of_whole(text, start)) < len(text) and len(parts) < _MOST_HALVES:
        parts.append(text[start:end])
        start = end + _HALF
    if not parts or end < len(text):
        return text
    return _UNKNOWN_CHARACTER.join([*parts, text[start:]])


def _end_of_whole(text: bytes, start: int) -> int:
    found = _WITHOUT_HALVES.match(text, start)
    return start if found is None else found.end()


def array(items: Iterable[bytes]) -> bytes:
    """Join JSON texts into an array without parsing them."""
    return b"[" + b",".join(items) + b"]"


def _without_mark(text: bytes | str) -> bytes | str:
    # Editors on Windows write a byte order mark, which has no meaning in UTF-8.
    if isinstance(text, str):
        return text.removeprefix(_BYTE_ORDER_MARK)
    return text.removeprefix(_BYTE_ORDER_MARK.encode())


def refuse_many_elements(text: bytes, limit: int) -> None:
    """Raise TooLarge for a text with more commas, objects and arrays, before any object is created from it."""
    if _elements(text, 0, len(text), limit) <= limit:
        # This count includes characters inside strings, so the real number is not larger.
        return
    elements = end = 0
    for strings, string in enumerate(_STRING.finditer(text), start=1):
        elements += _elements(text, end, string.start(), limit)
        end = string.end()
        # Each element of valid JSON has at most two strings, a name and a value. With more, the text is not JSON, and
        # the parser stops before it has read the part that was counted.
        if elements > limit or strings > 2 * (elements + 1):
            break
    else:
        elements += _elements(text, end, len(text), limit)
    if elements > limit:
        raise TooLarge(
            f"the JSON has more than {limit} elements (commas, objects and arrays are counted); send less at once"
        )


def _elements(text: bytes, start: int, end: int, limit: int) -> int:
    """Count up to a limit, in parts: counting a large text at once would block other threads."""
    found = 0
    for piece in range(start, end, _PIECE):
        stop = min(piece + _PIECE, end)
        found += text.count(b",", piece, stop) + text.count(b"[", piece, stop) + text.count(b"{", piece, stop)
        if found > limit:
            break
    return found


def _refuse_deep(value: Any) -> None:
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(MAX_DEPTH):
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return
    raise Invalid(f"the JSON is nested deeper than {MAX_DEPTH} levels")


def raw(text: str) -> msgspec.Raw:
    """Insert stored JSON text into a larger document unchanged."""
    return msgspec.Raw(text.encode())
