"""Slows guessing down, per account and per address, without ever locking anyone out for good."""

from collections import OrderedDict
from dataclasses import dataclass
from math import ceil

from rostrum.base.clock import Clock
from rostrum.manager.errors import TooManyAttempts

__all__ = ["Throttle"]

_MOST = 20_000


@dataclass(slots=True)
class _Record:
    failures: int = 0
    last: float = 0.0


class Throttle:
    """Counts wrong passwords; past a few free ones each next try has to wait twice as long.

    Only password checks come here: sessions, tokens and remembered passwords pass by, so a
    victim who is logged in stays so while someone else guesses.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        free_per_account: int = 10,
        free_per_address: int = 50,
        longest_wait: float = 60,
        forget_after: float = 900,
    ) -> None:
        """Take the limits; the defaults suit a firm behind a few addresses."""
        self._clock = clock
        self._longest = longest_wait
        self._forget_after = forget_after
        self._free = {"account": free_per_account, "address": free_per_address}
        self._records: OrderedDict[tuple[str, str], _Record] = OrderedDict()

    def enter(self, account: str, address: str) -> None:
        """Count a try before it is checked, so that many at once count as many; refuse it when it must wait."""
        keys = self._keys(account, address)
        wait = max(self._wait(key) for key in keys)
        if wait > 0:
            raise TooManyAttempts(ceil(wait))
        now = self._clock.monotonic()
        for key in keys:
            record = self._records.setdefault(key, _Record())
            record.failures += 1
            record.last = now
            self._records.move_to_end(key)
        while len(self._records) > _MOST:
            self._records.popitem(last=False)

    def take_back(self, account: str, address: str) -> None:
        """Forget one try that was never checked."""
        for key in self._keys(account, address):
            record = self._records.get(key)
            if record is not None:
                record.failures -= 1

    def succeeded(self, account: str, address: str) -> None:
        """Take the try back: the password was right."""
        account_key, address_key = self._keys(account, address)
        self._records.pop(account_key, None)
        record = self._records.get(address_key)
        if record is not None:
            record.failures -= 1

    def _wait(self, key: tuple[str, str]) -> float:
        record = self._records.get(key)
        if record is None:
            return 0
        passed = self._clock.monotonic() - record.last
        if passed > self._forget_after:
            del self._records[key]
            return 0
        over = record.failures - self._free[key[0]]
        if over < 0:
            return 0
        # The exponent is bounded so that a long attack cannot make the number grow without end.
        return min(self._longest, 2.0 ** min(over, 10)) - passed

    @staticmethod
    def _keys(account: str, address: str) -> tuple[tuple[str, str], tuple[str, str]]:
        # Letter case must not give a guesser fresh tries.
        return ("account", account.casefold()), ("address", address)
