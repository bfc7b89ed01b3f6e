"""Feedback of users."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import select

from rostrum.manager.database import tables
from rostrum.manager.files.model import StoredFile
from rostrum.manager.kinds import Kind
from rostrum.manager.records import converted, listing, stored_as
from rostrum.manager.reports.model import TriageStatus
from rostrum.manager.reports.note_repository import Notes
from rostrum.manager.reports.repository import Reports, stored_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """The feedback of a user, with an optional file. It is reviewed if its status is not new."""

    id: str
    user: str = field(metadata=stored_as("user_id"))
    session: str | None = field(metadata=stored_as("session_id"))
    description: str
    attachment: StoredFile | None = field(default=None, metadata=stored_file())
    received: datetime
    reviewed: bool = False
    reviewed_by: str | None = None
    comment: str = ""
    revision: int = 0
    status: TriageStatus = field(
        default=TriageStatus.NEW, metadata=converted(TriageStatus, TriageStatus.__str__, TriageStatus.__str__)
    )
    assignee: str | None = None


class Feedbacks(Reports[Feedback]):
    """The feedback of one transaction."""

    kind = Kind.FEEDBACK
    table = tables.feedback
    record = Feedback
    file = "attachment"
    listing = listing(
        Feedback, tables.feedback, "id", "user", "description", without=("attachment", "comment", "revision")
    )
    audited = ("user", "session")

    async def _remove(self, condition: Any) -> int:
        await self._work.of(Notes).remove(Kind.FEEDBACK, select(tables.feedback.c.id).where(condition))
        return await super()._remove(condition)
