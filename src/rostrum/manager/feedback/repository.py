"""Feedback of users."""

from typing import Any

from sqlalchemy import Row, insert, select

from rostrum.manager.database import tables
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.feedback.model import Feedback
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.reports.model import TriageStatus
from rostrum.manager.reports.note_repository import Notes
from rostrum.manager.reports.repository import Reports, file_of

_FEEDBACK = tables.feedback.c

_LISTING = Listing(
    fields={
        "id": _FEEDBACK.id,
        "user": _FEEDBACK.user_id,
        "session": _FEEDBACK.session_id,
        "description": _FEEDBACK.description,
        "received": _FEEDBACK.received,
        "reviewed": _FEEDBACK.reviewed,
        "reviewedBy": _FEEDBACK.reviewed_by,
        "status": _FEEDBACK.status,
        "assignee": _FEEDBACK.assignee,
    },
    searched=("id", "user", "description"),
    key="id",
)


class Feedbacks(Reports):
    """The feedback of one transaction."""

    table = tables.feedback
    kind = Kind.FEEDBACK

    async def get(self, feedback_id: str) -> Feedback | None:
        row = await self.row(feedback_id)
        return None if row is None else _record(row)

    async def page(self, query: Query) -> Page[Feedback]:
        found = await _LISTING.page(self._connection, self.select(), query)
        return found.page(map(_record, found.rows))

    async def keys(self, query: Query, most: int) -> list[str]:
        """Read the IDs of all reports that a list shows, and no more than so many."""
        return await _LISTING.keys(self._connection, query, most)

    async def add(self, feedback: Feedback) -> None:
        """Store new feedback; its file is already stored."""
        told = {name: getattr(feedback, name) for name in ("user", "session")}
        self._journal.noted(Kind.FEEDBACK, feedback.id, Action.CREATED, after=told)
        await self._connection.execute(
            insert(tables.feedback).values(
                id=feedback.id,
                user_id=feedback.user,
                session_id=feedback.session,
                description=feedback.description,
                received=feedback.received,
                file_id=feedback.attachment.id if feedback.attachment else None,
                reviewed=feedback.reviewed,
                reviewed_by=feedback.reviewed_by,
                comment=feedback.comment,
                revision=feedback.revision,
                status=feedback.status.value,
                assignee=feedback.assignee,
            )
        )

    async def _remove(self, condition: Any) -> int:
        await self._work.of(Notes).remove(Kind.FEEDBACK, select(_FEEDBACK.id).where(condition))
        return await super()._remove(condition)


def _record(row: Row[Any]) -> Feedback:
    return Feedback(
        id=row.id,
        user=row.user_id,
        session=row.session_id,
        description=row.description,
        received=row.received,
        attachment=file_of(row),
        reviewed=row.reviewed,
        reviewed_by=row.reviewed_by,
        comment=row.comment,
        revision=row.revision,
        status=TriageStatus(row.status),
        assignee=row.assignee,
    )
