"""Receipts: the revisions that connected desktops have applied."""

from datetime import datetime
from typing import Any

from msgspec import Struct


class Receipt(Struct, frozen=True, kw_only=True):
    """The progress of one client with the changes of one kind.

    Attributes:
        required_revision: The newest revision of this kind that affects the client.
        revision: The revision that it reported as applied; ``None`` if it reported none.
        applied: Whether it has applied the required revision.

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
        """Return the receipt for administrators."""
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
