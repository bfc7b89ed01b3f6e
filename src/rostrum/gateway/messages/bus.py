"""Messages of the bus domain: publish and subscribe."""

from typing import ClassVar

import msgspec
from msgspec import Raw

from rostrum.gateway.messages.record import NULL, Incoming, Outgoing, RequestId


class BusSubscribe(Incoming, frozen=True, kw_only=True, tag="subscribe"):
    """Subscribe to a topic or to a pattern of topics."""

    topic: str
    routing_key: str | None = None


class BusUnsubscribe(Incoming, frozen=True, kw_only=True, tag="unsubscribe"):
    """End a subscription."""

    subscription_id: str


class BusPublish(Incoming, frozen=True, kw_only=True, tag="publish"):
    """Publish data to all subscribers; there is no response."""

    forwards: ClassVar[bool] = True

    topic: str
    data: Raw | msgspec.UnsetType = msgspec.UNSET
    routing_key: str | None = None
    target_identity: Raw = NULL


class BusSubscribed(Outgoing, frozen=True, kw_only=True, tag="subscribed"):
    """A subscription was made."""

    domain: str = "bus"
    request_id: RequestId
    subscription_id: str


class BusEvent(Outgoing, frozen=True, kw_only=True, tag="event"):
    """A publication; the id of the subscription is added when it is sent."""

    domain: str = "bus"
    publisher_identity: Raw = msgspec.field(name="publisher-identity")
    data: Raw
