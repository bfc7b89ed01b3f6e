"""Crash reports."""

from dataclasses import dataclass
from datetime import datetime

from rostrum.manager.files.model import StoredFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    """A crash report; ``fields`` is the JSON object of what the reporter sent."""

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
