"""Caches results of password checks for a short time, so that polls do not require a hash."""

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from weakref import WeakValueDictionary

from rostrum.base.clock import Clock


class PasswordCache:
    """A bounded cache of correct and wrong passwords. It contains keyed digests, never passwords."""

    def __init__(
        self, clock: Clock, *, seconds: float = 300, most: int = 10_000, is_renewed_by_use: bool = True
    ) -> None:
        self._is_renewed_by_use = is_renewed_by_use
        self._clock = clock
        self._seconds = seconds
        self._most = most
        self._key = secrets.token_bytes(32)
        self._entries: OrderedDict[bytes, tuple[int, float]] = OrderedDict()
        self._turns: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()

    def remember(self, user_id: str, password: str, epoch: int) -> None:
        """Record the result of a check: the user's epoch for a correct password, or the state of a refusal."""
        self._keep(self.key(user_id, password), epoch)

    def epoch(self, user_id: str, password: str) -> int | None:
        """Return the epoch in which this password was correct, if it is cached.

        The caller compares it with the current epoch of the user, which changes with the password, and when the user
        is disabled or deleted. Such entries therefore become invalid on every node.
        """
        return self.recall(self.key(user_id, password))

    def recall(self, key: bytes) -> int | None:
        """Return the same for the password with this key."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        epoch, until = entry
        if until < self._clock.monotonic():
            del self._entries[key]
            return None
        if self._is_renewed_by_use:
            self._keep(key, epoch)
        return epoch

    def turn(self, user_id: str, password: str) -> asyncio.Lock:
        """Return the lock for this password: one request checks it, and the others use the cached result."""
        return self._turns.setdefault(self.key(user_id, password), asyncio.Lock())

    def key(self, user_id: str, password: str) -> bytes:
        """Return the keyed digest of a password, the key of the cache."""
        user = user_id.encode()
        text = len(user).to_bytes(4, "big") + user + password.encode()
        return hashlib.blake2b(text, key=self._key, digest_size=32).digest()

    def __len__(self) -> int:
        return len(self._entries)

    def _keep(self, key: bytes, epoch: int) -> None:
        self._entries[key] = (epoch, self._clock.monotonic() + self._seconds)
        self._entries.move_to_end(key)
        while len(self._entries) > self._most:
            self._entries.popitem(last=False)
