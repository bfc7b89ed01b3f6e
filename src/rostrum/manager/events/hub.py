"""The event streams of this node: their clients, their events and their end."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct

from rostrum.base.clock import Clock
from rostrum.manager.audiences import ADMINISTRATORS, Announcement, EventKind
from rostrum.manager.auth.caller import Caller
from rostrum.manager.errors import StorageError, TooManyListeners
from rostrum.manager.events.listener import Listener

_log = logging.getLogger(__name__)

_TICK_SECONDS = 1.0

Check = Callable[[Caller, str | None], Awaitable[bool]]


class Limits(Struct, frozen=True, kw_only=True):
    """Limits for event streams, and the interval of heartbeats.

    Attributes:
        per_user: Clients of one user at this node.
        total: Clients of all users at this node.
        heartbeat_seconds: The maximum time without data on a stream.

    """

    per_user: int
    total: int
    heartbeat_seconds: float


class Hub:
    """Sends changes to the affected clients.

    Attributes:
        checks: Checks of sign-ins that are in progress.
    """

    def __init__(self, clock: Clock, limits: Limits, check: Check) -> None:
        self._clock = clock
        self._limits = limits
        self._check = check
        self._listeners: set[Listener] = set()
        self._of_user: dict[str, set[Listener]] = {}
        self.checks: set[asyncio.Task[None]] = set()
        self._revision = 0
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._listeners)

    @contextmanager
    def joined(self, listener: Listener) -> Iterator[None]:
        """Register a client until the block ends."""
        self._let_in(listener.user)
        self._listeners.add(listener)
        self._of_user.setdefault(listener.user, set()).add(listener)
        self._rest(listener)
        if self._is_closed:
            listener.end()
        try:
            yield
        finally:
            self._listeners.discard(listener)
            self._of_user[listener.user].discard(listener)
            if not self._of_user[listener.user]:
                del self._of_user[listener.user]

    def on_change(self, revision: int, changes: Sequence[Announcement]) -> None:
        """Send changes to the affected clients."""
        if revision < self._revision:
            # The state of clients of this older copy is unknown: they reconnect and must fetch everything.
            self.end_all()
        self._revision = revision
        for change in changes:
            if change.kind is EventKind.ACCESS:
                self._check_again(change.user)
            else:
                self._pass_on(change)

    def tick(self) -> None:
        """Send the pending heartbeats, and close the streams whose sign-in has ended."""
        now = self._clock.monotonic()
        for listener in self._listeners:
            if listener.ends_at is not None and listener.ends_at <= now:
                listener.end()
            elif listener.beats_at <= now:
                listener.beat()
                self._rest(listener)

    async def run(self) -> None:
        """Tick until cancelled."""
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            self.tick()

    def end_all(self) -> None:
        """End all streams; clients reconnect by themselves, after individual delays."""
        for listener in self._listeners:
            listener.end()

    def close(self) -> None:
        """End all streams, and refuse new ones."""
        self._is_closed = True
        self.end_all()

    def _let_in(self, user: str) -> None:
        if len(self._of_user.get(user, ())) >= self._limits.per_user:
            raise TooManyListeners(f"you have {self._limits.per_user} event streams open already")
        if len(self._listeners) >= self._limits.total:
            raise TooManyListeners("this server has reached its limit of open event streams")

    def _pass_on(self, change: Announcement) -> None:
        if change.user in ("", ADMINISTRATORS):
            for listener in self._listeners:
                if not change.user or change.kind in listener.administers:
                    listener.change(change.kind, change.revision)
            return
        for listener in self._of_user.get(change.user, ()):
            if listener.concerns(change.session):
                listener.change(change.kind, change.revision)

    def _check_again(self, user: str) -> None:
        for listener in self._of_user.get(user, ()):
            task = asyncio.get_running_loop().create_task(self._end_if_refused(listener))
            self.checks.add(task)
            task.add_done_callback(self.checks.discard)

    async def _end_if_refused(self, listener: Listener) -> None:
        try:
            is_let_in = await self._check(listener.caller, listener.session)
        except StorageError as error:
            # This is safe: when the client reconnects, its credentials are checked again.
            _log.info("an event stream of %r ends: its sign-in cannot be checked: %s", listener.user, error)
            is_let_in = False
        if not is_let_in:
            listener.end()

    def _rest(self, listener: Listener) -> None:
        # Random offsets: otherwise, all heartbeats would coincide after a change that affects everyone.
        pause = self._limits.heartbeat_seconds * random.uniform(0.5, 1)  # noqa: S311
        listener.beats_at = self._clock.monotonic() + pause
