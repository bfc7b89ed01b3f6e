"""Messages of the bus domain: topics without a server behind them."""

from typing import Any

import msgspec
from msgspec import Raw

from rostrum.gateway.messages.record import Incoming, Outgoing, RequestId


class BusSubscribe(Incoming, frozen=True, kw_only=True, tag="subscribe"):
    """Ask for what is published on a topic or on a pattern of topics."""

    topic: str
    routing_key: str | None = None


class BusUnsubscribe(Incoming, frozen=True, kw_only=True, tag="unsubscribe"):
    """End a subscription."""

    subscription_id: str


class BusPublish(Incoming, frozen=True, kw_only=True, tag="publish"):
    """Send data to everyone who listens; never answered."""

    topic: str
    data: Raw | msgspec.UnsetType = msgspec.UNSET
    routing_key: str | None = None
    target_identity: dict[str, Any] | None = None


class BusSubscribed(Outgoing, frozen=True, kw_only=True, tag="subscribed"):
    """A subscription was made."""

    domain: str = "bus"
    request_id: RequestId
    subscription_id: str


class BusEvent(Outgoing, frozen=True, kw_only=True, tag="event"):
    """What somebody published; the subscription it belongs to is put in front when it is sent."""

    domain: str = "bus"
    publisher_identity: Raw = msgspec.field(name="publisher-identity")
    data: Raw
