"""The bytes that users and their apps store in the gateway, and their limits."""

from collections.abc import Mapping
from typing import Generic, NoReturn, TypeVar

from rostrum.gateway.peer import Peer, Share
from rostrum.gateway.reasons import Refused

K = TypeVar("K")
RESERVE = 2 * 1024 * 1024
"""Bytes beyond the limit for peers: who has used up everything must be able to sign in and remove something."""


_LARGEST_SHARE = 2
"""An app may use this part of the limit of its user: a half."""
_SMALLEST_SHARE = 32
"""An app may use this part, also if other apps have used up the limit."""
_MOST_TOGETHER = 2
"""Everything of a user may be this many times the limit, if the smallest shares of many apps are beyond it."""


class Usage:
    """Counts the bytes of each owner. Code that stores something adds its bytes, and subtracts them at its removal.

    If the apps of a user have shares, one app cannot use up everything, and each can store something.
    """

    def __init__(self, most: int, *, has_shares: bool = False) -> None:
        self.most = most
        self.has_shares = has_shares
        self._bytes: dict[str, int] = {}
        self._shares: dict[tuple[str, Share], int] = {}

    def of(self, owner: str) -> int:
        return self._bytes.get(owner, 0)

    def check(self, peer: Peer, owner: str, growth: int, domain: str) -> None:
        """Refuse a request by which an owner would store more than the limit; changes that free bytes are allowed.

        The platform's own peers limit themselves, and must work even if apps have used up everything.
        """
        if growth > 0 and not peer.source.is_local:
            self._check(owner, peer.share, growth, self.most, domain)

    def check_peer(self, peer: Peer) -> None:
        """Refuse a sign-in by which a user would have too many peers, or too large ones."""
        if not peer.source.is_local:
            self._check(peer.user, peer.share_of_peers, peer.bytes, self.most + RESERVE, "global")

    def _check(self, owner: str, share: Share, growth: int, most: int, domain: str) -> None:
        total = self.of(owner) + growth
        if self.has_shares:
            used = self._shares.get((owner, share), 0) + growth
            if used <= most // _SMALLEST_SHARE and total <= most * _MOST_TOGETHER:
                return
            if used > most // _LARGEST_SHARE:
                raise _exceeded(domain, "an app", most // _LARGEST_SHARE, used)
        if total > most:
            raise _exceeded(domain, "a user", most, total)

    def add(self, owner: str, count: int, share: Share | None = None) -> None:
        """Add bytes, also to a share; a negative number subtracts them."""
        _add(self._bytes, owner, count)
        if self.has_shares and share is not None:
            _add(self._shares, (owner, share), count)


def _exceeded(domain: str, whose: str, most: int, total: int) -> Refused:
    return Refused(
        f"{domain}.errors.limits_exceeded",
        f"The peers, methods, subscriptions, pending calls, contexts and activities of {whose} may have {most} "
        f"bytes at most, and this would be {total}. Remove what is no longer needed",
    )


def _add(counts: dict[K, int], key: K, count: int) -> None:
    left = counts.get(key, 0) + count
    if left:
        counts[key] = left
    else:
        counts.pop(key, None)


class Stored:
    """Something that the gateway stores for an owner, with the bytes that count for it.

    Attributes:
        share: The share in which it counts; none before it is stored.
    """

    __slots__ = ("bytes", "owner", "share")

    def __init__(self, owner: str, count: int) -> None:
        self.owner = owner
        self.bytes = count
        self.share: Share | None = None


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
        for key, record in records.items():
            self._forget(self.get(key))
            record.share = peer.share
            self._usage.add(record.owner, record.bytes, record.share)
        super().update(records)

    def drop(self, key: K) -> S | None:
        """Remove a record and return it; None if there is none."""
        record = super().pop(key, None)
        self._forget(record)
        return record

    def _forget(self, record: S | None) -> None:
        if record is not None:
            self._usage.add(record.owner, -record.bytes, record.share)

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
