"""Groups of crash reports: lists, and their triage by administrators."""

from dataclasses import replace

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.reports import NewNote, Triage
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.crash_groups.model import CrashGroup, CrashGroupDetail
from rostrum.manager.crash_groups.preceding import Preceding, preceding_changes
from rostrum.manager.crash_groups.repository import CrashGroups
from rostrum.manager.crashes.repository import Crashes
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Expected, found, same_revision
from rostrum.manager.kinds import Kind
from rostrum.manager.reports.model import Note, TriageStatus
from rostrum.manager.reports.note_repository import Notes
from rostrum.manager.reports.triage import require_assignable
from rostrum.manager.storage import Storage, Work

_NOUN = "crash group"
_MOST_REVIEWED = 10_000
"""Other writers wait while reports are marked as reviewed."""


class CrashGroupService:
    """The crash groups."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def page(self, identity: Identity, query: Query) -> Page[CrashGroup]:
        require(identity, Permission.CRASHES_READ)
        async with self._storage.read() as work:
            return await work.of(CrashGroups).page(query, work.now)

    async def get(self, identity: Identity, group_id: str) -> CrashGroupDetail:
        """Read a group with the numbers of its reports, and the users who sent most of them."""
        require(identity, Permission.CRASHES_READ)
        async with self._storage.read() as work:
            return await _complete(work, group_id)

    async def change(
        self, identity: Identity, group_id: str, body: Triage, expected: Expected = None
    ) -> CrashGroupDetail:
        """Set the status or the assignee of a group, and mark the reports of a resolved group as reviewed."""
        require(identity, Permission.CRASHES_WRITE)
        given = body.given()
        async with self._storage.write(identity.user) as work:
            before = await _one(work, group_id)
            same_revision(expected, before.revision, _NOUN, group_id)
            assignee = given.get("assignee", before.assignee)
            if assignee is not None and assignee != before.assignee:
                await require_assignable(work, assignee, Permission.CRASHES_READ)
            status = TriageStatus(given.get("status", before.status))
            if given.get("review_reports") and status is not TriageStatus.RESOLVED:
                message = "requires the status resolved"
                raise Invalid("the group is not resolved", [Problem(path="reviewReports", message=message)])
            await put_triage(work, before, status, assignee)
            if given.get("review_reports"):
                await review_reports(work, group_id)
            return await _complete(work, group_id)

    async def preceding(self, identity: Identity, group_id: str) -> Preceding:
        """Find the changes before the first crash of a group."""
        require(identity, Permission.CRASHES_READ)
        async with self._storage.read() as work:
            group = await _one(work, group_id)
            users = [each.user for each in await work.of(CrashGroups).affected(group_id) if each.user is not None]
            return await preceding_changes(work, identity, group, users)

    async def notes(self, identity: Identity, group_id: str) -> Page[Note]:
        require(identity, Permission.CRASHES_READ)
        async with self._storage.read() as work:
            await _one(work, group_id)
            return await work.of(Notes).page(Kind.CRASH_GROUP, group_id)

    async def add_note(self, identity: Identity, group_id: str, body: NewNote) -> Note:
        require(identity, Permission.CRASHES_WRITE)
        async with self._storage.write(identity.user) as work:
            await _one(work, group_id)
            return await work.of(Notes).add(Kind.CRASH_GROUP, group_id, body.text.strip(), identity.user, work.now)


async def put_triage(work: Work, before: CrashGroup, status: TriageStatus, assignee: str | None) -> bool:
    """Store the status and the assignee, and return whether they are different from before."""
    if (status, assignee) == (before.status, before.assignee):
        return False
    after = replace(before, status=status, assignee=assignee, changed=work.now, changed_by=work.actor)
    await work.of(CrashGroups).put(before, replace(after, revision=work.revision))
    return True


async def review_reports(work: Work, group_id: str, key: str = "*") -> None:
    """Mark the reports of a group as reviewed by the author of the transaction; ``key`` is the ID in the audit."""
    await work.of(Crashes).review_group(group_id, work.actor, work.revision, _MOST_REVIEWED, key)


async def _one(work: Work, group_id: str) -> CrashGroup:
    return found(await work.of(CrashGroups).get(group_id), _NOUN, group_id)


async def _complete(work: Work, group_id: str) -> CrashGroupDetail:
    return CrashGroupDetail(
        group=await work.of(CrashGroups).counted(await _one(work, group_id), work.now),
        affected=tuple(await work.of(CrashGroups).affected(group_id)),
        unreviewed=await work.of(Crashes).unreviewed(group_id),
    )
