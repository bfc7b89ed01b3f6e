"""Messages about shared contexts; the same ones in the domains global and context."""

from typing import Any

from msgspec import Raw

from rostrum.gateway.messages.record import NULL, Incoming, Outgoing, RequestId


class ContextIncoming(Incoming, frozen=True, kw_only=True):
    """A message from a peer about contexts."""

    domain: str | None = None


class CreateContext(ContextIncoming, frozen=True, kw_only=True, tag="create-context"):
    """Create a context, or join the existing one with the name."""

    name: str
    data: Raw = NULL
    lifetime: str | None = None
    read_permissions: str | None = None
    write_permissions: str | None = None


class SubscribeContext(ContextIncoming, frozen=True, kw_only=True, tag="subscribe-context"):
    """Request the data of a context and all later changes."""

    context_id: str


class UnsubscribeContext(ContextIncoming, frozen=True, kw_only=True, tag="unsubscribe-context"):
    """Unsubscribe from a context."""

    context_id: str


class UpdateContext(ContextIncoming, frozen=True, kw_only=True, tag="update-context"):
    """Change a context's data."""

    context_id: str
    delta: Raw = NULL


class DestroyContext(ContextIncoming, frozen=True, kw_only=True, tag="destroy-context"):
    """Remove a context."""

    context_id: str


class ContextAdded(Outgoing, frozen=True, kw_only=True, tag="context-added"):
    """A context exists."""

    creator_id: str | None
    context_id: str
    name: str


class ContextCreated(Outgoing, frozen=True, kw_only=True, tag="context-created"):
    """The requested context was created, with the given data."""

    request_id: RequestId
    context_id: str


class SubscribedContext(Outgoing, frozen=True, kw_only=True, tag="subscribed-context"):
    """The current data of a context, as JSON or as an object with values in JSON."""

    request_id: RequestId
    context_id: str
    data: Raw | dict[str, Any]


class ContextUpdated(Outgoing, frozen=True, kw_only=True, tag="context-updated"):
    """A context has changed."""

    updater_id: str
    context_id: str
    delta: Raw


class ContextDestroyed(Outgoing, frozen=True, kw_only=True, tag="context-destroyed"):
    """A context was removed."""

    context_id: str
    reason_uri: str | None
    reason: str | None
