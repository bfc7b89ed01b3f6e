"""Stamp: who created and who last changed a document, and at which revision."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """Who made a document and who changed it last, with the revision of that change."""

    revision: int
    created: datetime
    created_by: str
    modified: datetime
    modified_by: str
