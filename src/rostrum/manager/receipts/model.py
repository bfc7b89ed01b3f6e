"""Receipts: which revision a running desktop has applied."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """How far one running client is with the changes of one kind.

    Attributes:
        required_revision: The newest revision of this kind that concerns the client.
        revision: The revision it says it has applied; ``None`` when it never said.
        applied: Whether it has what it should have.

    """

    session: str
    user: str
    machine: str
    last_seen: datetime
    required_revision: int
    revision: int | None
    reported: datetime | None
    applied: bool

    def as_json(self) -> dict[str, Any]:
        """Show how far a running client is."""
        return {
            "session": self.session,
            "user": self.user,
            "machine": self.machine,
            "lastSeen": self.last_seen,
            "due": self.required_revision,
            "revision": self.revision,
            "reported": self.reported,
            "applied": self.applied,
        }
