"""Feedback of users, reviewed by administrators."""

from collections.abc import Mapping
from typing import Any

from rostrum.base.errors import Invalid
from rostrum.base.ids import new_id
from rostrum.base.problems import Problem
from rostrum.contracts.reports import NewNote
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.database.paging import Page
from rostrum.manager.feedback.repository import Feedback, Feedbacks
from rostrum.manager.files.model import Upload
from rostrum.manager.kinds import Kind
from rostrum.manager.quotas.repository import Usage
from rostrum.manager.reports.model import Note, TriageStatus
from rostrum.manager.reports.note_repository import Notes
from rostrum.manager.reports.service import ReportService
from rostrum.manager.reports.triage import require_assignable
from rostrum.manager.storage import Work

_LONGEST = 60_000
_QUOTAS = ("feedback", "feedbackBytes")


class FeedbackService(ReportService[Feedback]):
    """The feedback of users."""

    kind = "feedback"
    repository = Feedbacks
    file = "attachment"
    reading = Permission.FEEDBACKS_READ
    writing = Permission.FEEDBACKS_WRITE

    async def receive(
        self, identity: Identity, description: str, attachment: Upload | None, session: str | None = None
    ) -> Feedback:
        """Store feedback of the caller."""
        if not description.strip() or len(description) > _LONGEST or "\0" in description:
            message = f"must be text of 1 to {_LONGEST} characters"
            raise Invalid("invalid feedback", [Problem(path="description", message=message)])
        async with self._storage.read() as work:
            used = await work.of(Usage).feedback(identity.user)
        async with (
            self._stored(attachment, "attachment.zip", used, _QUOTAS) as file,
            self._storage.write(identity.user) as work,
        ):
            await self._register(work, file, await work.of(Usage).feedback(identity.user), _QUOTAS)
            feedback = Feedback(
                id=new_id(),
                user=identity.user,
                session=session,
                description=description,
                received=work.now,
                attachment=file,
                revision=work.revision,
            )
            await work.of(Feedbacks).add(feedback)
        return feedback

    async def notes(self, identity: Identity, feedback_id: str) -> Page[Note]:
        require(identity, self.reading)
        async with self._storage.read() as work:
            await self._one(work, feedback_id)
            return await work.of(Notes).page(Kind.FEEDBACK, feedback_id)

    async def add_note(self, identity: Identity, feedback_id: str, body: NewNote) -> Note:
        require(identity, self.writing)
        async with self._storage.write(identity.user) as work:
            await self._one(work, feedback_id)
            return await work.of(Notes).add(Kind.FEEDBACK, feedback_id, body.text.strip(), identity.user, work.now)

    async def _review(self, work: Work, report: Feedback, given: Mapping[str, Any]) -> None:
        await put_review(work, report, given)


async def put_review(work: Work, before: Feedback, given: Mapping[str, Any]) -> bool:
    """Store a review, and return whether it changed anything. Feedback is reviewed if its status is not new.

    Clients that do not know the status set only the mark: this resolves new feedback, or opens it again.
    """
    status = TriageStatus(given.get("status", before.status))
    if "status" not in given and "reviewed" in given and given["reviewed"] != before.reviewed:
        status = TriageStatus.RESOLVED if given["reviewed"] else TriageStatus.NEW
    mark = status is not TriageStatus.NEW
    if given.get("reviewed", mark) != mark:
        message = "must be true, because the status is not new" if mark else "must be false, because the status is new"
        raise Invalid("reviewed and status contradict each other", [Problem(path="reviewed", message=message)])
    assignee = given.get("assignee", before.assignee)
    if assignee is not None and assignee != before.assignee:
        await require_assignable(work, assignee, Permission.FEEDBACKS_READ)
    by = before.reviewed_by if mark == before.reviewed else work.actor if mark else None
    comment = given.get("comment", before.comment)
    if (status, assignee, comment) == (before.status, before.assignee, before.comment):
        return False
    await work.of(Feedbacks).review(
        before.id,
        reviewed=mark,
        reviewed_by=by,
        comment=comment,
        revision=work.revision,
        status=status.value,
        assignee=assignee,
    )
    return True
