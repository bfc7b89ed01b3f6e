"""Feedback of users."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rostrum.manager.files.model import StoredFile
from rostrum.manager.reports.model import TriageStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """The feedback of a user, with an optional file. It is reviewed if its status is not new."""

    id: str
    user: str
    session: str | None
    description: str
    received: datetime
    attachment: StoredFile | None = None
    reviewed: bool = False
    reviewed_by: str | None = None
    comment: str = ""
    status: TriageStatus = TriageStatus.NEW
    assignee: str | None = None
    revision: int = 0

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "user": self.user,
            "session": self.session,
            "description": self.description,
            "attachment": self.attachment and self.attachment.as_json(),
            "received": self.received,
            "reviewed": self.reviewed,
            "reviewedBy": self.reviewed_by,
            "comment": self.comment,
            "revision": self.revision,
            "status": self.status.value,
            "assignee": self.assignee,
        }
