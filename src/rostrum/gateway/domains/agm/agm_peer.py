"""The state of a member of the agm domain: its methods, calls and subscriptions."""

import msgspec

from rostrum.gateway.messages.agm import Subscribe
from rostrum.gateway.messages.record import MethodId, RequestId, StreamId
from rostrum.gateway.peer import Peer, Source
from rostrum.gateway.restrictions import Restriction, weight
from rostrum.gateway.usage import Kept, Stored, Usage
from rostrum.gateway.wire import address

FREE_CALLS = 64
"""Pending calls of a peer that count as part of the peer."""
_CALL_BYTES = 1024
_METHOD_BYTES, _METHOD_FACTOR = 1024, 4
"""Bytes that count for each method, and for each byte of its definition: programs of this process store it as well."""
_SUBSCRIPTION_BYTES, _ARGUMENTS_FACTOR = 2048, 16
"""The same for subscriptions; only programs of this process store their arguments, after parsing them."""


class Method(Stored):
    """A method of a peer; the definition is stored unchanged.

    Attributes:
        uses: How often it was called or subscribed to.
    """

    __slots__ = ("definition", "id", "name", "restriction", "uses")

    def __init__(
        self, owner: str, method_id: MethodId, name: str, definition: msgspec.Raw, restriction: Restriction | None
    ) -> None:
        """Copy the definition, so that the message it came in can be freed."""
        size = memoryview(definition).nbytes
        super().__init__(owner, _METHOD_BYTES + _METHOD_FACTOR * size + weight(restriction))
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


class Subscription(Stored):
    """A subscription to a stream; without a stream id it has not been accepted."""

    __slots__ = ("head", "id", "method_id", "publisher", "request_id", "source", "stream_id", "subscriber")

    def __init__(
        self,
        subscription_id: str,
        subscriber: "AgmPeer",
        publisher: "AgmPeer",
        message: Subscribe,
    ) -> None:
        size = memoryview(message.arguments).nbytes + memoryview(message.arguments_kv).nbytes
        factor = _ARGUMENTS_FACTOR if publisher.peer.source.is_local else 0
        super().__init__(subscriber.peer.user, _SUBSCRIPTION_BYTES + factor * size)
        self.id = subscription_id
        self.subscriber = subscriber
        self.publisher = publisher
        self.method_id = message.method_id
        self.request_id = message.request_id
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
        most_waiting: How many calls may be pending before further ones count in the usage of its user.
    """

    __slots__ = ("interests", "methods", "most_waiting", "peer", "serving", "streams", "subscriptions", "waiting")

    def __init__(self, peer: Peer, usage: Usage) -> None:
        self.peer = peer
        self.most_waiting = FREE_CALLS
        self.methods: Kept[MethodId, Method] = Kept(usage, "agm")
        self.serving: dict[str, Invocation] = {}
        self.waiting: dict[str, Invocation] = {}
        self.interests: dict[str, Subscription] = {}
        self.streams: dict[StreamId, dict[str, Subscription]] = {}
        self.subscriptions: Kept[str, Subscription] = Kept(usage, "agm")

    def allow_calls(self, usage: Usage) -> None:
        """Count twice as many pending calls; raise Refused above the limit of the user."""
        usage.check(self.peer, self.peer.user, self.most_waiting * _CALL_BYTES, "agm")
        usage.add(self.peer.user, self.most_waiting * _CALL_BYTES, self.peer.share)
        self.most_waiting *= 2

    def free_calls(self, usage: Usage) -> None:
        """Count fewer pending calls again, if fewer are pending."""
        while self.most_waiting > FREE_CALLS and 4 * len(self.waiting) <= self.most_waiting:
            self.most_waiting //= 2
            usage.add(self.peer.user, -self.most_waiting * _CALL_BYTES, self.peer.share)
