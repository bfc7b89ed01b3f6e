"""Feedback of users."""

from dataclasses import dataclass
from datetime import datetime

from rostrum.manager.files.model import StoredFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What a user wrote, with the file they sent along."""

    id: str
    user: str
    session: str | None
    description: str
    received: datetime
    attachment: StoredFile | None = None
    reviewed: bool = False
    reviewed_by: str | None = None
    comment: str = ""
    revision: int = 0
