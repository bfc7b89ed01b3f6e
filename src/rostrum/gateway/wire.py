"""Encodes and decodes the messages of the router."""

from collections.abc import Callable
from typing import Any

import msgspec

from rostrum.base.json_text import decoder, replace_half_characters
from rostrum.gateway.messages.record import Outgoing
from rostrum.gateway.messages.texts import TEXTS


class NotJson(Exception):
    """A frame is not a JSON object in UTF-8."""


class Header(msgspec.Struct, gc=False):
    """The members of all messages, read before the sender is known."""

    domain: Any = None
    type: Any = None
    request_id: Any = None
    peer_id: Any = None


class _UsualHeader(Header, gc=False):
    domain: str | None = None
    type: str | None = None
    request_id: str | int | None = None
    peer_id: str | None = None


class _AnyHeader(msgspec.Struct, gc=False):
    domain: msgspec.Raw = msgspec.Raw()
    type: msgspec.Raw = msgspec.Raw()
    request_id: msgspec.Raw = msgspec.Raw()
    peer_id: msgspec.Raw = msgspec.Raw()


_LONGEST_VALUE = 1024
"""Longer values of a wrong type are not decoded: some numbers take a thousand times as long as others."""
_LARGE = 65_536
"""Texts of this size are not copied to remove one character."""
_LONGEST_TEXT = 65_536
_Texts = msgspec.defstruct("_Texts", [(name, msgspec.Raw, msgspec.Raw()) for name in sorted(TEXTS)], gc=False)
_texts_decoder = decoder(_Texts)
_header_decoder = msgspec.json.Decoder(_UsualHeader)
_any_header_decoder = decoder(_AnyHeader)
_any = decoder()
_encoder = msgspec.json.Encoder()


def header(payload: bytes) -> tuple[Header, bytes]:
    """Read the members that all messages have; return them and the text, with incomplete characters replaced."""
    try:
        if not payload.isascii():
            # Payloads are forwarded without decoding: invalid UTF-8 would close the receiver's socket, not the
            # sender's.
            payload.decode()
    except UnicodeDecodeError as error:
        raise NotJson(f"it is not UTF-8: {error.reason} at byte {error.start}") from None
    return _header(payload)


def _header(payload: bytes, decode: Callable[[bytes], Header] | None = None) -> tuple[Header, bytes]:
    decode = decode or _decode_header
    try:
        return decode(payload), payload
    except (ValueError, RecursionError) as error:
        repaired = replace_half_characters(payload)
        if repaired == payload:
            raise NotJson(_said(error)) from None
    try:
        return decode(repaired), repaired
    except (ValueError, RecursionError) as error:
        raise NotJson(_said(error)) from None


def _decode_header(payload: bytes) -> Header:
    try:
        return _header_decoder.decode(payload)
    except msgspec.ValidationError:
        found = _any_header_decoder.decode(payload)
    return Header(*(_value(each) for each in (found.domain, found.type, found.request_id, found.peer_id)))


def _decode_large(payload: bytes) -> Header:
    """Read the header of a large message, unless it contains long texts: decoding them would take long, and twice."""
    found = _texts_decoder.decode(payload)
    for name in TEXTS:
        if memoryview(getattr(found, name)).nbytes > _LONGEST_TEXT:
            raise NotJson(f"{name} is longer than {_LONGEST_TEXT} bytes")
    return Header(*(_value(each) for each in (found.domain, found.type, found.request_id, found.peer_id)))


def _value(text: msgspec.Raw) -> Any:
    """Decode a text, or a short value; a long one stays a text in JSON, which has a wrong type or names nothing."""
    first = first_character(text)
    if not first:
        return None
    if first == '"' or memoryview(text).nbytes <= _LONGEST_VALUE:
        return _any.decode(text)
    return text


class Opened:
    """A message whose header was read before, in an earlier turn of the event loop: large messages take long."""

    def __init__(self, payload: bytes, error: NotJson | None = None) -> None:
        """Read the header of a text in UTF-8, unless an error was found before."""
        self._read: tuple[Header, bytes] | NotJson
        try:
            self._read = error or _header(payload, _decode_large)
        except NotJson as found:
            self._read = found

    def header(self) -> tuple[Header, bytes]:
        """Return the same as ``header``, or raise its error."""
        if isinstance(self._read, NotJson):
            raise self._read
        return self._read


def body_decoder(record: Any) -> msgspec.json.Decoder[Any]:
    """Create the decoder of one message type."""
    return decoder(record)


def first_character(text: msgspec.Raw) -> str:
    """Return the type of a JSON text by its first character; an empty text has no type."""
    view = memoryview(text)
    return chr(view[0]) if view else ""


def encode(message: Outgoing) -> bytes | memoryview:
    """Encode a message without its opening brace: the first members differ between receivers."""
    text = _encoder.encode(message)
    return text[1:] if len(text) < _LARGE else memoryview(text)[1:]


def address(**members: str | None) -> bytes:
    """Encode the opening brace and the members for one receiver."""
    return _encoder.encode(members)[:-1] + b","


def _said(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error)
