"""Revisions of documents."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rostrum.base.json_text import raw
from rostrum.manager.kinds import Action, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What a document was from one change on.

    Attributes:
        previous: The revision before it; ``None`` when the document did not exist before.
        body: JSON text of the document; ``None`` when it was deleted, or in lists.

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

    def as_json(self) -> dict[str, Any]:
        return {
            "revision": self.revision,
            "previous": self.previous,
            "action": self.action,
            "at": self.at,
            "actor": self.actor,
            "operation": self.operation,
        }

    def as_document(self) -> dict[str, Any]:
        document = None if self.body is None else raw(self.body)
        return {**self.as_json(), "kind": self.kind, "id": self.key, "document": document}
