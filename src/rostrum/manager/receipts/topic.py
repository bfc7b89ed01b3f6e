"""Receipts: the changes that active clients have applied."""

from datetime import timedelta

from msgspec import Struct

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.sessions import Applied
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.audiences import EventKind
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.events.repository import Announcements
from rostrum.manager.receipts.repository import Receipt, Receipts
from rostrum.manager.storage import Storage, Work
from rostrum.manager.topic import Purge, Topic


class Standing(Struct, frozen=True, kw_only=True):
    """A page of receipts, and the number of clients that have applied all their changes."""

    page: Page[Receipt]
    applied: int
    pending: int


class ReceiptService:
    """Stores and lists receipts."""

    def __init__(self, storage: Storage, *, idle_seconds: int) -> None:
        self._storage = storage
        self._idle = timedelta(seconds=idle_seconds)

    async def standing(self, identity: Identity, query: Query, kind: EventKind, revision: int) -> Standing:
        """List the progress of active sessions with one kind; with a revision, those that it or a later one affects."""
        require(identity, Permission.SESSIONS_READ)
        async with self._storage.read() as work:
            since = work.now - self._idle
            page = await work.of(Receipts).page(query, kind, revision, since)
            applied, pending = await work.of(Receipts).count(kind, revision, since)
        return Standing(page=page, applied=applied, pending=pending)


async def save_receipts(work: Work, session_id: str, applied: Applied) -> None:
    """Store the revision that a client reports as applied; it must exist."""
    given = {EventKind(name): revision for name, revision in applied if revision is not None}
    newest = await work.of(Announcements).newest()
    ahead = [
        Problem(path=f"applied.{kind.value}", message=f"there is no revision {revision} yet; the newest is {newest}")
        for kind, revision in given.items()
        if revision > newest
    ]
    if ahead:
        raise Invalid("the request has problems", ahead)
    await work.of(Receipts).put(session_id, given, work.now)


TOPIC = Topic(
    services=lambda parts: {"receipts": ReceiptService(parts.storage, idle_seconds=parts.config.session_idle)},
    purges=(Purge(lambda work, _config: work.of(Receipts).purge()),),
)
