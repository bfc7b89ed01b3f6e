"""The lease by which one platform delivers broadcasts between its own apps before the agent has seen them.

All broadcasts of a user have one order. As long as all of them come from one platform, this platform determines the
order, so it may deliver before the agent does. Before the agent processes a broadcast from elsewhere, it recalls the
lease: the reply arrives on the same ordered connection as the platform's broadcasts, so none of them can arrive after
it.
"""

from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from rostrum.base.ids import new_id

LEASE_SECONDS = 40.0
"""A lease expires if its holder has not used it for this time. Holders stop using it ten seconds earlier."""
ANSWER_SECONDS = 2.0
"""A holder that does not answer a recall within this time is disconnected."""
QUIET_SECONDS = 5.0
"""After a recall, the agent grants no lease for this time, so that two active platforms do not compete for it."""
_MOST_HELD = 1_000
_MOST_HELD_BYTES = 4 * 1024 * 1024


class Holder(Protocol):
    """A platform that can have the lease."""

    id: str

    def send(self, event: dict[str, Any]) -> None:
        """Send an event."""
        ...


class DeliveryLease:
    """The lease of one user's agent, and the messages that wait for its return."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._id = ""
        # None while the connection of the holder is interrupted: the lease then ends with the next broadcast of another
        # client.
        self._holder: Holder | None = None
        self._delivered = 0
        self._until = 0.0
        self._quiet_until = 0.0
        self._answer_until: float | None = None
        self._held: deque[tuple[Callable[[], None], int]] = deque()
        self._held_bytes = 0
        self._routes: list[dict[str, Any]] = []

    @property
    def is_recalled(self) -> bool:
        """Return whether other platforms are waiting for the holder to return the lease."""
        return self._answer_until is not None

    @property
    def overdue(self) -> Holder | None:
        """Return the holder if it has not returned the lease within the time limit."""
        if self._answer_until is None:
            return None
        is_full = len(self._held) > _MOST_HELD or self._held_bytes > _MOST_HELD_BYTES
        is_late = self._now() >= self._answer_until or is_full
        return self._holder if is_late else None

    def is_held_by(self, link: Holder) -> bool:
        """Return whether a platform has the lease."""
        return self._holder is link

    def must_wait(self, link: Holder | None, is_broadcast: Callable[[], bool]) -> bool:
        """Return whether a broadcast of a platform, or of a client without FDC3, must wait; recall the lease if so."""
        if not self._id or (link is not None and link is self._holder):
            return False
        if self.is_recalled:
            return True
        if not is_broadcast():
            return False
        if self._holder is None or self._now() >= self._until:
            self._end()
            return False
        self._answer_until = self._now() + ANSWER_SECONDS
        self._holder.send({"kind": "recall", "lease": self._id})
        return True

    def hold(self, work: Callable[[], None], size: int = 0) -> None:
        """Call a function, which stores some bytes, when the lease was returned, after those that already wait."""
        self._held.append((work, size))
        self._held_bytes += size

    def returned(self, link: Holder, lease: str) -> None:
        """End the lease, and run the waiting functions."""
        if self._id == lease and self._holder is link:
            self._release()

    def left(self, link: Holder) -> None:
        """Record that the connection of a platform has ended; the platform may reconnect."""
        if self._holder is not link:
            return
        if self.is_recalled:
            self._release()
        else:
            self._holder = None

    def accepts(self, link: Holder, lease: str, number: int) -> bool:
        """Return whether a broadcast that a platform has delivered is next in the order, and not a repetition."""
        if not self._id or self._id != lease or self._holder not in (link, None) or number <= self._delivered:
            return False
        self._delivered = number
        return True

    def routed(self, link: Holder, route: dict[str, Any]) -> None:
        """Record a broadcast that the agent processed for a platform, and grant the lease to it if it is free."""
        if not self._id and self._now() >= self._quiet_until:
            self._id, self._holder, self._delivered = new_id(), link, 0
        if self._holder is link and not self.is_recalled:
            self._routes.append(route)

    def report(self, link: Holder, messages: int, routing: int) -> None:
        """Report to the holder what the agent has processed; until then the platform does not deliver."""
        if self._holder is not link or self.is_recalled:
            return
        routes, self._routes = self._routes, []
        self._until = self._now() + LEASE_SECONDS
        counts = {"messages": messages, "delivered": self._delivered, "routing": routing}
        link.send({"kind": "lease", "lease": self._id, **counts, "routes": routes})

    def _release(self) -> None:
        # Calls that arrive in the meantime are queued after the others.
        while self._held:
            work, size = self._held.popleft()
            self._held_bytes -= size
            work()
        self._quiet_until = self._now() + QUIET_SECONDS
        self._end()

    def _end(self) -> None:
        self._id, self._holder, self._answer_until, self._routes = "", None, None, []
