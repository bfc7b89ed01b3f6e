"""The state of a member of the agm domain: its methods, calls and subscriptions."""

import msgspec

from rostrum.gateway.messages.record import MethodId, RequestId
from rostrum.gateway.peer import Peer, Source
from rostrum.gateway.restrictions import Restriction
from rostrum.gateway.wire import address

StreamId = str | int


class Method:
    """A method of a peer; the definition is stored unchanged.

    Attributes:
        uses: How often it was called or subscribed to.
    """

    __slots__ = ("definition", "id", "name", "restriction", "uses")

    def __init__(
        self, method_id: MethodId, name: str, definition: msgspec.Raw, restriction: Restriction | None
    ) -> None:
        """Copy the definition, so that the message it came in can be freed."""
        self.id = method_id
        self.name = name
        self.definition = definition.copy()
        self.restriction = restriction
        self.uses = 0

    def is_open_to(self, owner: Peer, other: Peer) -> bool:
        return self.restriction is None or owner is other or self.restriction.allows(owner.identity, other.identity)


class Invocation:
    """A pending call."""

    __slots__ = ("callee", "caller", "id", "request_id")

    def __init__(self, invocation_id: str, caller: "AgmPeer", callee: "AgmPeer", request_id: RequestId) -> None:
        self.id = invocation_id
        self.caller = caller
        self.callee = callee
        self.request_id = request_id


class Subscription:
    """A subscription to a stream; without a stream id it has not been accepted."""

    __slots__ = ("head", "id", "method_id", "publisher", "request_id", "source", "stream_id", "subscriber")

    def __init__(
        self,
        subscription_id: str,
        subscriber: "AgmPeer",
        publisher: "AgmPeer",
        method_id: MethodId,
        request_id: RequestId,
    ) -> None:
        self.id = subscription_id
        self.subscriber = subscriber
        self.publisher = publisher
        self.method_id = method_id
        self.request_id = request_id
        self.stream_id: StreamId | None = None
        self.source: Source = subscriber.peer.source
        self.head = address(peer_id=subscriber.peer.id, subscription_id=subscription_id)


class AgmPeer:
    """The state of a member of the agm domain.

    Attributes:
        methods: Its methods.
        serving: Calls that it must answer.
        waiting: Its own pending calls.
        interests: Subscriptions on its streams.
        streams: The accepted ones among them, by branch.
        subscriptions: Its own subscriptions to streams of others.
    """

    __slots__ = ("interests", "methods", "peer", "serving", "streams", "subscriptions", "waiting")

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.methods: dict[MethodId, Method] = {}
        self.serving: dict[str, Invocation] = {}
        self.waiting: dict[str, Invocation] = {}
        self.interests: dict[str, Subscription] = {}
        self.streams: dict[StreamId, dict[str, Subscription]] = {}
        self.subscriptions: dict[str, Subscription] = {}
