"""Who listens to which topic."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from rostrum.gateway.patterns import compile_pattern
from rostrum.gateway.wire import address

if TYPE_CHECKING:
    from rostrum.gateway.state import Peer, Source

__all__ = ["BusPeer", "BusSubscription", "Topics"]

Matcher = Callable[[str], bool]


class BusSubscription:
    """A wish for what is published on a topic, or on all topics that fit a pattern."""

    __slots__ = ("fits", "head", "id", "peer", "routing_key", "source", "topic")

    def __init__(self, subscription_id: str, peer: "Peer", topic: str, routing_key: str | None) -> None:
        """Read the wildcards of a topic; BadPattern when there are too many."""
        self.id = subscription_id
        self.peer = peer
        self.topic = topic
        self.fits = _matcher(topic) if "*" in topic or ">" in topic else None
        self.routing_key = routing_key
        self.source: Source = peer.source
        self.head = address(peer_id=peer.id, subscription_id=subscription_id)


class BusPeer:
    """A member's subscriptions."""

    __slots__ = ("subscriptions",)

    def __init__(self) -> None:
        """Begin with none."""
        self.subscriptions: dict[str, BusSubscription] = {}


class Topics:
    """Every subscription, so that a publication finds its own without asking all."""

    def __init__(self) -> None:
        """Begin with none."""
        self._exact: dict[str, dict[str, BusSubscription]] = {}
        self._patterns: dict[str, BusSubscription] = {}

    def __len__(self) -> int:
        return len(self._patterns) + sum(map(len, self._exact.values()))

    def add(self, subscription: BusSubscription) -> None:
        """Keep a subscription."""
        if subscription.fits is None:
            self._exact.setdefault(subscription.topic, {})[subscription.id] = subscription
        else:
            self._patterns[subscription.id] = subscription

    def remove(self, subscription: BusSubscription) -> None:
        """Forget a subscription."""
        if subscription.fits is not None:
            del self._patterns[subscription.id]
            return
        same = self._exact[subscription.topic]
        del same[subscription.id]
        if not same:
            del self._exact[subscription.topic]

    def fitting(self, topic: str, routing_key: str | None) -> Iterator[BusSubscription]:
        """Find the subscriptions on a topic; routing keys count when both sides have one."""
        found: Iterable[BusSubscription] = self._exact.get(topic, {}).values()
        for subscription in (*found, *self._patterns.values()):
            if subscription.fits is not None and not subscription.fits(topic):
                continue
            if routing_key is None or subscription.routing_key in (None, routing_key):
                yield subscription


def _matcher(topic: str) -> Matcher:
    if _PLAIN.fullmatch(topic):
        parts = (_SEGMENT if part == "*" else ".*" if part == ">" else re.escape(part) for part in topic.split("."))
        fits = re.compile(r"\.".join(parts), re.DOTALL).fullmatch
        return lambda published: fits(published) is not None
    # Wildcards side by side could make a common matcher try for hours; this one cannot.
    return compile_pattern("".join(_WILDCARDS.get(sign) or _literal(sign) for sign in topic)).matches


def _literal(sign: str) -> str:
    return sign if sign.isalnum() else f"\\{sign}"


_SEGMENT = "[A-Za-z0-9_]+"
_WILDCARDS = {"*": _SEGMENT, ">": r"(.|\n)*"}
_PLAIN = re.compile(r"(?:(?:\*|[^.*>]*)\.)*(?:\*|>|[^.*>]*)")
