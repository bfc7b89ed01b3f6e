"""Revisions of documents."""

from datetime import datetime
from typing import Any

from msgspec import Struct

from rostrum.base.json_text import raw
from rostrum.manager.kinds import Action, Kind

_SHORTEST = len("2026-01-31T09:00Z")


class Revision(Struct, frozen=True, kw_only=True):
    """The state of a document after one change.

    Attributes:
        previous: The previous revision; ``None`` if the document did not exist before.
        body: JSON text of the document; ``None`` if it was deleted, and in lists.
        batch: The batch that the change was a part of; ``None`` in lists.
        comment: The reason that the author of the change gave; empty if there was none.
        ticket: The ticket of the change; empty if there was none.

    """

    kind: Kind
    key: str
    revision: int
    previous: int | None
    action: Action
    at: datetime
    actor: str
    operation: str
    created: datetime
    created_by: str
    body: str | None = None
    batch: str | None = None
    comment: str = ""
    ticket: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "revision": self.revision,
            "previous": self.previous,
            "action": self.action,
            "at": self.at,
            "actor": self.actor,
            "operation": self.operation,
            "comment": self.comment,
            "ticket": self.ticket,
        }

    def as_document(self) -> dict[str, Any]:
        document = None if self.body is None else raw(self.body)
        return {**self.as_json(), "kind": self.kind, "id": self.key, "batch": self.batch, "document": document}


def moment(text: str) -> datetime:
    """Read a time with its zone; raise ``ValueError`` with the problem."""
    example = "such as 2026-01-31T09:00:00Z"
    if len(text) < _SHORTEST:
        raise ValueError(f"must have a date, a time and a time zone, {example}")
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"is not a valid time; use a format {example}") from None
    if found.tzinfo is None:
        raise ValueError(f"must have a time zone; use a format {example}")
    return found
