"""Receipts: what running clients have applied of the changes that concern them."""

from dataclasses import dataclass
from datetime import timedelta

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.sessions import Applied
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.events.model import EventKind
from rostrum.manager.receipts.model import Receipt
from rostrum.manager.storage import Storage, Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A page of receipts, and how many clients have applied what concerns them."""

    page: Page[Receipt]
    applied: int
    pending: int


class ReceiptService:
    """Who has a change, and who has not."""

    def __init__(self, storage: Storage, *, idle_seconds: int) -> None:
        self._storage = storage
        self._idle = timedelta(seconds=idle_seconds)

    async def standing(self, identity: Identity, query: Query, kind: EventKind, revision: int) -> Standing:
        """List how far active sessions are with one kind: given a revision, those that it or a later one concerns."""
        require(identity, Permission.SESSIONS_READ)
        async with self._storage.read() as work:
            since = work.now - self._idle
            page = await work.receipts.page(query, kind, revision, since)
            applied, pending = await work.receipts.count(kind, revision, since)
        return Standing(page=page, applied=applied, pending=pending)


async def save_receipts(work: Work, session_id: str, applied: Applied) -> None:
    """Keep what a client says it has applied; it cannot have what does not exist yet."""
    given = {EventKind(name): revision for name, revision in applied if revision is not None}
    newest = await work.announcements.newest()
    ahead = [
        Problem(path=f"applied.{kind.value}", message=f"there is no revision {revision} yet; the newest is {newest}")
        for kind, revision in given.items()
        if revision > newest
    ]
    if ahead:
        raise Invalid("the request has problems", ahead)
    await work.receipts.put(session_id, given, work.now)
