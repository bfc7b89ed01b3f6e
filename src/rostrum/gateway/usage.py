"""The bytes that users store in the gateway, and the limit of each user."""

from collections.abc import Mapping
from typing import Generic, NoReturn, TypeVar

from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Refused

RESERVE = 2 * 1024 * 1024
"""Bytes beyond the limit for peers: who has used up everything must be able to sign in and remove something."""


class Usage:
    """Counts the bytes of each owner. Code that stores something adds its bytes, and subtracts them at its removal."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._bytes: dict[str, int] = {}

    def of(self, owner: str) -> int:
        return self._bytes.get(owner, 0)

    def check(self, peer: Peer, owner: str, growth: int, domain: str) -> None:
        """Refuse a request by which an owner would store more than the limit; changes that free bytes are allowed.

        The platform's own peers limit themselves, and must work even if apps have used up everything.
        """
        if growth > 0 and not peer.source.is_local:
            self._check(owner, growth, self.most, domain)

    def check_peer(self, peer: Peer) -> None:
        """Refuse a sign-in by which a user would have too many peers, or too large ones."""
        if not peer.source.is_local:
            self._check(peer.user, peer.bytes, self.most + RESERVE, "global")

    def _check(self, owner: str, growth: int, most: int, domain: str) -> None:
        if self.of(owner) + growth > most:
            raise Refused(
                f"{domain}.errors.limits_exceeded",
                f"The peers, methods, subscriptions, pending calls, contexts and activities of a user may have {most} "
                f"bytes at most, and this would be {self.of(owner) + growth}. Remove what is no longer needed",
            )

    def add(self, owner: str, count: int) -> None:
        """Add bytes; a negative number subtracts them."""
        left = self.of(owner) + count
        if left:
            self._bytes[owner] = left
        else:
            self._bytes.pop(owner, None)


class Stored:
    """Something that the gateway stores for an owner, with the bytes that count for it."""

    __slots__ = ("bytes", "owner")

    def __init__(self, owner: str, count: int) -> None:
        self.owner = owner
        self.bytes = count


K = TypeVar("K")
S = TypeVar("S", bound=Stored)


class Kept(dict[K, S], Generic[K, S]):
    """Stored records by their ids. They count exactly as long as they are in here.

    Reading it is as fast as reading a dictionary. Other ways to change it are refused, so that nothing is stored
    without being counted.
    """

    __slots__ = ("_domain", "_usage")

    def __init__(self, usage: Usage, domain: str) -> None:
        super().__init__()
        self._usage = usage
        self._domain = domain

    def keep(self, peer: Peer, records: Mapping[K, S]) -> None:
        """Store records for a peer; above the limit of their owner, store none of them and raise Refused."""
        growth: dict[str, int] = {}
        for key, record in records.items():
            growth[record.owner] = growth.get(record.owner, 0) + record.bytes
            if (old := self.get(key)) is not None:
                growth[old.owner] = growth.get(old.owner, 0) - old.bytes
        for owner, count in growth.items():
            self._usage.check(peer, owner, count, self._domain)
        for owner, count in growth.items():
            self._usage.add(owner, count)
        super().update(records)

    def drop(self, key: K) -> S | None:
        """Remove a record and return it; None if there is none."""
        record = super().pop(key, None)
        if record is not None:
            self._usage.add(record.owner, -record.bytes)
        return record

    def drop_all(self) -> None:
        """Remove all records."""
        for key in list(self):
            self.drop(key)

    def _uncounted(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("records are stored with keep, and removed with drop")

    __setitem__ = __delitem__ = __ior__ = update = setdefault = pop = popitem = clear = _uncounted


def text_bytes(text: str | None) -> int:
    """Return how many bytes count for a text: eight for each character, if one of them is not ASCII."""
    return 0 if text is None else len(text) if text.isascii() else 8 * len(text)
