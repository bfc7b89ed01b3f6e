"""Slows down password guessing per account and address, without locking users out permanently."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from math import ceil

from rostrum.base.clock import Clock
from rostrum.base.errors import TooManyAttempts

_MOST = 20_000
_TRUSTED_SECONDS = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Limit:
    """Number of wrong passwords without a delay, and the seconds after which each further one is allowed."""

    free: int
    seconds: float


_PAIR = Limit(10, 10)
_ADDRESS = Limit(50, 1)
_ACCOUNT = Limit(100, 5)


@dataclass(slots=True)
class _Bucket:
    level: float = 0.0
    at: float = 0.0


class Throttle:
    """Counts wrong passwords in leaky buckets.

    Each attempt counts in three buckets: the account at this address, the address, and the account at all addresses.
    Only the first bucket applies to a known pair of account and address (the account has signed in from there recently)
    and to a client that proves in another way that it is known. So guesses for the account from elsewhere, or guesses
    with random names from the same address, such as that of an entire office, do not keep the owner out. Only password
    checks are counted; sessions, tokens and cached passwords are not.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        pair: Limit = _PAIR,
        address: Limit = _ADDRESS,
        account: Limit = _ACCOUNT,
        remembers_pairs: bool = True,
    ) -> None:
        """Use the limits; the defaults suit a firm behind a few addresses.

        Without ``remembers_pairs``, only the callers of ``enter`` determine which pairs are known.
        """
        self._clock = clock
        self._remembers_pairs = remembers_pairs
        self._limits = {"pair": pair, "address": address, "account": account}
        self._buckets: OrderedDict[tuple[str, bytes], _Bucket] = OrderedDict()
        self._trusted: OrderedDict[bytes, float] = OrderedDict()

    def enter(self, account: str, address: str, *, is_known: bool = False) -> None:
        """Count an attempt before it is checked, so that parallel attempts all count; refuse it if it must wait.

        ``is_known`` means that the account has signed in from this address before, as recorded by the caller or proved
        by the client.
        """
        keys = self._keys(account, address, is_known=is_known)
        now = self._clock.monotonic()
        wait = max(self._wait(key, now) for key in keys)
        if wait > 0:
            raise TooManyAttempts(max(1, ceil(wait)))
        for key in keys:
            bucket = self._buckets.setdefault(key, _Bucket(at=now))
            self._leak(key[0], bucket, now)
            bucket.level += 1
            self._buckets.move_to_end(key)
        while len(self._buckets) > _MOST:
            self._buckets.popitem(last=False)

    def take_back(self, account: str, address: str, *, is_known: bool = False) -> None:
        """Remove an attempt that was never checked."""
        for key in self._keys(account, address, is_known=is_known):
            bucket = self._buckets.get(key)
            if bucket is not None:
                bucket.level = max(0.0, bucket.level - 1)

    def succeeded(self, account: str, address: str, *, is_known: bool = False) -> None:
        """Remove the attempt: the password was correct. The account is known at this address for a day."""
        self.take_back(account, address, is_known=is_known)
        pair = _digest(account.casefold(), network_of(address))
        self._buckets.pop(("pair", pair), None)
        if not self._remembers_pairs:
            return
        self._trusted[pair] = self._clock.monotonic() + _TRUSTED_SECONDS
        self._trusted.move_to_end(pair)
        while len(self._trusted) > _MOST:
            self._trusted.popitem(last=False)

    def __len__(self) -> int:
        return len(self._buckets)

    def _keys(self, account: str, address: str, *, is_known: bool) -> list[tuple[str, bytes]]:
        # A different letter case must not allow more attempts. Digests keep long names from filling the memory.
        name, address = account.casefold(), network_of(address)
        pair = _digest(name, address)
        if is_known or self._trusted.get(pair, 0.0) > self._clock.monotonic():
            return [("pair", pair)]
        return [("pair", pair), ("address", _digest("", address)), ("account", _digest(name, ""))]

    def _wait(self, key: tuple[str, bytes], now: float) -> float:
        bucket = self._buckets.get(key)
        if bucket is None:
            return 0.0
        self._leak(key[0], bucket, now)
        limit = self._limits[key[0]]
        return (bucket.level - limit.free + 1) * limit.seconds if bucket.level > limit.free - 1 else 0.0

    def _leak(self, kind: str, bucket: _Bucket, now: float) -> None:
        bucket.level = max(0.0, bucket.level - (now - bucket.at) / self._limits[kind].seconds)
        bucket.at = now


def network_of(address: str) -> str:
    """Return the network of an address: a client with one IPv6 address has all addresses of its /64."""
    if ":" not in address:
        return address
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if not isinstance(known, IPv6Address):
        return address
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(IPv6Address(int(known) >> 64 << 64))


def _digest(account: str, address: str) -> bytes:
    text = f"{len(account)} {account}{address}".encode(errors="surrogatepass")
    return hashlib.blake2b(text, digest_size=16).digest()
