"""Stamp: who created and who last changed a document, and at which revision."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """Who made a document and who changed it last, with the revision of that change."""

    revision: int
    created: datetime
    created_by: str
    modified: datetime
    modified_by: str

    def as_json(self) -> dict[str, Any]:
        return {
            "revision": self.revision,
            "created": self.created,
            "createdBy": self.created_by,
            "modified": self.modified,
            "modifiedBy": self.modified_by,
        }
