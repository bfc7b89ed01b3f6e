"""Messages of the agm domain: methods, calls and streams."""

from typing import ClassVar

import msgspec
from msgspec import Raw

from rostrum.gateway.messages.record import NULL, Incoming, MethodId, Outgoing, RequestId, StreamId


class MethodDefinition(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The validated part of a method definition; the rest is forwarded unchanged."""

    id: MethodId
    name: str
    display_name: str | None = None
    description: str | None = None
    version: int | float | str | None = None
    flags: Raw = NULL
    object_types: Raw = NULL
    input_signature: str | None = None
    result_signature: str | None = None
    restrictions: str | None = None


class Register(Incoming, frozen=True, kw_only=True, tag="register"):
    """Register methods."""

    methods: list[Raw]


class Unregister(Incoming, frozen=True, kw_only=True, tag="unregister"):
    """Remove methods: a list of IDs."""

    # Read one by one, because some numbers take long.
    methods: list[Raw]


class Call(Incoming, frozen=True, kw_only=True, tag="call"):
    """Call a method of one peer."""

    forwards: ClassVar[bool] = True

    server_id: str
    method_id: MethodId
    arguments: Raw = NULL
    arguments_kv: Raw = NULL
    context: Raw = NULL


class Yield(Incoming, frozen=True, kw_only=True, tag="yield"):
    """Return the result of a call."""

    forwards: ClassVar[bool] = True

    invocation_id: str
    result: Raw = NULL


class CallError(Incoming, frozen=True, kw_only=True, tag="error"):
    """Reject a call or a subscription; its id is the request id."""

    forwards: ClassVar[bool] = True

    reason_uri: str | None = None
    reason: str | None = None
    context: Raw | msgspec.UnsetType = msgspec.UNSET


class Subscribe(Incoming, frozen=True, kw_only=True, tag="subscribe"):
    """Subscribe to a stream."""

    forwards: ClassVar[bool] = True

    server_id: str
    method_id: MethodId
    arguments: Raw = NULL
    arguments_kv: Raw = NULL
    flags: Raw = NULL
    context: Raw = NULL


class Accepted(Incoming, frozen=True, kw_only=True, tag="accepted"):
    """Accept a subscriber on one of the publisher's branches."""

    subscription_id: str
    stream_id: StreamId | None = None


class Publish(Incoming, frozen=True, kw_only=True, tag="publish"):
    """Send an event to a branch."""

    forwards: ClassVar[bool] = True

    stream_id: StreamId
    sequence: Raw = NULL
    snapshot: Raw = NULL
    data: Raw = NULL


class Post(Incoming, frozen=True, kw_only=True, tag="post"):
    """Send an event to one subscriber."""

    forwards: ClassVar[bool] = True

    subscription_id: str
    sequence: Raw = NULL
    snapshot: Raw = NULL
    data: Raw = NULL


class DropSubscription(Incoming, frozen=True, kw_only=True, tag="drop-subscription"):
    """End a subscription from the publisher's side."""

    subscription_id: str
    reason_uri: str | None = None
    reason: str | None = None


class Unsubscribe(Incoming, frozen=True, kw_only=True, tag="unsubscribe"):
    """End a subscription from the subscriber's side."""

    subscription_id: str
    reason_uri: str | None = None
    reason: str | None = None


class AgmOutgoing(Outgoing, frozen=True, kw_only=True):
    """A message to peers of the agm domain."""

    domain: str = "agm"


class MethodsAdded(AgmOutgoing, frozen=True, kw_only=True, tag="methods-added"):
    """Methods are available."""

    source_type: str = "local"
    server_id: str
    methods: list[Raw]


class MethodsRemoved(AgmOutgoing, frozen=True, kw_only=True, tag="methods-removed"):
    """Methods are no longer available."""

    server_id: str
    methods: list[MethodId]


class Invoke(AgmOutgoing, frozen=True, kw_only=True, tag="invoke"):
    """Execute a call and respond to it."""

    invocation_id: str
    method_id: MethodId
    caller_id: str
    arguments: Raw
    arguments_kv: Raw
    context: Raw


class Result(AgmOutgoing, frozen=True, kw_only=True, tag="result"):
    """The result of a call."""

    request_id: RequestId
    result: Raw


class AddInterest(AgmOutgoing, frozen=True, kw_only=True, tag="add-interest"):
    """Accept or reject a subscriber."""

    subscription_id: str
    method_id: MethodId
    caller_id: str
    arguments: Raw
    arguments_kv: Raw
    flags: Raw
    context: Raw


class RemoveInterest(AgmOutgoing, frozen=True, kw_only=True, tag="remove-interest"):
    """A subscriber has left."""

    subscription_id: str
    method_id: MethodId
    caller_id: str
    reason_uri: str | None
    reason: str | None


class Subscribed(AgmOutgoing, frozen=True, kw_only=True, tag="subscribed"):
    """A subscription was accepted."""

    request_id: RequestId
    subscription_id: str


class Event(AgmOutgoing, frozen=True, kw_only=True, tag="event"):
    """An event of a stream; the id of the subscription is added when it is sent."""

    oob: bool
    sequence: Raw
    snapshot: Raw
    data: Raw


class SubscriptionCancelled(AgmOutgoing, frozen=True, kw_only=True, tag="subscription-cancelled"):
    """A subscription has ended."""

    subscription_id: str
    reason_uri: str | None
    reason: str | None
