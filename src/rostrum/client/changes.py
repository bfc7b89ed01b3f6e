"""Change notifications of the manager: an event stream that reconnects, and a client combined with its changes."""

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from rostrum.base.errors import RostrumError
from rostrum.base.json_text import parse
from rostrum.base.retry import LONGEST_WAIT_MS, Sleep
from rostrum.base.signal import Signal
from rostrum.client.errors import NotPermitted, Refused, ServiceFailed
from rostrum.client.events import ServerEvent
from rostrum.client.manager_client import ManagerClient

ChangedContent = Literal["apps", "layouts", "prefs", "systemConfig", "commands"]
KINDS: tuple[ChangedContent, ...] = get_args(ChangedContent)

Value = TypeVar("Value")

_log = logging.getLogger(__name__)
_FIRST_WAIT_MS = 1000


class ManagerChanges:
    """Reports the kinds of documents that changed on the manager.

    Attributes:
        changed: Emitted with the kind; with all kinds when changes may have been missed.
        back: Emitted when the stream is connected, for the first time or again.
        lost: Emitted when the stream is interrupted.
        connected: Whether the stream reports all changes, so that polling is not needed.
        revision: The newest announced revision; a request returns this revision or a later one.
        applied: The revision up to which each kind was fetched and applied.
        grown: Emitted when ``applied`` increased.
    """

    def __init__(
        self,
        client: ManagerClient,
        *,
        sleep: Sleep = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """Use a client of the manager; ``start`` opens the stream."""
        self.changed: Signal[ChangedContent] = Signal()
        self.back: Signal[None] = Signal()
        self.lost: Signal[None] = Signal()
        self.grown: Signal[None] = Signal()
        self.connected = False
        self.revision = 0
        self.applied: dict[ChangedContent, int] = {}
        self._client = client
        self._sleep = sleep
        self._jitter = jitter
        self._last_id = ""
        self._begun = False
        self._wait = float(_FIRST_WAIT_MS)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._listen(), name="manager events")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self.connected = False

    async def _listen(self) -> None:
        while True:
            try:
                await self._hear()
            except (NotPermitted, Refused) as error:
                _log.warning("the manager does not allow listening for changes: %s", error)
                self._wait = LONGEST_WAIT_MS
            except ServiceFailed as error:
                _log.info("the stream of changes was interrupted: %s", error)
            was, self.connected = self.connected, False
            if was:
                self._emit(self.lost, None)
            # All desktops lose the manager at the same time; random delays keep them from reconnecting at the same
            # time.
            await self._sleep(self._wait * (0.5 + self._jitter()) / 1000)
            self._wait = min(self._wait * 2, LONGEST_WAIT_MS)

    async def _hear(self) -> None:
        first = True
        async for event in self._client.events(self._last_id):
            if first:
                first = False
                self.connected = True
                self._wait = _FIRST_WAIT_MS
                self._emit(self.back, None)
            if event.retry is not None:
                self._wait = min(max(event.retry, _FIRST_WAIT_MS), LONGEST_WAIT_MS)
            self._last_id = event.id or self._last_id
            self._take(event)

    def _take(self, event: ServerEvent) -> None:
        if event.event == "reset":
            # The earlier numbers are no longer valid.
            self.applied.clear()
            self.revision = 0
        self.revision = max(self.revision, _revision_of(event))
        if event.event == "reset" or (event.event == "ready" and not (event.id and self._begun)):
            # Changes between the first requests and the start of the stream were not reported.
            self._begun = True
            self._tell(*KINDS)
        elif event.event in KINDS:
            self._tell(*(kind for kind in KINDS if kind == event.event))

    def note(self, kind: ChangedContent, revision: int) -> None:
        """Record that a kind was fetched and applied, at least at a revision."""
        if revision > self.applied.get(kind, 0):
            self.applied[kind] = revision
            self._emit(self.grown, None)

    def _tell(self, *kinds: ChangedContent) -> None:
        for kind in kinds:
            self._emit(self.changed, kind)

    def _emit(self, signal: Signal[Value], value: Value) -> None:
        try:
            signal.emit(value)
        except ExceptionGroup:
            _log.exception("a listener failed on a change of the manager")


def _revision_of(event: ServerEvent) -> int:
    try:
        revision = parse(event.data.encode())["revision"] if event.data else 0
    except (RostrumError, LookupError, TypeError):
        return 0
    return revision if type(revision) is int and revision > 0 else 0


@dataclass(frozen=True, slots=True)
class ChangeFeed:
    """Changes of one kind; without a kind, only reconnections."""

    changes: ManagerChanges
    kind: ChangedContent | None = None

    @property
    def reliable(self) -> bool:
        """Return whether the stream reports all changes, so that polling is not needed."""
        return self.changes.connected

    @property
    def revision(self) -> int:
        """Return the newest reported revision."""
        return self.changes.revision

    def applied(self, revision: int) -> None:
        """Record that the content as of a revision was applied."""
        if self.kind is not None:
            self.changes.note(self.kind, revision)

    def connect(self, changed: Callable[[], None], back: Callable[[], None]) -> Callable[[], None]:
        """Add listeners; call the returned function to remove them."""
        deaf = (
            self.changes.changed.connect(lambda kind: changed() if kind == self.kind else None),
            self.changes.back.connect(lambda _: back()),
        )

        def disconnect() -> None:
            for one in deaf:
                one()

        return disconnect


@dataclass(frozen=True, slots=True)
class Connection:
    """A client of the manager, with its change notifications."""

    client: ManagerClient
    changes: ManagerChanges

    @property
    def name(self) -> str:
        """Return the display name for stores of this manager."""
        return f"server {self.client.service.shown}"
