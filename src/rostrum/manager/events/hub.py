"""The clients that listen at this node: who they are, what each of them hears, when their streams end."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from rostrum.base.clock import Clock
from rostrum.manager.auth.caller import Caller
from rostrum.manager.errors import StorageError, TooManyListeners
from rostrum.manager.events.listener import Listener
from rostrum.manager.events.model import ADMINISTRATORS, Announcement, EventKind

_log = logging.getLogger(__name__)

_TICK_SECONDS = 1.0

Check = Callable[[Caller, str | None], Awaitable[bool]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many clients may listen, and how often each hears a sign of life.

    Attributes:
        per_user: Clients of one user at this node.
        total: Clients of all users at this node.
        heartbeat_seconds: Longest silence of a stream.

    """

    per_user: int
    total: int
    heartbeat_seconds: float


class Hub:
    """Passes changes on to the clients that they concern."""

    def __init__(self, clock: Clock, limits: Limits, check: Check) -> None:
        self._clock = clock
        self._limits = limits
        self._check = check
        self._listeners: set[Listener] = set()
        self._of_user: dict[str, set[Listener]] = {}
        self._checks: set[asyncio.Task[None]] = set()
        self._revision = 0
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._listeners)

    @contextmanager
    def joined(self, listener: Listener) -> Iterator[None]:
        """Let a client listen for as long as the block lasts."""
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
        """Pass changes on to those whom they concern."""
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
        """End every stream; clients come back by themselves, each after a while of its own."""
        for listener in self._listeners:
            listener.end()

    def close(self) -> None:
        """End every stream, and each that is still to come."""
        self._is_closed = True
        self.end_all()

    def _let_in(self, user: str) -> None:
        if len(self._of_user.get(user, ())) >= self._limits.per_user:
            raise TooManyListeners(f"you have {self._limits.per_user} event streams open already")
        if len(self._listeners) >= self._limits.total:
            raise TooManyListeners("this server has as many event streams open as it takes")

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
            self._checks.add(task)
            task.add_done_callback(self._checks.discard)

    async def _end_if_refused(self, listener: Listener) -> None:
        try:
            is_let_in = await self._check(listener.caller, listener.session)
        except StorageError as error:
            # Coming back needs credentials that are checked again: that is the safe side.
            _log.info("an event stream of %r ends: its sign-in cannot be checked: %s", listener.user, error)
            is_let_in = False
        if not is_let_in:
            listener.end()

    def _rest(self, listener: Listener) -> None:
        # Spread out, or all streams would beat together after a change that concerned everyone.
        pause = self._limits.heartbeat_seconds * random.uniform(0.5, 1)  # noqa: S311
        listener.beats_at = self._clock.monotonic() + pause
