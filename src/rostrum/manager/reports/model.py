"""The states of crash groups and feedback, and notes about them."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from msgspec import Struct


class TriageStatus(StrEnum):
    """What administrators make of a problem; only the server sets ``RETURNED``."""

    NEW = "new"
    INVESTIGATING = "investigating"
    RESOLVED = "resolved"
    IGNORED = "ignored"
    RETURNED = "returned"


OPEN = (TriageStatus.NEW, TriageStatus.INVESTIGATING, TriageStatus.RETURNED)
"""The states in which administrators still have something to do."""


class Note(Struct, frozen=True, kw_only=True):
    """A note about a crash group or feedback."""

    id: str
    text: str
    created: datetime
    created_by: str

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, "text": self.text, "created": self.created, "createdBy": self.created_by}
