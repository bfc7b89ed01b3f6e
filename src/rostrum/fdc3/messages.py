"""The messages of FDC3 2.2 between apps and agent: parsing, encoding and error names."""

from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple

import msgspec

from rostrum.base.json_text import replace_half_characters

_NULL = b"null"
NOTHING = msgspec.Raw(_NULL)
"""An absent part of a message."""


class Malformed(Exception):
    """A message does not conform to the standard."""


class Refused(Exception):
    """A request is rejected with an error name of the standard; the text is for the log."""

    def __init__(self, error: str, text: str) -> None:
        super().__init__(text)
        self.error = error
        self.text = text


class _Record(msgspec.Struct, frozen=True, kw_only=True, gc=False, rename="camel"):
    """A part of a message; unknown members are ignored."""


class Envelope(_Record, frozen=True, kw_only=True):
    """A message whose kind is not known yet."""

    type: Any = None
    meta: msgspec.Raw = NOTHING
    payload: msgspec.Raw = NOTHING


class _RequestMeta(_Record, frozen=True, kw_only=True):
    request_uuid: str
    timestamp: datetime


class _StepMeta(_Record, frozen=True, kw_only=True):
    connection_attempt_uuid: str
    timestamp: datetime


class AppId(_Record, frozen=True, kw_only=True):
    """An app, or one of its instances."""

    app_id: str
    instance_id: str | None = None
    desktop_agent: str | None = None


class _ContextHead(_Record, frozen=True, kw_only=True):
    type: str
    name: str | msgspec.UnsetType = msgspec.UNSET
    id: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class Context(NamedTuple):
    """A context: its type, and its original text."""

    type: str
    text: msgspec.Raw


class Nothing(_Record, frozen=True, kw_only=True):
    """A payload without members."""


class Validate(_Record, frozen=True, kw_only=True):
    """WCP4: an app states its page, and its earlier instance."""

    identity_url: str
    actual_url: str
    instance_id: str | None = None
    instance_uuid: str | None = None


class AddContextListener(_Record, frozen=True, kw_only=True):
    """Listen on a channel, or on the current user channel of the instance."""

    channel_id: str | None
    context_type: str | None


class AddEventListener(_Record, frozen=True, kw_only=True):
    """Listen for events of the agent."""

    type: Literal["USER_CHANNEL_CHANGED"] | None


class AddIntentListener(_Record, frozen=True, kw_only=True):
    """Handle an intent."""

    intent: str


class Broadcast(_Record, frozen=True, kw_only=True):
    """Send a context to a channel."""

    channel_id: str
    context: msgspec.Raw


class Unsubscribe(_Record, frozen=True, kw_only=True):
    """Remove a listener."""

    listener: str = msgspec.field(name="listenerUUID")


class OneChannel(_Record, frozen=True, kw_only=True):
    """Name a channel."""

    channel_id: str


class OneApp(_Record, frozen=True, kw_only=True):
    """Name an app."""

    app: AppId


class FindIntent(_Record, frozen=True, kw_only=True):
    """Find apps that handle an intent."""

    intent: str
    context: msgspec.Raw = NOTHING
    result_type: str | None = None


class FindIntentsByContext(_Record, frozen=True, kw_only=True):
    """Find intents that accept a context."""

    context: msgspec.Raw
    result_type: str | None = None


class CurrentContext(_Record, frozen=True, kw_only=True):
    """Get the newest context of a channel."""

    channel_id: str
    context_type: str | None


class HeartbeatAcknowledgement(_Record, frozen=True, kw_only=True):
    """Acknowledge a heartbeat."""

    heartbeat_event_uuid: str


class IntentResult(_Record, frozen=True, kw_only=True):
    """Return the result of an intent."""

    intent_event_uuid: str
    raise_intent_request_uuid: str
    intent_result: msgspec.Raw


class Open(_Record, frozen=True, kw_only=True):
    """Open an app, with or without a context."""

    app: AppId
    context: msgspec.Raw = NOTHING


class PrivateChannelAddEventListener(_Record, frozen=True, kw_only=True):
    """Listen for events of a private channel."""

    private_channel_id: str
    listener_type: Literal["addContextListener", "unsubscribe", "disconnect"] | None


class RaiseIntent(_Record, frozen=True, kw_only=True):
    """Raise an intent with a context."""

    context: msgspec.Raw
    intent: str
    app: AppId | None = None


class RaiseIntentForContext(_Record, frozen=True, kw_only=True):
    """Raise any intent that accepts a context."""

    context: msgspec.Raw
    app: AppId | None = None


