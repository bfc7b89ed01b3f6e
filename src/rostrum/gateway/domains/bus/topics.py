"""The subscriptions to topics."""

import re
from collections.abc import Callable

from rostrum.gateway.peer import Peer, Source
from rostrum.gateway.usage import Kept, Stored, Usage, text_bytes
from rostrum.gateway.wire import address

Matcher = Callable[[str], bool]

_BYTES, _PATTERN_FACTOR = 2048, 256
"""Bytes that count for each subscription, and for each character of a pattern."""


class BusSubscription(Stored):
    """A subscription to a topic, or to all topics that match a pattern."""

    __slots__ = ("fits", "head", "id", "peer", "routing_key", "source", "topic")

    def __init__(self, subscription_id: str, peer: Peer, topic: str, routing_key: str | None) -> None:
        self.fits = _matcher(topic) if "*" in topic or ">" in topic else None
        topic_bytes = text_bytes(topic) if self.fits is None else _PATTERN_FACTOR * len(topic)
        super().__init__(peer.user, _BYTES + topic_bytes + text_bytes(routing_key))
        self.id = subscription_id
        self.peer = peer
        self.topic = topic
        self.routing_key = routing_key
        self.source: Source = peer.source
        self.head = address(peer_id=peer.id, subscription_id=subscription_id)

    def takes(self, topic: str, routing_key: str | None) -> bool:
        """Return whether it receives what is published on a topic; routing keys count if both sides have one."""
        if self.fits is not None and not self.fits(topic):
            return False
        return routing_key is None or self.routing_key in (None, routing_key)


class BusPeer:
    """A member's subscriptions."""

    __slots__ = ("subscriptions",)

    def __init__(self, usage: Usage) -> None:
        self.subscriptions: Kept[str, BusSubscription] = Kept(usage, "bus")


class _Group:
    """The subscriptions of one user, or of all services."""

    __slots__ = ("exact", "patterns")

    def __init__(self) -> None:
        self.exact: dict[str, dict[str, BusSubscription]] = {}
        self.patterns: dict[str, BusSubscription] = {}

    def __len__(self) -> int:
        return len(self.patterns) + sum(map(len, self.exact.values()))

    def add(self, subscription: BusSubscription) -> None:
        if subscription.fits is None:
            self.exact.setdefault(subscription.topic, {})[subscription.id] = subscription
        else:
            self.patterns[subscription.id] = subscription

    def remove(self, subscription: BusSubscription) -> None:
        if subscription.fits is not None:
            del self.patterns[subscription.id]
            return
        same = self.exact[subscription.topic]
        del same[subscription.id]
        if not same:
            del self.exact[subscription.topic]

    def collect(self, topic: str, found: list[BusSubscription]) -> None:
        """Add the subscriptions to a topic and to patterns."""
        exact = self.exact.get(topic)
        if exact is not None:
            found += exact.values()
        if self.patterns:
            found += self.patterns.values()


class Topics:
    """All subscriptions, indexed so that a publication checks few of them, and none of other users.

    Attributes:
        peers: The members of the bus domain by their peer ids.
    """

    def __init__(self) -> None:
        self.peers: dict[str, BusPeer] = {}
        self._groups: dict[str, _Group] = {}
        self._services = _Group()

    def __len__(self) -> int:
        return len(self._services) + sum(map(len, self._groups.values()))

    def add(self, subscription: BusSubscription) -> None:
        peer = subscription.peer
        group = self._services if peer.is_service else self._groups.setdefault(peer.user, _Group())
        group.add(subscription)

    def remove(self, subscription: BusSubscription) -> None:
        peer = subscription.peer
        group = self._services if peer.is_service else self._groups[peer.user]
        group.remove(subscription)
        if not peer.is_service and not group.exact and not group.patterns:
            del self._groups[peer.user]

    def candidates(self, publisher: Peer, topic: str) -> list[BusSubscription]:
        """Find the subscriptions to a topic, and all those to patterns, which the caller compares."""
        found: list[BusSubscription] = []
        if publisher.is_service:
            for group in self._groups.values():
                group.collect(topic, found)
        elif (own := self._groups.get(publisher.user)) is not None:
            own.collect(topic, found)
        self._services.collect(topic, found)
        return found


def _matcher(topic: str) -> Matcher:
    if _PLAIN.fullmatch(topic):
        parts = (_SEGMENT if part == "*" else ".*" if part == ">" else re.escape(part) for part in topic.split("."))
        fits = re.compile(r"\.".join(parts), re.DOTALL).fullmatch
        return lambda published: fits(published) is not None
    # A backtracking matcher could take hours for consecutive wildcards; this one is linear.
    return _Places(topic).fits


class _Places:
    """Matches all positions of the pattern in parallel: bit n means that the first n elements have been matched."""

    __slots__ = ("_end", "_literals", "_rests", "_words")

    def __init__(self, topic: str) -> None:
        signs = re.sub(">+", ">", topic)
        self._literals: dict[str, int] = {}
        self._words = self._rests = 0
        for place, sign in enumerate(signs):
            if sign == "*":
                self._words |= 1 << place
            elif sign == ">":
                self._rests |= 1 << place
            else:
                self._literals[sign] = self._literals.get(sign, 0) | 1 << place
        self._end = 1 << len(signs)

    def fits(self, published: str) -> bool:
        places = self._past_rests(1)
        for sign in published:
            after = (places & self._literals.get(sign, 0)) << 1 | places & self._rests
            if _WORD.match(sign):
                # Matches one or more elements.
                after |= (places & self._words) << 1 | places & (self._words << 1)
            places = self._past_rests(after)
        return bool(places & self._end)

    def _past_rests(self, places: int) -> int:
        return places | (places & self._rests) << 1


_SEGMENT = "[A-Za-z0-9_]+"
_WORD = re.compile("[A-Za-z0-9_]")
_PLAIN = re.compile(r"(?:(?:\*|[^.*>]*)\.)*(?:\*|>|[^.*>]*)")
