"""Proposals: the stored record of a change that waits for approval, and the documents that it would change."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from msgspec import Struct

from rostrum.manager.history.journal import Change
from rostrum.manager.kinds import Action, Kind

MOST_DOCUMENTS = 1000
MOST_BYTES = 16 * 1024 * 1024
MOST_PENDING = 1000


class Status(StrEnum):
    """The state of a proposal."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"


class ProposedChange(Struct, frozen=True, kw_only=True):
    """The change of one document.

    Attributes:
        base: The revision of the document that the change is based on; ``None`` if it did not exist.
        before: JSON text of the document when the change was proposed.
        after: JSON text of the proposed document; ``None`` to delete it.
        secret: JSON text with members that are never shown, such as the hash of a password.

    """

    kind: Kind
    key: str
    action: Action
    base: int | None
    before: str | None
    after: str | None
    secret: str | None = None

    @property
    def size(self) -> int:
        return len(self.before or "") + len(self.after or "")

    def as_change(self) -> Change:
        """Return the change for a difference without secrets."""
        secrets = ("password",) if self.secret is not None else ()
        return Change(
            kind=self.kind, key=self.key, action=self.action, text_before=self.before, after=self.after, secrets=secrets
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A change that waits for approval, or was decided.

    Attributes:
        operation: The operation that the author has called.
        changed: The number of documents.
        decision: The comment of the administrator who decided.
        revision: The revision that the approval created.

    """

    id: str
    status: Status = Status.PENDING
    operation: str
    comment: str = ""
    ticket: str = ""
    changed: int
    created: datetime
    created_by: str
    decided: datetime | None = None
    decided_by: str | None = None
    decision: str = ""
    revision: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "status": self.status,
            "operation": self.operation,
            "comment": self.comment,
            "ticket": self.ticket,
            "changed": self.changed,
            "created": self.created,
            "createdBy": self.created_by,
            "decided": self.decided,
            "decidedBy": self.decided_by,
            "decision": self.decision,
            "revision": self.revision,
        }


class StoredEffect(Struct, frozen=True):
    """The effect that a proposal shows."""

    digest: str
    effect: str