class ResultParts(_Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of an intent: a context, a channel, or nothing."""

    context: msgspec.Raw = NOTHING
    channel: Any = None


class ResultChannel(_Record, frozen=True, kw_only=True):
    """A channel as the result of an intent."""

    id: str
    type: Literal["user", "app", "private"]


class RequestKind(NamedTuple):
    """One kind of request.

    Attributes:
        malformed: The error for a malformed request, from those that the schema of the response allows.

    """

    payload: type[Any]
    malformed: str


_ANY: Final = "MalformedMessage"
_CREATION: Final = "CreationFailed"
_NO_CHANNEL: Final = "NoChannelFound"

REQUESTS: dict[str, RequestKind] = {
    "addContextListener": RequestKind(AddContextListener, _CREATION),
    "addEventListener": RequestKind(AddEventListener, _ANY),
    "addIntentListener": RequestKind(AddIntentListener, "IntentDeliveryFailed"),
    "broadcast": RequestKind(Broadcast, _ANY),
    "contextListenerUnsubscribe": RequestKind(Unsubscribe, _ANY),
    "createPrivateChannel": RequestKind(Nothing, _CREATION),
    "eventListenerUnsubscribe": RequestKind(Unsubscribe, _ANY),
    "findInstances": RequestKind(OneApp, _ANY),
    "findIntent": RequestKind(FindIntent, _ANY),
    "findIntentsByContext": RequestKind(FindIntentsByContext, _ANY),
    "getAppMetadata": RequestKind(OneApp, _ANY),
    "getCurrentChannel": RequestKind(Nothing, _ANY),
    "getCurrentContext": RequestKind(CurrentContext, _NO_CHANNEL),
    "getInfo": RequestKind(Nothing, _ANY),
    "getOrCreateChannel": RequestKind(OneChannel, _CREATION),
    "getUserChannels": RequestKind(Nothing, "AccessDenied"),
    "heartbeatAcknowledgement": RequestKind(HeartbeatAcknowledgement, ""),
    "intentListenerUnsubscribe": RequestKind(Unsubscribe, _ANY),
    "intentResult": RequestKind(IntentResult, _ANY),
    "joinUserChannel": RequestKind(OneChannel, _NO_CHANNEL),
    "leaveCurrentChannel": RequestKind(Nothing, "AccessDenied"),
    "open": RequestKind(Open, _ANY),
    "privateChannelAddEventListener": RequestKind(PrivateChannelAddEventListener, _CREATION),
    "privateChannelDisconnect": RequestKind(OneChannel, _NO_CHANNEL),
    "privateChannelUnsubscribeEventListener": RequestKind(Unsubscribe, _ANY),
    "raiseIntent": RequestKind(RaiseIntent, _ANY),
    "raiseIntentForContext": RequestKind(RaiseIntentForContext, _ANY),
}
"""All requests of the standard, without the ending of their names."""

ERRORS_OF_OPEN = frozenset({"AppNotFound", "AppTimeout", "ErrorOnLaunch", "ResolverUnavailable"})
"""Errors that a platform may report when an app cannot be opened."""


class Request(NamedTuple):
    """A request, until it is answered.

    Attributes:
        kind: Its type without the ending.
        instance: Id of the instance that sent it.
        app_id: The app of this instance.

    """

    kind: str
    uuid: str
    instance: str
    app_id: str

    @property
    def source(self) -> dict[str, str]:
        """Return the instance as the standard names it."""
        return {"appId": self.app_id, "instanceId": self.instance}


_encoder = msgspec.json.Encoder()
_envelopes = msgspec.json.Decoder(Envelope)
_contexts = msgspec.json.Decoder(_ContextHead)
_RECORDS: tuple[type[Any], ...] = (_RequestMeta, _StepMeta, Validate, ResultParts, ResultChannel)
_decoders: dict[type[Any], msgspec.json.Decoder[Any]] = {
    record: msgspec.json.Decoder(record) for record in (*_RECORDS, *(kind.payload for kind in REQUESTS.values()))
}


def encode(value: Any) -> bytes:
    """Write JSON."""
    return _encoder.encode(value)


def decode(record: type[Any], text: msgspec.Raw | bytes) -> Any:
    """Read a part of a message.

    Raises:
        Malformed: The text does not have the form of the record.

    """
    try:
        return _decoders[record].decode(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(_reason(error)) from None


def read_envelope(payload: bytes) -> Envelope:
    """Read the kind of a message.

    Raises:
        Malformed: It is not a JSON object in UTF-8.

    """
    try:
        if not payload.isascii():
            # Contexts are forwarded without decoding: bytes that are not UTF-8 would close the receiver's connection.
            payload.decode()
        return _envelopes.decode(payload)
    except (ValueError, RecursionError) as error:
        replaced = replace_half_characters(payload)
        if replaced == payload:
            raise Malformed(_reason(error)) from None
    try:
        return _envelopes.decode(replaced)
    except (ValueError, RecursionError) as error:
        raise Malformed(_reason(error)) from None


def request_uuid(envelope: Envelope) -> str:
    """Read the id of a request."""
    uuid: str = decode(_RequestMeta, envelope.meta).request_uuid
    return uuid


def attempt_uuid(envelope: Envelope) -> str:
    """Read the id of an attempt to connect."""
    uuid: str = decode(_StepMeta, envelope.meta).connection_attempt_uuid
    return uuid


def read_context(text: msgspec.Raw, longest: int) -> Context:
    """Check a context.

    Raises:
        Refused: The context is malformed, or its type is too long.

    """
    try:
        head = _contexts.decode(text)
    except (ValueError, RecursionError) as error:
        raise Refused("MalformedContext", f"The context is malformed: {_reason(error)}") from None
    if not head.type or len(head.type) > longest:
        raise Refused("MalformedContext", f"The type of a context must have 1 to {longest} characters")
    return Context(head.type, text.copy())


def read_optional_context(text: msgspec.Raw, longest: int) -> Context | None:
    """Check a context that may be absent."""
    is_absent = memoryview(text).nbytes == len(_NULL) and bytes(text) == _NULL
    return None if is_absent else read_context(text, longest)


def timestamp(now: float) -> str:
    """Format a time as the standard requires."""
    return datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8: {error.reason} at byte {error.start}"
    return str(error)
