"""The event stream of one client: pending events, and the end of the stream."""

import asyncio

from rostrum.manager.access.permissions import Permission
from rostrum.manager.audiences import EventKind
from rostrum.manager.auth.caller import Caller
from rostrum.manager.events import text

_READERS = {
    EventKind.APPS: Permission.APPS_READ,
    EventKind.LAYOUTS: Permission.LAYOUTS_READ,
    EventKind.SYSTEM_CONFIG: Permission.SYSTEM_CONFIGS_READ,
    EventKind.COMMANDS: Permission.COMMANDS_READ,
}


class Listener:
    """A stream of events to one client.

    At most one revision for each kind is pending, however slowly the client reads.
    """

    __slots__ = ("_beats", "_is_over", "_waiting", "_wake", "beats_at", "caller", "ends_at", "heard", "session")

    def __init__(self, caller: Caller, session: str | None, heard: int, ends_at: float | None) -> None:
        self.caller = caller
        self.session = session
        self.ends_at = ends_at
        self.beats_at = 0.0
        self.heard = heard
        self._waiting: dict[EventKind, int] = {}
        self._wake = asyncio.Event()
        self._beats = False
        self._is_over = False

    @property
    def user(self) -> str:
        return self.caller.identity.user

    @property
    def administers(self) -> list[EventKind]:
        """The kinds of which the user sees all documents as an administrator."""
        rights = self.caller.identity.permissions
        return [kind for kind, right in _READERS.items() if right in rights]

    def concerns(self, session: str) -> bool:
        """Return whether a change for one client session, or for all, affects this client."""
        return not session or self.session is None or self.session == session

    def knows(self, revision: int) -> None:
        """Record that the client knows all changes up to a revision from another response."""
        self.heard = revision
        self._waiting = {kind: later for kind, later in self._waiting.items() if later > revision}

    def change(self, kind: EventKind, revision: int) -> None:
        if revision > self.heard:
            self._waiting[kind] = revision
            self._wake.set()

    def beat(self) -> None:
        """Request a heartbeat."""
        self._beats = True
        self._wake.set()

    def end(self) -> None:
        self._is_over = True
        self._wake.set()

    async def next(self) -> bytes | None:
        """Wait for the next text to send; ``None`` ends the stream."""
        await self._wake.wait()
        self._wake.clear()
        if self._is_over:
            return None
        if self._waiting:
            waiting, self._waiting, self._beats = self._waiting, {}, False
            self.heard = max(waiting.values())
            return text.changed(waiting)
        if self._beats:
            self._beats = False
            return text.HEARTBEAT
        return b""
