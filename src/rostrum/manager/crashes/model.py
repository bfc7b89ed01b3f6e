"""Crash reports."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rostrum.base.json_text import raw
from rostrum.manager.files.model import StoredFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    """A crash report; ``fields`` is the JSON object that the reporter sent."""

    id: str
    user: str | None
    product: str
    version: str
    platform: str
    process_type: str
    fields: str
    received: datetime
    minidump: StoredFile | None = None
    reviewed: bool = False
    reviewed_by: str | None = None
    comment: str = ""
    revision: int = 0

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "user": self.user,
            "product": self.product,
            "version": self.version,
            "platform": self.platform,
            "processType": self.process_type,
            "fields": raw(self.fields),
            "minidump": self.minidump and self.minidump.as_json(),
            "received": self.received,
            "reviewed": self.reviewed,
            "reviewedBy": self.reviewed_by,
            "comment": self.comment,
            "revision": self.revision,
        }
