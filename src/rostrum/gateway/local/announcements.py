"""Announcements of methods, read in parts: one message can contain many methods, or megabytes of definitions."""

import logging
import re
from collections.abc import Generator, Iterator
from itertools import islice
from typing import Any

import msgspec

from rostrum.base.json_text import decoder

_log = logging.getLogger("rostrum.gateway")

_AT_ONCE = 20
"""Methods in one part."""
_SMALL = 128 * 1024
"""Size of a text that the JSON library may read at once: it needs up to 5 ns for a byte."""
_WINDOW = 16 * 1024
"""Bytes that are looked at in one step."""
_MOST_TOKENS = 500
"""Opening and closing characters that are looked at in one step."""
_LARGEST = 256 * 1024
"""Size of a definition above which peers of this process do not know the method, and those after it in a message."""
_ADDED, _REMOVED = b'"type":"methods-added"', b'"type":"methods-removed"'
_METHODS = b'"methods":['
# Values without others inside them, and arrays and objects of such values: scanned in C.
_FLAT = re.compile(
    rb'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+"'
    rb'|\[(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+\]'
    rb'|\{(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+\})*+',
    re.DOTALL,
)
_TEXT = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_OPENING, _CLOSING, _QUOTE = b"[{", b"]}", ord('"')

Part = dict[str, Any]


class _Added(msgspec.Struct):
    type: str
    domain: str
    server_id: str
    methods: list[msgspec.Raw]


_frames = decoder()
_added = msgspec.json.Decoder(_Added)


def is_announcement(tail: bytes | memoryview) -> bool:
    """Return whether a frame, without its head, announces added or removed methods."""
    return bytes(tail[: len(_REMOVED)]).startswith((_ADDED, _REMOVED))


def parts_of(tail: bytes | memoryview) -> Iterator[Part | None]:
    """Read an announcement as several smaller ones; ``None`` is a step without a result.

    Definitions stay text.
    """
    text = b"{" + tail if isinstance(tail, bytes) else bytes(tail.obj)
    if text.startswith(_ADDED, 1) and len(text) > _SMALL:
        yield from _parts_of_large(text)
        return
    if text.startswith(_ADDED, 1):
        message = _added.decode(text)
        frame = {"type": message.type, "domain": message.domain, "server_id": message.server_id}
        methods: list[Any] = message.methods
    else:
        frame = _frames.decode(text)
        methods = frame["methods"]
    yield None
    remaining = iter(methods)
    while part := list(islice(remaining, _AT_ONCE)):
        yield {**frame, "methods": part}


def _parts_of_large(text: bytes) -> Iterator[Part | None]:
    # The gateway has written what comes before the definitions.
    start = text.index(_METHODS) + len(_METHODS)
    frame: Part = _frames.decode(text[:start] + b"]}")
    part: list[msgspec.Raw] = []
    for found in _objects(text, start):
        if found is None:
            yield None
        elif found[1] - found[0] > _LARGEST:
            # Nor are the methods after it looked for: to find them could take very long.
            _log.warning("methods of %s are ignored: a definition is too large", frame["server_id"])
            break
        else:
            part.append(msgspec.Raw(text[found[0] : found[1]]))
        if len(part) >= _AT_ONCE:
            yield {**frame, "methods": part}
            part = []
    if part:
        yield {**frame, "methods": part}


def _objects(text: bytes, position: int) -> Iterator[tuple[int, int] | None]:
    """Find the objects of an array in valid JSON, in small steps; of one that is too large, the beginning."""
    start = depth = tokens = 0
    until = position + _WINDOW
    while depth or text[position] not in _CLOSING:
        tokens += 1
        if position >= until or tokens > _MOST_TOKENS:
            yield (start, position) if depth and position - start > _LARGEST else None
            tokens, until = 0, position + _WINDOW
        if depth:
            position = _end_of(_FLAT, text, position, until)
        character = text[position]
        if position >= until:
            continue
        if character == _QUOTE:
            # The text is longer than the rest of the step.
            until = position = yield from _end_of_text(text, position + 1)
        elif character in _OPENING:
            if not depth:
                start = position
            depth += 1
        elif character in _CLOSING:
            depth -= 1
            if not depth:
                yield (start, position + 1)
        position += 1


def _end_of_text(text: bytes, position: int) -> Generator[None, None, int]:
    begin = position
    while text[position] != _QUOTE and position - begin <= _LARGEST:
        yield None
        position = _end_of(_TEXT, text, position, position + _WINDOW)
    return position


def _end_of(pattern: re.Pattern[bytes], text: bytes, position: int, until: int) -> int:
    found = pattern.match(text, position, until)
    return position if found is None else found.end()
