"""Records polls as contacts of client sessions: not every poll, but often enough that the sessions stay active."""

from collections import OrderedDict
from contextlib import suppress
from datetime import datetime, timedelta

from rostrum.base.clock import Clock
from rostrum.manager.access.identity import Identity
from rostrum.manager.errors import NoRoom
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Storage

_MOST = 20_000
"""The maximum number of sessions whose last contact is cached; for others, contacts are recorded too often."""


class SessionContacts:
    """The time at which this process last recorded a contact of each session."""

    def __init__(self, storage: Storage, clock: Clock, *, idle_seconds: int) -> None:
        self._storage = storage
        self._clock = clock
        # Half the time until a session is inactive: if one poll comes slightly too early, the next is still in time.
        self._interval = timedelta(seconds=idle_seconds / 2)
        self._recorded: OrderedDict[str, datetime] = OrderedDict()

    def is_due(self, session_id: str) -> bool:
        """Return whether the next contact of a session has to be recorded."""
        recorded = self._recorded.get(session_id)
        return recorded is None or not timedelta() <= self._clock.now() - recorded < self._interval

    async def record(self, identity: Identity, session_id: str) -> None:
        """Record a contact of the caller's session, if the last one is old enough."""
        if not self.is_due(session_id):
            return
        # If the disk is full, clients that only read must still receive responses.
        with suppress(NoRoom):
            async with self._storage.note(identity.user) as work:
                await work.of(Sessions).touch(session_id, work.now)
        self._recorded[session_id] = self._clock.now()
        self._recorded.move_to_end(session_id)
        while len(self._recorded) > _MOST:
            self._recorded.popitem(last=False)
