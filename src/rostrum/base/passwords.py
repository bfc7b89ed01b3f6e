"""Passwords: the policy for new ones, and Argon2id hashes computed off the event loop."""

import asyncio
import os
import random
import sys
import threading
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import ClassVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from rostrum.base.errors import Overloaded
from rostrum.base.memory import give_large_blocks_back

_MOST_WAITING = 256
_LONGEST_PAUSE = 30
_LOWER_PRIORITY, _LOWEST_PRIORITY = 5, 19
"""How much the priority is lowered, and the lowest priority; higher numbers mean lower priorities."""
DEFAULT_MIN_LENGTH = 8


class Passwords:
    """Hashes and verifies passwords in its own threads.

    Attributes:
        memory_kib: The memory that a hash takes, unless another value is given.
        rounds: How often a hash passes through this memory.
    """

    memory_kib: ClassVar[int] = 19 * 1024
    rounds: ClassVar[int] = 2

    def __init__(self, *, memory_kib: int | None = None, rounds: int | None = None) -> None:
        give_large_blocks_back()
        self._hasher = PasswordHasher(
            time_cost=rounds or self.rounds, memory_cost=memory_kib or self.memory_kib, parallelism=1
        )
        self._threads = ThreadPoolExecutor(
            max_workers=min(4, os.cpu_count() or 1), thread_name_prefix="argon2", initializer=_step_back
        )
        self._waiting = 0
        self._nobody = _hash_of_no_password(self._hasher)

    async def hash(self, password: str) -> str:
        """Return the hash to store."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._hasher.hash, password)

    def hash_now(self, password: str) -> str:
        """Return the hash to store, computed in this thread, for commands without an event loop."""
        return self._hasher.hash(password)

    async def verify(self, stored: str | None, password: str) -> bool:
        """Check a password.

        Without a stored hash, do the same work and return False, so that the time does not reveal which users exist.
        """
        if self._waiting >= _MOST_WAITING:
            # Random pauses spread the retries of clients that reconnect together after a restart.
            raise Overloaded(random.randint(1, _LONGEST_PAUSE))  # noqa: S311
        self._waiting += 1
        try:
            matches = await asyncio.get_running_loop().run_in_executor(
                self._threads, self._matches, stored or self._nobody, password
            )
        finally:
            self._waiting -= 1
        return matches and stored is not None

    def is_outdated(self, stored: str) -> bool:
        """Return whether a hash was made with other cost parameters than the current ones."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _matches(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False


def _hash_of_no_password(hasher: PasswordHasher) -> str:
    """Return a hash that takes as long to check as any other and matches no password: it is random, not computed."""
    salt, digest = (b64encode(os.urandom(length)).decode().rstrip("=") for length in (hasher.salt_len, hasher.hash_len))
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v={ARGON2_VERSION}${cost}${salt}${digest}"


def _step_back() -> None:
    """Lower the priority of this thread, so that sign-ins do not delay users who are signed in."""
    with suppress(AttributeError, OSError):
        # Only Linux has priorities per thread; elsewhere this would slow down the whole process.
        if sys.platform == "linux":
            thread = threading.get_native_id()
            now = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, min(now + _LOWER_PRIORITY, _LOWEST_PRIORITY))


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordPolicy:
    """The rules for new passwords; passwords that are already stored keep working.

    Attributes:
        min_length: Minimum number of characters.
        refuse_common: Whether the 1,000 most common passwords are refused, in upper or lower case.
    """

    min_length: int = DEFAULT_MIN_LENGTH
    refuse_common: bool = True

    def problem(self, password: str) -> str | None:
        """Describe why a password cannot be set; ``None`` if it can."""
        if len(password) < self.min_length:
            return f"must have at least {self.min_length} characters"
        if self.refuse_common and password.casefold() in _common():
            return "must not be one of the most common passwords"
        return None


@cache
def _common() -> frozenset[str]:
    # From published breaches, the most frequent first.
    text = files("rostrum.base").joinpath("common_passwords.txt").read_text("utf-8")
    return frozenset(text.casefold().split("\n")) - {""}
